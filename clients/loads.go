package clients

import (
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memctl/files"
	"memctl/files/gate"
	"memctl/hooks"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
)

// LoadedFiles are the files that a client puts into every request by itself (docs/agents.md). Names
// may be patterns.
type LoadedFiles struct {
	Project  []string // in the working folder and in those above it in the project
	Top      []string // in the project's folder alone
	User     []string // in the user's folder
	Choice   Choice
	Above    bool // those of a project also in the folders above it, up to the home folder
	OrClaude bool // the user's CLAUDE.md, where the user's folder has none of them
	notes    bool // the index of the notes that the client's agent keeps
	Chosen   bool // settings of the client may choose others
	Size     int  // of all of them at most, in bytes; 0 for any
	Imports  Imports
}

// Choice is which of the names are loaded.
type Choice int

const (
	all Choice = iota
	FirstInFolder
	FirstOfAll // the first name that is in any of the folders, from all of them
)

// Imports are the files that a loaded one names, with @ before the path.
type Imports struct {
	Of       []string // names of loads whose files may name others; patterns
	below    bool     // those of a project below the working folder only
	anywhere bool     // those of the user anywhere in the home folder, not in the client's alone
	Marks    string   // that may stand around a name
}

const (
	// maxLoaded is how many files are read, and maxLoadedSize how much of each, in bytes.
	maxLoaded     = 32
	maxLoadedSize = 256 << 10
	// maxImports is how many names with @ are looked up.
	maxImports = 200
	// maxDepth is how many imports lead to a file at most.
	maxDepth = 4
	// maxNotesLines is how many lines of MEMORY.md Claude Code loads, maxNotesSize of how many bytes.
	maxNotesLines, maxNotesSize = 200, 25_000
)

// Loads implements hooks.Client.
func (c *Client) Loads(project, cwd string) []hooks.Loaded {
	if cwd == "" || !gate.Contains(project, cwd) {
		cwd = project
	}
	l := &loading{loads: c.Loaded}
	inProject := origin{place: gate.Place{Folder: project}, named: project}
	if c.Loaded.Imports.below {
		inProject.named = cwd
	}
	l.find(inProject, folders(cwd, project), c.Loaded.Project)
	l.find(inProject, []string{project}, c.Loaded.Top)
	home, err := os.UserHomeDir()
	if folder, err := c.UserFolder(); err == nil {
		own := origin{place: gate.Place{Folder: folder, Owner: gate.User}, named: folder}
		if c.Loaded.Imports.anywhere {
			own.named = home
		}
		if found := l.find(own, []string{folder}, c.Loaded.User); !found && c.Loaded.OrClaude {
			folder, _ = Claude.UserFolder()
			l.find(origin{place: own.place}, []string{folder}, []string{"CLAUDE.md"})
		}
	}
	// After the user's files, because ~/.claude/CLAUDE.md is also one of a folder above the project.
	if parent := filepath.Dir(project); c.Loaded.Above && err == nil && gate.Contains(home, parent) {
		above := origin{place: gate.Place{Folder: home, Owner: gate.User}}
		if !c.Loaded.Imports.below {
			above.named = home
		}
		l.find(above, folders(parent, home), c.Loaded.Project)
	}
	l.follow(home)
	if c.Loaded.notes {
		l.addNotes(project)
	}
	if c.Loaded.Size > 0 {
		l.fit(c.Loaded.Size)
	}
	if c.Loaded.Chosen && len(l.files) > 0 && c.choosesFiles(project) {
		return nil
	}
	return l.files
}

// choosesFiles reports whether settings of the client choose the files that it loads: memctl does not know which.
func (c *Client) choosesFiles(project string) bool {
	for _, t := range c.Targets(project) {
		var s struct {
			Excludes []string `json:"claudeMdExcludes"`
			Context  struct {
				FileName json.RawMessage `json:"fileName"`
			} `json:"context"`
		}
		if ReadJSON(project, t.Settings, &s) == nil && len(s.Excludes)+len(s.Context.FileName) > 0 {
			return true
		}
	}
	return false
}

