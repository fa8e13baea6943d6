package hub

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"memctl/features/hub/remote"

	"github.com/jackc/pgx/v5"
)

// Operation is a task of operators. They do it on the tables as their owner, or through the API as administrators.
type Operation[Q, A any] struct {
	name string
	Do   func(*Store, context.Context, Q) (A, error)
}

// The operations of administrators that change something. Those that list it stand beside its type.
var (
	AddGrant     = Operation[Grant, GrantChanges]{"grants/add", (*Store).Grant}
	RemoveGrant  = Operation[Grant, GrantChanges]{"grants/remove", (*Store).Revoke}
	SetGrants    = Operation[[]Grant, GrantChanges]{"grants/set", (*Store).SetGrants}
	MakeToken    = Operation[NewToken, CreatedToken]{"tokens/create", (*Store).CreateToken}
	RevokeTokens = Operation[Revocation, Revoked]{"tokens/revoke", (*Store).RevokeTokens}
	AllowPerson  = Operation[Person, []Person]{"denied/allow", (*Store).Allow}
)

// listing is an operation that returns the rows of a query, each by position in the fields of a struct.
func listing[T any](name, query string) Operation[struct{}, []T] {
	return Operation[struct{}, []T]{name, func(s *Store, ctx context.Context, _ struct{}) ([]T, error) {
		return own[T](ctx, s, query)
	}}
}

// Ask has a hub do the operation.
func (o Operation[Q, A]) Ask(ctx context.Context, hub *remote.Client, q Q) (answer A, err error) {
	err = remote.Administer(ctx, hub, o.name, q, func(a A) error {
		answer = a
		return nil
	})
	return answer, err
}

// CreatedToken is a token with its secret.
type CreatedToken struct {
	Secret string `json:"token"`
	Token
}

// AuditOperation is the operation of administrators that reads the audit, as Store.Audit does.
const AuditOperation = "audit"

// addAdministration adds the routes of administrators.
func (s *Server) addAdministration(routes map[string]route) {
	for _, o := range []interface {
		addRoute(*Server, map[string]route)
	}{ListGrants, AddGrant, RemoveGrant, SetGrants, ListTokens, MakeToken, RevokeTokens, ListDenied, AllowPerson,
		ListRepositories} {
		o.addRoute(s, routes)
	}
	administered(s, routes, AuditOperation, s.writeAudit)
}

func (o Operation[Q, A]) addRoute(s *Server, routes map[string]route) {
	administered(s, routes, o.name, func(ctx context.Context, _ http.ResponseWriter, q Q) (any, error) {
		return o.Do(s.store, ctx, q)
	})
}

// administered adds a route on which do answers administrators. It does not read what anybody else sends.
func administered[Q any](s *Server, routes map[string]route, operation string,
	do func(context.Context, http.ResponseWriter, Q) (any, error)) {
	handle := func(w http.ResponseWriter, r *http.Request) (any, error) {
		limitReading(w, requestTimeout)
		a := administration{principalOf(r.Context()), operation}
		if err := s.store.mayAdminister(r.Context(), a); err != nil {
			return nil, unread(w, err)
		}
		var q Q
		if err := decode(w, r, remote.MaxAdmin, &q); err != nil {
			return nil, err
		}
		release, err := s.turn(r.Context())
		if err != nil {
			return nil, err
		}
		defer release()
		return do(context.WithValue(r.Context(), administrationKey{}, a), w, q)
	}
	routes[remote.AdminPath+operation] = route{methods: []string{http.MethodPost}, handle: handle}
}

// writeAudit answers with a line of JSON for each row. If they end early, so does the connection.
func (s *Server) writeAudit(ctx context.Context, w http.ResponseWriter, q AuditQuery) (any, error) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	lines, written := json.NewEncoder(w), false
	err := s.store.Audit(ctx, q, func(a Audited) error {
		written = true
		return lines.Encode(a)
	})
	if err != nil && written {
		s.shown(principalOf(ctx).Request, err) // which logs it
		panic(http.ErrAbortHandler)
	}
	return nil, err
}

// administration names an administrator and the operation. In a context, the store acts for that person.
type administration struct {
	by        Principal
	operation string
}

type administrationKey struct{}

const adminAction = "admin" // the detail is the operation

// mayAdminister returns an error for someone who is no administrator.
func (s *Store) mayAdminister(ctx context.Context, a administration) error {
	var may bool
	err := s.as(ctx, a.by, "", func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, `SELECT has_administrator($1)`, a.by.names()).Scan(&may)
	})
	if err != nil || may {
		return err
	}
	return s.refuse(ctx, a, "no_administrator", "you are not an administrator of this hub")
}

// refuse keeps a refusal in the audit, and returns it.
func (s *Store) refuse(ctx context.Context, a administration, code, message string) error {
	kept := s.audit(ctx, a.by, entry{action: adminAction, detail: a.operation, refused: code})
	return errors.Join(refusal(http.StatusForbidden, code, "%s", message), kept)
}

// administer runs fn as the role memctl_hub_admin. The request goes into the audit first, in a transaction of its own:
// it stays there whatever becomes of the answer. Row security checks that the person is an administrator.
func (s *Store) administer(ctx context.Context, a administration, fn func(pgx.Tx) error) error {
	if err := s.audit(ctx, a.by, entry{action: adminAction, detail: a.operation}); err != nil {
		return err
	}
	err := s.asService(ctx, a.by, "", writeTimeout, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT set_config('role', 'memctl_hub_admin', true)`); err != nil {
			if sqlState(err) == insufficientPrivilege || sqlState(err) == "22023" {
				err = refusal(http.StatusNotImplemented, "no_administration",
					"the hub's service is not a member of memctl_hub_admin, the role of administrators")
			}
			return err
		}
		return fn(tx)
	})
	if sqlState(err) == insufficientPrivilege {
		return s.refuse(ctx, a, "no_right", "this needs the owner of the tables, not an administrator")
	}
	return err
}

const insufficientPrivilege = "42501"

// Administrator may change grants and tokens through the API.
type Administrator struct {
	Principal string    `json:"principal"` // user:NAME or group:NAME
	AddedAt   time.Time `json:"added_at"`
}

// ListAdministrators lists them, for the owner alone.
var ListAdministrators = listing[Administrator]("", `SELECT principal, added_at FROM administrators ORDER BY principal`)

// AddAdministrator makes a principal an administrator. It needs the owner of the tables, as RemoveAdministrator.
func (s *Store) AddAdministrator(ctx context.Context, principal string) ([]Administrator, error) {
	if err := checkPrincipal(principal); err != nil {
		return nil, err
	}
	if !strings.Contains(principal, ":") {
		return nil, badRequest("principal", "expected user:NAME or group:NAME, got %q", principal)
	}
	return own[Administrator](ctx, s, `
		INSERT INTO administrators (principal)
		VALUES ($1)
		ON CONFLICT DO NOTHING
		RETURNING principal, added_at`, principal)
}

// RemoveAdministrator takes that back. It returns what it removed.
func (s *Store) RemoveAdministrator(ctx context.Context, principal string) ([]Administrator, error) {
	return own[Administrator](ctx, s, `DELETE FROM administrators WHERE principal = $1 RETURNING principal, added_at`,
		principal)
}
