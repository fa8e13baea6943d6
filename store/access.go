package store

import (
	"errors"
	"fmt"

	"memctl/files"
	"memctl/text"
)

// Who may do something: in the order of these constants, each lets fewer do it.
type Who int

// Who may run a command, give a flag or use a scope of a tool.
const (
	Anyone    Who = iota + 1 // agents too
	NotAgents                // nobody in the shell of an agent, and no tool of the server
	APerson                  // likewise, and the person is asked on the terminal
)

func (w Who) String() string { return []string{"", "anyone", "no agent", "a person, who is asked"}[w] }

// What is touched.
const (
	ThisProject   = "this project"
	OwnMemories   = "your own memories"
	OwnSettings   = "your own settings"
	OtherProjects = "other projects"
	Network       = "the network"
	FilesOutside  = "files outside of the project"
	OtherPrograms = "the settings of other programs"
)

// Access is who may do something that memctl can do, and what that touches.
type Access struct {
	Who     Who
	Touches string
	Does    string // what it is, after "agents may not"
	Lifted  bool   // sources.agent_all of the user's settings lets agents do it, too
}

// AllProjects is the access to the memories of every project.
var AllProjects = Access{NotAgents, OtherProjects, "search all projects", true}

// OtherRoot is the access to a project in which memctl does not run.
var OtherRoot = Access{NotAgents, OtherProjects, "name another project", true}

// ErrAgent is why agents may not do what the user can allow them.
var ErrAgent = errors.New("sources.agent_all is false in the user's configuration")

// RefuseAgent says why an agent may not do it, nil if it may.
func (a Access) RefuseAgent() error {
	if a.Who == Anyone {
		return nil
	}
	if !a.Lifted {
		return text.WithHint(fmt.Errorf("agents may not %s: a person decides it", a.Does), "run it in a shell of "+
			"your own")
	}
	cfg, err := files.UserConfig()
	if err == nil && !cfg.Sources.AgentAll {
		err = fmt.Errorf("agents may not %s: %w", a.Does, ErrAgent)
	}
	return err
}
