package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const session = "00000000-0000-4000-8000-000000000000"

func (b *testbed) writeEvents() error {
	b.events = events{
		selective: filepath.Join(b.dir, "selective.json"),
		broad:     filepath.Join(b.dir, "broad.json"),
		busy:      filepath.Join(b.dir, "busy.json"),
		tool:      filepath.Join(b.dir, "tool.json"),
	}
	return errors.Join(
		writeEvent(b.events.selective, b.quiet, b.selective),
		writeEvent(b.events.broad, b.quiet, b.broad),
		writeEvent(b.events.busy, b.busy, b.selective),
		writeToolRun(b.events.tool, b.observed),
	)
}

// writeEvent writes what Claude Code sends with a prompt.
func writeEvent(path, project string, p prompt) error {
	return writeJSON(path, map[string]any{
		"session_id":      session,
		"transcript_path": filepath.Join(project, "transcript.jsonl"),
		"cwd":             project,
		"permission_mode": "default",
		"hook_event_name": "UserPromptSubmit",
		"prompt":          p.text(),
	})
}

// writeToolRun writes what it sends after a tool.
func writeToolRun(path, project string) error {
	return writeJSON(path, map[string]any{
		"session_id":      session,
		"transcript_path": filepath.Join(project, "transcript.jsonl"),
		"cwd":             project,
		"permission_mode": "default",
		"hook_event_name": "PostToolUse",
		"tool_name":       "Bash",
		"tool_use_id":     "toolu_1",
		"tool_input":      map[string]any{"command": "go test ./...", "description": "Run the tests"},
		"tool_response":   map[string]any{"stdout": "ok  \tparcelhub/notifier\t0.412s", "stderr": "", "interrupted": false},
		"duration_ms":     2140,
	})
}

func writeJSON(path string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

// bestMatch is the path, relative to the project, of the memory that the hook
// shows first for the selective prompt.
func (b *testbed) bestMatch() (string, error) {
	if _, err := b.run(b.hook(), b.events.selective); err != nil {
		return "", err
	}
	out, err := os.ReadFile(b.stdout)
	if err != nil {
		return "", err
	}
	_, rest, _ := strings.Cut(string(out), "] ")
	_, rest, _ = strings.Cut(rest, " -> ")
	path, _, found := strings.Cut(rest, " #tags:")
	if !found {
		return "", fmt.Errorf("the hook shows no memory for %q: %s%s", b.selective.text(), out, b.complaint())
	}
	return filepath.FromSlash(path), nil
}

func (b *testbed) hook() []string { return []string{b.memctl, "hook", "user-prompt-submit"} }
