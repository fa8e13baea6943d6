package hooks

import (
	"errors"
	"fmt"

	"memctl/memdir"
	"memctl/privacy"
	"memctl/retrieve"
	"memctl/schemas"
)

// Call is one event for a hook to answer.
type Call struct {
	Event Event

	client  Client
	rootArg string // the value of --root
	root    memdir.Root
	rootErr error
	user    memdir.Root // the user's, once it is looked for

	notes    string   // lines for people, on stderr
	warnings []string // what the person has to know
	// unlogged keeps the run out of the log: all that it did was to record a tool, and
	// the observation says so already.
	unlogged bool
}

func newCall(e Event, client Client, rootArg string) Call {
	c := Call{Event: e, client: client, rootArg: rootArg}
	c.root, c.rootErr = memdir.Find(c.places())
	return c
}

func (c *Call) places() memdir.Places { return memdir.PlacesFromEnv(c.rootArg, c.Event.Cwd) }

// Root returns the memory root that the event is about.
func (c *Call) Root() (memdir.Root, error) { return c.root, c.rootErr }

// roots returns the memory roots that the event's prompt is asked of, the one whose settings
// count first. It warns of those that cannot be used.
func (c *Call) roots() ([]memdir.Root, error) {
	project, err := c.Root()
	roots, problems, err := retrieve.RootsAt(c.places(), project, err)
	c.warnEach(problems)
	return roots, err
}

// rootOrPlanned returns the root or, if the project has none, the one that its first
// memory would create.
func (c *Call) rootOrPlanned() (memdir.Root, error) {
	if errors.Is(c.rootErr, memdir.ErrNoRoot) {
		return memdir.Planned(c.places())
	}
	return c.Root()
}

// note adds a line for people.
func (c *Call) note(format string, args ...any) {
	c.notes += "memctl: " + fmt.Sprintf(format, args...) + "\n"
}

// config reads a root's configuration and warns of what is wrong in it.
func (c *Call) config(root memdir.Root) (schemas.Config, error) {
	cfg, warnings, err := root.Config()
	if err != nil {
		return schemas.Config{}, c.warnOf(fmt.Errorf("read %s: %w", memdir.ConfigName, err))
	}
	for _, w := range warnings {
		c.warn("%s", w)
	}
	return cfg, nil
}

// filterOf is the filter for all text that a root may store.
func filterOf(cfg schemas.Config) *privacy.Filter {
	return privacy.New(privacy.Options(cfg.Privacy))
}

// withheld lists what the filter removed, and what it warns of.
func withheld(r privacy.Report) []string { return append(r.Sentences(), r.Warnings...) }
