// Package review finds what memories say that is no longer true: by the working tree and
// its git history, by what other memories say, by dates, and by the record of injections.
// It returns findings, each with a reason and a command, and prints nothing. What it finds
// is noted for the moments at which memories are given.
package review

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/observe"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"
)

// Kind says what is wrong with a memory.
type Kind string

// The kinds of findings.
const (
	Renamed    Kind = "renamed"
	Missing    Kind = "missing"
	Expired    Kind = "expired"
	Status     Kind = "status"
	Superseded Kind = "superseded"
	Source     Kind = "source"
	Vanished   Kind = "vanished"
	Changed    Kind = "changed"
	Similar    Kind = "similar"
	Judged     Kind = "judged"
	Open       Kind = "open"
	Broken     Kind = "broken"
	Never      Kind = "never"
	Unused     Kind = "unused"
	Tags       Kind = "tags"
)

// KindInfo describes a kind.
type KindInfo struct {
	Kind    Kind
	Meaning string
	// Reason means that an agent gets the reason with the memory. Of files that are gone it does anyway (keepFile).
	Reason  bool
	Answers []Answer // that end a finding; none if only an edit does
	Do      Task     // about a finding, unless it says so itself
}

// Kinds lists the kinds in the order of a report within a task: what can be fixed at once comes first.
var Kinds = []KindInfo{
	{Renamed, "a related file has another name now", false, []Answer{Confirm}, FixNames},
	{Missing, "a related file is gone", false, []Answer{Retire}, Correct},
	{Expired, "a constraint's end date has passed", true, []Answer{Retire}, End},
	{Status, "its own status says that it does not apply, or not yet", true, []Answer{Retire}, End},
	{Superseded, "another decision took its place", true, []Answer{Retire}, End},
	{Source, "what it was imported from is gone or says something else", true, []Answer{Retire}, Update},
	{Vanished, "code that its text names is gone", true, []Answer{Confirm, Retire}, Correct},
	{Changed, "much of what its related files said is gone", true, []Answer{Confirm, Retire}, Correct},
	{Similar, "two memories say the same", false, nil, Merge},
	{Judged, "a model read that it is outdated, contradicts another memory or says the same", false,
		[]Answer{Confirm, Retire}, Merge},
	{Open, "next actions of a session, or a tech debt, have waited long", true, []Answer{Confirm, Retire}, Finish},
	{Broken, "a rule was broken in session after session", false, []Answer{Confirm, Retire}, Rules},
	{Never, "a standing rule that no session was given", false, []Answer{Confirm, Retire}, Rules},
	{Unused, "no prompt received it for long", false, []Answer{Confirm, Retire}, Use},
	{Tags, "two tags differ by a letter or a plural, or there are too many", false, nil, Retag},
}

// info returns the row of a kind.
func (k Kind) info() (row KindInfo) {
	if i := slices.IndexFunc(Kinds, func(row KindInfo) bool { return row.Kind == k }); i >= 0 {
		row = Kinds[i]
	}
	return row
}

// The defaults of Options.
const (
	DefaultDays    = 60
	DefaultCommits = 5
)

// Options say what to look for.
type Options struct {
	Now     time.Time
	Only    []Kind   // all kinds if empty
	Targets []string // paths of memories below the root; all if empty
	Days    int      // how old what is Open, Never or Unused is
	Commits int      // how many commits make a memory Changed
	// NoGit leaves out what only git knows: renamed and changed files.
	NoGit bool
	// Progress is called while commits are read; nil for no one.
	Progress func(done, total int)
}

// Report is the result of a review.
type Report struct {
	Root     string       `json:"root"`
	Memories int          `json:"memories"` // active ones
	Commits  int          `json:"commits"`  // that were read
	Notes    []string     `json:"notes"`    // what could not be reviewed, and why
	Counts   map[Kind]int `json:"counts"`   // with those in Also
	Groups   []Group      `json:"groups"`
	Findings []Finding    `json:"findings"`
}

