package mcpserver

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"memctl/sessions"
	"memctl/store"
	"memctl/text"
)

// scopeSessions is the scope of a search of past sessions of the project.
const scopeSessions = "sessions"

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
	sessions.Conversation
}

const (
	maxSessionText = 300 // code points of a line of a row
	// maxSessionTurn bounds each part of a turn that an agent reads, in code points.
	maxSessionTurn = 6000
)

// pastSessions opens the past sessions of the server's project. It knows no other.
func pastSessions(ctx context.Context, st *store.Store) (*sessions.Library, error) {
	root, err := st.Root()
	if err != nil {
		return nil, err
	}
	return sessions.Open(ctx, sessions.Scope{Folder: root.Project}, nil)
}

func searchSessions(ctx context.Context, st *store.Store, words string, limit int) (any, error) {
	l, err := pastSessions(ctx, st)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	found, err := l.Search(ctx, words, limit)
	out := searchOutput[sessionRow]{Rows: []sessionRow{}}
	for _, f := range found {
		out.Rows = append(out.Rows, sessionRow{
			ID: fmt.Sprintf("%s/%s/%d", sessionType, f.Session.ID, f.Turn), Type: sessionType, Client: f.Client,
			Summary: text.OneLine(f.Line, maxSessionText), Prompt: text.OneLine(f.Prompt, maxSessionText), Score: f.Score,
			Timestamp: f.Said, Tokens: text.Cost(f.Prompt + f.Answer + f.Tools),
		})
	}
	return out, err
}

// isSession reports whether an id is that of a turn of a past session.
func isSession(id string) bool { return strings.HasPrefix(id, sessionType+"/") }

// getSessions returns turns of past sessions, each with the one before and the one after.
func getSessions(ctx context.Context, st *store.Store, ids []string) (details []sessionDetail, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	l, err := pastSessions(ctx, st)
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
