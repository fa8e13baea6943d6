package doctor

import (
	"cmp"
	"context"
	"strings"
	"time"

	"memctl/clients"
	"memctl/features/hub"
	"memctl/features/meaning"
	"memctl/files"
	"memctl/files/git"
	"memctl/text"
)

const gitTimeout = 5 * time.Second

func (e *examination) checkIndexInGit(ctx context.Context, root files.Root) {
	const name = "git"
	fix := "add the line index.db* to " + e.shortPath(root.Join(".gitignore"))
	switch {
	case !inWorkTree(ctx, root):
		if !files.IgnoresIndex(root.Path) {
			e.warn(name, fix, "%s does not make git ignore the index",
				e.shortPath(root.Join(".gitignore")))
		}
	case isTracked(ctx, root, files.IndexName+"*"):
		e.warn(name, "git rm --cached "+text.ShellWord(root.Join(files.IndexName))+"*  and "+fix,
			"the index is committed to git, and every prompt changes it")
	case !isIgnored(ctx, root, files.IndexName):
		e.warn(name, fix, "git does not ignore the index")
	default:
		e.ok(name, "it ignores the index")
	}
}

// checkSessionsInGit warns if observations are in git or would be added to it, and
// reports whether it did.
func (e *examination) checkSessionsInGit(ctx context.Context, root files.Root) (warned bool) {
	const name = "observations"
	switch {
	case !inWorkTree(ctx, root):
		return false
	case isTracked(ctx, root, files.SessionsFolder+"/*.jsonl"):
		e.warn(name, "git rm -r --cached "+text.ShellWord(root.Join(files.SessionsFolder)),
			"the observations are committed to git, where everyone can read them")
		return true
	case !isIgnored(ctx, root, files.SessionsFolder+"/"+files.SessionFileName("x")):
		e.warn(name, "add the line observations/ to "+e.shortPath(root.Join(".gitignore")),
			"git does not ignore the observations")
		return true
	}
	return false
}

// checkMerges checks whether git merges memories by memctl if the project wants that,
// and whether merges left something to decide.
func (e *examination) checkMerges(ctx context.Context, root files.Root, conflicts int) {
	const name = "merges"
	if conflicts > 0 {
		e.warn("conflicts", "run memctl validate to list them, and memctl resolve ID for each", "%s in conflict "+
			"after a merge",
			text.Counted(conflicts, "memory is", "memories are"))
	}
	if !inWorkTree(ctx, root) {
		return
	}
	registered, err := clients.FindGitRegistration(ctx, root)
	switch {
	case err != nil || !registered.Attributes:
	case registered.Driver == "":
		fix := e.command("memctl install --git", clients.ProjectScope)
		if root.Scope == files.UserScope {
			fix = "memctl install --git --root " + text.ShellWord(root.Path)
		}
		e.warn(name, fix,
			"the project wants memories merged field by field, but this clone merges them line by line")
	default:
		e.ok(name, "git merges memories field by field")
	}
}

func inWorkTree(ctx context.Context, root files.Root) bool {
	inside, err := runGit(ctx, root, "rev-parse", "--is-inside-work-tree")
	return err == nil && inside == "true"
}

func isTracked(ctx context.Context, root files.Root, pattern string) bool {
	tracked, err := runGit(ctx, root, "ls-files", "--", pattern)
	return err == nil && tracked != ""
}

func isIgnored(ctx context.Context, root files.Root, path string) bool {
	_, err := runGit(ctx, root, "check-ignore", "--quiet", path)
	return err == nil
}

func runGit(ctx context.Context, root files.Root, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	out, err := git.Run(ctx, root.Path, args...)
	return strings.TrimSpace(string(out)), err
}

// hubTime is how long the hub may take to answer.
const hubTime = 10 * time.Second

// checkHub checks the hub that the user's configuration names, and asks it if that is
// wanted.
func (e *examination) checkHub(ctx context.Context, project files.Root, o Options) {
	const name = "hub"
	if cfg, _, err := project.Config(); err == nil && project.Path != "" {
		if warning := hub.Ignored(project, cfg); warning != "" {
			e.warn(name, "memctl config unset hub.url, in the project", "%s", warning)
		}
	}
	settings, err := hub.UserSettings()
	if err != nil || settings.URL == "" && !o.AskHub {
		return // checkUserRoot reports the error
	}
	address, err := settings.Address(o.PlainHTTP)
	if err != nil {
		e.fail(name, "memctl config set hub.url https://HOST --user", "%v", err)
		return
	}
	if !o.AskHub {
		e.ok(name, "%s; run \"memctl doctor --hub\" to ask it", address)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, hubTime)
	defer cancel()
	client, err := hub.Connect(ctx, address, o.Version)
	var list hub.Repositories
	if err == nil {
		list, err = client.Repositories(ctx)
	}
	if err != nil {
		e.fail(name, text.Hint(err), "%v", err)
		return
	}
	e.ok(name, "%s answers, and shows you %s", address,
		text.Counted(len(list.Repositories), "repository", "repositories"))
}

// meaningTime is how long the user's model may take: it may have to be loaded first.
const meaningTime = 20 * time.Second

func (e *examination) checkMeaning(ctx context.Context, project files.Root) {
	const name = "meaning"
	if cfg, _, err := project.Config(); err == nil && project.Path != "" {
		if warning := meaning.Ignored(project, cfg); warning != "" {
			e.warn(name, "memctl config unset meaning.endpoint, in the project", "%s", warning)
		}
	}
	settings, err := meaning.UserSettings(nil)
	if settings == nil && err == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, meaningTime)
	defer cancel()
	fix := cmp.Or(text.Hint(err), "start the server, or switch it off: memctl config unset meaning.endpoint --user")
	var tried meaning.Trial
	if err == nil {
		tried, err = settings.Try(ctx)
	}
	switch {
	case err != nil:
		e.fail(name, fix, "%v", err)
	case !tried.Tells():
		e.warn(name, "choose another model, or set the prefixes that this one needs", "%s; memories are found by "+
			"words alone", tried)
	case tried.Took > time.Duration(settings.BudgetMS)*time.Millisecond:
		e.warn(name, "choose a smaller model, or raise meaning.budget_ms", "%s; a prompt waits %d ms at most", tried,
			settings.BudgetMS)
	default:
		settings.Recover()
		e.ok(name, "%s", tried)
	}
}
