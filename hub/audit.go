package hub

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Audited is a row of the audit.
type Audited struct {
	AskedAt time.Time `json:"asked_at"`
	Person  string    `json:"person"`            // "" for a refused sign-in, role:NAME for the operator
	Action  string    `json:"action"`            // such as search, publish, grant or sign-in
	Results int       `json:"results"`           // how many memories, changes or refusals
	Detail  *string   `json:"detail,omitempty"`  // what was asked, published or changed
	Shown   []string  `json:"shown,omitempty"`   // ids of memories
	Refused *string   `json:"refused,omitempty"` // the code of the error
	Request *string   `json:"request,omitempty"` // its ID, as in the log and the answer
}

// AuditQuery selects rows of the audit: those of a person, all for "", from a time on.
type AuditQuery struct {
	Person string    `json:"user,omitempty"`
	Since  time.Time `json:"since,omitzero"`
}

// Audit calls fn with rows of the audit, the oldest first.
func (s *Store) Audit(ctx context.Context, q AuditQuery, fn func(Audited) error) error {
	if err := checkText("user", q.Person); err != nil {
		return err
	}
	return s.asOwner(ctx, func(tx pgx.Tx) error {
		rows, _ := tx.Query(ctx, `
			SELECT asked_at, person, action, results, detail, shown, refused, request
			FROM audit
			WHERE asked_at >= $1
				AND ($2 = '' OR person = $2)
			ORDER BY asked_at`, q.Since, q.Person) // ForEachRow returns its error
		var a Audited
		_, err := pgx.ForEachRow(rows, []any{&a.AskedAt, &a.Person, &a.Action, &a.Results, &a.Detail, &a.Shown,
			&a.Refused, &a.Request}, func() error { return fn(a) })
		return err
	})
}

// keepOwner has the audit say what the owner of the tables did to it.
const keepOwner = `INSERT INTO audit (action, results) VALUES ($1, $2)`

// DropAudit removes the rows of the audit before a time, and returns how many.
func (s *Store) DropAudit(ctx context.Context, before time.Time) (removed int, err error) {
	err = s.asOwner(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT drop_audit($1)`, before).Scan(&removed); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, keepOwner, "drop-audit", removed)
		return err
	})
	return removed, err
}

// KeepAudit is a regular job of the service: it adds the partitions of the next months, and removes rows that are older
// than some days, unless they are 0. It takes as long as it takes.
func (s *Store) KeepAudit(ctx context.Context, days int) (removed int, err error) {
	err = s.asService(ctx, Principal{}, "", 0, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, `SELECT keep_audit($1)`, days).Scan(&removed)
	})
	return removed, err
}

// ErasePerson removes a person's name and questions: the tokens, the grants to the person alone, and from the
// audit all but when which memories were shown. It returns how many rows of the audit were the person's.
func (s *Store) ErasePerson(ctx context.Context, person string) (rows int, err error) {
	err = s.asOwner(ctx, func(tx pgx.Tx) error {
		var b pgx.Batch
		b.Queue(`DELETE FROM tokens WHERE person = $1`, person)
		b.Queue(`DELETE FROM denied WHERE person = $1`, person)
		b.Queue(`DELETE FROM administrators WHERE principal = '`+userPrefix+`' || $1`, person)
		b.Queue(`DELETE FROM grants WHERE principal = '`+userPrefix+`' || $1`, person)
		b.Queue(`UPDATE repositories SET published_by = 'erased' WHERE published_by = $1`, person)
		// What the triggers kept of the above names the person too.
		b.Queue(`
			UPDATE audit
			SET
				person = CASE WHEN person = $1 THEN 'erased' ELSE person END,
				detail = CASE WHEN action = 'publish' THEN detail END,
				request = CASE WHEN person <> $1 THEN request END
			WHERE person = $1
				OR action IN ('token', 'revoke', 'deny', 'allow')
					AND detail IN ($1, (string_to_array(detail, ' '))[1] || ' ' || $1)
				OR action IN ('add-admin', 'remove-admin') AND detail = '`+userPrefix+`' || $1
				OR action = 'grant'
					AND strpos(detail || ' ', ' `+userPrefix+`' || $1 || ' ') > 0`, person,
		).Exec(func(tag pgconn.CommandTag) error {
			rows = int(tag.RowsAffected())
			return nil
		})
		if err := tx.SendBatch(ctx, &b).Close(); err != nil || rows == 0 {
			return err
		}
		_, err := tx.Exec(ctx, keepOwner, "erase", rows)
		return err
	})
	return rows, err
}
