package main

import (
	"context"
	"errors"
	"net/url"

	"memctl/features/hub"
	"memctl/features/mcp"
	"memctl/features/sessions"
	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

// agentsHub implements mcp.Hub by the hub of the user's configuration.
type agentsHub struct{}

func (agentsHub) Ignored(project files.Root, cfg schemas.Config) string {
	return hub.Ignored(project, cfg)
}

func (agentsHub) IsID(id string) bool { return hub.IsID(id) }

// find returns the user's settings of the hub, and where it is.
func (agentsHub) find() (settings hub.Settings, address *url.URL, err error) {
	if settings, err = hub.UserSettings(); err == nil {
		address, err = settings.Address(false)
	}
	if errors.Is(err, hub.ErrNoHub) {
		err = text.WithHint(err, "memctl config set hub.url URL --user")
	}
	return settings, address, err
}

func (h agentsHub) Search(ctx context.Context, words, category string, limit int) (<-chan mcp.HubAnswer, error) {
	settings, address, err := h.find()
	if err != nil {
		return nil, err
	}
	found := hub.Ask(ctx, address, settings.Timeout, version, hub.Query{Query: words, Limit: limit, Category: category})
	answer := make(chan mcp.HubAnswer, 1)
	go func() {
		got := <-found
		a := mcp.HubAnswer{Err: got.Err}
		for _, r := range got.Results {
			m := agentsMemory(r.Row)
			m.Strength = r.Strength
			a.Memories = append(a.Memories, m)
		}
		answer <- a
	}()
	return answer, nil
}

func (h agentsHub) Get(ctx context.Context, ids []string) (list []mcp.HubMemory, err error) {
	_, address, err := h.find()
	if err != nil {
		return nil, err
	}
	got, err := hub.Fetch(ctx, address, version, ids)
	for _, d := range got {
		m := agentsMemory(d.Row)
		m.Stored = d.Memory
		list = append(list, m)
	}
	return list, err
}

func agentsMemory(r hub.Row) mcp.HubMemory {
	return mcp.HubMemory{ID: r.ID, Category: r.Category, Title: r.Title, UpdatedAt: r.UpdatedAt, Tokens: r.Tokens,
		HubSource: mcp.HubSource(r.Source)}
}

// agentsSessions implements mcp.Sessions.
type agentsSessions struct{ *sessions.Library }

func openAgentsSessions(ctx context.Context, project string) (mcp.Sessions, error) {
	l, err := sessions.Open(ctx, sessions.Scope{Folder: project, UserModel: userModel}, nil)
	if err != nil {
		return nil, err
	}
	return agentsSessions{l}, nil
}

func (s agentsSessions) Search(ctx context.Context, words string, limit int) (list []mcp.FoundTurn, err error) {
	found, err := s.Library.Search(ctx, words, limit)
	for _, f := range found {
		turn := mcp.FoundTurn{Session: f.Session.ID, Client: f.Client, Line: f.Line, Score: f.Score, Passage: f.Passage}
		turn.Turn = f.Turn
		list = append(list, turn)
	}
	return list, err
}

func (s agentsSessions) Conversation(ctx context.Context, id string, from, to int) (mcp.Conversation, error) {
	c, err := s.Library.Conversation(ctx, id, from, to)
	return mcp.Conversation{
		Session: c.ID, Client: c.Client, Folder: c.Folder, Started: c.Started, Ended: c.Ended,
		FirstPrompt: c.FirstPrompt, Turns: c.Turns, Files: c.Files, Problem: c.Problem, Path: c.Path, Passages: c.Passages,
	}, err
}