// folders returns a folder and those above it, up to the last.
func folders(dir, last string) (list []string) {
	for ; ; dir = filepath.Dir(dir) {
		list = append(list, dir)
		if dir == last || dir == filepath.Dir(dir) {
			return list
		}
	}
}

// RepeatedIn returns what reports whether a result repeats what Claude Code loads for a prompt
// whose first root is given.
func RepeatedIn(root files.Root, cfg schemas.Config) func(retrieve.Result) bool {
	here, err := os.Getwd()
	if err != nil || cfg.Retrieval.RepeatLoaded {
		return nil
	}
	project := here
	if root.Shown == files.RootPath {
		project = root.Project
	}
	return hooks.Repeats(Claude.Loads(project, here))
}

type loading struct {
	loads LoadedFiles
	files []hooks.Loaded
	from  []origin // of each
}

// origin is where a file was found, and the folder of those that it may name with @, "" for none.
type origin struct {
	place gate.Place
	named string
	depth int // how many imports lead there
}

// find reads the files with the names in the folders, and reports whether there are any.
func (l *loading) find(from origin, dirs, names []string) (found bool) {
	has := map[string]bool{}
	for _, name := range names {
		o := from
		if !slices.ContainsFunc(l.loads.Imports.Of, func(p string) bool { return p == "*" || p == name }) {
			o.named = ""
		}
		for _, dir := range dirs {
			if l.loads.Choice == FirstInFolder && has[dir] {
				continue
			}
			paths := []string{filepath.Join(dir, filepath.FromSlash(name))}
			if strings.ContainsRune(name, '*') {
				paths, _ = filepath.Glob(paths[0])
			}
			for _, path := range paths {
				if l.read(o, path) {
					has[dir], found = true, true
				}
			}
		}
		if l.loads.Choice == FirstOfAll && found {
			break
		}
	}
	return found
}

// read reports whether there is such a file, and adds it if it counts for every request.
func (l *loading) read(from origin, path string) bool {
	if len(l.files) >= maxLoaded || slices.ContainsFunc(l.files, func(f hooks.Loaded) bool { return f.Path == path }) {
		return false
	}
	if _, err := gate.Lstat(path); err != nil { // as most are not there, this is quicker
		return false
	}
	data, err := from.place.Read(path, maxLoadedSize)
	if err == nil && !isForSome(string(data)) {
		l.files, l.from = append(l.files, hooks.Loaded{Path: path, Text: string(data)}), append(l.from, from)
	}
	return err == nil
}

// fit leaves out the files that do not fit into a size, those of the working folder first.
func (l *loading) fit(size int) {
	for i, f := range slices.Backward(l.files) {
		if size -= len(f.Text); size < 0 {
			l.files = l.files[i+1:]
			return
		}
	}
}

// addNotes reads the index of the agent's own notes, as far as the client does.
func (l *loading) addNotes(project string) {
	folder := ProjectNotes(project)
	own := origin{place: gate.Place{Folder: folder, Owner: gate.User}}
	before := len(l.files)
	if !l.read(own, filepath.Join(folder, "MEMORY.md")) {
		return
	}
	if NotesAreOff(project) { // asked last, because it reads three files and most projects have no notes
		l.files, l.from = l.files[:before], l.from[:before]
	}
	for i := before; i < len(l.files); i++ {
		n, size := 0, 0
		for line := range strings.Lines(l.files[i].Text) {
			if n++; n > maxNotesLines || size+len(line) > maxNotesSize {
				break
			}
			size += len(line)
		}
		l.files[i].Text = l.files[i].Text[:size]
	}
}

func (l *loading) follow(home string) {
	tried := 0
	for i := 0; i < len(l.files); i++ { // it grows
		from := l.from[i]
		if from.depth++; from.named == "" || from.depth > maxDepth {
			continue
		}
		for _, name := range namedWithAt(l.files[i].Text, l.loads.Imports.Marks) {
			path := filepath.FromSlash(name)
			if rest, ok := strings.CutPrefix(name, "~/"); ok && from.place.Owner == gate.User {
				path = filepath.Join(home, filepath.FromSlash(rest))
			} else if !filepath.IsAbs(path) {
				path = filepath.Join(filepath.Dir(l.files[i].Path), path)
			}
			if !gate.Contains(from.named, path) {
				continue // for some of these the client asks
			}
			if tried++; tried > maxImports {
				return
			}
			l.read(from, path)
		}
	}
}

