package hooks

import (
	"cmp"
	"context"
	"strings"
	"time"

	"memctl/memdir"
	"memctl/observe"
	"memctl/schemas"
	"memctl/triage"
)

const (
	errAsked      = Silence("the agent was asked to save its memories already; this stop passes")
	errTriageOff  = Silence("triage is switched off in memory-config.json")
	errNoMessages = Silence("the transcript holds no messages")
	errNothingNew = Silence("the transcript holds nothing new since the agent was asked to save its memories")
	errNotWorth   = Silence("nothing in the transcript is worth saving")
)

// askBeforeStop looks for what is worth a memory at the end of the conversation. If
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
	if flagged := memdir.TakeStopFlag(project, observe.SessionKey(e.SessionID), now); flagged || e.StopHookActive {
		stage.MarkAsked()
		stage.ForgetOld(now)
		return tellOfSave(root, stage)
	}
	if cfg.Triage.Strategy == schemas.Moments {
		return c.askOfMoments(ctx, root, cfg, stage)
	}
	window := triage.Window{Messages: cfg.Triage.MaxMessages, Since: stage.Asked()}
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
	_ = memdir.SetStopFlag(project, observe.SessionKey(e.SessionID))
	told := append([]string{triage.Summary(items)}, t.Privacy.Lines()...)
	return Answer{Ask: triage.Ask(items, saveTool(), data, userHasOwn(root)),
		Person: "memctl: " + strings.Join(told, "\nmemctl: ")}, nil
}

// userHasOwn reports whether the user has memories of their own besides the project's.
func userHasOwn(project memdir.Root) bool {
	user, found, err := memdir.UserRoot()
	return err == nil && found && !user.Is(project)
}
