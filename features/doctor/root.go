package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
)

// checkRoot checks the memory root and the files that memctl keeps for it elsewhere.
func (e *examination) checkRoot(ctx context.Context, root files.Root) {
	e.OK("memory root", "%s", e.shortPath(root.Path))
	o := e.checkHoldings(ctx, root)
	e.checkLimits(ctx, root, o)
	e.checkReview(root)
	e.checkNotes(root)
	e.checkStaging(root)
	e.checkStopFlag()
}

func (e *examination) checkHoldings(ctx context.Context, root files.Root) store.Overview {
	e.checkFolders(root)
	e.checkConfig(root)
	o, _ := e.checkIndex(ctx, root, nil) // the error is a finding
	conflicts := e.checkFiles(ctx, root, o)
	e.checkIndexInGit(ctx, root)
	e.checkMerges(ctx, root, conflicts)
	return o
}

func (e *examination) checkFolders(root files.Root) {
	before, folders := len(e.Findings), 0
	e.checkFolder(root.Path)
	for _, info := range schemas.Categories {
		folder, err := root.OpenFolder(info.Folder)
		switch {
		case errors.Is(err, files.ErrNotFolder):
			e.Fail("folders", "move it away and run memctl init", "%s: %v", e.shortPath(root.Join(info.Folder)), err)
			continue
		case err == nil && folder == nil:
			continue
		case err == nil:
			folder.Close()
		}
		folders++
		e.checkFolder(root.Join(info.Folder))
	}
	if len(e.Findings) == before {
		e.OK("folders", "%d of %d, all of them writable", folders, len(schemas.Categories))
	}
}

func (e *examination) checkFolder(path string) {
	if err := files.CheckAccess(path); err != nil {
		e.Fail("folders", "chmod u+rwx "+text.ShellWord(path)+", or make its file system writable",
			"no memory can be saved: %v", err)
	} else if files.OpenToAll(path) {
		e.Warn("folders", "chmod o-w "+text.ShellWord(path), "every user of this machine can put memories into %s",
			e.shortPath(path))
	}
}

// checkConfig checks the configuration. Only that of the project says what hooks do.
func (e *examination) checkConfig(root files.Root) {
	const name = "configuration"
	own := root.Scope == files.UserScope
	fix, without, later := "edit "+e.shortPath(root.Join(files.ConfigName)), "the hooks do nothing",
		"; hooks use the settings that they know"
	if own {
		fix, without, later = "edit "+text.ShellWord(root.Join(files.ConfigName)), "your own memories are not used", ""
	}
	cfg, warnings, err := root.Config()
	if err != nil {
		e.Fail(name, "make the file readable, or remove it to use the defaults", "%s: %v", without, err)
		e.because(fmt.Sprintf("%s cannot be read: %v", files.ConfigName, err))
		return
	}
	if err := cfg.CheckVersion(); err != nil {
		e.Fail(name, "update memctl", "%v%s", err, later)
		return
	}
	for _, w := range warnings {
		e.Warn(name, fix, "%s", w)
		e.because(w.String())
	}
	switch {
	case own && len(warnings) == 0:
		e.OK(name, "valid")
	case own:
	case !cfg.Retrieval.Enabled || cfg.Retrieval.MaxInject == 0:
		e.Warn(name, fix, "%s: no prompt receives memories", retrieve.SwitchedOff)
	case len(warnings) == 0:
		triage := map[bool]text.Phrase{true: text.Say("on"), false: text.Say("off")}
		e.OK(name, "retrieval: at most %d a prompt; triage: %s", cfg.Retrieval.Limit(), triage[cfg.Triage.Enabled])
	}
}

func (e *examination) checkStaging(root files.Root) {
	const name = "staging"
	if err := tryStaging(root); err != nil {
		e.Fail(name, "move the file in the way, or set TMPDIR to a folder you own",
			"drafts and the log of the hooks cannot be written: %v", err)
		return
	}
	e.OK(name, "%s", root.Staging())
}

func tryStaging(root files.Root) error {
	staged, err := root.OpenStaging()
	if err != nil {
		return err
	}
	defer staged.Close()
	name := fmt.Sprintf("doctor-%d", os.Getpid())
	if _, err := staged.Write(name, "a trial"); err != nil {
		return err
	}
	return staged.Remove(name)
}

