package store

import (
	"encoding/json"

	"memctl/files"
)

// MachinesFolder is the folder of the user's root where "memctl sync" keeps a file for each machine. It is there only
// if the user asked for it.
const MachinesFolder = "machines"

// Machine is a machine of the user's, with its projects that have memories.
type Machine struct {
	Machine  string           `json:"machine"`
	Projects []MachineProject `json:"projects"`
}

// MachineProject is a project on a machine.
type MachineProject struct {
	Label  string `json:"label"`
	Remote string `json:"remote,omitempty"`
	Path   string `json:"path"` // there; "~" is the home folder
}

// MachinePaths lists the files of the machines, below the user's root.
func MachinePaths(root files.Root) (paths []string, err error) {
	folder, err := root.OpenFolder(MachinesFolder)
	if folder == nil || err != nil {
		return nil, err
	}
	defer folder.Close()
	names, err := folder.List()
	for _, name := range names {
		paths = append(paths, MachinesFolder+"/"+name)
	}
	return paths, err
}

// Machines returns the machines of the user, by name. Files that say something else are left out.
func Machines() (machines []Machine, err error) {
	root, found, err := files.UserRoot()
	if !found || err != nil {
		return nil, err
	}
	paths, err := MachinePaths(root)
	for _, at := range paths {
		data, readErr := root.ReadFile(at)
		m := Machine{Projects: []MachineProject{}}
		if readErr == nil && json.Unmarshal(data, &m) == nil {
			machines = append(machines, m)
		}
	}
	return machines, err
}
