package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"memctl/hooks"
	"memctl/memdir"
	"memctl/render"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// checkRoot looks at the memory root and at what memctl keeps beside it.
func (d *diagnosis) checkRoot(ctx context.Context, root memdir.Root, now time.Time) {
	d.ok("memory root", "%s", d.shown(root.Path))
	d.checkFolders(root)
	d.checkConfig(root)
	d.checkIndex(ctx, root)
	d.checkIgnored(ctx, root)
	d.checkStaging(root)
	d.checkStopFlag(now)
}

func (d *diagnosis) checkFolders(root memdir.Root) {
	before, found := len(d.Checks), 0
	d.checkFolder(root.Path)
	for _, info := range schemas.Categories {
		folder, err := root.OpenFolder(info.Folder)
		switch {
		case errors.Is(err, memdir.ErrNotFolder):
			d.fail("folders", "move it away and run memctl init", "%s: %v", d.shown(root.Join(info.Folder)), err)
			continue
		case err == nil && folder == nil:
			continue
		case err == nil:
			folder.Close()
		}
		found++
		d.checkFolder(root.Join(info.Folder))
	}
	if len(d.Checks) == before {
		d.ok("folders", "%d of %d, all of them writable", found, len(schemas.Categories))
	}
}

func (d *diagnosis) checkFolder(path string) {
	if err := memdir.CheckAccess(path); err != nil {
		d.fail("folders", "chmod u+rwx "+text.ShellWord(path)+", or make its file system writable", "no memory can be saved: %v", err)
	} else if memdir.OpenToAll(path) {
		d.warn("folders", "chmod o-w "+text.ShellWord(path), "every user of this machine can put memories into %s", d.shown(path))
	}
}

func (d *diagnosis) checkConfig(root memdir.Root) {
	const name = "configuration"
	fix := "edit " + d.shown(root.Join(memdir.ConfigName))
	cfg, warnings, err := root.Config()
	if err != nil {
		d.fail(name, configHint, "the hooks do nothing: %v", err)
		return
	}
	for _, w := range warnings {
		d.warn(name, fix, "%s", w)
	}
	if !cfg.Retrieval.Enabled || cfg.Retrieval.MaxInject == 0 {
		d.warn(name, fix, "%v: no prompt receives memories", hooks.ErrSwitchedOff)
	} else if len(warnings) == 0 {
		d.ok(name, "retrieval: at most %d a prompt; triage: %s", cfg.Retrieval.MaxInject, render.OnOff(cfg.Triage.Enabled))
	}
}

// checkStaging looks at the folder of drafts and of the log of the hooks.
func (d *diagnosis) checkStaging(root memdir.Root) {
	const name = "staging"
	err := tryStaging(root)
	if err != nil {
		d.fail(name, "move away what stands there, or set TMPDIR to a folder of yours", "no drafts and no log of the hooks: %v", err)
		return
	}
	d.ok(name, "%s", root.Staging())
}

func tryStaging(root memdir.Root) error {
	staged, err := root.OpenStaging()
	if err != nil {
		return err
	}
	defer staged.Close()
	path, err := staged.Write(fmt.Sprintf("doctor-%d", os.Getpid()), "a trial")
	if err != nil {
		return err
	}
	return os.Remove(path)
}

func (d *diagnosis) checkStopFlag(now time.Time) {
	counts, err := memdir.LookAtStopFlag(d.Project, now)
	switch {
	case err != nil:
		d.warn("stop flag", "rm -r "+text.ShellWord(filepath.Join(d.Project, ".claude", ".stop_hook_active")), "%v", err)
	case counts:
		d.ok("stop flag", "the agent was asked to save its memories; its next stop passes")
	}
}

// checkProblems names files that no prompt will ever find.
func (d *diagnosis) checkProblems(o retrieve.Overview) {
	const most = 3
	n := len(o.Problems)
	if n == 0 {
		return
	}
	var names []string
	for _, p := range o.Problems[:min(n, most)] {
		names = append(names, p.Path)
	}
	d.warn("memories", "memctl validate says what is wrong with each", "%s: %s%s",
		text.Plural(n, "file is no memory", "files are no memories"), strings.Join(names, ", "), more(max(n-most, 0)))
}
