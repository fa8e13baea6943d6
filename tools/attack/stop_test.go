//go:build attack && linux

package attack

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// longCommands are the commands that read all of a project, or of this machine.
var longCommands = [][]string{
	{"import", "claude-md", "CLAUDE.md", "--update", "--yes"},
	{"import", "--update", "--yes"},
	{"import", "markdown", "notes", "--yes"},
	{"import", "transcripts", "notes", "--yes"},
	{"reindex"},
	{"review"},
	{"export", "jsonl"},
	{"export", "html", "--output", "pages.html"},
	{"search", "--all", "kafka"},
	{"sessions"},
	{"roots", "rebuild"},
	{"scrub"},
	{"gc"},
	{"gc", "--limits"},
	{"validate"},
	{"doctor"},
	{"doctor", "--memories"},
	{"eval", "queries"},
	{"triage", "transcript.jsonl"},
	{"observations"},
	{"stats"},
	{"list"},
	{"hub", "publish", "--dry-run"},
}

// hostileLines are 150,000 lines about the sources of memories, in a clone.
func hostileLines(p *project) error {
	if err := p.writeSources(150_000); err != nil {
		return err
	}
	for _, args := range longCommands[:2] {
		r := p.run(nil, args...)
		if !strings.Contains(r.messages, "sources.jsonl has more than 100000 lines") {
			return fmt.Errorf("%v took %v: %.200s", args, r.took, r.messages)
		}
	}
	return nil
}

// manyLines are as many lines as are compared.
func manyLines(p *project) error {
	if err := p.writeSources(30_000); err != nil {
		return err
	}
	r := p.run(nil, append(longCommands[0], "--dry-run")...)
	if !strings.Contains(r.messages+r.out, "gone") { // it may take a minute
		return fmt.Errorf("it took %v: %.200s", r.took, r.messages)
	}
	return nil
}

// writeSources writes rules, and a line for each of many that came from the same place.
func (p *project) writeSources(lines int) error {
	var sources, rules strings.Builder
	for i := range lines {
		fmt.Fprintf(&sources, `{"source":"CLAUDE.md#Rules","memory":"decisions/kafka.json","format":"claude-md","from":"CLAUDE.md",`+
			`"sha256":"%016x","text":"Always use tabs in files number %d and never spaces"}`+"\n", i, i)
	}
	rules.WriteString("# Rules\n\n")
	for i := range 300 {
		fmt.Fprintf(&rules, "- Always use the tool number %d x%d for builds of the thing called y%d.\n", i, i*7, i*13)
	}
	return errors.Join(p.write("sources.jsonl", sources.String()),
		os.WriteFile(filepath.Join(p.dir, "work", "CLAUDE.md"), []byte(rules.String()), 0o644))
}

// stoppedCommands are long commands that get a signal while they work.
func stoppedCommands(p *project) error {
	err := errors.Join(p.writeSources(90_000), os.Mkdir(filepath.Join(p.dir, "work", "notes"), 0o755))
	for i := range 10_000 {
		name := fmt.Sprintf("m-%d", i)
		err = errors.Join(err, p.write("decisions/"+name+".json",
			memory("decision", name, fmt.Sprintf("Kafka keeps events for %d days", i), "kafka")))
	}
	var notes, transcript strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&notes, "## Decision %d\n\nWe decided to keep Kafka number %d because of its log.\n\n", i, i)
		fmt.Fprintf(&transcript, `{"type":"user","message":{"role":"user","content":"we decided on %d because"}}`+"\n", i)
	}
	for i := range 50 {
		err = errors.Join(err, os.WriteFile(filepath.Join(p.dir, "work", "notes", fmt.Sprintf("%d.md", i)),
			[]byte(notes.String()[:900_000]), 0o644))
	}
	err = errors.Join(err,
		os.WriteFile(filepath.Join(p.dir, "work", "transcript.jsonl"), []byte(transcript.String()), 0o644),
		os.WriteFile(filepath.Join(p.dir, "work", "queries"), []byte(strings.Repeat("kafka events\n", 1000)), 0o644))
	for i, args := range longCommands { // what ends them is the same for both signals
		if err == nil {
			err = p.stop([]syscall.Signal{syscall.SIGINT, syscall.SIGTERM}[i%2], args)
		}
	}
	return err
}

// stop sends a signal to a command once it has worked for a tenth of a second, and checks that it ends.
func (p *project) stop(signal syscall.Signal, args []string) error {
	command := exec.CommandContext(p.ctx, p.memctl, args...)
	command.Dir = filepath.Join(p.dir, "work")
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(p.dir, "home"),
		"TMPDIR=" + filepath.Join(p.dir, "tmp")}
	if err := command.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	for ticks := 0; ticks < 10; ticks = processorTime(command.Process.Pid) {
		select {
		case <-ended: // before it got the signal
			if code := command.ProcessState.ExitCode(); code == 2 {
				return fmt.Errorf("%v is wrong usage", args)
			}
			return nil
		case <-time.After(5 * time.Millisecond):
		}
	}
	if err := command.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-ended:
	case <-time.After(3 * time.Second):
		return errors.Join(fmt.Errorf("%v goes on after %v", args, signal), command.Process.Kill())
	}
	if code := command.ProcessState.ExitCode(); code != 130 && code != 0 && code != 1 {
		return fmt.Errorf("%v ended with %d after %v", args, code, signal)
	}
	return nil
}

// processorTime returns how many hundredths of a second a process has computed.
func processorTime(pid int) int {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, fields, found := strings.Cut(string(data), ") ")
	if err != nil || !found {
		return 0
	}
	var user, system int
	if list := strings.Fields(fields); len(list) > 12 {
		_, _ = fmt.Sscan(list[11], &user)
		_, _ = fmt.Sscan(list[12], &system)
	}
	return user + system
}
