package schemas

import (
	"slices"
	"strings"
)

// maxExample is how many words an example of a preference has at most that is itself a
// command.
const maxExample = 6

// Commands returns the commands that a memory is about, sorted: the code between backquotes
// in a constraint's rule, in the steps of a runbook and in what a preference avoids. An
// example without backquotes may be a command as a whole. One space parts the words.
func (m *Memory) Commands() []string {
	var list []string
	switch c := m.Content.(type) {
	case *ConstraintContent:
		list = code(c.Rule)
	case *RunbookContent:
		for _, step := range c.Steps {
			list = append(list, code(step)...)
		}
	case *PreferenceContent:
		if c.Examples == nil {
			return nil
		}
		for _, avoid := range c.Examples.Avoid {
			if words := strings.Fields(avoid); !strings.Contains(avoid, "`") && len(words) <= maxExample {
				avoid = "`" + avoid + "`"
			}
			list = append(list, code(avoid)...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// code returns what stands between backquotes in a text, on one line each.
func code(s string) (list []string) {
	for {
		_, rest, found := strings.Cut(s, "`")
		inside, after, closed := strings.Cut(rest, "`")
		if !found || !closed {
			return list
		}
		if command := strings.Join(strings.Fields(inside), " "); command != "" {
			list = append(list, command)
		}
		s = after
	}
}
