package doctor

import (
	"context"
	"errors"
	"time"

	"memctl/meaning"
	"memctl/memdir"
)

// meaningTime is how long the user's model may take: it may have to be loaded first.
const meaningTime = 20 * time.Second

// checkMeaning tries the server that the user's configuration names for vectors.
func (e *examination) checkMeaning(ctx context.Context, project memdir.Root) {
	const name = "meaning"
	if cfg, _, err := project.Config(); err == nil && project.Path != "" {
		if warning := meaning.Ignored(project, cfg); warning != "" {
			e.warn(name, "memctl config unset meaning.endpoint, in the project", "%s", warning)
		}
	}
	settings, err := meaning.UserSettings(nil)
	if errors.Is(err, meaning.ErrOff) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, meaningTime)
	defer cancel()
	fix := "start the server, or switch it off: memctl config unset meaning.endpoint --user"
	if hinted := (interface{ Hint() string })(nil); errors.As(err, &hinted) {
		fix = hinted.Hint()
	}
	var tried meaning.Trial
	if err == nil {
		tried, err = settings.Try(ctx)
	}
	switch {
	case err != nil:
		e.fail(name, fix, "%v", err)
	case !tried.Tells():
		e.warn(name, "choose another model, or set the prefixes that this one wants", "%s; memories are found by words alone", tried)
	case tried.Took > time.Duration(settings.BudgetMS)*time.Millisecond:
		e.warn(name, "choose a smaller model, or raise meaning.budget_ms", "%s; a prompt waits %d ms at most", tried, settings.BudgetMS)
	default:
		settings.Recover()
		e.ok(name, "%s", tried)
	}
}
