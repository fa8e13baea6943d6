package main

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"memctl/files"
	"memctl/files/systemtest"
	"memctl/observe"
)

// hookLog makes the staging folder of a project and returns the path of the log in it.
func (p project) hookLog() string {
	p.t.Helper()
	root, err := files.At(p.dir)
	p.check(err)
	p.check(os.MkdirAll(root.Staging(), 0o700))
	p.t.Cleanup(func() { os.RemoveAll(root.Staging()) })
	return filepath.Join(root.Staging(), observe.LogName)
}

func (p project) hookRuns() []observe.LogEntry {
	p.t.Helper()
	root, err := files.At(p.dir)
	p.check(err)
	entries, err := observe.ReadLog(root)
	p.check(err)
	return entries
}

// 16 processes log at once just when the log is full. Every run is in the old log or in
// the new one.
func TestHookLogIsBoundedAndWhole(t *testing.T) {
	t.Parallel()
	systemtest.SkipUnderWine(t, "a line that is appended may replace another that is appended at the same time")
	const full, writers, runs = 256 << 10, 16, 8
	p := newProject(t)
	old := observe.LogEntry{Time: time.Now(), Hook: "stop", Outcome: observe.OK}.Line()
	path := p.hookLog()
	before := full/len(old) - writers*runs/4
	p.check(os.WriteFile(path, bytes.Repeat([]byte(old), before), 0o600))
	var group sync.WaitGroup
	for range writers {
		group.Go(func() {
			for range runs {
				cmd, _, errOut := process(p.dir, toolEvent("main.go"), "hook", "pre-tool-use")
				if err := cmd.Run(); err != nil || errOut.Len() > 0 {
					t.Errorf("%v: %s", err, errOut)
				}
			}
		})
	}
	group.Wait()
	counts := map[string]int{}
	for _, e := range p.hookRuns() {
		counts[e.Hook]++
	}
	if counts["stop"] != before || counts["pre-tool-use"] != writers*runs || len(counts) != 2 {
		t.Errorf("the log holds %v, want %d and %d", counts, before, writers*runs)
	}
	turned, err := os.Stat(path + ".1")
	p.check(err)
	current, err := os.Stat(path)
	if err == nil && (turned.Size() > 2*full || current.Size() > full) {
		t.Errorf("%d and %d bytes", turned.Size(), current.Size())
	}
}