func (e *examination) checkStopFlag() {
	counts, err := files.CheckStopFlag(e.Project, e.now)
	switch {
	case err != nil:
		e.Warn("stop flag", "rm -r "+text.ShellWord(filepath.Join(e.Project, ".claude", ".stop_hook_active")), "%v",
			err)
	case counts:
		e.OK("stop flag", "the agent was asked to save its memories; its next stop passes")
	}
}

// checkUserRoot checks the root of the user's own memories. RootErr is why the project has
// no root.
func (e *examination) checkUserRoot(ctx context.Context, project files.Root, rootErr error) {
	const name = "your memory root"
	user, found, err := files.UserRoot()
	var foreign *files.ForeignError
	if !found && err == nil {
		_, _, err = files.FindOrPlanUser()
	}
	switch {
	case errors.As(err, &foreign):
		e.OK(name, "%v; it is not used", foreign)
		return
	case err != nil:
		e.Fail(name, "set MEMCTL_USER_ROOT to a folder outside the project, or unset it; remove the "+
			"file in the folder's place", "your own memories are not used: %v", err)
		return
	case !found:
		e.OK(name, "not created; run \"memctl init --user\" to create it, for memories that apply to every project")
		return
	}
	e.UserRoot = user.Path
	if user.Is(project) {
		e.OK(name, "%s, also the project's, because the project is your home folder: memories saved here "+
			"apply to every project", user.Shown)
		return
	}
	message := user.Shown
	if errors.Is(rootErr, files.ErrNoRoot) && files.IsHome(user.Project) && e.isBelow(user.Project) {
		message += "; from here memctl used to treat it as the project's root; now it is yours, and applies to every " +
			"project"
	}
	e.OK(name, "%s", message)
	e.whose = "your "
	defer func() { e.whose = "" }()
	e.checkHoldings(ctx, user)
}

func (e *examination) isBelow(folder string) bool {
	rel, err := filepath.Rel(folder, e.Project)
	return err == nil && filepath.IsLocal(rel)
}

// checkIndex looks at the index as it is and then uses it, which repairs it. It runs more on
// the same index.
func (e *examination) checkIndex(ctx context.Context, root files.Root,
	more func(retrieve.Source) error) (store.Overview, error) {
	const name = "index"
	before, _ := store.CheckIndex(ctx, root)
	o, err := store.Inspect(ctx, root, func(source retrieve.Source) error {
		if err := source.DB.QuickCheck(ctx); err != nil || more == nil {
			return err
		}
		return more(source)
	})
	switch {
	case err != nil:
		e.Fail(name, "memctl reindex", "%v", err)
		return o, err
	case before.Damaged, o.Index.Damaged:
		e.Warn(name, "nothing to do now; if it happens again, check whether the disk is full or another "+
			"program syncs this folder",
			"it was damaged and has been rebuilt from the files")
		e.because("the index was damaged and has been rebuilt; nothing is lost")
	case o.Index.Trouble != "":
		e.Warn(name, "make "+e.shortPath(root.Path)+" writable, and check that no memctl hangs", "%s", o.Index.Trouble)
		e.because(o.Index.Trouble)
	default:
		e.OK(name, "%s; full-text search works", text.Say(indexState(o, before)))
	}
	e.checkProblems(o)
	if len(o.Twins) > 0 {
		twin := o.Twins[0]
		e.Warn("names", "rename one of them, for example with git mv", "%s: %s", twin.Path, twin.Reason)
	}
	e.OK("memories", "%d active", o.Total(schemas.Active))
	return o, nil
}

// indexState describes the index as it was found.
func indexState(o store.Overview, before store.IndexCheck) string {
	switch {
	case before.Missing:
		return "it was missing and has been built"
	case before.OtherVersion:
		return "it was of another version and has been rebuilt"
	case len(before.Differences) > 0:
		return "up to date, after reading " + text.Plural(len(before.Differences), "changed file", "changed files")
	}
	return o.Index.State
}

func (e *examination) checkProblems(o store.Overview) {
	const maxNames = 3
	n := len(o.Problems)
	if n == 0 {
		return
	}
	var names []string
	for _, p := range o.Problems[:min(n, maxNames)] {
		names = append(names, p.Path)
	}
	list := strings.Join(names, ", ") + text.AndMore(n-len(names))
	e.Warn("memories", "run memctl validate for details", "%s: %s",
		text.Counted(n, "file is not a valid memory", "files are not valid memories"), list)
	e.because(text.Plural(n, "file is not a valid memory; fix or remove it",
		"files are not valid memories; fix or remove them"))
}
