package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"memctl/cmd/console"
	"memctl/files"
	"memctl/files/gate"
	"memctl/files/git"
	"memctl/text"
)

const (
	// maxFiles is how many files of a change are looked at.
	maxFiles = 300
	// maxLines and maxLine bound what is looked at of a file: its added lines, and the bytes of one.
	maxLines, maxLine = 2000, 500
	// maxWhole is the size of a file that is looked at whole, in bytes.
	maxWhole = 1 << 20
)

// scope says which change is meant; without a range and names it is the uncommitted one.
type scope struct {
	Range  string
	Staged bool
	Names  []string // of files and folders, below the project and with slashes
}

// change is a set of files with the lines that they have got.
type change struct {
	Files []changedFile
	Left  int  // files beyond maxFiles
	Cut   bool // lines beyond the bounds were left out
}

type changedFile struct {
	Path, From string // From is another name before the change, "" if there is none
	Lines      []addedLine
}

type addedLine struct {
	Number int
	Text   string
}

func (f changedFile) text() string {
	var b strings.Builder
	for _, l := range f.Lines {
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

// lines counts the lines of a change.
func (c change) lines() (n int) {
	for _, f := range c.Files {
		n += len(f.Lines)
	}
	return n
}

// readScope takes the arguments of check apart.
func readScope(root files.Root, staged bool, arguments []string) (s scope, err error) {
	s.Staged = staged
	if staged && len(arguments) > 0 {
		return s, console.Usagef("--staged takes no arguments, got %q", arguments[0])
	}
	if len(arguments) == 1 && isRange(arguments[0]) {
		s.Range = arguments[0]
		return s, nil
	}
	for _, name := range arguments {
		below, err := belowProject(root, name)
		if err != nil {
			return s, err
		}
		s.Names = append(s.Names, below)
	}
	return s, nil
}

// isRange reports whether an argument is a range of commits: A..B, A...B or COMMIT^!.
func isRange(argument string) bool {
	if _, err := gate.Lstat(argument); err == nil || strings.HasPrefix(argument, "-") {
		return false
	}
	before, after, found := strings.Cut(argument, "..")
	isPath := strings.HasSuffix(before, "/") || strings.HasPrefix(after, "/")
	return found && before != "" && !isPath || strings.HasSuffix(argument, "^!")
}

// belowProject returns the path of a file of the project, which need not exist, with slashes.
func belowProject(root files.Root, name string) (string, error) {
	at, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	for _, project := range []string{root.Project, resolved(root.Project)} {
		for _, file := range []string{at, filepath.Join(resolved(filepath.Dir(at)), filepath.Base(at))} {
			if below, err := filepath.Rel(project, file); err == nil && filepath.IsLocal(below) {
				return filepath.ToSlash(below), nil
			}
		}
	}
	return "", text.WithHint(fmt.Errorf("%s is outside of the project", text.Brief(name)),
		"run it in the project of the file")
}

func resolved(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	return path
}

// readChange reads a change of a root's project.
func readChange(ctx context.Context, root files.Root, s scope) (c change, err error) {
	err = git.CheckWorkTree(ctx, root.Project)
	inGit := err == nil
	if err != nil && len(s.Names) == 0 {
		return c, text.WithHint(err, `name the files to check: "memctl check FILE..."`)
	}
	if errors.Is(err, git.ErrNoProgram) || errors.Is(err, git.ErrNoRepository) || errors.Is(err, git.ErrBare) {
		err = nil
	}
	if inGit {
		c, err = differences(ctx, root, s)
	}
	if err == nil && s.Range == "" && !s.Staged && inGit {
		err = c.addUntracked(ctx, root, s)
	}
	for _, name := range s.Names {
		if err == nil && !c.has(name) {
			err = c.addWhole(root, name, true)
		}
	}
	return c, err
}

// has reports whether a file, or one in a folder of that name, is part of the change.
func (c change) has(name string) bool {
	return slices.ContainsFunc(c.Files, func(f changedFile) bool {
		return f.Path == name || name == "." || strings.HasPrefix(f.Path, name+"/")
	})
}

// differences reads what git compares.
func differences(ctx context.Context, root files.Root, s scope) (c change, err error) {
	var args []string
	switch {
	case s.Range != "":
		args = []string{s.Range}
	default:
		base, err := git.Base(ctx, root.Project)
		if err != nil {
			return c, err
		}
		if s.Staged {
			args = append(args, "--cached")
		}
		args = append(args, base)
	}
	args = append(append(args, "--"), literal(s.Names)...)
	at := map[string]int{}
	err = git.Between(ctx, root.Project, func(list iter.Seq[git.FileChange]) error {
		for f := range list {
			if isMemory(root, f.Path) {
				continue
			}
			if len(c.Files) == maxFiles {
				c.Left++
				continue
			}
			at[f.Path] = len(c.Files)
			c.Files = append(c.Files, changedFile{Path: f.Path, From: renamed(f)})
		}
		return nil
	}, args...)
	if failed := new(git.Error); errors.As(err, &failed) && s.Range != "" {
		return c, text.WithHint(fmt.Errorf("%s is not a range of commits: %s", text.Brief(s.Range), failed.Message),
			`name two commits, such as "main..HEAD", or one, such as "HEAD^!"`)
	}
	if err != nil {
		return c, err
	}
	err = git.Lines(ctx, root.Project, nil, func(file string, n int, line []byte) bool {
		if i, known := at[file]; known {
			c.add(i, n, line)
		}
		return true
	}, args...)
	return c, err
}

// literal has git take names for what they are.
func literal(names []string) (specs []string) {
	for _, name := range names {
		specs = append(specs, ":(literal)"+name)
	}
	return specs
}

// renamed returns the name of a file before a change that gave it another one, "" for none.
func renamed(f git.FileChange) string {
	if f.Status == 'R' && len(f.From) == 1 {
		return f.From[0]
	}
	return ""
}

// isMemory reports whether a path is in the memory root itself.
func isMemory(root files.Root, path string) bool {
	below, err := filepath.Rel(root.Project, root.Path)
	below = filepath.ToSlash(below)
	return err == nil && (path == below || strings.HasPrefix(path, below+"/"))
}

// add adds a line to a file of the change, within the bounds.
func (c *change) add(i, n int, line []byte) {
	if len(c.Files[i].Lines) == maxLines {
		c.Cut = true
		return
	}
	if len(line) > maxLine {
		line, c.Cut = line[:maxLine], true
	}
	added := strings.ToValidUTF8(strings.TrimRight(string(line), "\r"), "")
	c.Files[i].Lines = append(c.Files[i].Lines, addedLine{n, added})
}

// addUntracked adds the files that git does not have yet.
func (c *change) addUntracked(ctx context.Context, root files.Root, s scope) error {
	paths, err := git.Untracked(ctx, root.Project, s.Names...)
	for _, path := range paths {
		if isMemory(root, path) {
			continue
		}
		if err := c.addWhole(root, path, false); err != nil {
			return err
		}
	}
	return err
}

// addWhole adds all lines of a file. One that a person named has to be there, unless it is a folder.
func (c *change) addWhole(root files.Root, path string, named bool) error {
	if len(c.Files) >= maxFiles {
		c.Left++
		return nil
	}
	info, err := gate.Lstat(filepath.Join(root.Project, filepath.FromSlash(path)))
	switch {
	case named && errors.Is(err, fs.ErrNotExist):
		return text.WithHint(fmt.Errorf("there is no file %s, nor a range of commits of that name", text.Brief(path)),
			`name files of the project, or a range of commits, such as "main..HEAD"`)
	case err == nil && info.IsDir():
		return nil
	}
	// Of a link, a device, and what is too large or unreadable, the name is all that is looked at.
	data, _ := gate.Place{Folder: root.Project}.ReadNamed(gate.Name(path), maxWhole)
	c.Files = append(c.Files, changedFile{Path: path})
	if bytes.IndexByte(data, 0) >= 0 {
		return nil
	}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		c.add(len(c.Files)-1, n, bytes.TrimSuffix(line, []byte("\n")))
	}
	return nil
}