// Finding is what may no longer be true of a memory.
type Finding struct {
	Kind      Kind             `json:"kind"`
	Do        Task             `json:"do"`
	ID        string           `json:"id"`
	Path      string           `json:"path"`
	Title     string           `json:"title"`
	Category  schemas.Category `json:"category"`
	UpdatedAt string           `json:"updated_at"`
	Reason    string           `json:"reason"`
	Command   string           `json:"command"` // for a shell in the project's folder
	// Weight orders the findings of a kind: commits, days, memories or hundredths.
	Weight int `json:"weight"`
	// Parts are the parts of the reason. Reason has the first of them.
	Parts []text.Phrase `json:"-"`
	// Files are the related files that it is about, as the memory names them.
	Files []string `json:"files,omitempty"`
	// Evidence is the basis of the finding: missing lines, the text of a field or a file.
	Evidence []string `json:"evidence"`
	// Names are the names of missing code in its text.
	Names     []string `json:"names,omitempty"`
	RenamedTo string   `json:"renamed_to,omitempty"` // of the only file
	// Commit renamed, deleted or changed the first file or name, or changed last what the finding goes by:
	// the source of an import, else the memory itself.
	Commit string `json:"commit,omitempty"`
	// Other is the memory that supersedes this one or says the same.
	Other *Other `json:"other,omitempty"`
	// Also says what else was found about the memory.
	Also []Finding `json:"also,omitempty"`

	memory *memory
	source string // the file below the project whose last commit is Commit, "" for the memory's own
}

// Other is a memory that a finding leads to.
type Other struct {
	ID    string `json:"id"`
	Path  string `json:"path"`
	Title string `json:"title"`
}

// Run reviews the active memories of a root.
func Run(ctx context.Context, root files.Root, o Options) (Report, error) {
	r := Report{Root: root.Path, Notes: []string{}, Counts: map[Kind]int{}, Groups: []Group{},
		Findings: []Finding{}}
	v := &reviewer{Options: o, root: root, report: &r}
	var err error
	if v.memories, err = v.readMemories(ctx); err != nil {
		return r, err
	}
	r.Memories = len(v.memories)
	if err := v.reviewFiles(ctx); err != nil {
		return r, err
	}
	similar := func() { v.reviewSimilar(ctx) }
	for _, look := range []func(){v.reviewExpired, v.reviewStatus, v.reviewSuperseded, v.reviewSources, similar,
		v.reviewJudged, v.reviewOpen, v.reviewBroken, v.reviewNever, v.reviewUnused, v.reviewTags} {
		look()
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
	}
	v.leaveOutRead()
	v.addCommits(ctx)
	r.arrange()
	_ = v.noteKept() // without it, memories are given without these reasons
	return r, nil
}

// reviewer is a review in the making.
type reviewer struct {
	Options
	root     files.Root
	memories []*memory
	report   *Report
	findings []observe.Finding
	never    map[string]bool // the paths of memories that are Never
}

// wants reports whether findings of one of the kinds are asked for.
func (v *reviewer) wants(kinds ...Kind) bool {
	return len(v.Only) == 0 || slices.ContainsFunc(kinds, func(k Kind) bool { return slices.Contains(v.Only, k) })
}

// add adds a finding about a memory, unless it is not asked for.
func (v *reviewer) add(m *memory, f Finding) {
	if !v.covers(m, f.Kind) {
		return
	}
	f.Reason = f.In(text.English)
	v.keepFound(m, f)
	if f.Evidence == nil {
		f.Evidence = slices.Concat(f.Files, f.Names)
	}
	if len(f.Evidence) == 0 {
		f.Evidence = []string{f.Reason}
	}
	f.memory, f.Do = m, cmp.Or(f.Do, f.Kind.info().Do)
	f.ID, f.Path, f.Title, f.Category, f.UpdatedAt = m.ID, v.root.Shown+"/"+m.path, m.Title, m.Category, m.UpdatedAt
	v.report.Findings = append(v.report.Findings, f)
	v.report.Counts[f.Kind]++
}

// maxReasons is how many reasons a finding gives.
const maxReasons = 3

// In returns the reasons in the language of translate, which returns the format of a phrase.
func (f Finding) In(translate func(english string) string) string {
	var reasons []string
	for part := range f.each() {
		reasons = append(reasons, part.reasonIn(translate))
	}
	return strings.Join(reasons, "; ")
}

