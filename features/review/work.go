package review

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"memctl/text"
)

// Task says what to do about a finding.
type Task string

// The tasks.
const (
	FixNames Task = "fix"
	Update   Task = "update"
	End      Task = "retire"
	Correct  Task = "correct"
	Rules    Task = "rules"
	Merge    Task = "merge"
	Read     Task = "read"
	Finish   Task = "finish"
	Use      Task = "unused"
	Retag    Task = "tags"
)

// taskInfo describes a task.
type taskInfo struct {
	task      Task
	one, many string // what is said of one finding, and of many after their number
	command   string
	atOnce    bool // one command does it for all memories
}

// tasks lists the tasks, the one most worth doing first.
var tasks = []taskInfo{
	{FixNames, "memory names files by their former names", "memories name files by their former names",
		"memctl review --fix", true},
	{Update, "source changed since it was imported", "sources changed since they were imported",
		"memctl import --update", true},
	{End, "memory has ended, or something took its place", "memories have ended, or something took their place",
		"memctl retire ID", false},
	{Correct, "memory names code that is gone or says something else",
		"memories name code that is gone or says something else", "memctl edit ID", false},
	{Rules, "rule is broken, or no session was given it", "rules are broken, or no session was given them",
		"memctl edit ID", false},
	{Merge, "memory says what a newer one says, or the opposite",
		"memories say what newer ones say, or the opposite", "memctl edit ID", false},
	{Read, "memory may be out of date, which only a reader of the code can tell",
		"memories may be out of date, which only a reader of the code can tell", "memctl review --agent", true},
	{Finish, "open item has waited long", "open items have waited long", "memctl review ID --confirm", false},
	{Use, "memory reached no prompt for long", "memories reached no prompt for long",
		"memctl review ID --confirm", false},
	{Retag, "memory has a tag that looks like another, or too many",
		"memories have tags that look like others, or too many", "memctl edit ID", false},
}

// rank is the position of a task in tasks.
func (t Task) rank() int {
	return slices.IndexFunc(tasks, func(row taskInfo) bool { return row.task == t })
}

// atOnce reports whether one command does the task for all memories.
func (t Task) atOnce() bool { return tasks[t.rank()].atOnce }

// rank is the position of a kind in Kinds.
func (k Kind) rank() int {
	return slices.IndexFunc(Kinds, func(row KindInfo) bool { return row.Kind == k })
}

// Group is the findings with one task.
type Group struct {
	Do      Task   `json:"do"`
	Says    string `json:"says"` // with the number
	Command string `json:"command"`
	Count   int    `json:"count"`
	AtOnce  bool   `json:"at_once"` // the command does it for all, those in Also of other findings too
}

// each yields a finding and the others of its memory.
func (f Finding) each() iter.Seq[Finding] {
	return func(yield func(Finding) bool) {
		if !yield(f) {
			return
		}
		for _, other := range f.Also {
			if !yield(other) {
				return
			}
		}
	}
}

// Repeats returns the part of a finding about another memory that can be merged with this one.
func (f Finding) Repeats() (part Finding, found bool) {
	for part := range f.each() {
		if part.Do == Merge && part.Other != nil {
			return part, true
		}
	}
	return Finding{}, false
}

// arrange makes one finding of all that were found about a memory, puts those first that are most worth
// doing, and groups them.
func (r *Report) arrange() {
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		// Behind what one command does for all memories, the rest would be overlooked.
		return cmp.Or(strings.Compare(a.Path, b.Path), compareBools(a.Do.atOnce(), b.Do.atOnce()), compareWorth(a, b))
	})
	var list []Finding
	for _, f := range r.Findings {
		if n := len(list); n > 0 && list[n-1].Path == f.Path {
			list[n-1].Also = append(list[n-1].Also, f)
			continue
		}
		list = append(list, f)
	}
	slices.SortStableFunc(list, compareWorth)
	r.Findings = append([]Finding{}, list...)
	r.group()
}

func compareWorth(a, b Finding) int {
	return cmp.Or(cmp.Compare(a.Do.rank(), b.Do.rank()), cmp.Compare(a.Kind.rank(), b.Kind.rank()),
		cmp.Compare(b.Weight, a.Weight))
}

// compareBools puts false first.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// group counts the findings by task.
func (r *Report) group() {
	counts := map[Task]int{}
	for _, f := range r.Findings {
		counted := map[Task]bool{}
		for part := range f.each() {
			own := part.Do == f.Do || part.Do.atOnce() && part.Do != Read
			if own && (!counted[part.Do] || part.Do == Update) { // a memory may have several sources
				counts[part.Do]++
				counted[part.Do] = true
			}
		}
	}
	for _, row := range tasks {
		if n := counts[row.task]; n > 0 {
			r.Groups = append(r.Groups, Group{row.task, text.Plural(n, row.one, row.many), row.command, n, row.atOnce})
		}
	}
}

const (
	// mostListed is how many findings are listed unless all are asked for.
	mostListed = 20
	// leastListed is how many of them each group has, so that a long one does not hide the others.
	leastListed = 2
)

// worklist is a report as a person works through it.
type worklist struct {
	Report
	All   bool     `json:"-"` // each finding with all that is known of it
	Parts []listed `json:"-"`
	Left  int      `json:"-"` // findings that are neither listed nor done by one command
}

// listed are those findings of a group that are listed.
type listed struct {
	Group
	Findings []Finding
}

// listOf chooses the findings that are listed: all of them, or those most worth doing.
func listOf(r Report, all bool) worklist {
	l := worklist{Report: r, All: all}
	of := map[Task][]Finding{}
	for _, f := range r.Findings {
		of[f.Do] = append(of[f.Do], f)
	}
	kept := 0 // for groups to come
	for _, g := range r.Groups {
		if !g.AtOnce {
			kept += min(leastListed, len(of[g.Do]))
		}
	}
	room := mostListed - kept
	for _, g := range r.Groups {
		findings := of[g.Do]
		switch {
		case all:
		case g.AtOnce:
			findings = nil
		default:
			n := min(leastListed, len(findings))
			n, room = min(n+room, len(findings)), max(0, room+n-len(findings))
			l.Left += len(findings) - n
			findings = findings[:n]
		}
		l.Parts = append(l.Parts, listed{g, findings})
	}
	return l
}

// kindsOf names the kinds of findings, each once.
func kindsOf(findings []Finding) string {
	var list []string
	for _, f := range findings {
		if kind := string(f.Kind); !slices.Contains(list, kind) {
			list = append(list, kind)
		}
	}
	return strings.Join(list, ", ")
}
