package db

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memctl/text"
)

// SessionsVersion must be raised whenever the same transcripts would give other rows or tables. A new
// analyser, with which ContentVersion is raised, does.
const SessionsVersion = 100*ContentVersion + 1

// OpenSessions opens the database of past sessions, and makes an empty one if there is none.
func OpenSessions(ctx context.Context, path string) (*DB, error) {
	return openFile(ctx, path, pastSessions, writePragmas+sharedPragmas)
}

// CreateSessions makes an empty database of past sessions at path, where there is no file.
func CreateSessions(ctx context.Context, path string) error {
	return createFile(ctx, path, pastSessions, func(tx *Tx) error {
		return tx.PutMeta("content_version", strconv.Itoa(SessionsVersion))
	})
}

// Transcript is a row of transcripts.
type Transcript struct {
	ID          int64  `db:"transcript_id"`
	Path        string `db:"path"`
	Client      string `db:"client"`
	Session     string `db:"session"`
	Folder      string `db:"folder"`
	Project     string `db:"project"`
	Size        int64  `db:"size_bytes"`
	MTime       int64  `db:"mtime_ns"`
	ResumeAt    int64  `db:"resume_at"`
	ResumeMark  string `db:"resume_mark"`
	Started     string `db:"started_at"`
	Ended       string `db:"ended_at"`
	FirstPrompt string `db:"first_prompt"`
	Turns       int    `db:"turns"`
	Files       string `db:"files"` // a JSON list
	Problem     string `db:"problem"`
}

const transcriptColumns = `transcript_id, path, client, session, folder, project, size_bytes, mtime_ns,
	resume_at, resume_mark,
	started_at, ended_at, first_prompt, turns, files, problem`

// Transcripts lists the transcripts that a condition on their columns selects.
func (d *DB) Transcripts(ctx context.Context, condition string, args ...any) ([]Transcript, error) {
	return Query[Transcript](ctx, d, `SELECT `+transcriptColumns+` FROM transcripts WHERE `+condition, args...)
}

// Transcript reads the transcript of a path, the zero value if there is none.
func (t *Tx) Transcript(path string) (Transcript, error) {
	rows, err := queryTx[Transcript](t, `SELECT `+transcriptColumns+` FROM transcripts WHERE path = ?`, path)
	return append(rows, Transcript{})[0], err
}

// PutTranscript writes a transcript and returns its id.
func (t *Tx) PutTranscript(r Transcript) (id int64, err error) {
	columns := strings.Split(transcriptColumns, ",")[1:]
	var sets []string
	for i, column := range columns {
		columns[i] = strings.TrimSpace(column)
		sets = append(sets, fmt.Sprintf("%s = excluded.%[1]s", columns[i]))
	}
	err = t.get("write a transcript", &id, `
		INSERT INTO transcripts (`+strings.Join(columns, ", ")+`)
		VALUES (?`+strings.Repeat(", ?", len(columns)-1)+`)
		ON CONFLICT (path) DO UPDATE SET `+strings.Join(sets, ", ")+`
		RETURNING transcript_id`, r.Path, r.Client, r.Session, r.Folder, r.Project, r.Size, r.MTime,
		r.ResumeAt, r.ResumeMark,
		r.Started, r.Ended, r.FirstPrompt, r.Turns, r.Files, r.Problem)
	return id, err
}

// maxTurn is the last turn of a session that has a passage: see the migration.
const maxTurn = 1<<16 - 1

// RemovePassages removes the passages of a transcript from a turn on.
func (t *Tx) RemovePassages(transcript int64, from int) error {
	first, last := transcript<<16+int64(from), transcript<<16+maxTurn
	t.exec("remove passages", `
		DELETE FROM passages_fts
		WHERE rowid IN (SELECT passage_id FROM passages WHERE passage_id BETWEEN ? AND ?)`, first, last)
	return t.exec("remove passages", `DELETE FROM passages WHERE passage_id BETWEEN ? AND ?`, first, last)
}

// RemoveTranscript removes a transcript and its passages.
func (t *Tx) RemoveTranscript(id int64) error {
	t.RemovePassages(id, 0)
	return t.exec("remove a transcript", `DELETE FROM transcripts WHERE transcript_id = ?`, id)
}

