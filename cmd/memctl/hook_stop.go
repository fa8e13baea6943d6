package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"memctl/hooks"
	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"
	"memctl/triage"
)

// errAsked lets a stop pass that was held up before.
var errAsked = errors.New("the agent was asked to save its memories already; this stop passes")

// hookStop looks through the conversation's end for what is worth a memory and,
// if there is something, blocks the stop once. What it tells the agent then
// stands on stderr alone, so the configuration's warnings are kept for the stops
// that pass.
func hookStop(_ context.Context, e hooks.Event, rootArg string, std streams) error {
	var warnings bytes.Buffer
	err := triageStop(e, rootArg, streams{std.in, std.out, &warnings})
	if !errors.As(err, new(*blocked)) {
		std.err.Write(warnings.Bytes())
	}
	return err
}

func triageStop(e hooks.Event, rootArg string, std streams) error {
	root, _, err := findOrPlan(memdir.PlacesFromEnv(rootArg, e.Cwd))
	if err != nil {
		return err
	}
	cfg, err := loadConfig(root, std)
	if err != nil {
		return err
	}
	if !cfg.Triage.Enabled {
		return errors.New("triage is switched off in memory-config.json")
	}
	project := cmp.Or(e.Cwd, ".")
	if flagged := memdir.TakeStopFlag(project, time.Now()); flagged || e.StopHookActive {
		return errAsked
	}
	t, err := readTranscript(e, cfg.Triage.MaxMessages)
	if err != nil {
		return err
	}
	if t.Messages() == 0 {
		return errors.New("the transcript holds no messages")
	}
	items := worthSaving(&t, cfg)
	if len(items) == 0 {
		return errors.New("nothing in the transcript is worth saving")
	}
	note := stageContext(root, e.SessionID, &t, items)
	// Without the flag the client's own stop_hook_active ends it.
	_ = memdir.SetStopFlag(project)
	ask, err := triage.Ask(items, cfg.Triage.Parallel, hooks.MaxText-text.Units(note))
	if err != nil {
		return err
	}
	return &blocked{note + ask}
}

// readTranscript takes the path that the event gives only where clients keep
// transcripts, for whoever sends the event could have the hook read any file.
func readTranscript(e hooks.Event, messages int) (triage.Transcript, error) {
	if e.TranscriptPath == "" {
		return triage.Transcript{}, errors.New("the event names no transcript")
	}
	path := e.TranscriptPath
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.Cwd, path)
	}
	home, _ := os.UserHomeDir()
	file, size, err := memdir.OpenWithin(path, home, os.TempDir(), os.Getenv("CLAUDE_CONFIG_DIR"))
	if err != nil {
		return triage.Transcript{}, fmt.Errorf("transcript: %w", err)
	}
	defer file.Close()
	return triage.Read(file, size, messages, e.LastAnswer)
}

// worthSaving returns the categories that reach their thresholds, unless they
// are switched off.
func worthSaving(t *triage.Transcript, cfg schemas.Config) []triage.Item {
	var items []triage.Item
	for _, r := range t.Judge() {
		if !triggers(r, cfg) {
			continue
		}
		item := triage.Item{Result: r, Snippets: t.Snippets(r)}
		if !cfg.Triage.NoDescriptions {
			item.Description = cfg.Categories[r.Category].Description
		}
		items = append(items, item)
	}
	return items
}

func triggers(r triage.Result, cfg schemas.Config) bool {
	settings := cfg.Categories[r.Category]
	return settings.Enabled && settings.AutoCapture && r.Score >= cfg.Triage.Thresholds[r.Category]
}

// contextLife is how long context files are kept: longer than any session needs
// to write its memories.
const contextLife = 24 * time.Hour

// stageContext writes a context file for every item. Where that fails the items
// go without, and a note says so.
func stageContext(root memdir.Root, session string, t *triage.Transcript, items []triage.Item) (note string) {
	const prefix = "triage-"
	staged, err := root.OpenStaging()
	if err != nil {
		return fmt.Sprintf("memctl: no context files: %s\n", bounded(err.Error()))
	}
	defer staged.Close()
	staged.Sweep(prefix, time.Now().Add(-contextLife))
	for i := range items {
		item := &items[i]
		name := prefix + sessionWord(session) + string(item.Category) + ".txt"
		item.ContextFile, err = staged.Write(name, []byte(t.Context(item.Result, item.Description)))
		if err != nil {
			item.ContextFile = ""
			note += fmt.Sprintf("memctl: no context file for %s: %s\n", item.Category, bounded(err.Error()))
		}
	}
	return note
}

// sessionWord is the part of a file's name that keeps sessions apart.
func sessionWord(session string) string {
	word := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z' {
			return -1
		}
		return r
	}, session)
	if word == "" {
		return ""
	}
	return word[:min(len(word), 40)] + "-"
}
