package hub

import (
	"context"
	"time"

	"memctl/features/hub/remote"
	"memctl/files"
	"memctl/text"
)

// checkTime is how long the hub may take to answer.
const checkTime = 10 * time.Second

// Check checks the hub that the user's configuration names, and asks it if that is wanted. PlainHTTP allows a request
// without TLS.
func Check(version string, asks, plainHTTP bool) files.Check {
	return func(ctx context.Context, project files.Root, report files.CheckReport) {
		const name = "hub"
		if cfg, _, err := project.Config(); err == nil && project.Path != "" {
			if warning := remote.Ignored(project, cfg); warning != "" {
				report.Warn(name, "memctl config unset hub.url, in the project", "%s", warning)
			}
		}
		settings, err := remote.UserSettings()
		if err != nil || settings.URL == "" && !asks {
			return // doctor reports the error
		}
		address, err := settings.Address(plainHTTP)
		if err != nil {
			report.Fail(name, "memctl config set hub.url https://HOST --user", "%v", err)
			return
		}
		if !asks {
			report.OK(name, "%s; run \"memctl doctor --hub\" to ask it", address)
			return
		}
		ctx, cancel := context.WithTimeout(ctx, checkTime)
		defer cancel()
		client, err := remote.Connect(ctx, address, version)
		var list remote.Repositories
		if err == nil {
			list, err = client.Repositories(ctx)
		}
		if err != nil {
			report.Fail(name, text.Hint(err), "%v", err)
			return
		}
		report.OK(name, "%s answers, and shows you %s", address,
			text.Counted(len(list.Repositories), "repository", "repositories"))
	}
}
