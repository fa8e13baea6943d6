package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"time"

	"memctl/answers"
	"memctl/hooks"
	"memctl/indexer"
	"memctl/memdir"
	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"
)

// hookPostToolUse looks after a file in a memory root that a tool wrote past the
// guard: an invalid one is set aside and the agent told, a valid one indexed. A
// tool that failed has another event; whatever this one says, the file counts.
// What the tool did is recorded already (answers.Run).
func hookPostToolUse(ctx context.Context, c *answers.Call) error {
	found, session, err := c.MemoryPlaces()
	if err != nil || len(found) == 0 {
		return err
	}
	in := found[len(found)-1] // where the links lead, as far as that is in a root
	if in.IsConfig() || in.Path == ".gitignore" {
		return nil
	}
	root, err := in.Open()
	if err != nil {
		return err
	}
	if info, err := os.Lstat(root.Join(in.Path)); err != nil || info.IsDir() {
		return err // nothing that a tool has written
	}
	if !strings.HasSuffix(in.Path, ".json") {
		return answers.Refused(hooks.Block(c.Std.Out, text.Brief(root.Shown+"/"+in.Path)+" is no memory: only memctl writes in a memory root. Remove the file if it is new, else take the change back."))
	}
	if violations := writer.CheckPath(root, in.Path); len(violations) > 0 {
		return answers.Refused(hooks.Block(c.Std.Out, quarantine(root, session, in.Path, violations)))
	}
	if err := indexer.Record(ctx, root, []string{in.Path}, nil); err != nil {
		return err
	}
	return tellPrivate(root, in.Path, c.Std)
}

// tellPrivate tells the agent of what memctl would not have stored. The file is
// left as it is: somebody may look at it just now.
func tellPrivate(root memdir.Root, at string, std streams) error {
	cfg, err := loadConfig(root, streams{Err: io.Discard})
	if err != nil {
		cfg = schemas.DefaultConfig()
	}
	data, err := root.ReadFile(at)
	if err != nil {
		return nil // gone meanwhile
	}
	doc, err := schemas.DecodeDocument(data)
	if err != nil {
		return err
	}
	_, fields := answers.Filter(cfg).Value("", map[string]any(doc))
	if found := privacy.Sum(fields); found.Found() {
		return hooks.Block(std.Out, fmt.Sprintf("%s holds %s. Take that out now: memctl scrub %s", text.Brief(root.Shown+"/"+at), found, text.Brief(at)))
	}
	return nil
}

// maxViolations is how many violations the agent is told at once.
const maxViolations = 10

// quarantine sets an invalid file aside and says so.
func quarantine(root, session memdir.Root, at string, violations []schemas.Violation) string {
	var b strings.Builder
	aside, err := root.SetAside(at, time.Now())
	if err == nil {
		fmt.Fprintf(&b, "%s is no valid memory and is now %s, which nobody reads:\n", text.Brief(root.Shown+"/"+at), text.Brief(path.Base(aside)))
	} else {
		fmt.Fprintf(&b, "%s is no valid memory; remove it (%s):\n", text.Brief(root.Shown+"/"+at), text.Brief(err.Error()))
	}
	for _, v := range violations[:min(len(violations), maxViolations)] {
		fmt.Fprintf(&b, "- %s\n", text.Brief(v.String()))
	}
	if n := len(violations) - maxViolations; n > 0 {
		fmt.Fprintf(&b, "- and %d more\n", n)
	}
	fmt.Fprintf(&b, "Save it mended: %s", answers.CreateLine(at, root, session))
	return b.String()
}
