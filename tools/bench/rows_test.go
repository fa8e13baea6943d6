package bench

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// promptLimits bound a prompt hook, of open, by the size of the store.
var promptLimits = map[int]float64{small: 1.9, large: 2.1}

// Limits that hold for more than one row.
const (
	noIndexLimit = 1.2 // a hook that needs no index, of open
	stopLimit    = 1.9 // a hook that reads a transcript, of open
	growthLimit  = 2.5 // of the same on a small store
	startLimit   = 2.0 // of a start in a small store; most of it is one stat a file
	editLimit    = 2.3 // of a prompt in an unchanged store
	createLimit  = 2.0 // of a create in a small store
	rootsLimit   = 1.5 // of the same asked of one root
)

// rows lists what is measured, in the order of a round.
func (b *bed) rows() ([]*row, error) {
	transcript := filepath.Join(b.dir, "transcript.jsonl")
	if err := os.WriteFile(transcript, messages(200), 0o600); err != nil {
		return nil, err
	}
	stop := map[string]any{"transcript_path": transcript, "stop_hook_active": false,
		"last_assistant_message": "That is all."}
	rows := []*row{
		{name: openRow, measure: b.always(process{command: []string{b.open, b.database}})},
		{name: "stop, 200 messages", limit: stopLimit, measure: b.after(b.removeStopFlag,
			b.hook("stop", b.observed, `"hookEventName":"Stop"`, stop))},
		{name: "stop, one more turn", limit: stopLimit,
			measure: b.afterTurn(b.hook("stop", b.observed, "", stop))},
		{name: "guard", limit: noIndexLimit, measure: b.always(b.hook("pre-tool-use", b.observed, "", map[string]any{
			"tool_name": "Write", "tool_input": map[string]any{"file_path": filepath.Join(b.observed, "main.go"),
				"content": "package main\n"},
		}))},
		{name: "one tool recorded", limit: noIndexLimit,
			measure: b.always(b.hook("post-tool-use", b.observed, "", map[string]any{
				"tool_name": "Bash", "tool_use_id": "toolu_1", "duration_ms": 2140,
				"tool_input": map[string]any{"command": "go test ./...", "description": "Run the tests"},
				"tool_response": map[string]any{"stdout": "ok  \tparcelhub/notifier\t0.412s", "stderr": "",
					"interrupted": false},
			}))},
	}
	for _, size := range []int{small, large} {
		add, err := b.storeRows(size)
		if err != nil {
			return nil, err
		}
		rows = append(rows, add...)
	}
	return rows, nil
}

// storeRows are the rows of one size of store.
func (b *bed) storeRows(size int) ([]*row, error) {
	stores := b.stores[size]
	quiet, hybrid, busy := stores.quiet, stores.hybrid, stores.busy
	draft, err := json.Marshal(map[string]any{"title": busy.draft.Title, "tags": busy.draft.Tags,
		"content": busy.draft.Content})
	if err != nil {
		return nil, err
	}
	name := func(what string) string { return fmt.Sprintf("%s, %d", what, size) }
	start := &row{name: name("session start"), measure: b.always(b.hook("session-start", quiet.dir, "",
		map[string]any{"source": "startup"}))}
	create := &row{name: name("create"), measure: b.after(busy.removeCreated, process{
		command: []string{b.memctl, "create", "--root", busy.dir, "--category", "constraint", "--target", "bench",
			"--input", "-"},
		stdin:  draft,
		stdout: `"created"`,
	})}
	search := &row{name: name("MCP search"), elapsed: true, measure: b.search(stores)}
	prompt := &row{name: name("prompt"), limit: promptLimits[size], measure: b.always(b.prompt(quiet))}
	rows := []*row{
		prompt,
		{name: name("prompt, hybrid"), limit: promptLimits[size], measure: b.always(b.prompt(hybrid))},
		{name: name("prompt, two roots"), base: name("prompt"), limit: rootsLimit,
			measure: b.always(b.withUserRoot(b.prompt(quiet)))},
		{name: name("prompt, hybrid, two roots"), base: name("prompt, hybrid"), limit: rootsLimit,
			measure: b.always(b.withUserRoot(b.prompt(hybrid)))},
		start, create, search,
	}
	if size == small {
		return rows, nil
	}
	start.base, start.limit = fmt.Sprintf("session start, %d", small), startLimit
	create.base, create.limit = fmt.Sprintf("create, %d", small), createLimit
	search.base, search.limit = fmt.Sprintf("MCP search, %d", small), growthLimit
	return append(rows,
		&row{name: name("prompt, a file replaced"), base: prompt.name, limit: editLimit, measure: b.afterEdit(busy)},
		&row{name: name("candidate"), measure: b.always(process{
			command: []string{b.memctl, "candidate", "--root", quiet.dir, "--category", "decision", "--new-info",
				quiet.prompt},
			stdout: "pre_action",
		})},
		&row{name: name("reindex"), limit: 10_000, memories: size,
			measure: b.always(process{command: []string{b.memctl, "reindex", "--root", busy.dir}})},
	), nil
}

