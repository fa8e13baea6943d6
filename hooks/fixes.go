package hooks

import (
	"context"
	"strings"

	"memctl/files"
	"memctl/observe"
	"memctl/schemas"
	"memctl/text"
)

// maxAtStart is how many fixes a session's start gives.
const maxAtStart = 3

// fixesAtStart adds to the answer to a session's start the commands that failed and their remedies.
func (c *Call) fixesAtStart(ctx context.Context, root files.Root, cfg schemas.Config, a Answer) Answer {
	if !givesFixes(cfg) || c.Event.Source == "resume" {
		return a
	}
	fixes := observe.ReadRemedies(root).Fixes
	return c.addFixes(ctx, cfg, a, observe.AtStart, fixes[:min(len(fixes), maxAtStart)])
}

// fixOfCommand adds the newest fix of a command to the answer, unless the session has got it. After a failure it is
// given once more: the session's start may be far back by then.
func (c *Call) fixOfCommand(ctx context.Context, a Answer) Answer {
	command := c.command()
	if command == "" || c.rootErr != nil || c.Event.Interrupted {
		return a
	}
	f, found := observe.FixOf(c.root, command)
	if !found {
		return a
	}
	cfg, err := c.config(c.root)
	if err != nil || !givesFixes(cfg) {
		return a
	}
	moment, but := observe.AtTool, []string(nil)
	if c.Event.Failed {
		moment, but = observe.AtFailure, []string{observe.AtStart, observe.AtTool}
	}
	use := c.Event.ToolUseID
	if observe.ReadGiven(c.contextID(), but...)[versionOfFix(c.root, f, "")] ||
		use != "" && observe.ReadGiven(c.contextID())[versionOfFix(c.root, f, use)] { // it stands beside this result
		return a
	}
	return c.addFixes(ctx, cfg, a, moment, []observe.Fix{f})
}

func givesFixes(cfg schemas.Config) bool { return cfg.Observations.Enabled && cfg.Moments.Tools }

// addFixes adds fixes to an answer, and notes that the session has got them.
func (c *Call) addFixes(ctx context.Context, cfg schemas.Config, a Answer, moment string, fixes []observe.Fix) Answer {
	if len(fixes) == 0 || ctx.Err() != nil {
		return a
	}
	var lines, titles []string
	var list []files.Version
	for _, f := range fixes {
		lines = append(lines, f.Sentence())
		titles = append(titles, text.OneLine(f.Subject+" after "+strings.Join(f.Remedy, ", "), text.MaxShown))
		list = append(list, versionOfFix(c.root, f, ""))
		if moment == observe.AtTool && c.Event.ToolUseID != "" {
			list = append(list, versionOfFix(c.root, f, c.Event.ToolUseID))
		}
	}
	if err := observe.NoteGiven(c.contextID(), moment, list); err != nil {
		c.note("warning: the session may get a fix twice: %s", text.Printable(err.Error()))
	}
	a.Context = joinLines(strings.TrimSuffix(a.Context, "\n"), strings.Join(lines, "\n"))
	if cfg.Retrieval.Announce {
		a.Person = joinLines(a.Person, announced(text.Plural(len(fixes), "fix", "fixes"), titles))
	}
	return a
}

// versionOfFix names a fix that a session got, beside the result of a use of a tool or, without one, anywhere.
func versionOfFix(root files.Root, f observe.Fix, use string) files.Version {
	what := f.Subject + "\n" + strings.Join(f.Remedy, "\n") + "\n" + use
	return files.Version{Root: root.Key(), Path: "fix/" + text.Hash(what, 6)}
}
