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

// Judge notes the verdict of a model on items, or on two memories by their ids.
func Judge(ctx context.Context, root files.Root, o Options, names []string, v Verdict, because string) error {
	r, err := newReader(ctx, root, o)
	if err != nil {
		return err
	}
	judged, err := r.judged(ctx, names, v)
	if err != nil {
		return err
	}
	cfg, _, err := root.Config()
	if err != nil {
		return err
	}
	because, _ = cfg.Privacy.Filter().Text(text.OneLine(because, maxBecause))
	for _, memories := range judged {
		j := judgement{Item: itemName(memories...), Time: o.Now.UTC().Truncate(time.Second), Verdict: v,
			Because: because}
		for _, m := range memories {
			j.Paths = append(j.Paths, m.path)
		}
		line, err := schemas.EncodeJSON(j)
		if err == nil {
			err = files.AppendState(verdictsPrefix+root.Key(), append(line, '\n'), verdictsLimit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// judged returns the memories that each verdict is about: those of each item, or two that are named.
func (v *reviewer) judged(ctx context.Context, names []string, verdict Verdict) (list [][]*memory, err error) {
	known := map[string][]*memory{} // by the name of an item, or by the id
	for _, m := range v.memories {
		known[m.name], known[itemName(m)] = []*memory{m}, []*memory{m}
	}
	if verdict == Fine {
		for _, item := range v.lists(ctx) {
			known[item.Item] = item.memories
		}
	}
	for _, name := range names {
		if known[name] == nil {
			return nil, text.WithHint(fmt.Errorf("no item or memory is called %q: its memories have changed, or it "+
				"never was one", text.Brief(name)), "list the items: memctl review --agent")
		}
		list = append(list, known[name])
	}
	want := map[Verdict]int{Fine: len(names), Outdated: 1, Contradicts: 2, Same: 2}[verdict]
	switch {
	case want == 0:
		return nil, fmt.Errorf("a verdict is fine, outdated, contradicts or same, not %q", text.Brief(string(verdict)))
	case want != len(names):
		return nil, fmt.Errorf("a verdict %q is about %s, not %d", verdict, text.Plural(want, "memory", "memories"),
			len(names))
	case verdict != Fine && want == 2 && list[0][0] == list[1][0]:
		return nil, fmt.Errorf("%s does not contradict itself", names[0])
	case verdict != Fine && want == 2:
		both := slices.Concat(list...)
		slices.SortStableFunc(both, func(a, b *memory) int { return a.updated.Compare(b.updated) })
		list = [][]*memory{both}
	}
	return list, nil
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

// leaveOutRead leaves out the findings for a reader about memories that a model found to be fine.
func (v *reviewer) leaveOutRead() {
	settled := v.settled()
	v.report.Findings = slices.DeleteFunc(v.report.Findings, func(f Finding) bool {
		out := f.Do == Read && settled[itemName(f.memory)]
		if out {
			v.report.Counts[f.Kind]--
		}
		return out
	})
}

// runAgent prints what waits for a model.
func runAgent(c *cli.Context, std command.Streams, w *writer.Writer) error {
	agenda, err := NextItems(c.Context, w.Root, readerOptions(c, w))
	if err != nil {
		return err
	}
	return command.PrintResult(c, std, agenda, "agenda")
}

func readerOptions(c *cli.Context, w *writer.Writer) Options {
	return Options{Now: w.Now(), Days: c.Int("days"), Commits: c.Int("commits")}
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
	names := strings.Split(c.String("verdict"), ",")
	if err := Judge(c.Context, w.Root, readerOptions(c, w), names, verdict, because); err != nil {
		return err
	}
	fmt.Fprintf(std.Out, "noted: %s\n", verdict)
	return nil
}