// reasonIn returns the reason without those in Also.
func (f Finding) reasonIn(translate func(english string) string) string {
	var reasons []string
	for _, reason := range f.Parts[:min(len(f.Parts), maxReasons)] {
		reasons = append(reasons, reason.In(translate))
	}
	if n := len(f.Parts) - maxReasons; n > 0 {
		reasons = append(reasons, text.Say("and %d more", n).In(translate))
	}
	return strings.Join(reasons, "; ")
}

// why returns the parts of a reason that has one part.
func why(format string, args ...any) []text.Phrase { return []text.Phrase{text.Say(format, args...)} }

func (v *reviewer) note(format string, args ...any) {
	v.report.Notes = append(v.report.Notes, fmt.Sprintf(format, args...))
}

func (v *reviewer) other(m *memory) *Other {
	return &Other{m.ID, v.root.Shown + "/" + m.path, m.Title}
}

// retire is the command that retires a memory for a reason.
func retire(m *memory, reason string) string {
	return "memctl retire " + text.ShellWord(m.name) + " --reason " + text.ShellQuoted(text.Printable(reason))
}

func edit(m *memory) string { return "memctl edit " + text.ShellWord(m.name) }

// daysSince is how many days have passed since a time.
func (v *reviewer) daysSince(t time.Time) int { return int(v.Now.Sub(t).Hours() / 24) }

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// Fix lists the renamed files of one memory, with their new names.
type Fix struct {
	ID      string           `json:"id"`
	Path    string           `json:"path"`
	Renames []schemas.Rename `json:"renames"`
	Done    bool             `json:"done"`
	Error   string           `json:"error,omitempty"` // why it was not done
}

// Fixes are the fixes of a report: the new names of related files.
func (r Report) Fixes() []Fix {
	list, of := []Fix{}, map[string]int{}
	for _, f := range r.Findings {
		for part := range f.each() {
			if part.Kind != Renamed {
				continue
			}
			at, known := of[f.Path]
			if !known {
				at = len(list)
				of[f.Path] = at
				list = append(list, Fix{ID: f.ID, Path: f.Path})
			}
			list[at].Renames = append(list[at].Renames, part.rename())
		}
	}
	return list
}

// Answer is the decision of a person about a finding, in one word.
type Answer string

// The answers. A finding that needs other words than these needs an edit of the memory.
const (
	Confirm Answer = "confirm" // it still holds; a renamed file gets its new name
	Retire  Answer = "retire"
)

// Answers lists what ends a finding, or a part of it.
func (f Finding) Answers() (list []Answer) {
	for part := range f.each() {
		for _, a := range part.Kind.info().Answers {
			if !slices.Contains(list, a) {
				list = append(list, a)
			}
		}
	}
	slices.Sort(list)
	return list
}

// Settle does what a person answered. Of several findings about a memory it ends those that the answer ends.
func (f Finding) Settle(ctx context.Context, w *writer.Writer, a Answer) error {
	if !slices.Contains(f.Answers(), a) {
		return fmt.Errorf("a finding of kind %s cannot be answered by %q", f.Kind, a)
	}
	if a == Retire {
		_, err := w.Move(ctx, writer.Retire, f.Path, f.Reason)
		return err
	}
	var renames []schemas.Rename
	holds := false
	for part := range f.each() {
		if part.Kind == Renamed {
			renames = append(renames, part.rename())
		} else if slices.Contains(part.Kind.info().Answers, Confirm) {
			holds = true
		}
	}
	if len(renames) > 0 {
		if _, err := w.RenameFiles(ctx, f.Path, renames); err != nil {
			return err
		}
	}
	if !holds {
		return nil
	}
	_, err := w.Confirm(ctx, f.Path)
	return err
}

// Further returns the evidence that the reasons do not name.
func (f Finding) Further() (list []string) {
	reasons := f.In(text.English)
	for part := range f.each() {
		for _, line := range part.Evidence {
			if !strings.Contains(reasons, line) && !slices.Contains(list, line) {
				list = append(list, line)
			}
		}
	}
	return list
}

// rename is the new name of the only file of a finding of the kind Renamed.
func (f Finding) rename() schemas.Rename { return schemas.Rename{From: f.Files[0], To: f.RenamedTo} }
