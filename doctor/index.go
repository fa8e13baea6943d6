package doctor

import (
	"context"
	"fmt"
	"strings"

	"memctl/memdir"
	"memctl/retrieve"
	"memctl/store"
	"memctl/text"
)

// checkIndex looks at the index as it is and then uses it, which repairs it. It runs more on
// the same index.
func (e *examination) checkIndex(ctx context.Context, root memdir.Root,
	more func(retrieve.Source) error) (store.Overview, error) {
	const name = "index"
	before, _ := store.CheckIndex(ctx, root)
	o, err := store.Overlook(ctx, root, func(source retrieve.Source) error {
		if err := source.DB.QuickCheck(ctx); err != nil || more == nil {
			return err
		}
		return more(source)
	})
	switch {
	case err != nil:
		e.fail(name, "memctl reindex", "%v", err)
		return o, err
	case before.Damaged, o.Index.Damaged:
		e.warn(name, "nothing to do now; if it happens again, see whether the disk is full or another program "+
			"syncs this folder",
			"it was damaged and has been rebuilt from the files")
		e.because("the index was damaged and has been rebuilt; nothing is lost")
	case o.Index.Trouble != "":
		e.warn(name, "make "+e.shortPath(root.Path)+" writable, and see that no memctl hangs", "%s", o.Index.Trouble)
		e.because(o.Index.Trouble)
	default:
		e.ok(name, "%s; full-text search works", indexState(o, before))
	}
	e.checkProblems(o)
	if len(o.Twins) > 0 {
		twin := o.Twins[0]
		e.warn("names", "rename one of them, for example with git mv", "%s: %s", twin.Path, twin.Reason)
	}
	e.ok("memories", "%d active", o.Active())
	return o, nil
}

// indexState describes the index as it was found.
func indexState(o store.Overview, before store.IndexCheck) string {
	switch {
	case before.Missing:
		return "there was none, now there is"
	case before.OtherVersion:
		return "it was of another version and has been rebuilt"
	case len(before.Differences) > 0:
		return "up to date, after taking in " + text.Plural(len(before.Differences), "changed file", "changed files")
	}
	return o.Index.State
}

// checkProblems names files that no prompt can find.
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
	list := strings.Join(names, ", ")
	if n > maxNames {
		list += fmt.Sprintf(" and %d more", n-maxNames)
	}
	e.warn("memories", "memctl validate says what is wrong with each", "%s: %s",
		text.Plural(n, "file is not a valid memory", "files are not valid memories"), list)
	e.because(text.Plural(n, "file is not a valid memory; fix or remove it",
		"files are not valid memories; fix or remove them"))
}
