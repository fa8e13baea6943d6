package clients

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memctl/gate"
	"memctl/hooks"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
)

// loads are the files that a client puts into every request by itself (docs/beside.md).
type loads struct {
	project []string // names below the working folder and those above it in the project; patterns
	user    []string // likewise below the user's folder
	first   bool     // of the project's names only the first that is there
	notes   bool     // the index of the notes that the client's agent keeps
	imports bool     // files that a loaded one names, with @ before the path
}

const (
	// maxLoaded is how many files are read, and maxLoadedSize how much of each, in bytes.
	maxLoaded     = 32
	maxLoadedSize = 256 << 10
	// maxImports is how many names with @ are looked up.
	maxImports = 200
	// maxNotesLines is how many lines of MEMORY.md Claude Code loads.
	maxNotesLines = 200
)

// Loads implements hooks.Client.
func (c *Client) Loads(project, cwd string) []hooks.Loaded {
	l := &loading{cwd: cwd, project: gate.Place{Folder: project}}
	if cwd == "" || !gate.Contains(project, cwd) {
		l.cwd = project
	}
	for dir := l.cwd; ; dir = filepath.Dir(dir) {
		l.add(l.project, dir, c.loads.project, c.loads.first)
		if dir == project || dir == filepath.Dir(dir) {
			break
		}
	}
	if c.loads.imports {
		l.follow()
	}
	if folder, err := c.UserFolder(); err == nil {
		own := gate.Place{Folder: folder, Owner: gate.User}
		l.add(own, folder, c.loads.user, false)
		if c.loads.notes {
			l.addNotes(own, project)
		}
	}
	return l.files
}

// RepeatedIn returns what reports whether a result repeats what Claude Code loads for a prompt
// whose first root is given.
func RepeatedIn(root memdir.Root, cfg schemas.Config) func(retrieve.Result) bool {
	here, err := os.Getwd()
	if err != nil || cfg.Retrieval.RepeatLoaded {
		return nil
	}
	project := here
	if root.Shown == memdir.RootPath {
		project = root.Project
	}
	return hooks.Repeats(Claude.Loads(project, here))
}

type loading struct {
	cwd     string
	project gate.Place
	files   []hooks.Loaded
}

// add reads the files of a folder whose names match.
func (l *loading) add(place gate.Place, dir string, names []string, first bool) {
	for _, name := range names {
		paths := []string{filepath.Join(dir, filepath.FromSlash(name))}
		if strings.ContainsRune(name, '*') {
			paths, _ = filepath.Glob(paths[0])
		}
		before := len(l.files)
		for _, path := range paths {
			if data, ok := l.read(place, path); ok && !isOfPaths(data) {
				l.files = append(l.files, hooks.Loaded{Path: path, Text: data})
			}
		}
		if first && len(l.files) > before {
			return
		}
	}
}

func (l *loading) read(place gate.Place, path string) (string, bool) {
	if len(l.files) >= maxLoaded || slices.ContainsFunc(l.files, func(f hooks.Loaded) bool { return f.Path == path }) {
		return "", false
	}
	if _, err := os.Lstat(path); err != nil { // as most are not there, this is quicker
		return "", false
	}
	data, err := place.Read(path, maxLoadedSize)
	return string(data), err == nil
}

// addNotes reads the index of the agent's own notes, as far as the client does.
func (l *loading) addNotes(own gate.Place, project string) {
	path := filepath.Join(ProjectNotes(project), "MEMORY.md")
	if data, ok := l.read(own, path); ok && !NotesAreOff(project) {
		lines := strings.SplitAfterN(data, "\n", maxNotesLines+1)
		l.files = append(l.files, hooks.Loaded{Path: path, Text: strings.Join(lines[:min(len(lines), maxNotesLines)], "")})
	}
}

// follow reads what the files name with @: files below the working folder, for others the
// client asks.
func (l *loading) follow() {
	tried := 0
	for i := 0; i < len(l.files); i++ { // it grows
		for _, name := range namedWithAt(l.files[i].Text) {
			path := filepath.Join(filepath.Dir(l.files[i].Path), filepath.FromSlash(name))
			if !gate.Contains(l.cwd, path) {
				continue
			}
			if tried++; tried > maxImports {
				return
			}
			if data, ok := l.read(l.project, path); ok {
				l.files = append(l.files, hooks.Loaded{Path: path, Text: data})
			}
		}
	}
}

// namedWithAt returns the relative paths that stand after @ in a text, but not in its code.
func namedWithAt(text string) (names []string) {
	inCode := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			inCode = !inCode
		}
		for word := range strings.FieldsSeq(line) {
			name, ok := strings.CutPrefix(word, "@")
			name = strings.TrimRight(name, ".,;:!?)")
			if ok && !inCode && filepath.IsLocal(filepath.FromSlash(name)) {
				names = append(names, name)
			}
		}
	}
	return names
}

// isOfPaths reports whether a rule counts only for the files that its front matter names.
func isOfPaths(data string) bool {
	front, ok := strings.CutPrefix(data, "---\n")
	front, _, closed := strings.Cut(front, "\n---")
	return ok && closed && strings.Contains("\n"+front, "\npaths:")
}

// ProjectNotes is the folder in which Claude Code's agent keeps its notes on a project.
func ProjectNotes(project string) string { return filepath.Join(ProjectTranscripts(project), "memory") }

// ProjectTranscripts is the folder of Claude Code's transcripts of a project.
func ProjectTranscripts(project string) string {
	folder, _ := Claude.UserFolder()
	return filepath.Join(folder, "projects", strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, resolved(project)))
}

// NotesAreOff reports whether the settings of Claude Code switch its own notes off. The first
// file that says so decides, as in the client.
func NotesAreOff(project string) bool {
	if os.Getenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY") == "1" {
		return true
	}
	for _, scope := range []string{LocalScope, ProjectScope, UserScope} {
		var settings struct {
			AutoMemoryEnabled *bool `json:"autoMemoryEnabled"`
		}
		t, err := NewTarget(scope, project)
		if err == nil && readJSON(project, t.Settings, &settings) == nil && settings.AutoMemoryEnabled != nil {
			return !*settings.AutoMemoryEnabled
		}
	}
	return false
}
