package schemas

import (
	"slices"
	"strings"

	"memctl/text"
)

// The words with which one decision says that it, or another one, is superseded.
var (
	supersedes   = text.Pattern(`\b(?:supersedes|supercedes|replaces)\b`)
	supersededBy = text.Pattern(`\b(?:superseded|superceded|replaced) by\b`)
)

// Succession is what a decision says of another one.
type Succession struct {
	Supersedes bool   // the other one, else it is superseded by the other one
	Said       string // the rest of the line, in lower case
}

// Successions returns what a decision says of those before and after it. Only one that is
// accepted supersedes others.
func (m *Memory) Successions() (list []Succession) {
	c, ok := m.Content.(*DecisionContent)
	if !ok {
		return nil
	}
	for line := range strings.Lines(text.Lower(m.Text())) {
		if at := supersededBy().FindStringIndex(line); at != nil && c.Status == "superseded" {
			list = append(list, Succession{false, strings.TrimSpace(line[at[1]:])})
		}
		if at := supersedes().FindStringIndex(line); at != nil && c.Status == "accepted" {
			list = append(list, Succession{true, strings.TrimSpace(line[at[1]:])})
		}
	}
	return list
}

const (
	// maxSaid is how many bytes of a line name another decision at most.
	maxSaid = 300
	// signs stand around the name of a decision.
	signs = " \t\r:;,.!()[]<>*_\"'`“”„‘’«»"
)

var idInText = text.Pattern(`[a-z0-9]+(?:-[a-z0-9]+)+`)

// Names returns what the line may call the other decision: an id of several words, or a
// title that stands at its beginning, in lower case. Each beginning of several words is one.
func (s Succession) Names() (names []string) {
	said := strings.TrimLeft(text.Truncate(s.Said, maxSaid), signs)
	names = idInText().FindAllString(said, -1)
	for at, r := range said + " " {
		if strings.ContainsRune(signs, r) {
			for _, name := range []string{said[:at], strings.TrimRight(said[:at], signs)} {
				if strings.ContainsAny(name, " -") {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// SupersededBy reports whether one of two decisions says that the other one, which is no
// older, stands in place of this one.
func (m *Memory) SupersededBy(other *Memory) bool {
	says := func(one, two *Memory, supersedes bool) bool {
		return slices.ContainsFunc(one.Successions(), func(s Succession) bool {
			names := s.Names()
			return s.Supersedes == supersedes && (slices.Contains(names, text.Lower(two.Title)) || slices.Contains(names, two.ID))
		})
	}
	if m == other || m.Category != Decision || other.Category != Decision {
		return false
	}
	before, known := ParseTime(m.UpdatedAt)
	after, _ := ParseTime(other.UpdatedAt)
	return says(m, other, false) || known && !after.Before(before) && says(other, m, true)
}
