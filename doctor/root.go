package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
)

// checkRoot checks the memory root and the files that memctl keeps for it elsewhere.
func (e *examination) checkRoot(ctx context.Context, root memdir.Root) {
	e.ok("memory root", "%s", e.shortPath(root.Path))
	o := e.checkHoldings(ctx, root)
	e.checkLimits(ctx, root, o)
	e.checkReview(root)
	e.checkStaging(root)
	e.checkStopFlag()
}

// checkHoldings checks what any root has.
func (e *examination) checkHoldings(ctx context.Context, root memdir.Root) store.Overview {
	e.checkFolders(root)
	e.checkConfig(root)
	o, _ := e.checkIndex(ctx, root, nil) // the error is a finding
	conflicts := e.checkFiles(ctx, root, o)
	e.checkIndexInGit(ctx, root)
	e.checkMerges(ctx, root, conflicts)
	return o
}

func (e *examination) checkFolders(root memdir.Root) {
	before, found := len(e.Findings), 0
	e.checkFolder(root.Path)
	for _, info := range schemas.Categories {
		folder, err := root.OpenFolder(info.Folder)
		switch {
		case errors.Is(err, memdir.ErrNotFolder):
			e.fail("folders", "move it away and run memctl init", "%s: %v", e.shortPath(root.Join(info.Folder)), err)
			continue
		case err == nil && folder == nil:
			continue
		case err == nil:
			folder.Close()
		}
		found++
		e.checkFolder(root.Join(info.Folder))
	}
	if len(e.Findings) == before {
		e.ok("folders", "%d of %d, all of them writable", found, len(schemas.Categories))
	}
}

func (e *examination) checkFolder(path string) {
	if err := memdir.CheckAccess(path); err != nil {
		e.fail("folders", "chmod u+rwx "+text.ShellWord(path)+", or make its file system writable",
			"no memory can be saved: %v", err)
	} else if memdir.OpenToAll(path) {
		e.warn("folders", "chmod o-w "+text.ShellWord(path), "every user of this machine can put memories into %s",
			e.shortPath(path))
	}
}

// checkConfig checks the configuration. Only that of the project says what hooks do.
func (e *examination) checkConfig(root memdir.Root) {
	const name = "configuration"
	own := root.Scope == memdir.UserScope
	fix, without, later := "edit "+e.shortPath(root.Join(memdir.ConfigName)), "the hooks do nothing",
		"; hooks use the settings that they know"
	if own {
		fix, without, later = "edit "+text.ShellWord(root.Join(memdir.ConfigName)), "your own memories are not used", ""
	}
	cfg, warnings, err := root.Config()
	if err != nil {
		e.fail(name, "make the file readable, or remove it to use the defaults", "%s: %v", without, err)
		e.because(fmt.Sprintf("%s cannot be read: %v", memdir.ConfigName, err))
		return
	}
	if err := cfg.CheckVersion(); err != nil {
		e.fail(name, "update memctl", "%v%s", err, later)
		return
	}
	for _, w := range warnings {
		e.warn(name, fix, "%s", w)
		e.because(w.String())
	}
	switch {
	case own && len(warnings) == 0:
		e.ok(name, "nothing is wrong with it")
	case own:
	case !cfg.Retrieval.Enabled || cfg.Retrieval.MaxInject == 0:
		e.warn(name, fix, "%s: no prompt receives memories", retrieve.SwitchedOff)
	case len(warnings) == 0:
		triage := map[bool]string{true: "on", false: "off"}
		e.ok(name, "retrieval: at most %d a prompt; triage: %s", cfg.Retrieval.Limit(), triage[cfg.Triage.Enabled])
	}
}

// checkStaging checks the folder of drafts and of the hooks' log.
func (e *examination) checkStaging(root memdir.Root) {
	const name = "staging"
	if err := tryStaging(root); err != nil {
		e.fail(name, "move away what stands there, or set TMPDIR to a folder of yours",
			"no drafts and no log of the hooks: %v", err)
		return
	}
	e.ok(name, "%s", root.Staging())
}

func tryStaging(root memdir.Root) error {
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
	counts, err := memdir.CheckStopFlag(e.Project, e.now)
	switch {
	case err != nil:
		e.warn("stop flag", "rm -r "+text.ShellWord(filepath.Join(e.Project, ".claude", ".stop_hook_active")), "%v",
			err)
	case counts:
		e.ok("stop flag", "the agent was asked to save its memories; its next stop passes")
	}
}
