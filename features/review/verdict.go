package review

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// Verdict says what a model found of an item.
type Verdict string

// The verdicts.
const (
	Fine        Verdict = "fine"
	Contradicts Verdict = "contradicts"
	Same        Verdict = "same"
	Outdated    Verdict = "outdated"
)

var (
	pairVerdicts   = []Verdict{Fine, Contradicts, Same}
	singleVerdicts = []Verdict{Fine, Outdated}
)

// judgement is a verdict as it is kept.
type judgement struct {
	Item    string    `json:"item"`
	Time    time.Time `json:"time"`
	Verdict Verdict   `json:"verdict"`
	Because string    `json:"because,omitempty"`
	Paths   []string  `json:"memories"` // below the root
}

const (
	verdictsPrefix = "verdicts-"
	// verdictsLimit is the size of the journal of verdicts of a root, in bytes: some thousand.
	verdictsLimit = 2 << 20
	// maxBecause limits what shows a verdict, in code points.
	maxBecause = 300
)

// readJudgements returns the last verdict on each item, the oldest first; none if they cannot be read.
func readJudgements(root files.Root) (list []judgement) {
	data, _ := files.ReadState(verdictsPrefix+root.Key(), verdictsLimit)
	for line := range strings.Lines(string(data)) {
		var j judgement
		if json.Unmarshal([]byte(line), &j) != nil || len(j.Paths) == 0 {
			continue
		}
		list = slices.DeleteFunc(list, func(before judgement) bool { return before.Item == j.Item })
		list = append(list, j)
	}
	return list
}

// Judge notes the verdict of a model on an item.
func Judge(ctx context.Context, root files.Root, now time.Time, name string, v Verdict, because string) error {
	items, err := allItems(ctx, root, now)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(items, func(i Item) bool { return i.Item == name })
	if at < 0 {
		return text.WithHint(fmt.Errorf("no item is called %q: its memories have changed, or it never was one",
			text.Brief(name)), "list the items: memctl review --agent")
	}
	if !slices.Contains(items[at].Verdicts, v) {
		return fmt.Errorf("a verdict on %s is one of %s, not %q", name, wordsOfVerdicts(items[at].Verdicts),
			text.Brief(string(v)))
	}
	cfg, _, err := root.Config()
	if err != nil {
		return err
	}
	because, _ = cfg.Privacy.Filter().Text(text.OneLine(because, maxBecause))
	j := judgement{Item: name, Time: now.UTC().Truncate(time.Second), Verdict: v, Because: because}
	for _, m := range items[at].memories {
		j.Paths = append(j.Paths, m.path)
	}
	line, err := schemas.EncodeJSON(j)
	if err != nil {
		return err
	}
	return files.AppendState(verdictsPrefix+root.Key(), append(line, '\n'), verdictsLimit)
}

func wordsOfVerdicts(list []Verdict) string {
	var words []string
	for _, v := range list {
		words = append(words, string(v))
	}
	return strings.Join(words, ", ")
}

// reviewJudged reports what models found wrong with memories that are still as they read them.
func (v *reviewer) reviewJudged() {
	if !v.wants(Judged) {
		return
	}
	of := map[string]*memory{}
	for _, m := range v.memories {
		of[m.path] = m
	}
	for at, j := range readJudgements(v.root) {
		var memories []*memory
		for _, path := range j.Paths {
			if m := of[path]; m != nil {
				memories = append(memories, m)
			}
		}
		if j.Verdict == Fine || len(memories) < len(j.Paths) || itemName(memories...) != j.Item {
			continue
		}
		m := memories[0]
		f := Finding{Kind: Judged, Weight: at, Command: edit(m), Evidence: []string{j.Because}}
		switch {
		case len(memories) == 1 && j.Verdict == Outdated:
			f.Do, f.Parts = Correct, why("a model read it beside the code: it is outdated, because %s", j.Because)
		case len(memories) == 2 && j.Verdict == Contradicts:
			f.Parts = why("a model read both: it contradicts %q, because %s", memories[1].Title, j.Because)
		case len(memories) == 2 && j.Verdict == Same:
			f.Parts = why("a model read both: it says the same as %q, because %s", memories[1].Title, j.Because)
		default:
			continue // another version of memctl wrote it
		}
		if len(memories) == 2 {
			f.Other = v.other(memories[1])
			for _, m := range memories {
				f.Evidence = append(f.Evidence, fmt.Sprintf("%s: %s. %s", m.ID, m.Title, m.sentence))
			}
		}
		v.add(m, f)
	}
}

// runAgent prints what waits for a model.
func runAgent(c *cli.Context, std command.Streams, w *writer.Writer) error {
	agenda, err := NextItems(c.Context, w.Root, w.Now(), c.Int("days"))
	if err != nil {
		return err
	}
	return command.PrintResult(c, std, agenda, "agenda")
}

// runVerdict takes the verdict of a model.
func runVerdict(c *cli.Context, std command.Streams, w *writer.Writer) error {
	if c.NArg() != 1 {
		return console.Usagef("--verdict needs one verdict after the item: fine, contradicts, same or outdated")
	}
	verdict, because := Verdict(c.Args().First()), strings.TrimSpace(c.String("because"))
	if verdict != Fine && because == "" {
		return console.Misused("add --because 'FILE:LINE, or both statements'", "a verdict %q needs what shows it",
			text.Brief(string(verdict)))
	}
	if err := Judge(c.Context, w.Root, w.Now(), c.String("verdict"), verdict, because); err != nil {
		return err
	}
	fmt.Fprintf(std.Out, "noted: %s\n", verdict)
	return nil
}
