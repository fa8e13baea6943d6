package hooks

import (
	"fmt"

	"memctl/memdir"
	"memctl/schemas"
	"memctl/store"
)

// Call is one event for a hook to answer.
type Call struct {
	Event Event

	client  Client
	rootArg string // the value of --root
	store   *store.Store
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
	c.store = store.Open(store.Options{Places: memdir.PlacesFromEnv(rootArg, e.Cwd)})
	c.root, c.rootErr = c.store.Root()
	return c
}

// Root returns the memory root that the event is about.
func (c *Call) Root() (memdir.Root, error) { return c.root, c.rootErr }

// rootOrPlanned returns the root or, if the project has none, the one that its first
// memory would create.
func (c *Call) rootOrPlanned() (memdir.Root, error) {
	root, _, err := c.store.RootOrPlanned()
	return root, err
}

// note adds a line for people.
func (c *Call) note(format string, args ...any) {
	c.notes += "memctl: " + fmt.Sprintf(format, args...) + "\n"
}

// config returns a root's configuration. Without it there is no answer, which the person has
// to know.
func (c *Call) config(root memdir.Root) (schemas.Config, error) {
	cfg, err := c.store.Config(root)
	if err != nil {
		err = c.warnOf(err)
	}
	return cfg, err
}