// Passage is a row of passages: a turn of a session.
type Passage struct {
	Turn   int    `db:"turn" json:"turn"`
	At     string `db:"said_at" json:"said_at,omitempty"`
	Prompt string `db:"prompt" json:"prompt"`
	Answer string `db:"answer" json:"answer"`
	Tools  string `db:"tools" json:"tools,omitempty"` // their inputs, and the ends of their output
	Hash   string `db:"text_hash" json:"-"`
}

// PutPassage adds a passage. Its full text has the person's own text apart from pasted text.
func (t *Tx) PutPassage(transcript int64, p Passage) error {
	if p.Turn > maxTurn {
		return nil
	}
	id := transcript<<16 + int64(p.Turn)
	t.exec("write a passage", `
		INSERT INTO passages (passage_id, said_at, prompt, answer, tools, text_hash)
		VALUES (?, ?, ?, ?, ?, ?)`, id, p.At, p.Prompt, p.Answer, p.Tools, p.Hash)
	own := text.Own(p.Prompt)
	lines := strings.Split(own, "\n")
	pasted := slices.DeleteFunc(strings.Split(p.Prompt, "\n"), func(line string) bool {
		return slices.Contains(lines, line)
	})
	return t.exec("write full text", `
		INSERT INTO passages_fts (rowid, own, answer, pasted, tools)
		VALUES (?, ?, ?, ?, ?)`, id, text.FullText(own), text.FullText(p.Answer),
		text.FullText(strings.Join(pasted, "\n")),
		text.FullText(p.Tools))
}

// Passages returns the passages of a transcript whose turns lie in a range.
func (d *DB) Passages(ctx context.Context, transcript int64, from, to int) ([]Passage, error) {
	return Query[Passage](ctx, d, `
		SELECT passage_id & 65535 AS turn, said_at, prompt, answer, tools, text_hash
		FROM passages
		WHERE passage_id BETWEEN ? AND ?
		ORDER BY passage_id`, transcript<<16+int64(max(from, 0)), transcript<<16+int64(min(to, maxTurn)))
}

// Erase writes every page again, so that no byte of removed text is left.
func (d *DB) Erase(ctx context.Context) error {
	err := d.Update(ctx, func(tx *Tx) error {
		tx.RemoveUnusedVectors()
		return tx.exec("merge full text", `INSERT INTO passages_fts (passages_fts) VALUES ('optimize')`)
	})
	if err != nil {
		return err
	}
	return d.compact(ctx)
}

// CountPassages counts the passages that have each term, up to a bound.
func (d *DB) CountPassages(ctx context.Context, terms []string, most int) (map[string]int, error) {
	counts, err := Query[int](ctx, d, `
		SELECT (SELECT count(*) FROM (SELECT 1 FROM passages_fts WHERE passages_fts MATCH t.value LIMIT ?))
		FROM json_each(?) t`, most, JSON(QuoteAll(terms)))
	byTerm := map[string]int{}
	for i, n := range counts {
		byTerm[terms[i]] = n
	}
	return byTerm, err
}

// SessionLine is a line of one side of a passage.
type SessionLine struct {
	Passage int64  `json:"passage"`
	Side    string `json:"side"`
	Text    string `json:"said"`
	Full    string `json:"full"`
}

// SelectWithLines runs a query that also has the table temp.lines, the full text of some lines.
func (d *DB) SelectWithLines(ctx context.Context, lines []SessionLine, into any, query string, args ...any) error {
	for i := range lines {
		lines[i].Full = text.FullText(lines[i].Text)
	}
	conn, err := d.sql.Connx(ctx)
	if err != nil {
		return wrap("compare lines", err)
	}
	defer conn.Close()
	for _, statement := range []string{
		`DROP TABLE IF EXISTS temp.lines`,
		`CREATE VIRTUAL TABLE temp.lines USING fts5 (full, said UNINDEXED, side UNINDEXED, passage_id UNINDEXED,
			tokenize = 'porter unicode61')`,
	} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return wrap("compare lines", err)
		}
	}
	_, err = conn.ExecContext(ctx, `
		INSERT INTO temp.lines (full, said, side, passage_id)
		SELECT value ->> 'full', value ->> 'said', value ->> 'side', value ->> 'passage'
		FROM json_each(?)`, JSON(lines))
	if err == nil {
		err = conn.SelectContext(ctx, into, query, args...)
	}
	return wrap("compare lines", err)
}
