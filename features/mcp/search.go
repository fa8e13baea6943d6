package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"memctl/cmd/command"
	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
)

// maxHubText is how many code points of a title of a hub a row shows.
const maxHubText = 200

// hubRow is a memory of a hub. Strength does not compare with the relevance of other rows.
type hubRow struct {
	ID        string  `json:"id"`
	Type      string  `json:"type"`
	Category  string  `json:"category"`
	Scope     string  `json:"scope"`
	Summary   string  `json:"summary"`
	Strength  float64 `json:"strength"`
	Timestamp string  `json:"timestamp"`
	Tokens    int     `json:"tokens"`
	command.HubSource
}

// searchHubOutput has the project's rows, then the hub's. Note says why there are none of
// the hub.
type searchHubOutput struct {
	Rows []any  `json:"rows"`
	Note string `json:"note,omitempty"`
}

// searchHub searches the project and the hub at the same time. Without roots it searches
// the hub alone.
func (s *Server) searchHub(
	ctx context.Context, st *store.Store, roots []files.Root, cfg schemas.Config, words string, f retrieve.Filter,
) (any, error) {
	if len(roots) > 0 {
		if warning := s.Hub.Ignored(roots[0], cfg); warning != "" {
			s.Warn(warning)
		}
	}
	category := ""
	if len(f.Categories) > 0 {
		category = string(f.Categories[0])
	}
	answer, err := s.Hub.Search(ctx, words, category, f.Limit)
	if err != nil {
		return nil, askUser(err)
	}
	out := searchHubOutput{Rows: []any{}}
	if len(roots) > 0 {
		local, err := searchRoots(ctx, st, roots, words, f)
		if err != nil {
			return nil, err
		}
		for _, row := range local {
			out.Rows = append(out.Rows, row)
		}
	}
	got := <-answer
	for _, r := range got.Memories {
		out.Rows = append(out.Rows, hubRow{
			ID: r.ID, Type: retrieve.MemoryType, Category: text.OneLine(r.Category, maxHubText), Scope: scopeHub,
			Summary: text.OneLine(r.Title, maxHubText), Strength: r.Strength, Timestamp: r.UpdatedAt, Tokens: r.Tokens,
			HubSource: r.HubSource,
		})
	}
	if got.Err != nil {
		out.Note = "without the hub: " + text.Brief(got.Err.Error())
	}
	return out, nil
}

// askUser adds to an error what the user can do about it.
func askUser(err error) error {
	hint := text.Hint(err)
	if err == nil || hint == "" {
		return err
	}
	return fmt.Errorf("%w; the user can help: %s", err, hint)
}

type hubDetail struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	Category   string `json:"category"`
	Scope      string `json:"scope"`
	TokenCount int    `json:"tokenCount"`
	command.HubSource
	Stored json.RawMessage `json:"stored"`
}

func (s *Server) getHub(ctx context.Context, ids []string) (details []hubDetail, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	got, err := s.Hub.Get(ctx, ids)
	for _, d := range got {
		details = append(details, hubDetail{
			ID: d.ID, Type: retrieve.MemoryType, Category: text.OneLine(d.Category, maxHubText), Scope: scopeHub,
			TokenCount: text.Cost(string(d.Stored)), HubSource: d.HubSource, Stored: d.Stored,
		})
	}
	return details, askUser(err)
}

type foundRow struct {
	// Project is the name of the project's folder. Its path is not for agents.
	Project string `json:"project"`
	retrieve.Row
}

