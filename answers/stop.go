package answers

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"memctl/hooks"
	"memctl/memdir"
	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
	"memctl/triage"
)

// errAsked lets a stop pass that was held up before.
const errAsked = Quiet("the agent was asked to save its memories already; this stop passes")

// stop looks through the conversation's end for what is worth a memory and,
// if there is something, blocks the stop once. What it tells the agent then
// stands on stderr alone, so the configuration's warnings are kept for the stops
// that pass.
func stop(_ context.Context, c *Call) error {
	var warnings bytes.Buffer
	err := triageStop(c, &warnings)
	if !errors.As(err, new(*Blocked)) && !errors.Is(err, errLater) {
		c.Std.Err.Write(warnings.Bytes())
	}
	return err
}

func triageStop(c *Call, warnings io.Writer) error {
	e := c.Event
	root, err := c.rootOrPlan()
	if err != nil {
		return err
	}
	cfg, err := Config(root, Streams{Err: warnings})
	if err != nil {
		return err
	}
	if filteredLater(cfg.Privacy) {
		return errLater
	}
	if !cfg.Triage.Enabled {
		return Quiet("triage is switched off in memory-config.json")
	}
	project, now := cmp.Or(e.Cwd, "."), time.Now()
	stage := openStage(root, e.SessionID)
	defer stage.close()
	if flagged := memdir.TakeStopFlag(project, now); flagged || e.StopHookActive {
		stage.markAsked()
		stage.forgetOld(now)
		return errAsked
	}
	window := triage.Window{Messages: cfg.Triage.MaxMessages, Since: stage.asked()}
	t, err := readTranscript(e, window, Filter(cfg))
	switch {
	case err != nil:
		return err
	case t.Messages() > 0:
	case !window.Since.IsZero():
		return Quiet("the transcript holds nothing new since the agent was asked to save its memories")
	default:
		return Quiet("the transcript holds no messages")
	}
	items := worthSaving(&t, cfg)
	if len(items) == 0 {
		return Quiet("nothing in the transcript is worth saving")
	}
	nameFixes(root, e.SessionID, items)
	note := privacyNote(t.Privacy) + stage.writeContext(&t, items)
	stage.markAsked()
	// Without the flag the client's own stop_hook_active ends it.
	_ = memdir.SetStopFlag(project)
	ask, err := triage.Ask(items, cfg.Triage.Parallel, text.MaxHookText-text.Units(note))
	if err != nil {
		return err
	}
	return &Blocked{note + ask}
}

// readTranscript takes the path that the event gives only where clients keep
// transcripts, for whoever sends the event could have the hook read any file.
func readTranscript(e hooks.Event, w triage.Window, filter *privacy.Filter) (triage.Transcript, error) {
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
	return triage.Read(file, size, w, e.LastAnswer, filter)
}

// privacyNote tells what was kept from the disk.
func privacyNote(r privacy.Report) string {
	note := ""
	for _, sentence := range append(r.Told(), r.Warnings...) {
		note += "memctl: " + sentence + "\n"
	}
	return note
}

// worthSaving returns the categories that reach their thresholds, unless they
// are switched off.
func worthSaving(t *triage.Transcript, cfg schemas.Config) []triage.Item {
	var items []triage.Item
	for _, r := range t.Judge() {
		if !r.Triggers(cfg) {
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
