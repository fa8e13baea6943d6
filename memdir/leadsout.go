package memdir

import (
	"fmt"
	"path/filepath"
	"slices"

	"memctl/gate"
)

// LeadsOutError means that the memory root of a project is a link, or lies behind one, that
// leads out of the project. Its files are not the project's.
type LeadsOutError struct{ path, target string }

func (e *LeadsOutError) Error() string {
	return fmt.Sprintf("the memory root %s leads out of the project, to %s", e.path, e.target)
}

// Hint says what helps.
func (e *LeadsOutError) Hint() string {
	return fmt.Sprintf(`remove the link; if that folder is yours, list it in your own settings: memctl config set sources.roots '["%s"]' --user`,
		filepath.ToSlash(e.target))
}

// staysInProject returns a *LeadsOutError if a project's links lead its memory root, at an
// absolute path, to a target out of the project that the user's own settings do not list. The
// root need not exist.
func staysInProject(path, target string) error {
	project := filepath.Dir(filepath.Dir(path))
	if target == path || !isRootPath(path) || IsHome(project) { // a root elsewhere is one that the user has named
		return nil
	}
	if _, err := (gate.Place{Folder: project}).Leads(path); err == nil || isListed(target) {
		return nil
	}
	return &LeadsOutError{path, target}
}

// isListed reports whether the user's own settings list a root by its path, or its project.
// A pattern lists none: a clone may match it.
func isListed(root string) bool {
	cfg, err := UserConfig()
	return err == nil && slices.ContainsFunc(cfg.Sources.Roots, func(path string) bool {
		path = absolute(path, ".")
		return resolve(path) == root || resolve(filepath.Join(path, filepath.FromSlash(RootPath))) == root
	})
}
