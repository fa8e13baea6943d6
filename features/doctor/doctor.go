// Package doctor holds the checks of memctl: the binary, the settings of clients, each hook,
// the MCP server, the files of a memory root and its index, git, and what the last
// review found. Features add the checks of their own. Run makes one list of findings, with one verdict for the
// terminal and the pages; Health, Status and Validate are views of its parts. Every warning and failure says what
// to do. It does not print, and it changes nothing except an index that is out of date or damaged.
package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"memctl/clients"
	"memctl/files"
	"memctl/text"
)

// Options say what to check.
type Options struct {
	Version string // of this binary
	Places  files.Places
	Now     time.Time
	Quick   bool          // leaves out the trials, which run this program
	Checks  []files.Check // of features, after doctor's own
}

// State is the result of a check.
type State string

const (
	OK      State = "ok"
	Warning State = "warning"
	Failed  State = "failed"
)

// Finding is the result of one check.
type Finding struct {
	Check   string `json:"check"`
	State   State  `json:"state"`
	Message string `json:"message"`
	Fix     string `json:"fix,omitempty"` // what to do about a warning or a failure
	phrase  text.Phrase
	reason  string // why Health judges that the root needs attention, "" if it does not
	cutsOff bool   // the agent from memories
}

// In returns the message in the language of translate, which returns the format of a phrase.
func (f Finding) In(translate func(english string) string) string {
	return text.Printable(f.phrase.In(translate))
}

// Verdict is a word for all findings.
type Verdict string

const (
	Good      Verdict = "good"
	Attention Verdict = "needs attention"
	Broken    Verdict = "broken"
)

// VerdictOf returns the word for findings: the worst of them decides.
func VerdictOf(findings []Finding) Verdict {
	switch r := (Report{Findings: findings}); {
	case r.Count(Failed) > 0:
		return Broken
	case r.Count(Warning) > 0:
		return Attention
	}
	return Good
}

// Report holds the findings in the order of the checks.
type Report struct {
	State    State     `json:"state"` // the worst state of a finding
	Verdict  Verdict   `json:"verdict"`
	Project  string    `json:"project"`
	Root     string    `json:"root"`      // "" if there is no memory root
	UserRoot string    `json:"user_root"` // of the user's own memories, likewise
	Findings []Finding `json:"checks"`
}

// Count returns how many findings have a state.
func (r Report) Count(state State) (n int) {
	for _, f := range r.Findings {
		if f.State == state {
			n++
		}
	}
	return n
}

// Reaches reports whether memories can reach the agent. Hooks that are registered and never ran may just have had no
// session yet.
func (r Report) Reaches() bool {
	return !slices.ContainsFunc(r.Findings, Finding.CutsOff)
}

// CutsOff reports whether a finding cuts the agent off from memories.
func (f Finding) CutsOff() bool { return f.cutsOff }

// Width is that of the longest name of a check.
func (r Report) Width() (width int) {
	for _, f := range r.Findings {
		width = max(width, len(f.Check))
	}
	return width
}

// WorstLast returns the findings, failures last: there a person at a terminal looks first.
func (r Report) WorstLast() []Finding {
	badness := func(f Finding) int { return slices.Index([]State{OK, Warning, Failed}, f.State) }
	return slices.SortedStableFunc(slices.Values(r.Findings), func(a, b Finding) int { return badness(a) - badness(b) })
}

// Run makes all checks.
func Run(ctx context.Context, o Options) (Report, error) {
	self, err := os.Executable()
	if err != nil {
		return Report{}, err
	}
	root, rootErr := files.Find(o.Places)
	e := &examination{
		Report: Report{State: OK, Project: projectOf(root, o.Places)},
		self:   self,
		hooks:  clients.Claude.Hooks("memctl"),
		now:    o.Now,
		flag:   o.Places.Flag,
	}
	runs := readRuns(root, o.Now)
	e.checkProgram(o.Version)
	others := e.checkClients()
	named := o.Places.Flag != "" || o.Places.Env != ""
	install := e.installIn(clients.ProjectScope)
	if errors.Is(rootErr, files.ErrNoRoot) && !named {
		install = "memctl setup" // which makes the root, too
	}
	registrations := e.checkSettings(runs, len(others) > 0, install)
	e.checkServers(registrations)
	if !o.Quick {
		e.checkTrials(ctx)
	}
	var foreign *files.ForeignError
	switch {
	case rootErr == nil:
		e.Root = root.Path
		e.checkRoot(ctx, root)
		e.checkRuns(runs, registrations, others)
		e.checkObservations(ctx, root, runs, registrations)
	case errors.As(rootErr, &foreign):
		e.Warn("memory root", foreign.Hint(), "%v; hooks do nothing there", rootErr)
	case errors.Is(rootErr, files.ErrNoRoot) && !named:
		e.Warn("memory root", "memctl setup", "%v; saving the first memory creates it",
			rootErr)
	default:
		e.Fail("memory root", "name a project that has one, or remove the file in its place and run memctl init",
			"%v", rootErr)
		e.cutOff()
	}
	e.checkUserRoot(ctx, root, rootErr)
	for _, check := range o.Checks {
		check(ctx, root, e)
	}
	e.Verdict = VerdictOf(e.Findings)
	return e.Report, ctx.Err()
}

// examination is a report in the making. It implements files.CheckReport.
type examination struct {
	Report
	self  string         // the path of this binary
	hooks []clients.Hook // that should be registered
	now   time.Time
	whose string // begins the names of checks, "" or "your "
	flag  string // --root, which commands then need, too
}

func (e *examination) OK(check, format string, args ...any) {
	e.add(Finding{Check: check, State: OK, phrase: text.Say(format, args...)})
}

func (e *examination) Warn(check, fix, format string, args ...any) {
	e.add(Finding{Check: check, State: Warning, phrase: text.Say(format, args...), Fix: fix})
}

func (e *examination) Fail(check, fix, format string, args ...any) {
	e.add(Finding{Check: check, State: Failed, phrase: text.Say(format, args...), Fix: fix})
}

func (e *examination) add(f Finding) {
	f.Check = e.whose + f.Check
	f.Message, f.Fix = f.In(text.English), text.Printable(f.Fix)
	e.Findings = append(e.Findings, f)
	if f.State == Failed || f.State == Warning && e.State == OK {
		e.State = f.State
	}
}

// because says why Health judges by the last finding that the root needs attention.
func (e *examination) because(reason string) { e.Findings[len(e.Findings)-1].reason = reason }

// cutOff notes that the last finding cuts the agent off from memories.
func (e *examination) cutOff() { e.Findings[len(e.Findings)-1].cutsOff = true }

// projectOf is the project whose client settings are checked. A root that only
// MEMCTL_ROOT names may serve any project.
func projectOf(root files.Root, places files.Places) string {
	project := places.ProjectDir
	switch {
	case places.Flag != "":
		project = root.Project
	case project == "" && places.Env == "":
		project = root.Project
	}
	abs, err := filepath.Abs(project) // "" is the working folder
	if err != nil {
		return project
	}
	return abs
}

// shortPath shortens a path in the project or in the user's home.
func (e *examination) shortPath(path string) string {
	if rel, err := filepath.Rel(e.Project, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	home, err := os.UserHomeDir()
	if err != nil || home == "/" {
		return filepath.ToSlash(path)
	}
	if rel, err := filepath.Rel(home, path); err == nil && filepath.IsLocal(rel) {
		return "~/" + filepath.ToSlash(rel)
	}
	return filepath.ToSlash(path)
}
