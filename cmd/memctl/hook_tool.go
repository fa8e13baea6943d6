package main

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

// hookPreToolUse keeps tools from writing in a memory root past memctl. It runs
// before every tool, so it looks at names and links only.
func hookPreToolUse(_ context.Context, e hooks.Event, rootArg string, std streams) error {
	found, root, err := memoryPlaces(e, rootArg)
	if err != nil {
		return err
	}
	found = slices.DeleteFunc(found, memdir.Inside.IsConfig)
	if len(found) == 0 {
		return nil
	}
	return refused(hooks.Deny(std.out, denial(found[len(found)-1], root)))
}

// memoryPlaces says where in memory roots a tool's file lies, and which root the
// session has. It may have none: those of other projects are guarded too.
func memoryPlaces(e hooks.Event, rootArg string) ([]memdir.Inside, memdir.Root, error) {
	if !hooks.WritesFile(e.ToolName) {
		return nil, memdir.Root{}, nil
	}
	if e.ToolPath == "" {
		return nil, memdir.Root{}, errors.New("the event names no file")
	}
	root, _ := memdir.Find(memdir.PlacesFromEnv(rootArg, e.Cwd))
	return memdir.Locate(e.ToolPath, e.Cwd, root.Path), root, nil
}

// denial says what to do instead of writing the file.
func denial(in memdir.Inside, session memdir.Root) string {
	return fmt.Sprintf("%s lies in a memory root, where only memctl writes: it checks, locks and indexes every change. %s",
		bounded(filepath.Join(in.Root, filepath.FromSlash(in.Path))), instead(in, session))
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
	return "To save a memory, run: " + createLine(in.Path, root, session)
}

func isMemory(root memdir.Root, path string) bool {
	_, placed := categoryAt(path)
	_, err := os.Lstat(root.Join(path))
	return placed && err == nil
}

// createLine is the command that makes a memory at path, or any memory where
// none can be at path.
func createLine(path string, root, session memdir.Root) string {
	where := "CATEGORY"
	if category, ok := categoryAt(path); ok {
		where = string(category) + targetWords(path)
	}
	return fmt.Sprintf("memctl create%s --category %s --input - <<< 'JSON'", rootWords(root, session), where)
}

// categoryAt returns the category whose memories have paths like this one.
func categoryAt(path string) (schemas.Category, bool) {
	folder, name, _ := strings.Cut(path, "/")
	category, ok := schemas.CategoryOfFolder(folder)
	return category, ok && strings.HasSuffix(name, ".json") && !strings.Contains(name, "/")
}

// rootFlags names a root to a command, unless it is the session's or is not there.
func rootWords(root, session memdir.Root) string {
	if root == (memdir.Root{}) || root.Path == session.Path {
		return ""
	}
	return " --root " + shellWord(root.Path)
}

func targetWords(path string) string { return " --target " + shellWord(memdir.RootPath+"/"+path) }

// maxTold bounds, in code points, what an agent is told of others' making.
const maxTold = 300

func bounded(s string) string { return text.Ellipsis(text.Printable(s), maxTold) }

// plain are the characters that no shell gives a meaning in the middle of a word.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=,-"

// shellWord quotes a path for the shell it will be copied into. What could not
// be copied is left for the agent to fill in.
func shellWord(path string) string {
	switch {
	case len(path) > maxTold || path != text.Printable(path):
		return "PATH"
	case strings.Trim(path, plain) == "":
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
