package hooks

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"memctl/files"
	"memctl/files/gate"
	"memctl/observe"
	"memctl/schemas"
	"memctl/triage"
)

const (
	errAsked      = Silence("the agent was asked to save its memories already; this stop passes")
	errTriageOff  = Silence("triage is switched off in memory-config.json")
	errNoMessages = Silence("the transcript has no messages")
	errNothingNew = Silence("the transcript has nothing new since the agent was asked to save its memories")
	errNotWorth   = Silence("nothing in the transcript is worth saving")
)

// askBeforeStop looks for candidates for memories at the end of the conversation. If
// it finds something, it asks the agent to save that before it stops, once a turn.
func askBeforeStop(ctx context.Context, c *Call) (Answer, error) {
	e := c.Event
	root, err := c.rootOrPlanned()
	if err != nil {
		return Answer{}, err
	}
	cfg, err := c.config(root)
	if err != nil {
		return Answer{}, err
	}
	if !cfg.Triage.Enabled {
		return Answer{}, errTriageOff
	}
	project, now := cmp.Or(e.Cwd, "."), time.Now()
	stage := observe.OpenStage(root, e.SessionID)
	defer stage.Close()
	if flagged := files.TakeStopFlag(project, observe.SessionKey(e.SessionID), now); flagged || e.StopHookActive {
		if flagged || !stage.Compared(e.PromptID) {
			stage.MarkAsked()
		}
		stage.ForgetOld(now)
		return tellOfSave(root, stage)
	}
	if cfg.Triage.Strategy == schemas.Moments {
		return c.askOfMoments(ctx, root, cfg, stage)
	}
	window := triage.Window{Messages: cfg.Triage.MaxMessages, Since: stage.LastAsked()}
	t, err := c.readTranscript(ctx, window, cfg)
	switch {
	case err != nil:
		return Answer{}, err
	case t.Messages() > 0:
	case window.Since.IsZero():
		return Answer{}, errNoMessages
	default:
		return Answer{}, errNothingNew
	}
	items := t.WorthSaving(cfg)
	if len(items) == 0 {
		return Answer{}, errNotWorth
	}
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	if !stage.MarkTurn(e.PromptID) {
		return Answer{}, errAsked
	}
	stage.Sweep(now)
	data, err := t.Stage(items, cfg.Triage.Parallel, stage.Fixes, stage.Write)
	if err != nil {
		c.warn("the excerpts of the session cannot be kept for the agent: %v", err)
	}
	stage.MarkAsked()
	// Without it, the client's stop_hook_active lets the next stop through.
	_ = files.SetStopFlag(project, observe.SessionKey(e.SessionID))
	lines := append([]string{triage.Summary(items)}, t.Privacy.Lines()...)
	return Answer{Ask: triage.Ask(items, saveTool(), data, userHasOwn(root)),
		Person: "memctl: " + strings.Join(lines, "\nmemctl: ")}, nil
}

// userHasOwn reports whether the user has memories of their own besides the project's.
func userHasOwn(project files.Root) bool {
	user, found, err := files.UserRoot()
	return err == nil && found && !user.Is(project)
}

const (
	// markTimeout is how long a hook waits for the client to write its transcript.
	markTimeout = 600 * time.Millisecond
	markTick    = 20 * time.Millisecond
	// maxMarked is how much of the transcript's end is searched for the mark, in bytes.
	maxMarked = 64 << 10
)

// readTranscript reads the end of the event's transcript.
func (c *Call) readTranscript(
	ctx context.Context, w triage.Window, cfg schemas.Config,
) (t triage.Transcript, err error) {
	err = c.useTranscript(func(source triage.TranscriptFile) (err error) {
		t, err = triage.Read(source, w, cfg.Privacy.Filter().Within(ctx))
		return err
	})
	return t, err
}

// readTurns reads the turns of the event's transcript that are new, and when the last message
// was said.
func (c *Call) readTurns(
	ctx context.Context, w triage.Watch, cfg schemas.Config,
) (turns []triage.Turn, read triage.Reading, err error) {
	err = c.useTranscript(func(source triage.TranscriptFile) (err error) {
		turns, read, err = triage.ReadTurns(source, w.Reading, w.Turns+1, cfg.Privacy.Filter().Within(ctx))
		return err
	})
	return turns, read, err
}

// useTranscript calls use for the event's transcript and the last answer that the event has.
// Clients write late: at a stop there may be no file yet.
func (c *Call) useTranscript(use func(triage.TranscriptFile) error) error {
	file, size, err := c.openTranscript()
	for waited := time.Duration(0); c.Event.TranscriptMark != "" && waited < markTimeout; waited += markTick {
		if err == nil && endsWith(file, size, c.Event.TranscriptMark) {
			break
		}
		time.Sleep(markTick)
		if err == nil {
			file.Close()
		}
		file, size, err = c.openTranscript()
	}
	source := triage.TranscriptFile{Messages: c.client.Messages, LastAnswer: c.Event.LastAnswer}
	switch {
	case err == nil:
		defer file.Close()
		source.In, source.Size = file, size
	case errors.Is(err, fs.ErrNotExist) && source.LastAnswer != "":
		source.In = bytes.NewReader(nil) // the client has not written it yet
	default:
		return err
	}
	return use(source)
}

// endsWith reports whether the end of a file has a mark.
func endsWith(file *gate.File, size int64, mark string) bool {
	end := make([]byte, min(size, maxMarked))
	n, _ := file.ReadAt(end, size-int64(len(end)))
	return bytes.Contains(end[:n], []byte(mark))
}

// openTranscript opens the event's transcript only if it lies where clients keep theirs.
// Otherwise the sender of an event could have the hook read any file.
func (c *Call) openTranscript() (*gate.File, int64, error) {
	path := c.Event.TranscriptPath.String()
	if path == "" {
		return nil, 0, errors.New("the event names no transcript")
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.Event.Cwd, path)
	}
	file, size, err := gate.OpenWithin(gate.Name(path), c.transcriptFolders()...)
	if err != nil {
		return nil, 0, fmt.Errorf("transcript: %w", err)
	}
	return file, size, nil
}

// transcriptFolders are those below which clients keep their transcripts.
func (c *Call) transcriptFolders() []string {
	home, _ := os.UserHomeDir()
	return []string{home, os.TempDir(), os.Getenv(c.client.Home())}
}
