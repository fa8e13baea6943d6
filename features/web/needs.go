package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"memctl/features/doctor"
	"memctl/features/proposals"
	"memctl/features/review"
	"memctl/files"
	"memctl/hooks"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
)

// shownNeeds is how many rows of what needs a person stand on the page at once.
const shownNeeds = 5

// need is one thing that needs a person: a finding of review or doctor, or a line that waits.
type need struct {
	Key    string // in addresses
	Kind   string // the end of a text's key
	Group  string // of needs that are one row, of which the first is shown
	Title  string
	URL    string // of the memory, below the base
	Reason interface {
		In(translate func(string) string) string
	} // nil for none
	Checks   []doctor.Finding // that one command repairs, the worst first; none for other needs
	Evidence []string
	Commit   string
	Fix      string // a command, of doctor
	Answers  []review.Answer
	Edit     string // where it is corrected, below the base
	Merge    string // where it is merged with another memory
	ForAll   bool   // a new name of a file is all that was found
	Number   int    // of proposals that wait
	Best     string // the answer that is right most often: the end of a text's key

	finding *review.Finding
	path    string // of the memory that it is about, below the root
	hash    string // of its file when it was looked at
	line    *hooks.Candidate
}

// keyOf makes a key of what a need is about.
func keyOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:6])
}

// ownNeeds are the checks of doctor whose findings stand on the page one by one.
var ownNeeds = []string{"review", "memories", "conflicts", "your conflicts"}

// needsOf makes one need of all findings of doctor that one command repairs, by worth. What it says of reviews stands
// on the page itself.
func needsOf(report doctor.Report) (needs [harmless + 1][]need) {
	var causes []string
	of := map[string][]doctor.Finding{}
	for _, f := range report.Findings {
		if f.Fix == "" || slices.Contains(ownNeeds, f.Check) {
			continue
		}
		cause := causeOf(f.Fix)
		if of[cause] == nil {
			causes = append(causes, cause)
		}
		of[cause] = append(of[cause], f)
	}
	for _, cause := range causes {
		list := of[cause]
		slices.SortStableFunc(list, func(a, b doctor.Finding) int { return worth(a) - worth(b) })
		worst := list[0]
		n := need{Key: keyOf(worst.Check, worst.Message), Kind: "check", Group: cause, Title: worst.Check, Checks: list,
			Fix: worst.Fix}
		if worth(worst) == cutsOff {
			n.Kind = "broken"
		}
		needs[worth(worst)] = append(needs[worth(worst)], n)
	}
	return needs
}

const (
	cutsOff = iota // memories do not reach the agent
	failed
	harmless
)

// worth orders the findings of doctor, the worst first.
func worth(f doctor.Finding) int {
	switch {
	case f.CutsOff():
		return cutsOff
	case f.State == doctor.Failed:
		return failed
	}
	return harmless
}

// causeOf returns the command of a fix without what follows it: "memctl install; then start a session".
func causeOf(fix string) string {
	cause, _, _ := strings.Cut(fix, ";")
	cause, _, _ = strings.Cut(cause, ",")
	return cause
}

// fileNeeds returns the files that cannot be read as memories, and the memories in conflict, also
// among the user's own.
func (s *Server) fileNeeds(ctx context.Context) (list []need, err error) {
	overview, err := store.Inspect(ctx, s.Root, func(retrieve.Source) error { return nil })
	add := func(at place, kind, path string, reason text.Phrase, fix string) {
		list = append(list, need{Key: keyOf(kind, at.ShownPath(path)), Kind: kind, Group: kind, Title: path,
			URL: at.address(path), Reason: reason, Fix: fix})
	}
	conflict := func(at place, path string) bool {
		data, _ := at.ReadFile(path)
		open := at.ConflictsOf(path, data)
		if len(open) > 0 {
			add(at, "conflict", path, text.Say("%s", schemas.ConflictFields(open)), at.ResolveCommand(path))
		}
		return len(open) > 0
	}
	for _, p := range overview.Problems {
		if first := (place{Root: s.Root}); !conflict(first, p.Path) {
			add(first, "unreadable", p.Path, text.Say("%s", p.Reason), "")
		}
	}
	for _, at := range slices.DeleteFunc(s.places(), place.ReadOnly) {
		for _, path := range at.InConflict() {
			conflict(at, path)
		}
	}
	return list, err
}

// reviewNeeds returns what a review of the first root finds.
func (s *Server) reviewNeeds(ctx context.Context) (list []need, err error) {
	report, err := review.Run(ctx, s.Root, review.Options{
		Now: time.Now(), Days: review.DefaultDays, Commits: review.DefaultCommits,
	})
	first := place{Root: s.Root}
	for _, f := range report.Findings {
		own := strings.TrimPrefix(f.Path, s.Root.Shown+"/")
		n := need{Key: keyOf(string(f.Kind), f.Path, f.Reason), Kind: "review." + string(f.Kind),
			Group: string(f.Do), Title: f.Title,
			URL:    first.address(own),
			Reason: f, Evidence: f.Further(), Commit: f.Commit, Answers: f.Answers(), finding: &f, path: own,
			hash: hashNow(s.Root, own)}
		n.Edit = n.URL + "/edit"
		if same, found := f.Repeats(); found {
			other := first.address(strings.TrimPrefix(same.Other.Path, s.Root.Shown+"/"))
			n.Merge = other + "/edit?merge=" + url.QueryEscape(n.URL)
		}
		n.Best = bestAnswer(f.Do, n)
		n.ForAll = f.Kind == review.Renamed && !slices.ContainsFunc(f.Also, func(other review.Finding) bool {
			return other.Kind != review.Renamed
		})
		list = append(list, n)
	}
	return list, err
}

