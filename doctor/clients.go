package doctor

import (
	"slices"
	"strings"

	"memctl/install"
)

// checkClients checks every client but Claude Code that has memctl or is on the machine,
// and reports whether one has it.
func (e *examination) checkClients() (registered bool) {
	for _, client := range install.Clients[1:] {
		if e.checkClient(client) {
			registered = true
		}
	}
	return registered
}

// checkClient checks a client and reports whether it has hooks of memctl.
func (e *examination) checkClient(client install.Client) bool {
	var places []string
	before, command := len(e.Findings), "memctl install --client "+client.Name
	for _, scope := range client.Scopes() {
		target, err := client.Target(scope, e.Project)
		if err != nil {
			continue
		}
		fix := command
		if scope != install.ProjectScope {
			fix += " --scope " + scope
		}
		entries, err := target.Entries()
		if err != nil {
			e.warn(client.Title, "fix the file or move it away", "%s: %v", e.shortPath(target.Settings), err)
			continue
		}
		if len(entries.Hooks) == 0 {
			continue
		}
		place := e.shortPath(target.Settings)
		e.checkClientHooks(target, entries.Hooks, fix)
		if server := e.checkClientServer(target, fix); server != "" && server != place {
			place += ", the server in " + server
		}
		places = append(places, place)
		if missing := target.Unapproved(); missing != "" {
			e.warn(client.Title, client.Approval, "%s: %s", e.shortPath(target.Settings), missing)
		}
	}
	switch {
	case len(places) > 1:
		e.warn(client.Title, "memctl uninstall --client "+client.Name+" in one of the scopes", "registered %d times, so it may run as often: in %s", len(places), strings.Join(places, " and in "))
	case len(places) == 1 && len(e.Findings) == before:
		e.ok(client.Title, "registered in %s", places[0])
	case len(places) == 0 && len(e.Findings) == before && client.IsOnMachine():
		e.ok(client.Title, "on this machine, not registered; %q does that", command)
	}
	return len(places) > 0
}

// checkClientHooks compares the registered hooks with those that install registers.
func (e *examination) checkClientHooks(target install.Target, registered []install.Hook, fix string) {
	file := e.shortPath(target.Settings)
	var missing []string
	older := false
	for _, want := range target.Client.Hooks("memctl") {
		at := slices.IndexFunc(registered, func(h install.Hook) bool { return h.Event == want.Event && h.Name() == want.Name() })
		if at < 0 {
			missing = append(missing, want.Event)
			continue
		}
		h := registered[at]
		older = older || h.Matcher != want.Matcher || h.Timeout != want.Timeout || h.Client() != target.Client.Name || !h.IsCurrent()
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
func (e *examination) checkClientServer(target install.Target, fix string) string {
	file := e.shortPath(target.Servers)
	server, err := target.RegisteredServer()
	switch {
	case err != nil:
		e.warn(target.Client.Title, "fix the file; until then the client may start none of its servers", "%s: %v", file, err)
	case server == nil:
	default:
		e.checkRegistered(target.Client.Title, fix, file, server.Command)
		return file
	}
	return ""
}
