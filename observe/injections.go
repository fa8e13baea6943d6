package observe

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

// Injection says which memories of a root were given at a moment, or what an agent then did
// with them. The record of injections is a file of this user, for all roots, and holds no word
// of a prompt or a memory. Deleting it loses nothing but the past.
type Injection struct {
	Time     time.Time `json:"time"`
	Session  string    `json:"session,omitempty"` // of SessionKey, "" where it is unknown
	Root     string    `json:"root"`              // files.Root.Key
	Moment   string    `json:"moment,omitempty"`  // "" for a use, and for a prompt in older records
	Use      string    `json:"use,omitempty"`     // "" for an injected memory; of Uses, or Stopped, Broken, Approved
	Memories []string  `json:"memories"`          // paths below the root: decisions/ID.json
}

// The moments at which memories are given.
const (
	AtPrompt   = "prompt"
	AtTool     = "tool" // before or after it
	AtStart    = "start"
	AtSubagent = "subagent"
	// AtFailure is when a command has failed: only fixes are given then, which are not recorded.
	AtFailure = "failure"
	// AtPause is when a call is stopped once. It is not a moment of the record of injections.
	AtPause = "pause"
	// oldTurn is the moment of a prompt in the records of an earlier memctl.
	oldTurn = "turn"
)

// The uses of a memory by an agent.
const (
	Opened  = "opened"
	Saved   = "saved"
	Changed = "changed"
	Retired = "retired" // or archived, or removed
)

// Moments and Uses list them in the order in which they are shown.
var (
	Moments = []string{AtPrompt, AtTool, AtStart, AtSubagent}
	Uses    = []string{Opened, Saved, Changed, Retired}
)

// GivenAt is the moment of an injection, "" for a use.
func (in Injection) GivenAt() string {
	if in.Use != "" {
		return ""
	}
	return cmp.Or(in.Moment, AtPrompt)
}

// maxUsedAtOnce is how many memories one line of the record has of those that were used.
const maxUsedAtOnce = 50

// RecordUse notes that an agent used memories of a root.
func RecordUse(root files.Root, session, use string, paths []string) error {
	paths = slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !HasPlainID(path) })
	if len(paths) == 0 {
		return nil
	}
	return Injection{Time: time.Now().UTC().Truncate(time.Second), Session: SessionKey(session), Root: root.Key(),
		Use:      use,
		Memories: paths[:min(len(paths), maxUsedAtOnce)]}.Append()
}

const (
	injectionsName = "injections.jsonl"
	// injectionsLimit is the size at which the record starts over, in bytes: some
	// thousand prompts. The old record is kept until the next time.
	injectionsLimit = 1 << 20
)

// Append adds the injection to the record.
func (in Injection) Append() error { return appendRecord(injectionsName, injectionsLimit, in) }

// ReadInjections returns what the record has of a root, oldest first: what was given because it
// matched a prompt or a tool. It skips other lines.
func ReadInjections(root files.Root) ([]Injection, error) {
	list, err := ReadRecord(root)
	return slices.DeleteFunc(list, func(in Injection) bool {
		return in.GivenAt() == "" || in.GivenAt() == AtStart
	}), err
}

// ReadRecord returns the record of a root, oldest first, without the verdicts on rules.
func ReadRecord(root files.Root) ([]Injection, error) {
	list, err := ReadVerdicts(root)
	return slices.DeleteFunc(list, Injection.IsVerdict), err
}

// ReadVerdicts returns the record of a root with the verdicts on rules, oldest first, for RulesInSessions.
func ReadVerdicts(root files.Root) ([]Injection, error) {
	key := root.Key()
	data, err := files.ReadState(injectionsName, injectionsLimit)
	var list []Injection
	for line := range bytes.Lines(data) {
		if bytes.Contains(line, []byte(key)) { // most lines may be about other roots
			list = append(list, recordOf(line, func(in Injection) bool { return in.Root == key })...)
		}
	}
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
