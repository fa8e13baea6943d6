package versions

import (
	"context"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/files/git"
)

// logTimeout limits each run of git log.
const logTimeout = time.Minute

// touched is a commit with the files that it changed.
type touched struct {
	git.Commit
	files []git.FileChange
}

// readNodes returns the commits that touched a memory under its present name or an
// earlier one, the last first.
func readNodes(ctx context.Context, root files.Root, at string) ([]*node, error) {
	prefix, err := git.Prefix(ctx, root.Path)
	if err != nil {
		return nil, err
	}
	names, seen := []string{at}, map[string]bool{}
	for {
		list, err := logOf(ctx, root, prefix, fmt.Sprintf("--max-count=%d", maxCommits), "HEAD", names...)
		if err != nil || len(list) == 0 {
			return nil, err
		}
		former, err := formerNames(ctx, root, prefix, list, names, seen)
		if err != nil {
			return nil, err
		}
		if len(former) == 0 || len(names) >= maxNames {
			return graph(list, at), nil
		}
		names = append(names, former...)
	}
}

// maxNames limits how many renames are followed.
const maxNames = 20

// formerNames returns the names that files had before they got one of names. A commit
// that adds a file is asked for renames, once: git does not look for them beyond names,
// and to ask every commit takes long.
func formerNames(ctx context.Context, root files.Root, prefix string, list []touched, names []string,
	seen map[string]bool) (former []string, err error) {
	for _, c := range list {
		adds := slices.ContainsFunc(c.files, func(f git.FileChange) bool {
			return f.From[0] == "" &&
				slices.Contains(names, f.Path)
		})
		if !adds || seen[c.ID] || strings.Contains(c.Parents, " ") {
			continue
		}
		seen[c.ID] = true
		renames, err := logOf(ctx, root, prefix, "--max-count=1", c.ID, path.Dir(names[0]))
		if err != nil {
			return nil, err
		}
		for _, rename := range renames {
			for _, f := range rename.files {
				from := f.From[0]
				known := from == "" || slices.Contains(names, from) || slices.Contains(former, from)
				if slices.Contains(names, f.Path) && !known {
					former = append(former, from)
				}
			}
		}
	}
	return former, nil
}

// graph links commits and follows the memory's name from the last commit back.
func graph(list []touched, at string) []*node {
	nodes := make([]*node, len(list))
	byID := make(map[string]*node, len(list))
	for i, c := range list {
		nodes[i] = &node{Commit: c.Commit}
		byID[c.ID] = nodes[i]
	}
	nodes[0].path = at
	for i, c := range list { // a commit comes before its parents
		n := nodes[i]
		from := n.path
		e := slices.IndexFunc(c.files, func(f git.FileChange) bool { return f.Path == n.path })
		if n.path != "" && e >= 0 {
			n.change = &c.files[e]
		}
		for j, id := range strings.Fields(c.Parents) {
			parent := byID[id]
			if parent == nil {
				continue
			}
			n.parents = append(n.parents, parent)
			if n.change != nil {
				from = n.change.From[min(j, len(n.change.From)-1)]
			}
			if parent.path == "" {
				parent.path = from
			}
		}
	}
	return nodes
}

// logOf returns the commits that changed paths below the root, from one commit back. A
// merge has the files that differ from all of its parents.
func logOf(ctx context.Context, root files.Root, prefix, option, from string, paths ...string) (list []touched,
	err error) {
	args := append([]string{option, "--parents", "--topo-order", "-c", "--combined-all-paths", "-M", from, "--"},
		paths...)
	err = git.Log(ctx, root.Path, logTimeout, func(c git.Commit, files iter.Seq[git.FileChange]) error {
		t := touched{Commit: c}
		for f := range files {
			f.Path = strings.TrimPrefix(f.Path, prefix)
			for i := range f.From {
				f.From[i] = strings.TrimPrefix(f.From[i], prefix)
			}
			t.files = append(t.files, f)
		}
		list = append(list, t)
		return nil
	}, args...)
	return list, err
}
