package hooks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memctl/files"
	"memctl/files/gate"
	"memctl/schemas"
	"memctl/text"
	"memctl/triage"
)

// guardFiles keeps tools from writing in a memory root past memctl. It runs before
// every such tool, so it looks at names and links only.
func guardFiles(_ context.Context, c *Call) (Answer, error) {
	inside, err := c.memoryPlaces()
	if err != nil {
		return Answer{}, err
	}
	for _, places := range inside {
		places = slices.DeleteFunc(places, func(in files.Inside) bool {
			return in.IsConfig() && !c.isUsers(in) && !c.isReviewed(in)
		})
		if len(places) > 0 {
			return Answer{Deny: c.denial(places[len(places)-1])}, nil
		}
	}
	return Answer{}, nil
}

// memoryPlaces returns, for each file that a tool writes in a memory root, where it lies.
// The roots of other projects are guarded too, so the session need not have one. A folder of
// another tool is not one.
func (c *Call) memoryPlaces() (inside [][]files.Inside, err error) {
	if !c.Event.WritesFile() {
		return nil, nil
	}
	if len(c.Event.Paths) == 0 {
		return nil, errors.New("the event names no file")
	}
	// a root that is refused is guarded if it has the usual name
	if user, _, err := files.FindOrPlanUser(); err == nil {
		c.user = user
	}
	for _, path := range c.Event.Paths {
		places := files.Locate(path, c.Event.Cwd, c.root.Path, c.user.Path)
		places = slices.DeleteFunc(places, func(in files.Inside) bool {
			_, err := c.open(in)
			return errors.As(err, new(*files.ForeignError))
		})
		if len(places) > 0 {
			inside = append(inside, places)
		}
	}
	return inside, nil
}

// isUsers reports whether a place lies in the user's root, and that is not the project's
// too.
func (c *Call) isUsers(in files.Inside) bool {
	if c.user.Path == "" || c.user.Is(c.root) {
		return false
	}
	root, err := in.Open()
	return in.Root == c.user.Path || err == nil && root.Is(c.user)
}

// isReviewed reports whether a person takes the changes of agents in the root of a place. An agent that could change
// its settings would decide it.
func (c *Call) isReviewed(in files.Inside) bool {
	root, err := c.open(in)
	if err != nil {
		return false
	}
	cfg, _, err := root.Config()
	return err == nil && cfg.Capture.Review
}

// open returns the root of a place.
func (c *Call) open(in files.Inside) (files.Root, error) {
	if c.isUsers(in) {
		return c.user, nil
	}
	return in.Open()
}

// denial names the command to use instead of writing the file.
func (c *Call) denial(in files.Inside) string {
	return fmt.Sprintf("%s is in a memory root. Only memctl may write there: it validates, locks and indexes "+
		"every change. %s",
		text.Brief(filepath.ToSlash(filepath.Join(in.Root, filepath.FromSlash(in.Path)))), c.instead(in))
}

// instead names the tool and a command that do the same. The command's JSON follows <<<,
// because the client refuses a here-document with JSON in it.
func (c *Call) instead(in files.Inside) string {
	if strings.HasPrefix(in.Path, files.IndexName) {
		return "The index is generated from the memory files. Do not edit it; run memctl reindex to rebuild it."
	}
	if strings.HasPrefix(in.Path, files.SessionsFolder+"/") {
		return "Observations record what tools did. Only memctl writes them; run memctl gc to remove them."
	}
	if strings.HasSuffix(in.Path, files.ConflictSuffix) {
		return "It records an unresolved merge conflict. Run memctl resolve ID to see it; resolve it with --ours or " +
			"--theirs."
	}
	if in.IsConfig() && !c.isUsers(in) {
		return "Its capture.review has a person take the changes of agents. Ask the user to run: memctl config set " +
			"KEY VALUE"
	}
	if in.IsConfig() {
		return "Its settings apply to every project. Ask the user to run: memctl config set KEY VALUE --user"
	}
	root, err := c.open(in)
	if err == nil && isMemory(root, in.Path) {
		flags := c.rootFlag(root) + targetFlag(root, in.Path)
		return fmt.Sprintf("To change it, %[1]srun: memctl update%[2]s --input - <<< 'JSON'. To retire it, run: "+
			"memctl retire%[2]s --reason REASON", c.tool(root), flags)
	}
	return fmt.Sprintf("To save a memory, %srun: %s", c.tool(root), c.createLine(root, in.Path))
}

// tool names the tool that saves in a root, "" for the root of another project.
func (c *Call) tool(root files.Root) string {
	switch {
	case root.Scope == files.UserScope:
		return "use the tool " + saveTool() + " with scope user, or "
	case c.rootFlag(root) != "":
		return ""
	}
	return "use the tool " + saveTool() + ", or "
}

// saveTool is the name of the tool that saves. Where the plugin's hooks answer, the
// server is the plugin's too.
func saveTool() string {
	if os.Getenv("CLAUDE_PLUGIN_ROOT") != "" {
		return triage.PluginSaveTool
	}
	return triage.SaveTool
}

func isMemory(root files.Root, path string) bool {
	_, placed := schemas.CategoryOfPath(path)
	_, err := gate.Lstat(root.Join(path))
	return placed && err == nil
}

// createLine is the command that creates a memory at a path of a root, or any memory
// if the path is not a memory's.
func (c *Call) createLine(root files.Root, path string) string {
	category := "CATEGORY"
	if inferred, ok := schemas.CategoryOfPath(path); ok {
		category = string(inferred) + targetFlag(root, path)
	}
	return fmt.Sprintf("memctl create%s --category %s --input - <<< 'JSON'", c.rootFlag(root), category)
}

// rootFlag names a root in a command, unless it is the session's own or missing.
func (c *Call) rootFlag(root files.Root) string {
	if root.Scope == files.UserScope {
		return " --scope user"
	}
	if root == (files.Root{}) || root.Path == c.root.Path {
		return ""
	}
	return " --root " + text.ShellWord(root.Path)
}

func targetFlag(root files.Root, path string) string {
	shown := files.RootPath
	if root.Scope == files.UserScope {
		shown = root.Shown
	}
	return " --target " + text.ShellWord(shown+"/"+path)
}
