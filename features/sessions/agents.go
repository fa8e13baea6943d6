package sessions

import (
	"context"

	"memctl/cmd/command"
)

// agentsSessions implements command.Sessions.
type agentsSessions struct{ *Library }

func openForAgents(ctx context.Context, std command.Streams, project string) (command.Sessions, error) {
	l, err := Open(ctx, Scope{Folder: project, UserModel: std.UserModel()}, nil)
	if err != nil {
		return nil, err
	}
	return agentsSessions{l}, nil
}

func (s agentsSessions) Search(ctx context.Context, words string, limit int) (list []command.FoundTurn, err error) {
	matches, err := s.Library.Search(ctx, words, limit)
	for _, f := range matches {
		turn := command.FoundTurn{
			Session: f.Session.ID, Client: f.Client, Line: f.Line, Score: f.Score, Passage: f.Passage,
		}
		turn.Turn = f.Turn
		list = append(list, turn)
	}
	return list, err
}

func (s agentsSessions) Conversation(ctx context.Context, id string, from, to int) (command.Conversation, error) {
	c, err := s.Library.Conversation(ctx, id, from, to)
	return command.Conversation{
		Session: c.ID, Client: c.Client, Folder: c.Folder, Started: c.Started, Ended: c.Ended,
		FirstPrompt: c.FirstPrompt, Turns: c.Turns, Files: c.Files, Problem: c.Problem, Path: c.Path,
		Passages: c.Passages,
	}, err
}
