package hooks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"memctl/files"
	"memctl/files/trust"
	"memctl/retrieve"
	"memctl/text"
)

// markNew marks the memories that the user has not seen, and leaves out those of which this answer tells the person
// for the first time.
func (c *Call) markNew(results []retrieve.Result) []retrieve.Result {
	for i, r := range results {
		results[i].NewBy = c.store.Judge().ByFile(r.Root, r.Path)
	}
	if c.news == "" {
		return results
	}
	return slices.DeleteFunc(results, func(r retrieve.Result) bool {
		return r.Root.Scope == files.UserScope && strings.Contains(c.news, files.NewsPlace(r.Root.ShownPath(r.Path)))
	})
}

// anyNew reports whether a memory is marked.
func anyNew(results []retrieve.Result) bool {
	return slices.ContainsFunc(results, func(r retrieve.Result) bool { return r.NewBy != "" })
}

// meet notes that a session starts in a root. Its memories are new from then on, unless the user made the root.
func meet(ctx context.Context, root files.Root) error {
	unknown, err := root.Introduce()
	if err == nil && !files.IsUsers(root) {
		err = trust.Meet(ctx, root, unknown)
	}
	return err
}

// announceNew returns a line for the person and one for the agent on memories that the user has not seen, once a
// session.
func (c *Call) announceNew(ctx context.Context, root files.Root, met error) (person, agent string) {
	memories, err := c.store.LookForNew(ctx, root)
	if met != nil {
		c.warn("cannot remember that this project is known: %s", text.Printable(met.Error()))
	} else if err != nil {
		c.warn("cannot tell which memories are new: %s", text.Printable(err.Error()))
	}
	if len(memories.New) == 0 {
		return "", ""
	}
	contents := make([]string, len(memories.New))
	for i, n := range memories.New {
		contents[i] = n.Content
	}
	if len(c.markShown([]string{strings.Join(contents, " ")})) == 0 {
		return "", ""
	}
	line := newSentence(memories)
	return line + `; review them with "memctl trust".`, line + "; the user has not seen them yet."
}

// newSentence says how many memories are new, and who wrote them.
func newSentence(news trust.Found) string {
	var names []string
	for _, n := range news.New {
		if by := n.By(); by != trust.Others && !slices.Contains(names, by) {
			names = append(names, by)
		}
	}
	if slices.ContainsFunc(news.New, func(n trust.New) bool { return n.By() == trust.Others }) {
		names = append(names, trust.Others)
	}
	by := text.Printable(retrieve.Names(names))
	memories := func(kind string) string {
		return text.Plural(len(news.New), kind+"memory", kind+"memories")
	}
	switch {
	case news.Came:
		return fmt.Sprintf("memctl: %s came with this project, by %s", memories(""), by)
	case news.Known == 0:
		return fmt.Sprintf("memctl: %s by %s since your last session", memories("new "), by)
	}
	return fmt.Sprintf("memctl: %s by %s", memories("new "), by)
}
