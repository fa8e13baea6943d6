package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"memctl/schemas"
	"memctl/tools/bench/child"
)

// measurement is one program to run again and again.
type measurement struct {
	name    string // short: goals and people refer to it
	what    string
	command []string
	stdin   string // a file; "" for an empty one
	exit    int    // the status of a program that did its work
	// before prepares each run and is not timed; nil for nothing.
	before func() error
	// check looks at what a run printed: a program that fails fast has measured
	// nothing. nil for no check.
	check func(stdout string) error
	// runs is 0 for as many as -runs says, in turn with the others. Else it is the
	// most, in rounds of its own after them, which it would disturb.
	runs  int
	goals []goal
}

// run runs the program once.
func (m measurement) run(b *testbed) (child.Result, error) {
	if m.before != nil {
		if err := m.before(); err != nil {
			return child.Result{}, err
		}
	}
	time.Sleep(settling)
	r, err := b.runTo(m.exit, m.command, m.stdin)
	if err != nil || m.check == nil {
		return r, err
	}
	out, err := os.ReadFile(b.stdout)
	if err == nil {
		err = m.check(string(out))
	}
	if err != nil {
		err = fmt.Errorf("%w %s", err, b.complaint())
	}
	return r, err
}

// Names that goals compare with.
const (
	floorEmpty    = "floor-empty"
	floorOpen     = "floor-open"
	floorWrite    = "floor-write"
	sqlite3Join   = "sqlite3-join"
	sqlite3FTS    = "sqlite3-fts"
	hookSelective = "hook-selective"
	stopShort     = "stop"
)