// namedWithAt returns the paths that stand after @ in a text, but not in its code and its comments. The marks may
// stand before @ and after the path.
func namedWithAt(text, marks string) (names []string) {
	for line := range strings.Lines(hooks.Visible(text)) {
		if strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") {
			continue // it may be code
		}
		for word := range strings.FieldsSeq(line) {
			if name, ok := strings.CutPrefix(strings.Trim(word, marks), "@"); ok && name != "" {
				names = append(names, name)
			}
		}
	}
	return names
}

// isForSome reports whether a rule counts only for the files that its front matter names: paths of
// Claude Code, applyTo of Copilot.
func isForSome(data string) bool {
	front, _ := hooks.CutFront(data)
	for line := range strings.Lines(front) {
		key, value, _ := strings.Cut(line, ":")
		all := slices.Contains([]string{"*", "**", "**/*"}, strings.Trim(value, " \t\r\n\"'"))
		if strings.Contains(key, "paths") || strings.Contains(key, "applyTo") && !all {
			return true
		}
	}
	return false
}

// ProjectNotes is the folder in which Claude Code's agent keeps its notes on a project.
// The user's settings may name another for all projects. Those of a project may too, but strangers
// write them.
func ProjectNotes(project string) string {
	if own := store.WithHome(notesSettings(UserScope, project).AutoMemoryDirectory); filepath.IsAbs(own) {
		return filepath.Clean(own)
	}
	return filepath.Join(ProjectTranscripts(project), "memory")
}

// ProjectTranscripts is the folder of Claude Code's transcripts of a project.
func ProjectTranscripts(project string) string {
	folder, _ := Claude.UserFolder()
	return filepath.Join(folder, "projects", strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, Resolved(project)))
}

// NotesAreOff reports whether the settings of Claude Code switch its own notes off. The first
// file that says so decides, as in the client.
func NotesAreOff(project string) bool {
	if os.Getenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY") == "1" {
		return true
	}
	for _, scope := range []string{LocalScope, ProjectScope, UserScope} {
		if enabled := notesSettings(scope, project).AutoMemoryEnabled; enabled != nil {
			return !*enabled
		}
	}
	return false
}

type autoMemory struct {
	AutoMemoryEnabled   *bool  `json:"autoMemoryEnabled"`
	AutoMemoryDirectory string `json:"autoMemoryDirectory"`
}

// notesSettings returns what Claude Code's settings of a scope say about its own notes, nothing if
// they cannot be read.
func notesSettings(scope, project string) (s autoMemory) {
	t, err := NewTarget(scope, project)
	if err != nil || ReadJSON(project, t.Settings, &s) != nil {
		return autoMemory{}
	}
	return s
}

// maxNoteEntries is how many entries of a folder of notes are looked at.
const maxNoteEntries = 4096

// ListNotes lists what a folder has under the name of a note of Claude Code, as far as it is
// listed. MEMORY.md is the index of the notes, which the client loads.
func ListNotes(dir *gate.Dir) ([]fs.FileInfo, error) {
	handle, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer handle.Close()
	list, err := handle.Readdir(maxNoteEntries) // it follows no links
	if err == io.EOF {
		err = nil
	}
	return slices.DeleteFunc(list, func(f fs.FileInfo) bool {
		return !strings.HasSuffix(f.Name(), files.NoteExt) || f.Name() == "MEMORY.md"
	}), err
}

// CountNotes returns how many notes Claude Code keeps on a project, as far as they are listed, those
// that cannot be read too.
func CountNotes(project string) int {
	dir, err := gate.Enter(ProjectNotes(project))
	if err != nil {
		return 0
	}
	defer dir.Close()
	notes, _ := ListNotes(dir) // as many as could be listed
	return len(notes)
}
