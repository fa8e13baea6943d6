package sessions

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"memctl/clients"
	"memctl/db"
	"memctl/schemas"
	"memctl/text"
	"memctl/triage"
)

// Session is a session of a client.
type Session struct {
	ID          string   `json:"session"`
	Client      string   `json:"client"`
	Folder      string   `json:"folder"` // where it ran, "" if the client does not say
	Started     string   `json:"started_at,omitempty"`
	Ended       string   `json:"ended_at"`
	FirstPrompt string   `json:"first_prompt"`
	Turns       int      `json:"turns"`
	Files       []string `json:"files"` // that its tools were given
	Problem     string   `json:"problem,omitempty"`
	Path        string   `json:"transcript"`
	row         int64
}

func sessionOf(t db.Transcript) Session {
	s := Session{ID: t.Session, Client: t.Client, Folder: t.Folder, Started: t.Started, Ended: t.Ended,
		FirstPrompt: t.FirstPrompt, Turns: t.Turns, Problem: t.Problem, Path: t.Path, Files: []string{}, row: t.ID}
	_ = json.Unmarshal([]byte(t.Files), &s.Files) // our own
	return s
}

// List returns the sessions of the scope, the latest first: those in which something was said, and
// those that cannot be read. A zero time stands for any age.
func (l *Library) List(ctx context.Context, before time.Time, limit int) ([]Session, error) {
	condition, args := l.condition()
	if !before.IsZero() {
		condition += ` AND ended_at < ?`
		args = append(args, before.UTC().Format(time.RFC3339))
	}
	rows, err := l.db.Transcripts(ctx, condition+
		` AND (turns > 0 OR problem != '') ORDER BY ended_at DESC, path LIMIT ?`,
		append(args, limit)...)
	list := make([]Session, len(rows))
	for i, r := range rows {
		list[i] = sessionOf(r)
	}
	return list, err
}

// Everything is a limit for all sessions.
const Everything = math.MaxInt32

// WithID returns the session of the scope whose id begins so.
func (l *Library) WithID(ctx context.Context, id string) (Session, error) {
	condition, args := l.condition()
	rows, err := l.db.Transcripts(ctx, condition+
		` AND turns > 0 AND substr(session, 1, length(?)) = ? ORDER BY ended_at DESC, path`,
		append(args, id, id)...)
	switch {
	case err != nil:
		return Session{}, err
	case len(rows) == 0 || id == "":
		return Session{}, text.WithHint(fmt.Errorf("there is no session %q", text.Brief(id)),
			`"memctl sessions" lists them`)
	case len(rows) > 1 && rows[0].Session != rows[1].Session && rows[0].Session != id:
		return Session{}, fmt.Errorf("%q begins the ids of %d sessions, such as %s and %s", text.Brief(id), len(rows),
			rows[0].Session, rows[1].Session)
	}
	return sessionOf(rows[0]), nil
}

// Conversation is a session with some of its turns.
type Conversation struct {
	Session
	Passages []db.Passage `json:"passages"`
}

// Conversation returns the turns of a session from one to another, all if both are 0.
func (l *Library) Conversation(ctx context.Context, id string, from, to int) (c Conversation, err error) {
	if c.Session, err = l.WithID(ctx, id); err != nil {
		return c, err
	}
	if to == 0 {
		to = Everything
	}
	c.Passages, err = l.db.Passages(ctx, c.row, from, to)
	if err == nil && len(c.Passages) == 0 {
		err = fmt.Errorf("session %s has %s, and none of those asked for", c.ID, text.Plural(c.Turns, "turn", "turns"))
	}
	return c, err
}

// Draft is the text of a turn, for a memory.
type Draft struct {
	Session Session
	Text    string
	Fields  schemas.Memory
}

// maxDraft is how many code points of a turn a memory takes.
const maxDraft = 1500

// Draft returns the text for a memory of a turn: what the person said, and what came of it; or of one side of it alone.
// What a person has chosen of it stands for the whole.
func (l *Library) Draft(
	ctx context.Context, id string, turn int, side triage.Side, chosen string,
) (d Draft, err error) {
	c, err := l.Conversation(ctx, id, turn, turn)
	if err != nil {
		return d, err
	}
	p := triage.Turn{Number: turn, Person: strings.TrimSpace(text.Own(c.Passages[0].Prompt)),
		Agent: strings.TrimSpace(text.Prose(c.Passages[0].Answer))}
	var parts []string
	switch {
	case chosen != "":
		parts = append(parts, text.Truncate(strings.TrimSpace(chosen), maxDraft))
		p.Person, p.Agent = "", ""
	case side == triage.Person:
		p.Agent = ""
	case side == triage.Agent:
		p.Person = ""
	}
	finds := triage.WorthDrafts([]triage.Turn{p})
	if len(finds) > 0 && !strings.HasPrefix(cmp.Or(p.Person, p.Agent), finds[0].Text) {
		parts = append(parts, finds[0].Text) // the title is made of what says most
	}
	for _, message := range []string{p.Person, p.Agent} {
		if message != "" {
			parts = append(parts, text.Truncate(message, maxDraft/2))
		}
	}
	client := c.Client
	if own := clients.Named(c.Client); own != nil {
		client = own.Title
	}
	parts = append(parts, fmt.Sprintf("Said in turn %d of a session of %s on %.10s.", turn, client, c.Ended))
	return Draft{Session: c.Session, Text: strings.Join(parts, "\n\n")}, nil
}
