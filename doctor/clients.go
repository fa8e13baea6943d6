package doctor

import (
	"os"
	"slices"
	"strings"
	"time"

	"memctl/clients"
)

// checkClients checks every client but Claude Code that has memctl or is on the machine,
// and returns where those that run memctl have it.
func (e *examination) checkClients() (registered []clients.Target) {
	for _, client := range clients.All()[1:] {
		if targets := e.checkClient(client); len(targets) > 0 {
			registered = append(registered, targets[0])
		}
	}
	return registered
}

// checkClient checks a client and returns where it has hooks of memctl.
func (e *examination) checkClient(client *clients.Client) (targets []clients.Target) {
	before := len(e.Findings)
	command := "memctl install --client " + client.Name
	var places []string
	for _, target := range client.Targets(e.Project) {
		entries, err := target.Entries()
		if err != nil {
			e.warn(client.Title, "fix the file or move it away", "%s: %v", e.shortPath(target.Settings), err)
			continue
		}
		if len(entries.Hooks) == 0 {
			continue
		}
		fix := command
		if target.Scope != clients.ProjectScope {
			fix += " --scope " + target.Scope
		}
		e.checkClientHooks(target, entries.Hooks, fix)
		targets, places = append(targets, target), append(places, e.checkPlace(target, fix))
	}
	shared, sharesHooks := client.Shared(e.Project)
	switch {
	case len(places) > 1:
		e.warn(client.Title, "memctl uninstall --client "+client.Name+" in one of the scopes",
			"registered %d times, so it may run as often: in %s", len(places), strings.Join(places, " and in "))
	case len(places) == 1 && len(e.Findings) == before:
		e.ok(client.Title, "registered in %s", places[0])
	case len(e.Findings) > before || !client.IsOnMachine():
	case sharesHooks:
		targets = append(targets, shared)
		if place := e.checkPlace(shared, command); len(e.Findings) == before {
			e.ok(client.Title, "runs the hooks of Claude Code in %s", place)
		}
	case len(places) == 0:
		e.ok(client.Title, "on this machine, not registered; %q does that", command)
	}
	return targets
}

// checkPlace checks the server of a target and what a person has approved, and returns
// the files.
func (e *examination) checkPlace(target clients.Target, fix string) (place string) {
	place = e.shortPath(target.Settings)
	switch server := e.checkClientServer(target, fix); server {
	case place:
	case "":
		place += ", without the MCP server"
	default:
		place += ", the server in " + server
	}
	if missing := target.Unapproved(); missing != "" {
		e.warn(target.Client.Title, target.Client.Approval, "%s: %s", e.shortPath(target.Settings), missing)
	}
	return place
}

// checkClientRuns says when a hook of a client last ran here.
func (e *examination) checkClientRuns(target clients.Target, r hookRuns) {
	name, file := target.Client.Title+" runs", e.shortPath(target.Settings)
	t := r.clients[target.Client.Name]
	info, err := os.Stat(target.Settings)
	switch {
	case t.Last.IsZero() && target.Unapproved() != "": // checkPlace has said why
	case t.Last.IsZero():
		e.warn(name, target.Client.Approval, "no hook has ever run here")
	case target.Client.ReviewsHooks && err == nil && t.Last.Before(info.ModTime().Truncate(time.Second)):
		e.warn(name, target.Client.Approval, "none since %s has changed; %s", file, e.summary(t))
	default:
		e.checkTally(name, t)
	}
}

// checkClientHooks compares the registered hooks with those that install registers.
func (e *examination) checkClientHooks(target clients.Target, registered []clients.Hook, fix string) {
	file := e.shortPath(target.Settings)
	var missing []string
	older := false
	for _, want := range target.Client.Hooks("memctl") {
		at := slices.IndexFunc(registered,
			func(h clients.Hook) bool { return h.Event == want.Event && h.Name() == want.Name() })
		if at < 0 {
			missing = append(missing, want.Event)
			continue
		}
		h := registered[at]
		older = older || h.Matcher != want.Matcher || h.Timeout != want.Timeout || h.Client() != target.Client.Name ||
			!h.IsCurrent()
	}
	if len(missing) > 0 {
		e.fail(target.Client.Title, fix, "%s lacks the hooks for %s", file, strings.Join(missing, ", "))
	}
	if older {
		e.warn(target.Client.Title, fix, "%s has hooks that install registers otherwise", file)
	}
	if program, _, ok := registered[0].Memctl(); ok && program != "" {
		e.checkRegistered(target.Client.Title, fix, file, program)
	}
}

// checkClientServer checks memctl's server of a client and returns the file it is in.
func (e *examination) checkClientServer(target clients.Target, fix string) string {
	file := e.shortPath(target.Servers)
	server, err := target.RegisteredServer()
	switch {
	case err != nil:
		e.warn(target.Client.Title, "fix the file; until then the client may start none of its servers", "%s: %v",
			file, err)
	case server == nil:
	default:
		e.checkRegistered(target.Client.Title, fix, file, server.Command)
		return file
	}
	return ""
}
