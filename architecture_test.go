// Package memctl_test checks the structure of the modules: which package may import
// which, and which may print or exit.
package memctl_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ranks of the rooms of the core, which are the folders at the root. A room imports only rooms of a lower rank.
var ranks = map[string]int{
	"text": 0, "migrations": 0,
	"privacy": 1,
	"schemas": 2,
	"files":   3, "triage": 3,
	"db": 4, "observe": 4,
	"indexer":  5,
	"retrieve": 6,
	"writer":   7,
	"store":    8,
	"hooks":    9,
	"clients":  10,
	"cmd":      11,
}

// featureList is the file that names the features of the program, a line each. What it does not name is not built.
const featureList = "cmd/memctl/features.go"

// The rooms of the core, and the arrows between them, that a newcomer has to learn.
const maxRooms, maxArrows = 15, 80

// shows lists what else a feature may import: the page shows what other features find, and the MCP server has the
// parts of the plugin as prompts. A sync merges as the merge driver does.
var shows = map[string][]string{
	"features/mcp":  {"commands", "skills"},
	"features/sync": {"features/git"},
	"features/web": {"features/doctor", "features/exchange", "features/git", "features/proposals",
		"features/review", "features/sessions"},
}

// apartFrom are the folders that belong to no room: the parts of the plugin. The hub and the tools are modules of their
// own.
var apartFrom = []string{"commands", "skills"}

// hubMayImport lists the packages of memctl that the hub's module may import.
var hubMayImport = []string{
	"memctl/cmd/console", "memctl/db", "memctl/files", "memctl/privacy", "memctl/features/hub/remote",
	"memctl/schemas", "memctl/text",
}

// source is a Go file that is not a test.
type source struct {
	path string // with slashes, relative to the module
	*ast.File
}

// roomOf returns the room of a path: its first folder, or a feature's.
func roomOf(path string) string {
	room, rest, _ := strings.Cut(path, "/")
	if room == "features" {
		name, _, _ := strings.Cut(rest, "/")
		return "features/" + name
	}
	return room
}

func (s source) room() string { return roomOf(s.path) }

func (s source) isFeature() bool { return strings.HasPrefix(s.path, "features/") }

// imports are the packages of memctl that the file imports, without "memctl/".
func (s source) imports() (paths []string) {
	for _, spec := range s.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		if path, own := strings.CutPrefix(imported, "memctl/"); own {
			paths = append(paths, path)
		}
	}
	return paths
}

// sources returns the files of a module: of memctl's in ".", or of the hub's in "hub".
func sources(t *testing.T, module string) (*token.FileSet, []source) {
	t.Helper()
	fset := token.NewFileSet()
	var files []source
	err := fs.WalkDir(os.DirFS(module), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			base := entry.Name()
			_, notNested := fs.Stat(os.DirFS(module), path.Join(name, "go.mod"))
			if base == "testdata" || name != "." && (strings.HasPrefix(base, ".") || notNested == nil) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(fset, filepath.Join(module, name), nil, parser.SkipObjectResolution)
		files = append(files, source{name, file})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no Go files")
	}
	return fset, files
}

func TestRoomsImportOnlyLowerRooms(t *testing.T) {
	_, files := sources(t, ".")
	for _, file := range files {
		rank, isCore := ranks[file.room()]
		if !isCore && !file.isFeature() && !slices.Contains(apartFrom, file.room()) {
			t.Errorf("%s: %q is neither a room of the core nor a feature", file.path, file.room())
			continue
		}
		for _, imported := range file.imports() {
			below, isCore := ranks[roomOf(imported)]
			switch {
			case roomOf(imported) == file.room():
			case slices.Contains(apartFrom, file.room()):
			case file.isFeature() && (isCore && imported != "cmd/memctl" || slices.Contains(shows[file.room()],
				roomOf(imported))):
			case file.path == featureList && strings.HasPrefix(imported, "features/"):
			case !isCore || below >= rank:
				t.Errorf("%s imports %s", file.path, imported)
			}
		}
	}
}

// budgets are the lines of Go without tests that a room may have: all rooms of the core together, and each feature.
// They may fall. The message of a commit that raises one says why; "git log -L" of its line lists them.
var budgets = map[string]int{
	"core":                  53_559,
	"features/check":        1_158,
	"features/clients":      1_352,
	"features/completion":   253,
	"features/doctor":       2_139,
	"features/eval":         205,
	"features/exchange":     7_921,
	"features/git":          1_798,
	"features/hub":          2_245,
	"features/install":      2_588,
	"features/mcp":          1_465,
	"features/meaning":      1_115,
	"features/observations": 352,
	"features/proposals":    629,
	"features/review":       4_082,
	"features/roots":        143,
	"features/sessions":     1_571,
	"features/sync":         1_380,
	"features/web":          7_139,
}

