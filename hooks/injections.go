package hooks

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// Injection is one prompt that received memories of a root. The record of injections is a file of
// this user, for all roots, and holds no word of a prompt or a memory. Deleting it loses
// nothing but the past.
type Injection struct {
	Time     time.Time `json:"time"`
	Session  string    `json:"session,omitempty"` // the client's id; a hash of one that is not a UUID
	Root     string    `json:"root"`              // memdir.Root.Key
	Memories []string  `json:"memories"`          // paths below the root: decisions/ID.json
}

const (
	injectionsName = "injections.jsonl"
	// injectionsLimit is the size at which the record starts over, in bytes: some
	// thousand prompts. The old record is kept until the next time.
	injectionsLimit = 1 << 20
)

// recordInjections notes which memories of each root a prompt received.
func (c *Call) recordInjections(ctx context.Context, cfg schemas.Config, given []retrieve.Result) {
	if !cfg.Retrieval.Record || ctx.Err() != nil {
		return
	}
	var list []Injection
	for _, r := range given {
		if !HasPlainID(r.Path) {
			continue
		}
		root := r.Root.Key()
		i := slices.IndexFunc(list, func(in Injection) bool { return in.Root == root })
		if i < 0 {
			i = len(list)
			list = append(list, Injection{Time: time.Now().UTC().Truncate(time.Second), Session: sessionKey(c.Event.SessionID), Root: root})
		}
		list[i].Memories = append(list[i].Memories, r.Path)
	}
	for _, in := range list {
		if err := in.append(); err != nil {
			c.note("warning: which memories the prompt received is not recorded: %s", text.Printable(err.Error()))
			return
		}
	}
}

func (in Injection) append() error {
	state, err := memdir.OpenState()
	if err != nil {
		return err
	}
	defer state.Close()
	return state.Append(injectionsName, []byte(jsonLine(in)), injectionsLimit)
}

// ReadInjections returns the recorded injections of a root, oldest first. It skips lines
// that are not injections.
func ReadInjections(root memdir.Root) ([]Injection, error) {
	state, err := memdir.OpenState()
	if err != nil {
		return nil, err
	}
	defer state.Close()
	data, err := state.ReadJournal(injectionsName, injectionsLimit)
	var list []Injection
	for line := range strings.Lines(string(data)) {
		var in Injection
		if json.Unmarshal([]byte(line), &in) != nil || in.Root != root.Key() {
			continue
		}
		in.Memories = slices.DeleteFunc(in.Memories, func(path string) bool { return !HasPlainID(path) })
		list = append(list, in)
	}
	return list, err
}

// HasPlainID reports whether a path is that of a memory whose id has the form that
// memctl gives ids. Files that others put into a root may have any name.
func HasPlainID(path string) bool {
	_, placed := schemas.CategoryOfPath(path)
	_, name, _ := strings.Cut(path, "/")
	id := strings.TrimSuffix(name, ".json")
	return placed && id != "" && len(id) <= text.MaxSlug && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// jsonLine renders a value that holds strings only, so encoding cannot fail.
func jsonLine(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	return b.String()
}
