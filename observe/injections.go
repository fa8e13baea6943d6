package observe

import (
	"slices"
	"strings"
	"time"

	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"
)

// Injection is one prompt that received memories of a root. The record of injections is a file of
// this user, for all roots, and holds no word of a prompt or a memory. Deleting it loses
// nothing but the past.
type Injection struct {
	Time     time.Time `json:"time"`
	Session  string    `json:"session,omitempty"` // of SessionKey
	Root     string    `json:"root"`              // memdir.Root.Key
	Memories []string  `json:"memories"`          // paths below the root: decisions/ID.json
}

const (
	injectionsName = "injections.jsonl"
	// injectionsLimit is the size at which the record starts over, in bytes: some
	// thousand prompts. The old record is kept until the next time.
	injectionsLimit = 1 << 20
)

// Append adds the injection to the record.
func (in Injection) Append() error { return appendRecord(injectionsName, injectionsLimit, in) }

// ReadInjections returns the recorded injections of a root, oldest first. It skips lines
// that are not injections.
func ReadInjections(root memdir.Root) ([]Injection, error) {
	list, err := readRecord(injectionsName, injectionsLimit, func(in Injection) bool { return in.Root == root.Key() })
	for i := range list {
		list[i].Memories = slices.DeleteFunc(list[i].Memories, func(path string) bool { return !HasPlainID(path) })
	}
	return list, err
}

// HasPlainID reports whether a path is that of a memory whose id has the form that
// memctl gives ids. Files that others put into a root may have any name.
func HasPlainID(path string) bool {
	_, placed := schemas.CategoryOfPath(path)
	_, name, _ := strings.Cut(path, "/")
	id := strings.TrimSuffix(name, ".json")
	const allowed = "abcdefghijklmnopqrstuvwxyz0123456789-"
	return placed && id != "" && len(id) <= text.MaxSlug && strings.Trim(id, allowed) == ""
}
