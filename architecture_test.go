// Package memctl_test checks the structure of the two modules: which package may import
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

// ranks of the packages. A package imports only packages of a lower rank.
var ranks = map[string]int{
	"text": 0, "migrations": 0, "jsonedit": 0, "gate": 0, "commands": 0, "skills": 0,
	"privacy": 1,
	"schemas": 2,
	"memdir":  3, "db": 3, "triage": 3,
	"indexer": 4, "observe": 4, "meaning": 4, "git": 4,
	"retrieve": 5, "remote": 5,
	"writer":   6,
	"store":    7,
	"hooks":    8,
	"clients":  9,
	"exchange": 10, "review": 10, "sessions": 10,
	"doctor": 11, "mcpserver": 11,
	"web": 12,
	"cmd": 13, "tools": 13,
}

const topRank = 13

// hubMayImport lists the packages of memctl that the hub's module may import.
var hubMayImport = []string{
	"memctl/cmd/console", "memctl/db", "memctl/memdir", "memctl/privacy", "memctl/remote",
	"memctl/schemas", "memctl/text",
}

// source is a Go file that is not a test.
type source struct {
	path string // with slashes, relative to the module
	*ast.File
}

// top is the first element of the file's path.
func (s source) top() string {
	first, _, _ := strings.Cut(s.path, "/")
	return first
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

func TestPackagesImportOnlyLowerRanks(t *testing.T) {
	_, files := sources(t, ".")
	for _, file := range files {
		rank, known := ranks[file.top()]
		if !known {
			t.Errorf("%s: %q has no rank", file.path, file.top())
			continue
		}
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			path, found := strings.CutPrefix(imported, "memctl/")
			top, _, _ := strings.Cut(path, "/")
			if !found || top == file.top() {
				continue
			}
			if below, known := ranks[top]; !known || below >= rank {
				t.Errorf("%s, of rank %d, imports %s, of rank %d", file.path, rank, imported, below)
			}
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
	for _, module := range []string{"memctl/hub", "jackc/pgx", "prometheus", "go-oidc"} {
		if strings.Contains(string(required), module) {
			t.Errorf("go.mod names %s", module)
		}
	}
}

// apart lists what a package must not link, itself or by what it imports. A hook asks no hub. By net/http it asks
// the model of a user who has one; the program links it for other doors anyway.
var apart = map[string][]string{"hooks": {"memctl/remote"}}

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
		if top := file.top(); ranks[top] <= ranks["store"] || top == "doctor" || top == "tools" {
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
				t.Errorf("%s: %s.%s, which only store uses", fset.Position(selector.Pos()), from.Name, selector.Sel.Name)
			}
			return true
		})
	}
}

// opening lists what only gate may use of os, because a file of a project, or a link in its place,
// may be a stranger's.
var opening = []string{
	"Open", "OpenFile", "OpenRoot", "OpenInRoot", "Create", "CreateTemp", "ReadFile", "WriteFile", "ReadDir", "DirFS", "CopyFS",
	"Mkdir", "MkdirAll", "MkdirTemp", "Remove", "RemoveAll", "Rename", "Link", "Symlink", "Truncate", "Chmod", "Chtimes",
}

// openers are the other files that may, and why.
var openers = map[string]string{
	"memdir/known.go":                 "makes the state folder, and the folder of a root whose place was checked",
	"memdir/write.go":                 "makes the folder of a root whose place was checked",
	"memdir/system_other.go":          "asks for the rights of a folder",
	"memdir/systemtest/systemtest.go": "is for tests",
	"db/open.go":                      "makes a file that must not exist, because SQLite opens by path",
	"hooks/log.go":                    "appends to the file that the person's variable names",
	"writer/input.go":                 "reads what the command line names, which may be a pipe, and removes memctl's draft",
	"clients/claude.go":               "lists the user's own folder",
	"doctor/trial.go":                 "has a temporary folder of its own",
	"cmd/console/terminal_unix.go":    "opens the terminal of the person",
	"cmd/console/terminal_windows.go": "opens the console of the person",
	"cmd/memctl/edit.go":              "removes the copy that it made for the editor",
	"cmd/memctl/ui.go":                "removes the page that it made in the staging folder",
}

func TestFilesOfProjectsAreOpenedByTheGate(t *testing.T) {
	fset, files := sources(t, ".")
	used := map[string]bool{}
	for _, file := range files {
		if file.top() == "gate" || file.top() == "tools" {
			continue
		}
		ast.Inspect(file.File, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if from, ok := selector.X.(*ast.Ident); !ok || from.Name != "os" || !slices.Contains(opening, selector.Sel.Name) {
				return true
			}
			if used[file.path] = true; openers[file.path] == "" {
				t.Errorf("%s: os.%s, which gate is for", fset.Position(selector.Pos()), selector.Sel.Name)
			}
			return true
		})
	}
	for path := range openers {
		if !used[path] {
			t.Errorf("%s is listed and opens nothing", path)
		}
	}
}

// printing lists, by package, what only commands and tools may use.
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
		allowed := ranks[file.top()] == topRank
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
