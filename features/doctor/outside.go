package doctor

import (
	"bytes"
	"context"
	"strings"
	"time"

	"memctl/clients"
	"memctl/files"
	"memctl/files/git"
	"memctl/schemas"
	"memctl/text"
)

const gitTimeout = 5 * time.Second

func (e *examination) checkIndexInGit(ctx context.Context, root files.Root) {
	const name = "git"
	fix := "add the line index.db* to " + e.shortPath(root.Join(".gitignore"))
	switch {
	case !inWorkTree(ctx, root):
		if !files.IgnoresIndex(root.Path) {
			e.Warn(name, fix, "%s does not make git ignore the index",
				e.shortPath(root.Join(".gitignore")))
		}
	case isTracked(ctx, root, files.IndexName+"*"):
		e.Warn(name, "git rm --cached "+text.ShellWord(root.Join(files.IndexName))+"*  and "+fix,
			"the index is committed to git, and every prompt changes it")
	case !isIgnored(ctx, root, files.IndexName):
		e.Warn(name, fix, "git does not ignore the index")
	default:
		e.OK(name, "it ignores the index")
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
		e.Warn(name, "git rm -r --cached "+text.ShellWord(root.Join(files.SessionsFolder)),
			"the observations are committed to git, where everyone can read them")
		return true
	case !isIgnored(ctx, root, files.SessionsFolder+"/"+files.SessionFileName("x")):
		e.Warn(name, "add the line observations/ to "+e.shortPath(root.Join(".gitignore")),
			"git does not ignore the observations")
		return true
	}
	return false
}

// checkMerges checks whether git merges memories by memctl if the project wants that,
// and whether merges left something to decide.
func (e *examination) checkMerges(ctx context.Context, root files.Root, conflicts []string) {
	const name = "merges"
	e.checkConflicts(root, conflicts)
	if !inWorkTree(ctx, root) {
		return
	}
	attributes, driver, err := gitRegistration(ctx, root)
	switch {
	case err != nil || !attributes:
	case driver == "":
		fix := e.command("memctl install --git", clients.ProjectScope)
		if root.Scope == files.UserScope {
			fix = "memctl install --git --root " + text.ShellWord(root.Path)
		}
		e.Warn(name, fix,
			"the project wants memories merged field by field, but this clone merges them line by line")
	default:
		e.OK(name, "git merges memories field by field")
	}
}

// maxSides is how many fields in conflict get a finding each.
const maxSides = 10

// checkConflicts names both sides of each field in conflict, and counts the memories that it does not name.
func (e *examination) checkConflicts(root files.Root, paths []string) {
	named, rest := 0, 0
	for _, at := range paths {
		data, _ := root.ReadFile(at)
		open := root.ConflictsOf(at, data)
		if open = open[:min(len(open), maxSides-named)]; len(open) == 0 {
			rest++
		}
		for _, c := range open {
			e.Warn("conflicts", root.ResolveCommand(at), "%s: both sides of a merge changed %s: ours %q, theirs %q", at,
				text.Brief(c.Field), side(c.Ours), side(c.Theirs))
		}
		named += len(open)
	}
	if rest > 0 {
		e.Warn("conflicts", "run memctl resolve to list and settle them", "%s in conflict after a merge",
			text.Counted(rest, "memory is", "memories are"))
	}
}

func side(value any) string { return text.OneLine(schemas.Side(value), 100) }

// gitRegistration returns whether git is to merge the memories of a root by memctl, and this clone's command for
// that, "" if it has none.
func gitRegistration(ctx context.Context, root files.Root) (attributes bool, driver string, err error) {
	out, err := git.Run(ctx, root.Path, "check-attr", "-z", "merge", "--", "decisions/x.json")
	if err != nil {
		return false, "", err
	}
	driver, _, err = git.Setting(ctx, root.Path, "merge.memctl.driver")
	return bytes.HasSuffix(out, []byte("\x00memctl\x00")), driver, err
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
