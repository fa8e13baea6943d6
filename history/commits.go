package history

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"memctl/git"
	"memctl/memdir"
)

// entry is what a commit did to one file.
type entry struct {
	blob string   // after the commit, "" if it deleted the file
	path string   // likewise
	from []string // the path in each parent, "" where the file is not there
}

// commit is a commit as git log prints it.
type commit struct {
	Commit
	parents []string
	entries []entry
}

// readCommits returns the commits that touched a memory under its present name or an
// earlier one, the last first.
func readCommits(ctx context.Context, root memdir.Root, at string) ([]*node, error) {
	prefix, err := git.Prefix(ctx, root.Path)
	if err != nil {
		return nil, err
	}
	names, seen := []string{at}, map[string]bool{}
	for {
		list, err := log(ctx, root, prefix, fmt.Sprintf("--max-count=%d", maxCommits), "HEAD", names...)
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
func formerNames(ctx context.Context, root memdir.Root, prefix string, list []commit, names []string, seen map[string]bool) (former []string, err error) {
	for _, c := range list {
		adds := slices.ContainsFunc(c.entries, func(e entry) bool { return e.from[0] == "" && slices.Contains(names, e.path) })
		if !adds || seen[c.ID] || len(c.parents) > 1 {
			continue
		}
		seen[c.ID] = true
		renames, err := log(ctx, root, prefix, "--max-count=1", c.ID, path.Dir(names[0]))
		if err != nil {
			return nil, err
		}
		for _, rename := range renames {
			for _, e := range rename.entries {
				if slices.Contains(names, e.path) && e.from[0] != "" && !slices.Contains(names, e.from[0]) && !slices.Contains(former, e.from[0]) {
					former = append(former, e.from[0])
				}
			}
		}
	}
	return former, nil
}

// graph links commits and follows the memory's name from the last commit back.
func graph(list []commit, at string) []*node {
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
		if e := slices.IndexFunc(c.entries, func(e entry) bool { return e.path == n.path }); n.path != "" && e >= 0 {
			n.entry = &c.entries[e]
		}
		for j, id := range c.parents {
			parent := byID[id]
			if parent == nil {
				continue
			}
			n.parents = append(n.parents, parent)
			if n.entry != nil {
				from = n.entry.from[min(j, len(n.entry.from)-1)]
			}
			if parent.path == "" {
				parent.path = from
			}
		}
	}
	return nodes
}

// log runs git log from a commit back, on paths below the root. A merge has the files
// that differ from all of its parents.
func log(ctx context.Context, root memdir.Root, prefix, option, from string, paths ...string) ([]commit, error) {
	args := []string{
		"--literal-pathspecs", "-c", "log.showRoot=true", "log", option, "--no-follow", "--no-relative", "--parents", "--topo-order", "--encoding=UTF-8", "--no-color", "--no-notes",
		"-z", "--format=%H%x00%P%x00%an%x00%aI%x00%s",
		"--raw", "--no-abbrev", "-c", "--combined-all-paths", "-M", "--no-ext-diff", "--no-textconv", from, "--",
	}
	out, err := git.Run(ctx, root.Path, append(args, paths...)...)
	if err != nil {
		return nil, err
	}
	p := parser{tokens: strings.Split(strings.ToValidUTF8(string(out), "\uFFFD"), "\x00"), prefix: prefix}
	return p.commits()
}

// parser reads the output of log: strings that end with a NUL.
type parser struct {
	tokens []string
	prefix string // of the root in the working tree
}

func (p *parser) next() string {
	if len(p.tokens) == 0 {
		return ""
	}
	token := p.tokens[0]
	p.tokens = p.tokens[1:]
	return strings.TrimPrefix(token, "\n")
}

func (p *parser) commits() ([]commit, error) {
	var list []commit
	for len(p.tokens) > 0 {
		switch token := p.next(); {
		case token == "":
		case strings.HasPrefix(token, ":"):
			e, err := p.entry(token)
			if err != nil || len(list) == 0 {
				return nil, fmt.Errorf("git log: %w", err)
			}
			last := &list[len(list)-1]
			last.entries = append(last.entries, e)
		default:
			parents := strings.Fields(p.next())
			list = append(list, commit{Commit: Commit{token, p.next(), p.next(), p.next()}, parents: parents})
		}
	}
	return list, nil
}

// entry reads a line of git's raw format: for n parents n colons, n+1 modes, n+1 blobs,
// a letter for each parent, then the paths.
func (p *parser) entry(line string) (entry, error) {
	n := len(line) - len(strings.TrimLeft(line, ":"))
	words := strings.Fields(line[n:])
	if len(words) != 2*n+3 {
		return entry{}, fmt.Errorf("cannot read %q", line)
	}
	blobs, status := words[n+1:2*n+2], words[2*n+2]
	e := entry{blob: blobs[n], from: make([]string, n)}
	paths := n + 1 // one for each parent and one of the result
	if n == 1 && !strings.ContainsAny(status[:1], "RC") {
		paths = 1
	}
	for i := range paths {
		e.path = strings.TrimPrefix(p.next(), p.prefix)
		if i < n {
			e.from[i] = e.path
		}
	}
	for i := range e.from {
		if isZero(blobs[i]) {
			e.from[i] = ""
		}
	}
	if isZero(e.blob) {
		e.blob = ""
	}
	return e, nil
}

func isZero(blob string) bool { return strings.Trim(blob, "0") == "" }
