package hooks

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
)

// Call is one event for a hook to answer.
type Call struct {
	Event Event

	client  Client
	rootArg string // the value of --root
	store   *store.Store
	root    files.Root
	rootErr error
	user    files.Root // the user's, once it is looked for

	proposalsWait func(root files.Root) string // Run.ProposalsWait

	started time.Time // when the run started
	steps   []step    // completed, for a trace

	news     string   // lines for the person with this answer
	notes    string   // lines for people, on stderr
	warnings []string // for the person
	// late is set if updating an index took the time for other work, whether it ended or not.
	late bool
	// unlogged keeps the run out of the log: all that it did was to record a tool, and
	// the observation says so already.
	unlogged bool
}

func newCall(e Event, client Client, rootArg string) Call {
	c := Call{Event: e, client: client, rootArg: rootArg}
	c.store = store.Open(store.Options{Places: files.PlacesFromEnv(rootArg, e.Cwd)})
	c.root, c.rootErr = c.store.Root()
	return c
}

// Late reports whether updating an index took the time for other work.
func (c *Call) Late() bool { return c.late }

// step is a completed part of a run.
type step struct {
	name string
	at   time.Duration // since the start of the run
}

// endStep notes the end of a step for the trace.
func (c *Call) endStep(name string) { c.steps = append(c.steps, step{name, time.Since(c.started)}) }

// Root returns the memory root that the event is about.
func (c *Call) Root() (files.Root, error) { return c.root, c.rootErr }

// rootOrPlanned returns the root or, if the project has none, the one that its first
// memory would create.
func (c *Call) rootOrPlanned() (files.Root, error) {
	root, _, err := c.store.RootOrPlanned()
	return root, err
}

// note adds a line for people.
func (c *Call) note(format string, args ...any) {
	c.notes += "memctl: " + fmt.Sprintf(format, args...) + "\n"
}

// config returns a root's configuration. Without it there is no answer, which the person has
// to know.
func (c *Call) config(root files.Root) (schemas.Config, error) {
	cfg, err := c.store.Config(root)
	if err != nil {
		err = c.warnOf(err)
	}
	if !cfg.Retrieval.Enabled { // one switch for all that is recalled
		m := &cfg.Moments
		m.Tools, m.Subagents, m.Ask, m.Pause, m.End = false, false, false, false, false
	}
	return cfg, err
}

// inUse leaves out the memories of categories that are off in their root.
func (c *Call) inUse(results []retrieve.Result) []retrieve.Result {
	return slices.DeleteFunc(results, func(r retrieve.Result) bool {
		cfg, err := c.store.Config(r.Root)
		return err == nil && slices.Contains(cfg.Off(), r.Category)
	})
}

const (
	// maxWarnings is how many warnings of one run the person is shown.
	maxWarnings  = 3
	warnedPrefix = "warned-"
)

// warn adds a warning: a line on stderr, and a message that the client shows to the
// person, once a session.
func (c *Call) warn(format string, args ...any) {
	warning := fmt.Sprintf(format, args...)
	c.note("warning: %s", warning)
	c.warnings = append(c.warnings, warning)
}

// warnOfProblem adds a problem that does not end the hook to the warnings.
func (c *Call) warnOfProblem(problem error) { c.warn("%s", text.Printable(problem.Error())) }

// warnOf adds an error that ends the hook to the warnings, and returns it. Run writes it
// to stderr.
func (c *Call) warnOf(err error) error {
	c.warnings = append(c.warnings, err.Error())
	return err
}

// unseenWarnings returns the warnings that the person has not been shown in this session,
// a line each.
func (c *Call) unseenWarnings() string {
	if len(c.warnings) == 0 {
		return ""
	}
	unseen := c.markShown(c.warnings[:min(len(c.warnings), maxWarnings)])
	if len(unseen) == 0 {
		return ""
	}
	var b strings.Builder
	for _, warning := range unseen {
		fmt.Fprintf(&b, "memctl: %s\n", text.Brief(warning))
	}
	if more := len(c.warnings) - maxWarnings; more > 0 {
		fmt.Fprintf(&b, "memctl: and %d more; memctl doctor lists them\n", more)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// markShown marks warnings as shown in this session, by files in the staging folder, and
// returns those that were not. Where it cannot mark any, it returns all.
func (c *Call) markShown(warnings []string) (unseen []string) {
	session := observe.SessionKey(c.Event.SessionID)
	root, err := c.rootOrPlanned()
	if session == "" || err != nil {
		return warnings
	}
	staged, err := root.OpenStaging()
	if err != nil {
		return warnings
	}
	defer staged.Close()
	staged.Sweep(warnedPrefix, time.Now().Add(-observe.MarkLife))
	for _, warning := range warnings {
		sum := sha256.Sum256([]byte(warning))
		if staged.Mark(warnedPrefix + session + "-" + hex.EncodeToString(sum[:6])) {
			unseen = append(unseen, warning)
		}
	}
	return unseen
}

// joinLines joins two texts that may be empty.
func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}
