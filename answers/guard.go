package answers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memctl/hooks"
	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"
)

// guard keeps tools from writing in a memory root past memctl. It runs
// before every tool, so it looks at names and links only.
func guard(_ context.Context, c *Call) error {
	found, root, err := c.MemoryPlaces()
	if err != nil {
		return err
	}
	found = slices.DeleteFunc(found, memdir.Inside.IsConfig)
	if len(found) == 0 {
		return nil
	}
	return Refused(hooks.Deny(c.Std.Out, denial(found[len(found)-1], root)))
}

// MemoryPlaces says where in memory roots a tool's file lies, and which root the
// session has. It may have none: those of other projects are guarded too.
func (c *Call) MemoryPlaces() ([]memdir.Inside, memdir.Root, error) {
	if !hooks.WritesFile(c.Event.ToolName) {
		return nil, memdir.Root{}, nil
	}
	if c.Event.ToolPath == "" {
		return nil, memdir.Root{}, errors.New("the event names no file")
	}
	root, _ := c.Root()
	return memdir.Locate(c.Event.ToolPath, c.Event.Cwd, root.Path), root, nil
}

// denial says what to do instead of writing the file.
func denial(in memdir.Inside, session memdir.Root) string {
	return fmt.Sprintf("%s lies in a memory root, where only memctl writes: it checks, locks and indexes every change. %s",
		text.Brief(filepath.Join(in.Root, filepath.FromSlash(in.Path))), instead(in, session))
}

// instead names the command that does it. <<< takes JSON to stdin: the client
// refuses a here-document with JSON in it.
func instead(in memdir.Inside, session memdir.Root) string {
	if strings.HasPrefix(in.Path, memdir.IndexName) {
		return "The index is derived from the memory files, there is nothing to edit: memctl reindex makes it anew."
	}
	if strings.HasPrefix(in.Path, memdir.SessionsFolder+"/") {
		return "Observations are what tools did: memctl alone records them, and memctl gc removes them."
	}
	root, err := in.Open()
	if err == nil && isMemory(root, in.Path) {
		flags := rootWords(root, session) + targetWords(in.Path)
		return fmt.Sprintf("To change it, run: memctl update%[1]s --input - <<< 'JSON'. To end it: memctl retire%[1]s --reason REASON", flags)
	}
	return "To save a memory, run: " + CreateLine(in.Path, root, session)
}

func isMemory(root memdir.Root, path string) bool {
	_, placed := schemas.CategoryOfPath(path)
	_, err := os.Lstat(root.Join(path))
	return placed && err == nil
}

// CreateLine is the command that makes a memory at path, or any memory where
// none can be at path.
func CreateLine(path string, root, session memdir.Root) string {
	where := "CATEGORY"
	if category, ok := schemas.CategoryOfPath(path); ok {
		where = string(category) + targetWords(path)
	}
	return fmt.Sprintf("memctl create%s --category %s --input - <<< 'JSON'", rootWords(root, session), where)
}

// rootWords names a root to a command, unless it is the session's or is not there.
func rootWords(root, session memdir.Root) string {
	if root == (memdir.Root{}) || root.Path == session.Path {
		return ""
	}
	return " --root " + text.ShellWord(root.Path)
}

func targetWords(path string) string { return " --target " + text.ShellWord(memdir.RootPath+"/"+path) }
