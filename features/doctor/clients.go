package doctor

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/clients"
	"memctl/files"
	"memctl/files/gate"
	"memctl/observe"
	"memctl/text"
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

// installExtension is the fix of what an extension registers.
const installExtension = "install the extension of this version of memctl"

// checkClient checks a client and returns where it has hooks of memctl.
func (e *examination) checkClient(client *clients.Client) (targets []clients.Target) {
	before := len(e.Findings)
	command := e.command("memctl install --client "+client.Name, clients.ProjectScope)
	var places []string
	for _, target := range client.Targets(e.Project) {
		entries, err := target.Entries()
		if err != nil {
			e.Warn(client.Title, "fix the file or move it away", "%s: %v", e.shortPath(target.Settings), err)
			continue
		}
		if len(entries.Hooks) == 0 {
			continue
		}
		fix := e.command("memctl install --client "+client.Name, target.Scope)
		e.checkClientHooks(target, entries.Hooks, fix)
		targets, places = append(targets, target), append(places, e.checkPlace(target, fix))
	}
	if target, entries, found := client.Extension(e.Project); found {
		e.checkClientHooks(target, entries.Hooks, installExtension)
		targets, places = append(targets, target), append(places, "the extension "+e.shortPath(target.Settings))
	}
	shared, sharesHooks := client.Shared(e.Project)
	switch {
	case len(places) > 1:
		e.Warn(client.Title, "memctl uninstall --client "+client.Name+" in one of the scopes",
			"registered %d times, so it may run as often: in %s", len(places), strings.Join(places, " and in "))
	case len(places) == 1 && len(e.Findings) == before:
		e.OK(client.Title, "registered in %s", places[0])
	case len(e.Findings) > before || !client.IsOnMachine():
	case sharesHooks:
		targets = append(targets, shared)
		if place := e.checkPlace(shared, command); len(e.Findings) == before {
			e.OK(client.Title, "runs the hooks of Claude Code in %s", place)
		}
	case client.IsOnPath(): // a folder alone may be what another program left
		e.OK(client.Title, "installed but not registered; run %q", command)
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
		e.Warn(target.Client.Title, target.Client.Approval, "%s: %s", e.shortPath(target.Settings), missing)
	}
	return place
}

// checkClientRuns says when a hook of a client last ran here.
func (e *examination) checkClientRuns(target clients.Target, r hookRuns) {
	name, file := target.Client.Title+" runs", e.shortPath(target.Settings)
	t := r.clients[target.Client.Name]
	info, err := gate.Stat(target.Settings)
	switch {
	case t.Last.IsZero() && target.Unapproved() != "": // checkPlace has said why
	case t.Last.IsZero():
		e.Warn(name, target.Client.Approval, "no hook has ever run here")
	case target.Client.ReviewsHooks && err == nil && t.Last.Before(info.ModTime().Truncate(time.Second)):
		e.Warn(name, target.Client.Approval, "no hook has run since %s changed; %s", file, e.summary(t))
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
		e.Fail(target.Client.Title, fix, "%s lacks the hooks for %s", file, strings.Join(missing, ", "))
		if !slices.ContainsFunc(registered, func(h clients.Hook) bool { return h.Name() == promptHook }) {
			e.cutOff()
		}
	}
	if older {
		e.Warn(target.Client.Title, fix, "%s has hooks that differ from those of this memctl", file)
	}
	if program, _, ok := registered[0].Memctl(); ok && program != "" {
		if fix != installExtension {
			fix = e.programFix(fix, target.Scope, program)
		}
		e.checkHookProgram(target.Client.Title, fix, file, program)
	}
}

// checkClientServer checks memctl's server of a client and returns the file it is in.
func (e *examination) checkClientServer(target clients.Target, fix string) string {
	file := e.shortPath(target.Servers)
	server, err := target.RegisteredServer()
	switch {
	case err != nil:
		e.Warn(target.Client.Title, "fix the file; until then the client may start none of its servers", "%s: %v",
			file, err)
	case server == nil:
	default:
		e.checkRegistered(target.Client.Title, e.programFix(fix, target.Scope, server.Command), file, server.Command)
		return file
	}
	return ""
}

// recent is how far back runs are counted.
const recent = 7 * 24 * time.Hour

// hookRuns are the runs of hooks that left a trace.
type hookRuns struct {
	logPath string
	tallies map[string]observe.Tally // of Claude Code, by the hook's name
	clients map[string]observe.Tally // of the others, by the client's name
	err     error                    // of reading the log
	off     bool                     // the last hook was switched off
	// recorded is when a tool was last recorded. A hook that only does so leaves no
	// line in the log.
	recorded    time.Time
	recordedErr error
}