func TestRoomsStayWithinTheirBudgets(t *testing.T) {
	fset, files := sources(t, ".")
	lines, rooms, arrows := map[string]int{}, map[string]bool{}, map[string]bool{}
	for _, file := range files {
		room := file.room()
		if slices.Contains(apartFrom, room) || strings.HasSuffix(file.Name.Name, "test") {
			continue
		}
		if _, isCore := ranks[room]; isCore {
			rooms[room] = true
			for _, imported := range file.imports() {
				if to := roomOf(imported); to != room && !strings.HasPrefix(to, "features/") {
					arrows[room+" "+to] = true
				}
			}
			room = "core"
		}
		lines[room] += fset.File(file.FileStart).LineCount() - 1
	}
	if len(rooms) > maxRooms || len(arrows) > maxArrows {
		t.Errorf("the core has %d rooms and %d arrows, want at most %d and %d", len(rooms), len(arrows), maxRooms,
			maxArrows)
	}
	for room, n := range lines {
		if budget, known := budgets[room]; n > budget || !known {
			t.Errorf("%s: %+d lines over its budget of %d in architecture_test.go; remove as many, or raise it and "+
				"say why in the commit", room, n-budget, budget)
		}
	}
}

// writtenProgram writes a file that may be run.
var writtenProgram = regexp.MustCompile(`os\.WriteFile\(.*, 0o?7[0-7]{2}\)`)

// chmodLine makes a file that a script has into a program.
var chmodLine = regexp.MustCompile(`(?m)^(\[.*\] )?chmod [0-7]*[1357]`)

