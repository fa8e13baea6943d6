package command

import (
	"context"
	"encoding/json"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/schemas"
)

// Hub is the user's hub.
type Hub interface {
	// Ignored returns a warning if a project's configuration names a hub.
	Ignored(project files.Root, cfg schemas.Config) string
	// Search asks the hub, and returns without waiting for the answer, which comes in time. The error says why there
	// is no hub to ask.
	Search(ctx context.Context, words, category string, limit int) (<-chan HubAnswer, error)
	// Get returns complete memories in the order of their ids.
	Get(ctx context.Context, ids []string) ([]HubMemory, error)
	// IsID reports whether an id is one of the hub's. No id of a local memory is.
	IsID(id string) bool
}

// HubAnswer is the result of a search, or why there is none.
type HubAnswer struct {
	Memories []HubMemory
	Err      error
}

// HubMemory is a memory of the hub.
type HubMemory struct {
	ID, Category, Title, UpdatedAt string
	Strength                       float64 // of a search; it does not compare with the relevance of other rows
	Tokens                         int
	HubSource
	Stored json.RawMessage // all of it, from Get
}

// HubSource says where a memory of the hub comes from.
type HubSource struct {
	Repository  string    `json:"repository"`
	Commit      string    `json:"commit"`
	PublishedAt time.Time `json:"published_at"`
}

// Sessions are the past sessions of a project.
type Sessions interface {
	// Search returns the sessions that words find, the best first, each with its best turn.
	Search(ctx context.Context, words string, limit int) ([]FoundTurn, error)
	// Conversation returns the turns of a session from one to another.
	Conversation(ctx context.Context, id string, from, to int) (Conversation, error)
	// Changed returns the sessions that changed a file below the project, the latest first, each with the last turn
	// that did.
	Changed(ctx context.Context, file string, limit int) ([]FoundTurn, error)
	// Admit returns an error if none of an agent's sessions, by their ids, is of the project.
	Admit(ctx context.Context, ids []string) error
	Close() error
}

// FoundTurn is a turn of a past session that a search found.
type FoundTurn struct {
	Session, Client string
	Line            string  // that matches best; "" for none
	Score           float64 // compare it within one search only
	db.Passage
}

// Conversation is a past session with some of its turns.
type Conversation struct {
	Session     string       `json:"session"`
	Client      string       `json:"client"`
	Folder      string       `json:"folder"`
	Started     string       `json:"started_at,omitempty"`
	Ended       string       `json:"ended_at"`
	FirstPrompt string       `json:"first_prompt"`
	Turns       int          `json:"turns"`
	Files       []string     `json:"files"`
	Problem     string       `json:"problem,omitempty"`
	Path        string       `json:"transcript"`
	Passages    []db.Passage `json:"passages"`
}