// readRuns reads the traces in a memory root; without one there are none.
func readRuns(root files.Root, now time.Time) hookRuns {
	if root.Path == "" {
		return hookRuns{}
	}
	entries, err := observe.ReadLog(root)
	r := hookRuns{
		logPath: filepath.Join(root.Staging(), observe.LogName),
		err:     err,
		off:     len(entries) > 0 && entries[len(entries)-1].Reason == observe.SwitchedOff,
	}
	r.tallies, r.clients = observe.TallyUp(entries, now.Add(-recent))
	r.recorded, r.recordedErr = lastRecorded(root)
	return r
}

// checkRuns checks whether Claude Code calls the hooks, if it has them, and whether the
// other clients do.
func (e *examination) checkRuns(r hookRuns, registered registrations, others []clients.Target) {
	if r.err != nil {
		e.Warn("runs", "fix the staging folder first (the check \"staging\")",
			"the log of the hooks cannot be read: %v", r.err)
		return
	}
	if r.off {
		e.Warn("runs", "to switch memctl on again, remove MEMCTL_HOOKS where the agent starts: from its shell, or "+
			"from \"env\" in its settings", "the last hook did nothing: MEMCTL_HOOKS is off")
	}
	whose := ""
	if len(r.clients) > 0 {
		whose = " of Claude Code"
	}
	switch {
	case registered.onlyOthers && len(r.tallies) == 0:
	case len(r.tallies) == 0 && (r.recorded.IsZero() || len(r.clients) > 0):
		fix := "start a session of the agent in this project and submit a prompt; if this does not help, check that " +
			"/hooks lists memctl there"
		if len(registered.hooks)+len(registered.plugins) == 0 {
			fix = registered.install + "; then start a session of the agent in this project and submit a prompt"
		}
		e.Warn("runs", fix, "no hook%s has ever run here, according to %s", whose, r.logPath)
	default:
		for _, h := range e.hooks {
			e.checkRunsOf(h.Event, h.Name(), r, registered)
		}
	}
	for _, target := range others {
		e.checkClientRuns(target, r)
	}
}

// isExtra reports whether memctl works without a hook: only observations need the one, and
// only subagents the other.
func isExtra(hook string) bool { return hook == observe.AfterFailure || hook == "subagent-start" }

func (e *examination) checkRunsOf(event, hook string, r hookRuns, registered registrations) {
	name := event + " runs"
	t := r.tallies[hook]
	switch {
	case hook == observe.AfterTool && r.recorded.After(t.Last):
		e.OK(name, "last recorded a tool %s", ago(e.now.Sub(r.recorded)))
	case t.Last.IsZero() && isExtra(hook):
	case t.Last.IsZero() && (event == "PreToolUse" || event == "PostToolUse"):
		e.OK(name, "has not run yet; it runs when a file is written or edited")
	case t.Last.IsZero():
		fix := "start a new session of the agent in this project; if this does not help, check that /hooks lists " +
			"memctl there"
		if !registered.has(hook) {
			fix = registered.install + "; then start a new session of the agent in this project"
		}
		e.Warn(name, fix, "it has never run here, though other hooks have")
	default:
		e.checkTally(name, t)
	}
}

// checkTally says when the last run was, and warns if too many failed.
func (e *examination) checkTally(name string, t observe.Tally) {
	switch {
	case t.FailedLast, t.Failed > 0 && t.Failed*10 > t.Runs:
		e.Warn(name, "start the agent with MEMCTL_LOG=/tmp/memctl-hooks.log to see more of each run",
			"%s; the last failure: %s", e.summary(t), t.Reason)
	default:
		e.OK(name, "%s", e.summary(t))
	}
}

func (e *examination) summary(t observe.Tally) text.Phrase {
	success := text.Say("it never succeeded")
	if !t.LastGood.IsZero() {
		success = text.Say("last succeeded %s", ago(e.now.Sub(t.LastGood)))
	}
	return text.Say("%s; %s in 7 days, %d failed", success, text.Counted(t.Runs, "run", "runs"), t.Failed)
}

// ago rounds a duration for people.
func ago(d time.Duration) text.Phrase {
	switch {
	case d < time.Minute:
		return text.Say("just now")
	case d < 2*time.Hour:
		return text.Say("%s ago", text.Counted(int(d.Minutes()), "minute", "minutes"))
	case d < 48*time.Hour:
		return text.Say("%d hours ago", int(d.Hours()))
	}
	return text.Say("%d days ago", int(d.Hours()/24))
}
