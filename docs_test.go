package memctl_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"memctl/schemas"
)

// docPages returns the text of the pages at the root, in docs and of the hub, by path.
func docPages(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	read := func(path string) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		pages[path] = string(data)
	}
	for _, page := range []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "hub/README.md"} {
		read(page)
	}
	err := filepath.WalkDir("docs", func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			read(filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

var (
	docPath = regexp.MustCompile(`[\w.-]+/[\w./*-]*\w`)
	docLink = regexp.MustCompile(`\]\(([^):#]*)(#[^)]*)?\)`)
	docFile = regexp.MustCompile("`(\\w+\\.(?:go|sql))`")
	docName = regexp.MustCompile(`\b([a-z]+)\.(?:[A-Z]\w*\.)?([A-Z]\w*)\b`)
)

// The targets of links exist, with their headings, also those of the changelog.
func TestDocsLinkToWhatExists(t *testing.T) {
	pages := docPages(t)
	changelog, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	pages["CHANGELOG.md"] = string(changelog)
	for page, content := range pages {
		for _, link := range docLink.FindAllStringSubmatch(content, -1) {
			target := linkTarget(page, link[1])
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", page, link[1], err)
			} else if _, found := sections(pages[target])[link[2]]; !found && link[2] != "" {
				t.Errorf("%s links to %s, which has no heading %s", page, target, link[2])
			}
		}
	}
}

// Files that the documentation names exist.
func TestDocsNameFilesThatExist(t *testing.T) {
	for page, content := range docPages(t) {
		for _, name := range docPath.FindAllString(content, -1) {
			if folder, _, _ := strings.Cut(name, "/"); !isSourceFolder(folder) {
				continue
			}
			if _, is := schemas.CategoryOfPath(name); is || name == "docs/adr" { // a memory, records of any project
				continue
			}
			if found, err := filepath.Glob(name); err != nil || len(found) == 0 {
				t.Errorf("%s names %s, which does not exist", page, name)
			}
		}
		for _, file := range docFile.FindAllStringSubmatch(content, -1) {
			if _, err := os.Stat(file[1]); err != nil {
				t.Errorf("%s names %s: give its folder", page, file[1])
			}
		}
	}
}

// Pages that code, help and messages name exist.
func TestTextsNamePagesThatExist(t *testing.T) {
	page, named := regexp.MustCompile(`\b(?:docs|hub|features)/[\w./-]*\.md\b`), 0
	walkFiles(t, func(path, content string) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, name := range page.FindAllString(content, -1) {
			named++
			if _, err := os.Stat(name); err != nil {
				t.Errorf("%s names %s, which does not exist", path, name)
			}
		}
	}, "", ".go", ".txt", ".sql", ".tmpl", ".json", ".js", ".yaml", ".sh")
	if named < 20 {
		t.Errorf("only %d pages are named", named)
	}
}

// Declarations that the documentation names as package.Name, or package.Type.Name,
// exist in that package.
func TestDocsNameDeclarationsThatExist(t *testing.T) {
	for page, content := range docPages(t) {
		for _, match := range docName.FindAllStringSubmatch(content, -1) {
			if name, folder := match[2], match[1]; isSourceFolder(folder) && !declares(t, folder, name) {
				t.Errorf("%s names %s, which package %s does not declare", page, match[0], folder)
			}
		}
	}
}

// CHANGELOG.md has the form of keepachangelog.com: a section for each release and its date,
// with parts for kinds of changes.
func TestChangelogHasItsForm(t *testing.T) {
	changelog, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	section := regexp.MustCompile(`^## \[(Unreleased|\d+\.\d+\.\d+)\]( - \d{4}-\d{2}-\d{2})?$`)
	part := regexp.MustCompile(`^### (Added|Changed|Deprecated|Removed|Fixed|Security)$`)
	sections := 0
	for line := range strings.Lines(string(changelog)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "### "):
			if !part.MatchString(line) {
				t.Errorf("%q is no kind of change", line)
			}
		case strings.HasPrefix(line, "## "):
			match := section.FindStringSubmatch(line)
			if match == nil || (match[1] == "Unreleased") != (match[2] == "") {
				t.Errorf("%q is no section of a release", line)
			}
			if sections++; sections == 1 && line != "## [Unreleased]" {
				t.Errorf("the first section is %q", line)
			}
		}
	}
	if sections == 0 {
		t.Error("the changelog has no section")
	}
}

// isSourceFolder reports whether name is a folder of the source, not of built files. The
// pages name .github in projects that use memctl.
func isSourceFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir() && strings.Trim(name, ".") != "" && !slices.Contains([]string{"bin", "dist", ".github"}, name)
}

// declares reports whether a file of the package has a declaration of that name: a
// function, a method, a type, or a constant or variable, also in parentheses.
func declares(t *testing.T, folder, name string) bool {
	t.Helper()
	declaration := regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?|type |var |const |\t)` + name + `\b`)
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_test.go") && declaration.Match(source) {
			return true
		}
	}
	return false
}