// hook is a hook and what Claude Code sends to it.
func (b *bed) hook(name, project, stdout string, fields map[string]any) process {
	event := map[string]any{"cwd": project, "permission_mode": "default"}
	maps.Copy(event, fields)
	return process{command: []string{b.memctl, "hook", name}, event: event, stdout: stdout}
}

// prompt is the prompt hook, which has to find the memory that the prompt asks for.
func (b *bed) prompt(p *project) process {
	return b.hook("user-prompt-submit", p.dir, p.target.Title, map[string]any{"prompt": p.prompt})
}

// withUserRoot gives a process a user with memories of their own.
func (b *bed) withUserRoot(p process) process {
	p.env = []string{"MEMCTL_USER_ROOT=" + b.user.path()}
	return p
}

// afterEdit runs the prompt hook after each edit, which the hook has to show.
func (b *bed) afterEdit(p *project) func() (sample, error) {
	return func() (sample, error) {
		hook := b.prompt(p)
		hook.stdout = fmt.Sprintf(" edited%d ->", p.edits+1)
		return b.after(p.edit, hook)()
	}
}

// row is one measurement and what it should be.
type row struct {
	name  string
	base  string  // the row to compare with; "" for open
	limit float64 // of the ratio, at most; 0 for none
	// elapsed compares the time that passes, not that of the processor.
	elapsed bool
	// memories is how many a run takes in; with it the figure is memories per second
	// and limit the least.
	memories int
	measure  func() (sample, error)
	samples  []sample
}

// sample is one run.
type sample struct {
	cpu, wall float64 // milliseconds
	usage     any     // what the system says of the process
	printed   string  // on its stdout
}

const openRow = "open"

func (r *row) times(elapsed bool) []float64 {
	list := make([]float64, len(r.samples))
	for i, s := range r.samples {
		list[i] = s.cpu
		if elapsed {
			list[i] = s.wall
		}
	}
	return list
}

// ratio is the median of the ratios of single rounds: what disturbs a round disturbs
// both of its sides.
func (r *row) ratio(base *row) float64 {
	ratios, bases := r.times(r.elapsed), base.times(r.elapsed)
	for i := range ratios {
		ratios[i] /= bases[i]
	}
	return median(ratios)
}

// median of an even number of figures is the mean of the middle two.
func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// printTable prints all rows as one Markdown table.
func printTable(w io.Writer, rows []*row) {
	byName := map[string]*row{}
	for _, r := range rows {
		byName[r.name] = r
	}
	fmt.Fprintln(w, "| measurement | CPU ms | elapsed ms | / open | compared with | ratio | limit | |")
	fmt.Fprintln(w, "|---|--:|--:|--:|---|--:|--:|---|")
	for _, r := range rows {
		cpu := fmt.Sprintf("%.2f", median(r.times(false)))
		if r.elapsed {
			cpu = ""
		}
		fmt.Fprintf(w, "| %s | %s | %.2f | %.2f |", r.name, cpu, median(r.times(true)), r.ratio(byName[openRow]))
		r.printGoal(w, byName)
	}
}

// printGoal prints the cells that say whether a row is as it should be.
func (r *row) printGoal(w io.Writer, byName map[string]*row) {
	if r.memories > 0 {
		perSecond := float64(r.memories) / median(r.times(true)) * 1000
		fmt.Fprintf(w, " | %.0f/s | ≥ %.0f/s | %s |\n", perSecond, r.limit, verdict(perSecond >= r.limit))
		return
	}
	if r.limit == 0 {
		fmt.Fprintln(w, " | | | |")
		return
	}
	base := cmp.Or(r.base, openRow)
	ratio := r.ratio(byName[base])
	fmt.Fprintf(w, " %s | %.2f | ≤ %.1f | %s |\n", base, ratio, r.limit, verdict(ratio <= r.limit))
}

func verdict(met bool) string {
	if met {
		return "met"
	}
	return "NOT MET"
}