// bestAnswer is the answer to a finding that its button suggests. That a file is gone does not end what a memory says.
func bestAnswer(do review.Task, n need) string {
	switch {
	case do == review.End:
		return string(review.Retire)
	case n.Merge != "":
		return "merge"
	case do == review.FixNames, do == review.Finish, do == review.Use, do == review.Read:
		return string(review.Confirm)
	}
	return "edit"
}

// newKey is the key of the need to look through the memories by others.
var newKey = keyOf("new")

// proposed returns how many changes agents propose.
func (s *Server) proposed() (n int) {
	for _, at := range slices.DeleteFunc(s.places(), place.ReadOnly) {
		if waiting, err := proposals.Read(at.Root); err == nil { // its page names the error
			n += len(waiting.Waiting)
		}
	}
	return n
}

// waitingNeeds returns the memories by others, what agents proposed, and the lines of earlier sessions about which
// nobody was asked.
func (s *Server) waitingNeeds(ctx context.Context) (list []need) {
	if others, err := s.newNow(ctx, store.Full); err == nil && len(others) > 0 { // its page names the error
		list = append(list, need{Key: newKey, Kind: "new", Group: "new", Number: len(others), URL: "/trust"})
	}
	if proposed := s.proposed(); proposed > 0 {
		list = append(list, need{Key: keyOf("proposals"), Kind: "proposals", Group: "proposals", Number: proposed,
			URL: "/waiting"})
	}
	waiting, _ := hooks.Waiting(s.Root) // else the staging folder cannot be used, which doctor says
	for _, line := range waiting {
		list = append(list, need{Key: keyOf("waiting", line.ID), Kind: "waiting", Group: "waiting",
			Title:   line.Text,
			Answers: []review.Answer{review.Confirm, review.Retire}, Best: string(review.Confirm), line: &line})
	}
	return list
}

// hashNow is the hash of a memory's file, "" if it cannot be read.
func hashNow(root files.Root, path string) string {
	data, err := root.ReadFile(path)
	if err != nil {
		return ""
	}
	return hashOf(data)
}

// needsList lists the items that need a person, as the page shows them.
type needsList struct {
	Rows    []needRow
	Things  int  // rows, with those that are not shown
	Rest    int  // needs that no row stands for
	Total   int  // needs
	Skipped int  // since the last look
	Broken  bool // memories do not reach the agent
}

// needRow is the first need of a group, with how many it has.
type needRow struct {
	need
	Count int
	All   int // of them that one answer settles
}

// rowsOf makes a row of each group of needs, which are next to one another, in the order of their first ones.
func rowsOf(list []need) (rows []needRow) {
	at := map[string]int{}
	for _, n := range list {
		i, known := at[n.Group]
		if !known {
			i = len(rows)
			at[n.Group] = i
			rows = append(rows, needRow{need: n})
		}
		rows[i].Count++
		if n.ForAll {
			rows[i].All++
		}
	}
	return rows
}

// needs keeps what needs a person since someone has looked, without what was answered.
type needs struct {
	mu      sync.Mutex
	looked  bool
	list    []need
	skipped int // since the last look
}

// skip counts a need that is left out until the next look.
func (k *needs) skip() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.skipped++
}

// snapshot returns nil if no one has looked.
func (k *needs) snapshot() *needsList {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.looked {
		return nil
	}
	rows := rowsOf(k.list)
	shown := &needsList{Rows: rows[:min(len(rows), shownNeeds)], Things: len(rows), Rest: len(k.list),
		Total: len(k.list), Skipped: k.skipped}
	for _, row := range shown.Rows {
		shown.Rest -= row.Count
		shown.Broken = shown.Broken || row.Kind == "broken"
	}
	return shown
}

func (k *needs) replace(list []need) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.looked, k.list, k.skipped = true, list, 0
}

// at returns the need with a key, and the address on the page of the one that takes its place, or follows it.
func (k *needs) at(key string) (n need, next string, known bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	i := slices.IndexFunc(k.list, func(n need) bool { return n.Key == key })
	if i < 0 {
		return n, "", false
	}
	n = k.list[i]
	row := slices.IndexFunc(rowsOf(k.list), func(row needRow) bool { return row.Group == n.Group })
	if rows := rowsOf(slices.Delete(slices.Clone(k.list), i, i+1)); row < min(len(rows), shownNeeds) {
		next = "#need-" + rows[row].Key
	}
	return n, next, true
}

// inGroup returns the needs of a group.
func (k *needs) inGroup(group string) []need {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(k.list), func(n need) bool { return n.Group != group })
}

// settle takes a need off the page.
func (k *needs) settle(key string) { k.recount(key, 0) }

// recount sets the number of a need, and takes it off the page for 0.
func (k *needs) recount(key string, n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	list := slices.Clone(k.list)
	for i := range list {
		if list[i].Key == key {
			list[i].Number = n
		}
	}
	k.list = slices.DeleteFunc(list, func(other need) bool { return other.Key == key && n == 0 })
}

// putBack puts a need first.
func (k *needs) putBack(n need) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.list = append([]need{n}, k.list...)
}
