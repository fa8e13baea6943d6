package main

import (
	"os"
	"path/filepath"
)

// stops are the stop hook's events and what one stop leaves to the next.
type stops struct {
	short, long string // files
	project     string
	temp        string
}

func newStops(dir, project, temp string, t transcripts) (stops, error) {
	s := stops{filepath.Join(dir, "stop.json"), filepath.Join(dir, "stop-long.json"), project, temp}
	if err := writeStop(s.short, project, t.short); err != nil {
		return s, err
	}
	return s, writeStop(s.long, project, t.long)
}

// forget makes the next stop the first one of its session.
func (s stops) forget() error {
	left := []string{filepath.Join(s.project, ".claude", ".stop_hook_active")}
	for _, kept := range []string{"triage-*", "asked-*"} {
		names, err := filepath.Glob(filepath.Join(s.temp, "memctl-*", "*", kept))
		if err != nil {
			return err
		}
		left = append(left, names...)
	}
	for _, path := range left {
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

// writeStop writes what Claude Code sends when the agent wants to stop.
func writeStop(path, project, transcript string) error {
	return writeJSON(path, map[string]any{
		"session_id":             session,
		"transcript_path":        transcript,
		"cwd":                    project,
		"permission_mode":        "default",
		"hook_event_name":        "Stop",
		"stop_hook_active":       false,
		"last_assistant_message": "That is all.",
	})
}

func (b *testbed) stop() []string { return []string{b.memctl, "hook", "stop"} }
