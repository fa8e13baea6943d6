package web

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"memctl/text"
)

// formatOf is the format of a text in a source: of "edit "+path, edit %s.
func formatOf(e ast.Expr) (format string, words bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			format, _ = strconv.Unquote(e.Value)
			return format, true
		}
	case *ast.BinaryExpr:
		left, one := formatOf(e.X)
		right, other := formatOf(e.Y)
		return left + right, one || other
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.SelectorExpr); ok && len(e.Args) > 0 &&
			(f.Sel.Name == "Sprintf" || f.Sel.Name == "Errorf" || f.Sel.Name == "New") {
			return formatOf(e.Args[0])
		}
	}
	return "%s", false
}

// saidSomewhere returns the formats of all sources of this module, with %s for every verb.
func saidSomewhere(t *testing.T) (formats map[string]bool, others string) {
	t.Helper()
	formats = map[string]bool{}
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil || strings.HasSuffix(name, "_test.go"):
			return err
		case entry.IsDir() && (name == "testdata" || name == "hub" && filepath.Dir(path) == filepath.Join("..", "..")):
			return fs.SkipDir
		case strings.HasSuffix(name, ".sql"), strings.HasSuffix(name, ".schema.json"):
			data, err := os.ReadFile(path)
			others += string(data)
			return err
		case !strings.HasSuffix(name, ".go"):
			return nil
		}
		tree, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for node := range ast.Preorder(tree) {
			if e, ok := node.(ast.Expr); ok {
				if format, words := formatOf(e); words {
					formats[verb().ReplaceAllString(format, "%s")] = true
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return formats, others
}

// A sentence that memctl does not say any more, or says in other words, is missed here.
func TestSentencesAreSaidByMemctl(t *testing.T) {
	formats, others := saidSomewhere(t)
	for _, number := range []syscall.Errno{syscall.ENOENT, syscall.EACCES, syscall.EISDIR, syscall.ENOTDIR, syscall.EEXIST,
		syscall.ENOSPC, syscall.EROFS} {
		formats[number.Error()] = true
	}
	for _, foreign := range []string{fs.ErrNotExist.Error(), "http: request body too large", "unexpected end of JSON input",
		"%s / Result: Success", "%s / Result: Failure%s", "%s / Result: Unknown", "Command: ", "File: ", "Pattern: ", // of a view of the index
		"%s item", "%s items", "%s character", "%s characters", // of schemas.count
		"%s is outside %s; using %s", "%s and %s more", "%s changed file", "%s changed files",
	} {
		formats[foreign] = true
	}
	said := func(key string) bool {
		format := verb().ReplaceAllString(key, "%s")
		if formats[format] || formats[strings.TrimSuffix(format, "%s")] || strings.HasPrefix(key, "invalid character ") { // of encoding/json
			return true
		}
		if strings.Contains(others, key) {
			return true
		}
		for known := range formats { // "%d items" is made of "%d %ss"
			if strings.Contains(known, "%s") && len(strings.ReplaceAll(known, "%s", "")) >= 6 && regexp.MustCompile("^"+strings.ReplaceAll(
				regexp.QuoteMeta(known), "%s", ".*")+"$").MatchString(format) {
				return true
			}
		}
		return false
	}
	patterns := map[string]string{}
	for key, korean := range readKorean("sentences.json") {
		pattern := strings.NewReplacer("%d", "%d", "%q", "%s", "%v", "%s", "%w", "%s").Replace(key)
		if other := patterns[pattern]; other != "" {
			t.Errorf("%q and %q match the same", key, other)
		}
		patterns[pattern] = key
		if !said(key) {
			t.Errorf("nothing says %q", key)
		}
		if got, want := len(verb().FindAllString(korean, -1)), len(verb().FindAllString(key, -1)); got != want {
			t.Errorf("%q has %d arguments, want %d", korean, got, want)
		}
	}
}

// callsIn yields the calls in the Go files of some features, each with its file.
func callsIn(t *testing.T, folders ...string) iter.Seq2[string, *ast.CallExpr] {
	return func(yield func(string, *ast.CallExpr) bool) {
		for _, folder := range folders {
			files, err := filepath.Glob("../" + folder + "/*.go")
			if err != nil || len(files) == 0 {
				t.Fatal(folder, err)
			}
			for _, file := range files {
				tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
				if err != nil {
					t.Fatal(err)
				}
				for node := range ast.Preorder(tree) {
					if call, ok := node.(*ast.CallExpr); ok && !yield(file, call) {
						return
					}
				}
			}
		}
	}
}

// What doctor says to do is in Korean, unless it is a command.
func TestRepairsSpeakKorean(t *testing.T) {
	command := regexp.MustCompile(`^(?:memctl|git|chmod|rm) [^;,]*$`)
	checked := 0
	for file, call := range callsIn(t, "doctor", "hub", "meaning") {
		f, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || len(call.Args) < 3 || f.Sel.Name != "Warn" && f.Sel.Name != "Fail" {
			continue
		}
		fix, words := formatOf(call.Args[1])
		example := strings.ReplaceAll(fix, "%s", "PATH")
		if !words || text.OneLine(fix, 4) == "%s" || command.MatchString(example) {
			continue
		}
		checked++
		if said("ko", example) == example {
			t.Errorf("%s: no Korean for %q", file, fix)
		}
	}
	if checked < 20 {
		t.Errorf("only %d repairs were found", checked)
	}
}
