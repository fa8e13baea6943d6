package doctor

import (
	"context"
	"errors"
	"path/filepath"

	"memctl/memdir"
)

// checkUserRoot checks the root of the user's own memories. RootErr is why the project has
// no root.
func (e *examination) checkUserRoot(ctx context.Context, project memdir.Root, rootErr error) {
	const name = "your memory root"
	user, found, err := memdir.UserRoot()
	var foreign *memdir.ForeignError
	if !found && err == nil {
		_, _, err = memdir.FindOrPlanUser()
	}
	switch {
	case errors.As(err, &foreign):
		e.ok(name, "%v; it is not used", foreign)
		return
	case err != nil:
		e.fail(name, "let MEMCTL_USER_ROOT name a folder outside the project, or unset it; remove what stands in "+
			"the folder's place", "your own memories are not used: %v", err)
		return
	case !found:
		e.ok(name, "none; \"memctl init --user\" makes one, for what holds in every project")
		return
	}
	e.UserRoot = user.Path
	if user.Is(project) {
		e.ok(name, "%s, the project's too, because the project is your home folder: what is saved here holds in "+
			"every project", user.Shown)
		return
	}
	message := user.Shown
	if errors.Is(rootErr, memdir.ErrNoRoot) && memdir.IsHome(user.Project) && e.isBelow(user.Project) {
		message += "; from here memctl used to take it for the project's root, now it is yours and answers in every project"
	}
	e.ok(name, "%s", message)
	e.whose = "your "
	defer func() { e.whose = "" }()
	e.checkHoldings(ctx, user)
}

// isBelow reports whether the project lies in a folder.
func (e *examination) isBelow(folder string) bool {
	rel, err := filepath.Rel(folder, e.Project)
	return err == nil && filepath.IsLocal(rel)
}
