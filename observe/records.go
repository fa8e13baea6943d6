package observe

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/schemas"
)

// appendRecord adds a line for each entry to a record in the user's state folder. The record
// starts over at a size, in bytes.
func appendRecord[T any](name string, limit int64, entries ...T) error {
	var lines []byte
	for _, entry := range entries {
		line, err := schemas.EncodeJSON(entry)
		if err != nil {
			return err
		}
		lines = append(append(lines, line...), '\n')
	}
	return files.AppendState(name, lines, limit)
}

// readRecord returns the entries of a record that are wanted, oldest first. It skips
// lines that are no entries.
func readRecord[T any](name string, limit int64, wants func(T) bool) ([]T, error) {
	data, err := files.ReadState(name, limit)
	return recordOf(data, wants), err
}

// recordOf returns the entries in the lines of a record that are wanted.
func recordOf[T any](data []byte, wants func(T) bool) (list []T) {
	for line := range bytes.Lines(data) {
		var entry T
		if json.Unmarshal(line, &entry) == nil && wants(entry) {
			list = append(list, entry)
		}
	}
	return list
}

// Reviewed is the result of a review of a root. The record of reviews is a file of this
// user, for all roots. Deleting it loses nothing.
type Reviewed struct {
	Time     time.Time `json:"time"`
	Root     string    `json:"root"` // files.Root.Key
	Findings int       `json:"findings"`
}

const (
	reviewsName = "reviews.jsonl"
	// reviewsLimit is the size at which the record starts over, in bytes: some hundred
	// reviews. The old record is kept until the next time.
	reviewsLimit = 16 << 10
)

// RecordReview notes what a review of a root found.
func RecordReview(root files.Root, now time.Time, findings int) error {
	return appendRecord(reviewsName, reviewsLimit, Reviewed{now.UTC().Truncate(time.Second), root.Key(), findings})
}

// LastReview returns the last review of a root, the zero value if none is on record.
func LastReview(root files.Root) (last Reviewed, err error) {
	list, err := readRecord(reviewsName, reviewsLimit, func(r Reviewed) bool { return r.Root == root.Key() })
	if len(list) > 0 {
		last = list[len(list)-1]
	}
	return last, err
}

const (
	givenPrefix = "given-"
	// givenLimit is the size at which the file of a session starts over, in bytes: some
	// thousand memories. The old file is kept until the next time.
	givenLimit = 128 << 10
	// turnsSuffix marks the file that has a byte for each turn of a session. It begins as the file of what the session
	// got, and goes with it.
	turnsSuffix = ".turns"
	// turnsLimit is more than a session has turns.
	turnsLimit = 1 << 20
)

// injectedMemory is a memory that a session got, as its file was then.
type injectedMemory struct {
	files.Version
	Moment string `json:"moment,omitempty"` // "" in older records
	Turn   int    `json:"turn,omitempty"`   // how many turns the session had had
}

// ReadGiven returns the memories that a session got since its context was last emptied, without those of some
// moments. They are in a file of the session in the user's state folder. A session has got nothing if it has no
// id or if its file cannot be read.
func ReadGiven(session string, without ...string) map[files.Version]bool {
	had := map[files.Version]bool{}
	for v := range givenTurns(session, without) {
		had[v] = true
	}
	return had
}

// TurnsSince returns the memories of ReadGiven, and how many turns the session has had since it got each last.
func TurnsSince(session string, without ...string) map[files.Version]int {
	had := givenTurns(session, without)
	if len(had) == 0 {
		return had
	}
	turns := turnsOf(session)
	for v, turn := range had {
		had[v] = turns - turn
	}
	return had
}

// givenTurns returns the memories of ReadGiven, and the number of turns at which the session got each last.
func givenTurns(session string, without []string) map[files.Version]int {
	had := map[files.Version]int{}
	if session == "" {
		return had
	}
	_, _ = readRecord(givenPrefix+SessionKey(session), givenLimit, func(g injectedMemory) bool {
		if !slices.Contains([]string{oldTurn, atTry, atRun}, g.Moment) && !slices.Contains(without, g.Moment) {
			had[g.Version] = g.Turn
		}
		return false
	})
	return had
}

// NoteTurn notes a turn of a session: a prompt, or a use of a tool. Without it a rule is said again later.
func NoteTurn(session string) {
	if session != "" {
		_ = files.AppendState(givenPrefix+SessionKey(session)+turnsSuffix, []byte("."), turnsLimit)
	}
}

// turnsOf returns how many turns a session has had since its context was last emptied.
func turnsOf(session string) int {
	data, _ := files.ReadState(givenPrefix+SessionKey(session)+turnsSuffix, turnsLimit)
	return len(data)
}

// NoteGiven notes the memories that a session gets at a moment.
func NoteGiven(session, moment string, list []files.Version) error {
	if session == "" || len(list) == 0 {
		return nil
	}
	turn := turnsOf(session)
	entries := make([]injectedMemory, len(list))
	for i, v := range list {
		entries[i] = injectedMemory{v, moment, turn}
	}
	return appendRecord(givenPrefix+SessionKey(session), givenLimit, entries...)
}

// ForgetGiven forgets what a session got, because its context is empty, and what sessions
// got that ended long ago.
func ForgetGiven(session string, now time.Time) {
	state, err := files.OpenState()
	if err != nil {
		return
	}
	defer state.Close()
	state.Sweep(givenPrefix, now.Add(-MarkLife))
	if session != "" {
		state.Sweep(givenPrefix+SessionKey(session), now.Add(time.Minute)) // whatever it is dated
	}
}

const (
	branchPrefix = "branch-"
	// maxBranch is how many files of a branch are kept, maxBranchBytes what they take.
	maxBranch      = 500
	maxBranchBytes = 256 << 10
	// maxUsed is how many memories count as used.
	maxUsed = 100
)

// NoteBranch notes the files of a root's project that its branch is about: those that
// differ from the last commit and those of the last commits, below the project.
func NoteBranch(root files.Root, paths []string) error {
	return files.WriteStateFile(branchPrefix+root.Key(), strings.Join(paths[:min(len(paths), maxBranch)], "\n"))
}

// BranchFiles returns the files that NoteBranch noted last, none if it never did.
func BranchFiles(root files.Root) []string {
	data, err := files.ReadStateFile(branchPrefix+root.Key(), maxBranchBytes)
	if err != nil || len(data) == 0 {
		return nil
	}
	return strings.Split(string(data), "\n")
}

// MostUsed returns the paths of the memories in a root's record that were given because they matched, the one given
// most often first; of those given as often, the one given last.
func MostUsed(record []Injection) []string {
	var paths []string
	times := map[string]int{}
	for _, in := range slices.Backward(record) {
		if at := in.GivenAt(); at == "" || at == AtStart {
			continue
		}
		for _, path := range in.Memories {
			if times[path]++; times[path] == 1 {
				paths = append(paths, path)
			}
		}
	}
	slices.SortStableFunc(paths, func(a, b string) int { return cmp.Compare(times[b], times[a]) })
	return paths[:min(len(paths), maxUsed)]
}

// GivenAtStarts returns the paths of the memories in a root's record with which at least n sessions have started since
// a time.
func GivenAtStarts(record []Injection, since time.Time, n int) (paths []string) {
	times := map[string]int{}
	for _, in := range record {
		if in.GivenAt() != AtStart || in.Time.Before(since) {
			continue
		}
		for _, path := range in.Memories {
			if times[path]++; times[path] == n {
				paths = append(paths, path)
			}
		}
	}
	return paths
}
