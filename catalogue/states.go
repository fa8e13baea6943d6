package catalogue

import (
	"cmp"
	"iter"
	"slices"

	"memctl/db"
)

// pageFiles is how many states are in memory at once.
const pageFiles = 1000

// fileStates are the states of a root's files, sorted by path.
type fileStates = iter.Seq2[db.FileState, error]

// pages reads states page by page. Read returns those after a path, none at the end.
func pages(read func(after string) ([]db.FileState, error)) fileStates {
	return func(yield func(db.FileState, error) bool) {
		for after := ""; ; {
			page, err := read(after)
			if err != nil {
				yield(db.FileState{}, err)
				return
			}
			for _, s := range page {
				if !yield(s, nil) {
					return
				}
			}
			if len(page) == 0 {
				return
			}
			after = page[len(page)-1].Path
		}
	}
}

// listed are states that are in memory.
func listed(list []db.FileState) fileStates {
	return func(yield func(db.FileState, error) bool) {
		for _, s := range list {
			if !yield(s, nil) {
				return
			}
		}
	}
}

// unread are the states of files that have yet to be read: no file of the catalogue has
// such a state.
func unread(paths []string) fileStates {
	states := make([]db.FileState, len(paths))
	for i, path := range slices.Sorted(slices.Values(paths)) {
		states[i].Path = path
	}
	return listed(states)
}

// change is a file whose state is another one in the catalogue.
type change struct {
	path  string
	known bool   // whether the catalogue has the file
	state string // in the catalogue
}

// compare walks the states of a root and those that the catalogue has of it.
func compare(own, known fileStates) iter.Seq2[change, error] {
	return func(yield func(change, error) bool) {
		nextOwn, stopOwn := iter.Pull2(own)
		defer stopOwn()
		nextKnown, stopKnown := iter.Pull2(known)
		defer stopKnown()
		a, errA, hasOwn := nextOwn()
		b, errB, hasKnown := nextKnown()
		for hasOwn || hasKnown {
			if errA != nil || errB != nil {
				yield(change{}, cmp.Or(errA, errB))
				return
			}
			switch {
			case !hasKnown || hasOwn && a.Path < b.Path:
				if !yield(change{path: a.Path}, nil) {
					return
				}
				a, errA, hasOwn = nextOwn()
			case !hasOwn || b.Path < a.Path:
				if !yield(change{b.Path, true, b.State}, nil) {
					return
				}
				b, errB, hasKnown = nextKnown()
			default:
				if a.State != b.State && !yield(change{b.Path, true, b.State}, nil) {
					return
				}
				a, errA, hasOwn = nextOwn()
				b, errB, hasKnown = nextKnown()
			}
		}
	}
}