// searchAll searches the active memories of all projects by full text.
func searchAll(
	ctx context.Context, st *store.Store, root files.Root, cfg schemas.Config, words string, f retrieve.Filter,
) (any, error) {
	cfg.Retrieval.MatchStrategy = schemas.Hybrid
	q := st.SearcherWith(root, cfg).Query(words, f.Limit)
	q.Categories = f.Categories
	entries, err := store.Catalogue{Own: root, UserModel: st.UserModel}.Search(ctx, q)
	out := searchOutput[foundRow]{make([]foundRow, len(entries))}
	for i, e := range entries {
		out.Rows[i] = foundRow{filepath.Base(e.Project), retrieve.Row{
			ID: e.ID, Type: e.Type, Category: string(e.Category), Summary: e.Summary,
			Relevance: e.Relevance, Timestamp: e.UpdatedAt, Tokens: e.Tokens, Outdated: e.Outdated, NewBy: e.NewBy,
		}}
	}
	return out, err
}

// sessionType is the type of a turn of a past session, and begins its id: session/ID/TURN.
const sessionType = "session"

// sessionRow is a session that a search found, with its best turn.
type sessionRow struct {
	ID        string  `json:"id"`
	Type      string  `json:"type"`
	Client    string  `json:"client"`
	Summary   string  `json:"summary"` // the line that matches best
	Prompt    string  `json:"prompt"`  // of the turn
	Score     float64 `json:"score"`   // compare it with those of other sessions only
	Timestamp string  `json:"timestamp"`
	Tokens    int     `json:"tokens"`
}

// sessionDetail is a turn of a session and those beside it.
type sessionDetail struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	TokenCount int    `json:"tokenCount"`
	command.Conversation
}

const (
	maxSessionText = 300 // code points of a line of a row
	// maxSessionTurn bounds each part of a turn that an agent reads, in code points.
	maxSessionTurn = 6000
)

// pastSessions opens the past sessions of the server's project. It knows no other.
func (s *Server) pastSessions(ctx context.Context, st *store.Store) (command.Sessions, error) {
	root, err := st.Root()
	if err != nil {
		return nil, err
	}
	return s.OpenSessions(ctx, root.Project)
}

func (s *Server) searchSessions(ctx context.Context, st *store.Store, words string, limit int) (any, error) {
	l, err := s.pastSessions(ctx, st)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	turns, err := l.Search(ctx, words, limit)
	out := searchOutput[sessionRow]{Rows: []sessionRow{}}
	for _, f := range turns {
		out.Rows = append(out.Rows, sessionRow{
			ID: fmt.Sprintf("%s/%s/%d", sessionType, f.Session, f.Turn), Type: sessionType, Client: f.Client,
			Summary: text.OneLine(cmp.Or(f.Line, f.Prompt), maxSessionText),
			Prompt:  text.OneLine(f.Prompt, maxSessionText), Score: f.Score,
			Timestamp: f.At, Tokens: text.Cost(f.Prompt + f.Answer + f.Tools),
		})
	}
	return out, err
}

// isSession reports whether an id is that of a turn of a past session.
func isSession(id string) bool { return strings.HasPrefix(id, sessionType+"/") }

// getSessions returns turns of past sessions, each with the one before and the one after.
func (s *Server) getSessions(ctx context.Context, st *store.Store, ids []string) (details []sessionDetail, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	l, err := s.pastSessions(ctx, st)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	for _, id := range ids {
		name := strings.TrimPrefix(id, sessionType+"/")
		at := strings.LastIndexByte(name, '/')
		turn, err := strconv.Atoi(name[at+1:])
		if at < 0 || err != nil {
			return nil, fmt.Errorf("id: expected %s/ID/TURN, as search gives it, got %q", sessionType, text.Brief(id))
		}
		c, err := l.Conversation(ctx, name[:at], turn-1, turn+1)
		if err != nil {
			return nil, err
		}
		c.Path, c.Folder = "", "" // paths are not for agents
		d := sessionDetail{ID: id, Type: sessionType, Conversation: c}
		for i := range c.Passages {
			p := &c.Passages[i]
			for _, part := range []*string{&p.Prompt, &p.Answer, &p.Tools} {
				*part = text.Truncate(*part, maxSessionTurn)
				d.TokenCount += text.Cost(*part)
			}
		}
		details = append(details, d)
	}
	return details, nil
}
