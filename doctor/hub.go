package doctor

import (
	"context"
	"time"

	"memctl/memdir"
	"memctl/remote"
	"memctl/text"
)

// hubTime is how long the hub may take to answer.
const hubTime = 10 * time.Second

// checkHub checks the hub that the user's configuration names, and asks it if that is
// wanted.
func (e *examination) checkHub(ctx context.Context, project memdir.Root, o Options) {
	const name = "hub"
	if cfg, _, err := project.Config(); err == nil && project.Path != "" {
		if warning := remote.Ignored(project, cfg); warning != "" {
			e.warn(name, "memctl config unset hub.url, in the project", "%s", warning)
		}
	}
	settings, err := remote.UserSettings()
	if err != nil || settings.URL == "" && !o.AskHub {
		return // checkUserRoot reports the error
	}
	address, err := settings.Address(o.PlainHTTP)
	if err != nil {
		e.fail(name, "memctl config set hub.url https://HOST --user", "%v", err)
		return
	}
	if !o.AskHub {
		e.ok(name, "%s; \"memctl doctor --hub\" asks it", address)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, hubTime)
	defer cancel()
	client, err := remote.Connect(ctx, address, o.Version)
	var list remote.Repositories
	if err == nil {
		list, err = client.Repositories(ctx)
	}
	if err != nil {
		e.fail(name, remote.Hint(err), "%v", err)
		return
	}
	e.ok(name, "%s answers, and shows you %s", address,
		text.Plural(len(list.Repositories), "repository", "repositories"))
}
