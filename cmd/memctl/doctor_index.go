package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"

	"memctl/db"
	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/text"
)

// checkIndex has a look at the index as it is, then uses it, which mends it.
func (d *diagnosis) checkIndex(ctx context.Context, root memdir.Root) {
	const name = "index"
	found, checkErr := indexer.Check(ctx, root)
	o, err := retrieve.Look(ctx, root, func(ix *indexer.Index) error { return ix.QuickCheck(ctx) })
	switch {
	case err != nil:
		d.fail(name, "memctl reindex", "%v", err)
		return
	case errors.Is(checkErr, db.ErrDamaged), o.Index.Damaged:
		d.warn(name, "nothing to do now; if it happens again, see whether the disk is full or another program syncs this folder",
			"it was damaged and has been rebuilt from the files")
	case o.Index.Trouble != "":
		d.warn(name, "make "+d.shown(root.Path)+" writable, and see that no memctl hangs", "%s", o.Index.Trouble)
	default:
		d.ok(name, "%s; full-text search works", indexState(o, found, checkErr))
	}
	d.checkProblems(o)
	d.ok("memories", "%d active", o.Active())
}

// indexState says how the index was found.
func indexState(o retrieve.Overview, found []indexer.Discrepancy, err error) string {
	switch {
	case errors.Is(err, db.ErrMissing):
		return "there was none, now there is"
	case errors.Is(err, db.ErrVersion):
		return "it was of another version and has been rebuilt"
	case len(found) > 0:
		return "up to date, after taking in " + text.Plural(len(found), "changed file", "changed files")
	}
	return o.Index.State
}

// gitTime bounds a question to git.
const gitTime = 5 * time.Second

// checkIgnored looks whether git leaves the index alone.
func (d *diagnosis) checkIgnored(ctx context.Context, root memdir.Root) {
	const name = "git"
	fix := "add the line index.db* to " + d.shown(root.Join(".gitignore"))
	if inside, err := askGit(ctx, root, "rev-parse", "--is-inside-work-tree"); err != nil || inside != "true" {
		if !memdir.IgnoresIndex(root.Path) {
			d.warn(name, fix, "%s does not keep the index, which is derived, out of git", d.shown(root.Join(".gitignore")))
		}
		return
	}
	if tracked, err := askGit(ctx, root, "ls-files", "--", memdir.IndexName+"*"); err == nil && tracked != "" {
		d.warn(name, "git rm --cached "+text.ShellWord(root.Join(memdir.IndexName))+"*  and "+fix, "the index, which is derived, is in git: every prompt changes it")
		return
	}
	if _, err := askGit(ctx, root, "check-ignore", "--quiet", memdir.IndexName); err != nil {
		d.warn(name, fix, "git would take in the index, which is derived")
		return
	}
	d.ok(name, "it leaves the index out")
}

// askGit runs git in the root, without programs that the repository may name.
func askGit(ctx context.Context, root memdir.Root, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=false"}, args...)...)
	cmd.Dir, cmd.WaitDelay = root.Path, time.Second
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}
