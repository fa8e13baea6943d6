package answers

import (
	"errors"
	"fmt"

	"memctl/hooks"
	"memctl/memdir"
	"memctl/patterns"
	"memctl/privacy"
	"memctl/schemas"
)

// Call is an event for a hook to answer.
type Call struct {
	Event   hooks.Event
	RootArg string // what --root says
	Std     Streams

	looked bool
	root   memdir.Root
	noRoot error
}

// Root is the memory root that the event is about. It is looked for once.
func (c *Call) Root() (memdir.Root, error) {
	if !c.looked {
		c.root, c.noRoot = memdir.Find(c.places())
		c.looked = true
	}
	return c.root, c.noRoot
}

// rootOrPlan is the root or, where there is none, the one that the first memory
// will make.
func (c *Call) rootOrPlan() (memdir.Root, error) {
	root, err := c.Root()
	if errors.Is(err, memdir.ErrNoRoot) {
		return memdir.Planned(c.places())
	}
	return root, err
}

func (c *Call) places() memdir.Places { return memdir.PlacesFromEnv(c.RootArg, c.Event.Cwd) }

// Config reads a root's configuration and says on stderr what is wrong in it.
func Config(root memdir.Root, std Streams) (schemas.Config, error) {
	cfg, warnings, err := root.Config()
	if err != nil {
		return schemas.Config{}, fmt.Errorf("read %s: %w", memdir.ConfigName, err)
	}
	for _, w := range warnings {
		fmt.Fprintf(std.Err, "memctl: warning: %s\n", w)
	}
	return cfg, nil
}

// Filter is what all text goes through that a root may store.
func Filter(cfg schemas.Config) *privacy.Filter {
	return privacy.New(privacy.Options(cfg.Privacy))
}

// filteredLater tells whether the filter has patterns that cannot be compiled yet.
func filteredLater(p schemas.PrivacyConfig) bool {
	return len(p.ExcludePatterns) > 0 && !patterns.Ready()
}