// A program that a test writes may still be open in a child of another test when it starts ("text file busy").
func TestProgramsOfTestsAreWrittenByOneHelper(t *testing.T) {
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, entry fs.DirEntry, err error) error {
		isScript := strings.HasSuffix(name, ".txtar")
		if err != nil || !isScript && !strings.HasSuffix(name, "_test.go") {
			return err
		}
		data, err := os.ReadFile(name)
		if isScript && chmodLine.Match(data) {
			t.Errorf("%s: write the program by \"exec install FILE PROGRAM\"", name)
		}
		if !isScript && writtenProgram.Match(data) {
			t.Errorf("%s: write the program by systemtest.WriteProgram, or link it", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The hub takes little of memctl, and memctl nothing that only a hub needs: it would cost
// every hook its initialisation.
func TestTheHubIsAModuleOfItsOwn(t *testing.T) {
	_, files := sources(t, "hub")
	for _, file := range files {
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			own := imported == "memctl/hub" || strings.HasPrefix(imported, "memctl/hub/")
			if strings.HasPrefix(imported, "memctl/") && !own && !slices.Contains(hubMayImport, imported) {
				t.Errorf("hub/%s imports %s", file.path, imported)
			}
		}
	}
	required, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range []string{"memctl/hub", "memctl/tools", "jackc/pgx", "prometheus", "go-oidc"} {
		if strings.Contains(string(required), module) {
			t.Errorf("go.mod names %s", module)
		}
	}
}

// apart lists what a package must not link, itself or by what it imports. A hook asks no hub. By net/http it asks
// the model of a user who has one; the program links it for other doors anyway.
var apart = map[string][]string{"hooks": {"memctl/features"}}

func TestPackagesDoNotLinkWhatOthersNeed(t *testing.T) {
	_, files := sources(t, ".")
	imports := map[string][]string{} // by folder
	for _, file := range files {
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			imports[path.Dir(file.path)] = append(imports[path.Dir(file.path)], imported)
		}
	}
	for start, forbidden := range apart {
		seen, open := map[string]bool{start: true}, []string{start}
		for len(open) > 0 {
			folder := open[0]
			open = open[1:]
			for _, imported := range imports[folder] {
				for _, name := range forbidden {
					if imported == name || strings.HasPrefix(imported, name+"/") {
						t.Errorf("%s imports %s, which %s must not link", folder, imported, start)
					}
				}
				if own, found := strings.CutPrefix(imported, "memctl/"); found && !seen[own] {
					seen[own], open = true, append(open, own)
				}
			}
		}
		if len(seen) < 5 {
			t.Errorf("%s imports only %d packages", start, len(seen))
		}
	}
}

// throughStore lists what only store and the packages below it may use, by package: doors
// open no index and make no writer by themselves.
var throughStore = map[string][]string{
	"retrieve": {"Use"},
	"writer":   {"Writer{"},
}

func TestDoorsGoThroughTheStore(t *testing.T) {
	fset, files := sources(t, ".")
	for _, file := range files {
		// doctor says which way the index was opened.
		rank, isCore := ranks[file.room()]
		if isCore && rank <= ranks["store"] || file.room() == "features/doctor" {
			continue
		}
		for _, spec := range file.Imports {
			if spec.Path.Value == `"memctl/indexer"` {
				t.Errorf("%s imports indexer, which store is the way to", file.path)
			}
		}
		ast.Inspect(file.File, func(n ast.Node) bool {
			mark := ""
			if literal, ok := n.(*ast.CompositeLit); ok {
				n, mark = literal.Type, "{"
			}
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			from, ok := selector.X.(*ast.Ident)
			if ok && slices.Contains(throughStore[from.Name], selector.Sel.Name+mark) {
				t.Errorf("%s: %s.%s, which only store uses", fset.Position(selector.Pos()), from.Name,
					selector.Sel.Name)
			}
			return true
		})
	}
}

// opening lists what only gate may use of os, because a file of a project, or a link in its place,
// may be a stranger's.
var opening = []string{
	"Open", "OpenFile", "OpenRoot", "OpenInRoot", "Root", "Create", "CreateTemp", "ReadFile", "WriteFile", "ReadDir",
	"DirFS",
	"CopyFS", "Mkdir", "MkdirAll", "MkdirTemp", "Remove", "RemoveAll", "Rename", "Link", "Symlink", "Truncate", "Chmod",
	"Chtimes", "Lstat", "Stat", "Readlink", "NewFile",
}

func TestOnlyTheGateOpensFiles(t *testing.T) {
	fset, files := sources(t, ".")
	const gate = "files/gate"
	found := false // in gate; if nothing is found there, the search is broken
	for _, file := range files {
		// A package whose name ends in test is for tests.
		if strings.HasSuffix(file.Name.Name, "test") {
			continue
		}
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if strings.HasPrefix(imported, "memctl/") && strings.HasSuffix(imported, "test") {
				t.Errorf("%s imports %s, which is for tests", file.path, imported)
			}
		}
		ast.Inspect(file.File, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if from, ok := selector.X.(*ast.Ident); !ok || from.Name != "os" ||
				!slices.Contains(opening, selector.Sel.Name) {
				return true
			}
			if found = found || path.Dir(file.path) == gate; path.Dir(file.path) != gate {
				t.Errorf("%s: os.%s, which gate is for", fset.Position(selector.Pos()), selector.Sel.Name)
			}
			return true
		})
	}
	if !found {
		t.Error("found no file operation in gate")
	}
}

// printing lists, by package, what only commands may use.
var printing = map[string][]string{
	"os":  {"Exit", "Stdout", "Stderr"},
	"fmt": {"Print", "Printf", "Println"},
	"log": {"Print", "Printf", "Println", "Fatal", "Fatalf", "Fatalln"},
}

func TestOnlyCommandsPrintOrExit(t *testing.T) {
	for _, module := range []string{".", "hub"} {
		printOrExit(t, module)
	}
}

func printOrExit(t *testing.T, module string) {
	fset, files := sources(t, module)
	found := false // in a command; if nothing is found there, the search is broken
	for _, file := range files {
		allowed := file.room() == "cmd" || module == "hub" && strings.HasPrefix(file.path, "cmd/")
		ast.Inspect(file.File, func(n ast.Node) bool {
			name, ok := printingName(n)
			found = found || ok && allowed
			if ok && !allowed {
				t.Errorf("%s: %s", fset.Position(n.Pos()), name)
			}
			return true
		})
	}
	if !found {
		t.Error("found no command that prints or exits")
	}
}

func printingName(n ast.Node) (string, bool) {
	selector, ok := n.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	from, ok := selector.X.(*ast.Ident)
	if !ok {
		return "", false
	}
	for _, name := range printing[from.Name] {
		if selector.Sel.Name == name {
			return from.Name + "." + name, true
		}
	}
	return "", false
}
