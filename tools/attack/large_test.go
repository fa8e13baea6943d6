//go:build attack && linux

package attack

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// indexes runs what builds and compares the index, and checks the memory of each.
func (p *project) indexes() error {
	if _, err := p.prompt(); err != nil {
		return err
	}
	for range 2 { // the second compares
		if _, err := p.hook("session-start", map[string]any{"source": "startup"}, sessionLimit); err != nil {
			return err
		}
	}
	r := p.run(nil, "reindex")
	if r.err == nil && r.peak > memoryLimit {
		r.err = fmt.Errorf("reindex took %d MiB of %d", r.peak>>20, memoryLimit>>20)
	}
	return errors.Join(r.err, p.finds())
}

func manyFiles(p *project) error {
	for i := range 100_000 {
		if err := p.write(fmt.Sprintf("runbooks/%06d.json", i), "{"); err != nil {
			return err
		}
	}
	return p.indexes()
}

func manyLinks(p *project) error {
	for i := range 10_000 {
		if err := errors.Join(os.MkdirAll(p.path("runbooks"), 0o755), os.Symlink("x", p.path(fmt.Sprintf("runbooks/%d.json", i)))); err != nil {
			return err
		}
	}
	if err := p.indexes(); err != nil {
		return err
	}
	// Its exit status says that the links are no memories.
	if r := p.run(nil, "doctor", "--memories"); !strings.Contains(r.out, "index: up to date") {
		return fmt.Errorf("the index is not used: %.300s %v", r.out, r.err)
	}
	return nil
}

// largeMemories has words that occur in one memory only: each takes up room in
// the full text.
func largeMemories(p *project) error {
	if err := p.writeLarge("runbooks/%d.json", 50); err != nil {
		return err
	}
	if err := p.indexes(); err != nil {
		return err
	}
	// Changes to an index that is there are held in memory before they are written.
	if err := p.writeLarge("runbooks/new-%d.json", 30); err != nil {
		return err
	}
	_, err := p.prompt()
	return err
}

// largeReadOnly builds the index in memory, because it cannot be written.
func largeReadOnly(p *project) error {
	if err := p.writeLarge("runbooks/%d.json", 50); err != nil {
		return err
	}
	root := p.path("")
	if err := syscall.Mount(root, root, "", syscall.MS_BIND, ""); err != nil {
		return fmt.Errorf("mount the memory root read-only: %w", err)
	}
	defer syscall.Unmount(root, syscall.MNT_DETACH)
	if err := syscall.Mount("", root, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		return fmt.Errorf("mount the memory root read-only: %w", err)
	}
	return p.everyHook()
}

// writeLarge writes memories of just less than 1 MiB.
func (p *project) writeLarge(name string, n int) error {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		var body strings.Builder
		for body.Len() < 1_040_000 {
			fmt.Fprintf(&body, "w%x ", random.Uint32())
		}
		data := strings.Replace(memory("runbook", fmt.Sprintf("large-%d", i), "Large", "large"), `"context":"c"`, `"context":"`+body.String()+`"`, 1)
		if err := p.write(fmt.Sprintf(name, i), data); err != nil {
			return err
		}
	}
	return nil
}

// longTranscripts have lines of 2 MiB, the longest that are read, and many blocks on
// each.
func longTranscripts(p *project) error {
	if err := p.write("memory-config.json", `{"triage": {"max_messages": 200}}`); err != nil {
		return err
	}
	for _, block := range []string{`{}`, `[]`, `""`, `[{"a":[{}]}]`, `{"type":"text"}`, `{"type":"tool_use"}`, `{"type":"text","text":"we decided because\n"}`} {
		const start, end = `{"type":"assistant","message":{"content":[`, "]}}\n"
		blocks := strings.Repeat(block+",", (2<<20-len(start+end))/(len(block)+1))
		line := start + strings.TrimSuffix(blocks, ",") + end
		if err := os.WriteFile(filepath.Join(p.dir, "home", "transcript.jsonl"), []byte(strings.Repeat(line, 10)), 0o600); err != nil {
			return err
		}
		if _, err := p.hook("stop", map[string]any{"last_assistant_message": strings.Repeat("we decided because\n", 300_000)}, hookLimit); err != nil {
			return fmt.Errorf("lines of %s: %w", block, err)
		}
		if err := os.RemoveAll(filepath.Join(p.dir, "work", ".claude", ".stop_hook_active")); err != nil {
			return err
		}
	}
	return nil
}

// longFields are events of almost 8 MiB, the longest that are read.
func longFields(p *project) error {
	if err := p.write("memory-config.json", `{"observations": {"enabled": true}}`); err != nil {
		return err
	}
	const (
		room   = 8_000_000
		inside = ".claude/memory/decisions/x.json"
	)
	for _, field := range []struct {
		of, name, part, end string
		denied              bool
	}{
		{of: "tool_input", name: "file_path", part: "a"},
		{of: "tool_input", name: "file_path", part: "a/"},
		{of: "tool_input", name: "file_path", part: "./", end: inside, denied: true},
		{of: "tool_input", name: "file_path", part: "a/../", end: inside, denied: true},
		{of: "tool_input", name: "command", part: "make test; "},
		{name: "cwd", part: "/a"},
		{name: "tool_name", part: "a"},
		{name: "prompt", part: "kafka events "},
		{name: "session_id", part: "a"},
		{name: "transcript_path", part: "/a"},
		{name: "tool_response", part: "all tests pass\n"},
	} {
		for _, hook := range hooks {
			if strings.HasPrefix(field.of+field.name, "tool") && !strings.Contains(hook.name, "tool") {
				continue // it does not read the field
			}
			input := map[string]any{"file_path": "x"}
			event := map[string]any{"tool_name": "Write", "tool_input": input, "prompt": "how long does kafka keep events?"}
			long := strings.Repeat(field.part, room/len(field.part)) + field.end
			if field.of == "tool_input" {
				input[field.name] = long
			} else {
				event[field.name] = long
			}
			r, err := p.hook(hook.name, event, hook.limit)
			if denied := strings.Contains(r.out, `"deny"`); err == nil && hook.name == "pre-tool-use" && denied != field.denied {
				err = fmt.Errorf("denied is %v", denied)
			}
			if err != nil {
				return fmt.Errorf("%s of %q: %w", field.name, field.part, err)
			}
		}
	}
	return nil
}
