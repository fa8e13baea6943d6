package render

import (
	"encoding/json"
	"fmt"
	"time"

	"memctl/remote"
	"memctl/schemas"
	"memctl/term"
	"memctl/text"
)

// maxHubTitle is how many code points of a title of a hub a list shows.
const maxHubTitle = 200

// HubResults writes three lines for each memory that a search of a hub found. A table would
// cut the ids, which "memctl show --hub" takes whole.
func HubResults(s term.Screen, hub string, list []remote.Result) {
	s.Print(term.Faint, fmt.Sprintf("from the hub %s\n", text.Printable(hub)))
	for _, r := range list {
		fmt.Fprintf(s, "%s  %-15s ", score(hubScore(r)), text.OneLine(r.Category, maxHubTitle))
		s.Print(term.Bold, text.OneLine(r.Title, maxHubTitle))
		fmt.Fprintf(s, "\n%22s", "")
		s.Print(term.Cyan, text.Printable(r.ID))
		fmt.Fprintf(s, "%s\n", tagNote(r.Tags))
		fmt.Fprintf(s, "%22s%s, updated %s, %d tokens\n", "", hubSource(r.Source), day(r.UpdatedAt), r.Tokens)
	}
}

// hubScore is the score of docs/ranking.md for a strength.
func hubScore(r remote.Result) float64 {
	x := max(r.Strength, 0)
	return x / (1 + x)
}

func hubSource(source remote.Source) string {
	return fmt.Sprintf("commit %s, published %s", text.Printable(text.Truncate(source.Commit, shortCommit)), hubTime(source.PublishedAt))
}

func hubTime(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// HubMemory writes all of a memory of a hub, as Memory does.
func HubMemory(out term.Screen, d remote.Detail, all bool) error {
	m, err := schemas.Decode(d.Memory)
	if err != nil {
		return fmt.Errorf("%s: %w", text.Printable(d.ID), err)
	}
	m.Complete(schemas.Category(d.Category), d.Title)
	var valid any
	if json.Unmarshal(m.Content, &valid) != nil {
		m.Content = nil
	}
	Memory(out, d.ID, m, hubSource(d.Source), all)
	return nil
}