// measurements is the list, in the order of a round: each follows what it is compared
// with, for the machine is another one a few seconds later.
func measurements(b *testbed) []measurement {
	return []measurement{
		{
			name: floorEmpty, what: "a Go process that does nothing",
			command: []string{b.floorEmpty},
		},
		{
			name: "observed", what: "the hook after a tool, one run recorded",
			command: []string{b.memctl, "hook", "post-tool-use"}, stdin: b.events.tool,
			goals: []goal{atMost(floorEmpty, everySize(1.5)), peakAtMost(everySize(40))},
		},
		{
			name: stopShort, what: "stop hook, 200 messages, the stop held up",
			command: b.stop(), stdin: b.stops.short, exit: 2,
			before: b.stops.forget,
			goals:  []goal{atMost(floorEmpty, everySize(2.5)), peakAtMost(everySize(40))},
		},
		{
			name: "stop-long", what: "stop hook, the same after 500 MB",
			command: b.stop(), stdin: b.stops.long, exit: 2,
			before: b.stops.forget,
			goals:  []goal{atMost(stopShort, everySize(1.5)), peakAtMost(everySize(40))},
		},
		{
			name: floorOpen, what: "a Go process that opens the index and selects 1",
			command: []string{b.floorOpen, b.database},
		},
		{
			name: hookSelective, what: "prompt hook, words of few memories",
			command: b.hook(), stdin: b.events.selective,
			before: b.rankBy(schemas.TitleTags), check: isContext,
			goals: []goal{atMost(floorOpen, limits{600: 1.6, 10_000: 2, 100_000: 3}), hookPeak},
		},
		{
			name: "hook-replaced", what: "hook-selective after one file was replaced",
			command: b.hook(), stdin: b.events.busy,
			before: b.edited.replace, check: b.edited.seen,
			goals: []goal{atMost(hookSelective, limits{10_000: 1.5}), hookPeak},
		},
		{
			name: "hook-edited", what: "hook-selective after one file was edited in place",
			command: b.hook(), stdin: b.events.busy,
			before: b.edited.inPlace, check: b.edited.seen,
			goals: []goal{atMost(hookSelective, limits{10_000: 1.5}), hookPeak},
		},
		{
			name: "hybrid-selective", what: "hook-selective ranked by hybrid",
			command: b.hook(), stdin: b.events.selective,
			before: b.rankBy(schemas.Hybrid), check: isContext,
			goals: []goal{atMost(hookSelective, limits{600: 1.5, 10_000: 1.5, 100_000: 2}), hookPeak},
		},
		{
			name: "candidate", what: "the memory that new information belongs to",
			command: []string{b.memctl, "candidate", "--root", b.quiet, "--category", string(b.drafts.memory.Category), "--new-info", b.selective.text()},
			check:   answered("pre_action"),
			goals:   []goal{atMost(floorOpen, limits{10_000: 2})},
		},
		{
			name: floorWrite, what: "a Go process that also writes one file and waits for the disk",
			command: []string{b.floorOpen, b.database, b.drafts.scratch},
		},
		{
			name: "create", what: "one memory created",
			command: []string{b.memctl, "create", "--root", b.busy, "--category", string(b.drafts.memory.Category), "--target", b.drafts.created, "--input", "-"},
			stdin:   b.drafts.createInput,
			before:  b.drafts.removeCreated, check: answered("created"),
			goals: []goal{atMost(floorWrite, limits{10_000: 2.5})},
		},
		{
			name: "update", what: "one memory updated",
			command: []string{b.memctl, "update", "--root", b.busy, "--target", b.drafts.updated, "--input", "-"},
			stdin:   b.drafts.updateInput,
			before:  b.drafts.changeInput, check: answered("updated"),
			goals: []goal{atMost(floorWrite, limits{10_000: 2.5})},
		},
		{
			name: sqlite3Join, what: "sqlite3 answers the broad prompt by a plain token join",
			command: []string{b.sqlite3, b.database, joinSQL(b.broad.Words)},
			check:   notEmpty,
		},
		{
			name: "hook-broad", what: "prompt hook, words of many memories",
			command: b.hook(), stdin: b.events.broad,
			before: b.rankBy(schemas.TitleTags), check: isContext,
			goals: []goal{atMost(sqlite3Join, limits{100_000: 0.8}), hookPeak},
		},
		{
			name: sqlite3FTS, what: "sqlite3 answers the broad prompt from the full text by bm25",
			command: []string{b.sqlite3, b.database, ftsSQL(b.broad.Words)},
			check:   notEmpty,
		},
		{
			name: "hybrid-broad", what: "hook-broad ranked by hybrid, which may stay silent",
			command: b.hook(), stdin: b.events.broad,
			before: b.rankBy(schemas.Hybrid),
			goals:  []goal{atMost(sqlite3FTS, limits{100_000: 1.2}), hookPeak},
		},
		{
			name: "reindex", what: "the index made anew",
			command: []string{b.memctl, "reindex", "--root", b.busy}, runs: reindexRuns(b.size),
			goals: []goal{atLeastPerSecond(limits{10_000: 8000, 100_000: 8000})},
		},
	}
}

var hookPeak = peakAtMost(limits{100_000: 40})

func reindexRuns(size int) int {
	if size >= 100_000 {
		return 3
	}
	return 5
}

// joinSQL is what the ranking would be without prefixes, descriptions and recency.
func joinSQL(words []string) string {
	return fmt.Sprintf(`
		SELECT m.path, SUM(2 * p.in_title + 3 * p.in_tags) AS score
		FROM tokens t
		JOIN postings p ON p.token_id = t.token_id
		JOIN memories m ON m.memory_id = p.memory_id
		WHERE t.token IN ('%s') AND m.record_status = 'active'
		GROUP BY m.memory_id
		ORDER BY score DESC, m.category, lower(m.title), m.path
		LIMIT 5`, strings.Join(words, "', '"))
}

// ftsSQL is what the hybrid ranking would be without the gate and all else.
func ftsSQL(words []string) string {
	return fmt.Sprintf(`
		SELECT m.path, bm25(memories_fts, 2, 1, 1) AS score
		FROM memories_fts
		JOIN memories m ON m.memory_id = memories_fts.rowid
		WHERE memories_fts MATCH '%s'
		ORDER BY score
		LIMIT 5`, strings.Join(words, " OR "))
}

func notEmpty(stdout string) error {
	if stdout == "" {
		return errors.New("it printed nothing")
	}
	return nil
}

func isContext(stdout string) error {
	if !strings.HasPrefix(stdout, "<memory-context") {
		return fmt.Errorf("it printed no memories: %q", stdout)
	}
	return nil
}
