package meaning

import (
	"cmp"
	"context"
	"time"

	"memctl/files"
	"memctl/text"
)

// checkTime is how long the user's model may take: it may have to be loaded first.
const checkTime = 20 * time.Second

// Check implements files.Check: it tries the user's model, if there is one.
func Check(ctx context.Context, project files.Root, report files.CheckReport) {
	const name = "meaning"
	if cfg, _, err := project.Config(); err == nil && project.Path != "" {
		if warning := ignored(project, cfg); warning != "" {
			report.Warn(name, "memctl config unset meaning.endpoint, in the project", "%s", warning)
		}
	}
	settings, err := userSettings(nil)
	if settings == nil && err == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	fix := cmp.Or(text.Hint(err), "start the server, or switch it off: memctl config unset meaning.endpoint --user")
	var tried trial
	if err == nil {
		tried, err = settings.try(ctx)
	}
	switch {
	case err != nil:
		report.Fail(name, fix, "%v", err)
	case !tried.tells():
		report.Warn(name, "choose another model, or set the prefixes that this one needs",
			"%s; memories are found by words alone", tried)
	case tried.Took > settings.budget():
		report.Warn(name, "choose a smaller model, or raise meaning.budget_ms",
			"%s; a prompt waits %d ms at most", tried, settings.BudgetMS)
	default:
		settings.Recover()
		report.OK(name, "%s", tried)
	}
}
