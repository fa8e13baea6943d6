//go:build linux

// Command attack runs memctl on hostile projects and prints one line for each case. A
// case fails if a hook exits with a status that blocks the client, takes longer than
// its deadline or more memory than its limit, or lets through what it should stop
// (docs/security.md). It needs Linux; the cases of a full disk need root.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"time"
)

// attack is one case. It returns nil if memctl withstands it.
type attack struct {
	name string
	run  func(*project) error
}

var attacks = []attack{
	{"a configuration of 1 TB", hugeFile("memory-config.json")},
	{"a configuration of 200 MB", blankFile("memory-config.json", "{}")},
	{"a memory of 200 MB", blankFile("decisions/huge.json", "{}")},
	{"synonyms of 200 MB", blankFile("synonyms.txt", "kafka = events")},
	{"observations of 200 MB", blankFile("observations/huge.jsonl", "{}")},
	{"a memory of 1 TB", hugeFile("decisions/huge.json")},
	{"synonyms of 1 TB", hugeFile("synonyms.txt")},
	{"observations of 1 TB", hugeFile("observations/huge.jsonl")},
	{"a configuration that is a link to the kernel's log", linkedConfig("/proc/kmsg")},
	{"a configuration that is a link out of the root", linkedConfig("/etc/passwd")},
	{"a configuration that is a pipe", pipedConfig},
	{"50 nested repetitions as a pattern", patterns(nestedRepetitions())},
	{"ten repeated character classes as patterns", patterns(repeatedClasses())},
	{"5,000 patterns", patterns(manyPatterns())},
	{"an index with a view named like a table", indexWith(viewForTable)},
	{"an index with a trigger that writes", indexWith(writingTrigger)},
	{"an index with a trigger that does not end", indexWith(endlessTrigger)},
	{"an index with false rows", falseRows},
	{"one root under two paths", twoPaths},
	{"a stale index.db.new", staleBuild},
	{"a title of 1 MB", longTitle},
	{"100,000 tags", manyTags},
	{"200,000 files that are not memories", manyFiles},
	{"10,000 links that are not memories", manyLinks},
	{"50 memories of 1 MB", largeMemories},
	{"50 memories of 1 MB that cannot be indexed", largeReadOnly},
	{"transcripts with lines of 2 MB", longTranscripts},
	{"fields of 8 MB in events", longFields},
	{"invisible characters in a title", invisibleTitle},
	{"control characters in names and paths", controlCharacters},
	{"a secret in every string", secretEverywhere},
	{"deleted memories in the pages of the index", freedPages},
	{"a file renamed over one that is set aside", quarantineRace},
	{"few file descriptors", limited("ulimit -n 7", "ulimit -n 8", "ulimit -n 10", "ulimit -n 12")},
	{"little memory", limited("ulimit -v 2000000")},
	{"a full disk", fullDisk},
	{"a resource with a control character", hostileResource},
	{"1,000 pipelined searches", pipelinedSearches},
	{"a settings diff that shows other lines' values", settingsDiff},
	{"a root that another user's memctl wrote", foreignRoot},
}

func main() {
	memctl := flag.String("memctl", "bin/memctl", "the binary to attack")
	only := flag.String("run", "", "run the cases whose name matches `REGEXP`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	failed, err := run(ctx, *memctl, *only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "attack:", err)
		os.Exit(1)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

func run(ctx context.Context, memctl, only string) (failed int, err error) {
	memctl, err = filepath.Abs(memctl)
	if err != nil {
		return 0, err
	}
	wanted, err := regexp.Compile(only)
	if err != nil {
		return 0, err
	}
	passed := 0
	for _, a := range attacks {
		if !wanted.MatchString(a.name) || ctx.Err() != nil {
			continue
		}
		start := time.Now()
		err := a.runIn(ctx, memctl)
		took := time.Since(start).Round(10 * time.Millisecond)
		if err != nil {
			failed++
			fmt.Printf("FAIL  %-52s %8v  %v\n", a.name, took, err)
			continue
		}
		passed++
		fmt.Printf("ok    %-52s %8v\n", a.name, took)
	}
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	return failed, ctx.Err()
}

func (a attack) runIn(ctx context.Context, memctl string) error {
	dir, err := os.MkdirTemp("", "memctl-attack-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p, err := newProject(ctx, memctl, dir)
	if err != nil {
		return err
	}
	return a.run(p)
}
