package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Commit is where a version comes from. A version that is not committed has none of it.
type Commit struct {
	ID      string `json:"commit,omitempty"`
	Author  string `json:"author,omitempty"`
	Email   string `json:"-"`              // of the author
	Date    string `json:"date,omitempty"` // of the author, RFC 3339
	Subject string `json:"subject,omitempty"`
	Parents string `json:"-"` // ids, separated by spaces
	Time    int64  `json:"-"` // of the committer, Unix
}

// FileChange is the change of a commit to one file.
type FileChange struct {
	Status  byte     // as git prints it: A, D, M, R, ...
	Path    string   // after the commit; that of a deleted file before it
	From    []string // the path in each parent, "" where the file is not there
	Blob    string   // after the commit, "" if the commit deleted the file
	Similar int      // of a rename, in percent
}

// logFormat has the fields of a Commit, each ended by a NUL. Names follow .mailmap; addresses do not, because a reflog
// has those of the commits.
const logFormat = "--format=%H%x00%P%x00%ct%x00%aN%x00%ae%x00%aI%x00%s"

// changeOptions have git print changes of files that parse as FileChange.
var changeOptions = []string{"-z", "--raw", "--no-abbrev", "--no-relative", "--no-ext-diff", "--no-textconv"}

// logArgs have git log print what readLog reads.
var logArgs = append([]string{"--literal-pathspecs", "-c", "log.showRoot=true", "log", "--no-follow", "--no-notes",
	"--no-color", "--encoding=UTF-8", logFormat}, changeOptions...)

// Log runs git log with further arguments, for a limited time, and calls use with each
// commit and its files, the last commit first, while git runs. Paths are from the top of
// the working tree.
func Log(ctx context.Context, dir string, limit time.Duration, use func(Commit, iter.Seq[FileChange]) error,
	args ...string) error {
	return fields(ctx, dir, nil, limit, func(fields iter.Seq[string]) error {
		return readLog(fields, use)
	}, slices.Concat(logArgs, args)...)
}

// Commits lists the commits that led to the one that is checked out, the last first, without their
// authors and subjects.
func Commits(ctx context.Context, dir string) (list []Commit, err error) {
	err = stream(ctx, dir, nil, timeout, bufio.ScanLines, func(lines iter.Seq[[]byte]) error {
		for line := range lines {
			words := append(strings.Fields(string(line)), "", "")
			c := Commit{ID: words[0], Parents: strings.TrimSpace(strings.Join(words[2:], " "))}
			c.Time, _ = strconv.ParseInt(words[1], 10, 64)
			list = append(list, c)
		}
		return nil
	}, "log", "--date-order", "--no-color", "--format=%H %ct %P", "HEAD", "--")
	return list, err
}

// LogOf is Log of listed commits, with renames. Of a commit that this clone lacks the contents of, only
// files that were moved unchanged count as renamed. It reports whether there are such commits.
func LogOf(ctx context.Context, dir string, commits []Commit, use func(Commit, iter.Seq[FileChange]) error) (
	lacks bool, err error) {
	read := func(commits []Commit, renames string) (n int, err error) {
		err = fields(ctx, dir, idsOf(commits), timeout, func(fields iter.Seq[string]) error {
			return readLog(fields, func(c Commit, files iter.Seq[FileChange]) error {
				n++
				return use(c, files)
			})
		}, slices.Concat(logArgs, []string{"--no-walk=unsorted", "--stdin", renames, "-l1000",
			"--ignore-submodules=none", "--"})...)
		return n, err
	}
	const exact = "--find-renames=100%" // compares no contents
	return readable(commits, func(commits []Commit, last bool) (int, error) {
		if last {
			return read(commits, exact)
		}
		n, err := read(commits, "--find-renames")
		if n == 0 && errors.As(err, new(*Error)) {
			if n, readErr := read(commits[:1], exact); readErr != nil {
				return n, readErr
			}
		}
		return n, err
	})
}

func idsOf(commits []Commit) io.Reader {
	var ids strings.Builder
	for _, c := range commits {
		ids.WriteString(c.ID + "\n")
	}
	return strings.NewReader(ids.String())
}

// maxLacking is how often readable goes on, with a new process each time. A clone without old contents lacks those of
// most commits.
const maxLacking = 30

// readable has read read commits, of which it returns the number. It goes on behind one that git cannot
// read because this clone lacks its contents. The last time, read is told so.
func readable(commits []Commit, read func(commits []Commit, last bool) (n int, err error)) (lacks bool, err error) {
	for tries := 0; len(commits) > 0; tries++ {
		n, err := read(commits, tries == maxLacking)
		if !errors.As(err, new(*Error)) || tries == maxLacking {
			return tries > 0, err
		}
		commits = commits[max(n, 1):]
	}
	return true, nil
}

// RemovedLines calls use with each line that listed commits removed from files, the last commit first,
// until it returns false, and step once a commit. Pathspecs limit the files. It leaves out what this
// clone lacks.
func RemovedLines(ctx context.Context, dir string, commits []Commit, maxBytes int, step func(),
	use func(c Commit, line []byte) bool, pathspecs ...string) error {
	args := append([]string{"-c", "core.quotePath=false", "-c", "core.bigFileThreshold=" + strconv.Itoa(maxBytes),
		"diff-tree", "--stdin", "--always", "-r", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames",
		"--diff-filter=MD", "--ignore-submodules=all", "-U0", "--patch", "--format=tformat:commit", "--"}, pathspecs...)
	_, err := readable(commits, func(commits []Commit, _ bool) (n int, err error) {
		err = stream(ctx, dir, idsOf(commits), timeout, bufio.ScanLines, func(lines iter.Seq[[]byte]) error {
			header := true
			for line := range lines {
				switch {
				case string(line) == "commit":
					n++
					step()
				case bytes.HasPrefix(line, []byte("diff --git ")):
					header = true
				case bytes.HasPrefix(line, []byte("@@")):
					header = false
				case !header && bytes.HasPrefix(line, []byte("-")):
					if !use(commits[n-1], line[1:]) {
						return nil
					}
				}
			}
			return nil
		}, args...)
		return n, err
	})
	return err
}

// maxBranches is how many branches are asked for a file, the last changed first.
const maxBranches = 1000

// OnBranches calls use with each file below some paths that a branch, local or remote-tracking, has and the
// commit that is checked out lacks.
func OnBranches(ctx context.Context, dir string, use func(path string), paths ...string) error {
	args := []string{"for-each-ref", "--sort=-committerdate", "--count=" + strconv.Itoa(maxBranches),
		"--format=%(objectname) " + Head(ctx, dir), "refs/heads", "refs/remotes"}
	pairs, err := Run(ctx, dir, args...) // each branch, and the commit that it is compared with
	if err != nil {
		return err
	}
	args = []string{"--literal-pathspecs", "diff-tree", "--stdin", "-r", "-z", "--name-only", "--no-commit-id",
		"--no-renames",
		"--diff-filter=A", "--"}
	return fields(ctx, dir, bytes.NewReader(pairs), timeout, func(fields iter.Seq[string]) error {
		for field := range fields {
			use(field)
		}
		return nil
	}, append(args, paths...)...)
}

// Staged calls use with what is staged, like Log.
func Staged(ctx context.Context, dir string, limit time.Duration, use func(iter.Seq[FileChange]) error) error {
	args := append([]string{"diff-index", "--cached", "-M", "--ignore-submodules=all"}, changeOptions...)
	return fields(ctx, dir, nil, limit, readChanges(use), append(args, "HEAD", "--")...)
}

// readChanges calls use with the files of a difference.
func readChanges(use func(iter.Seq[FileChange]) error) func(iter.Seq[string]) error {
	return func(fields iter.Seq[string]) error {
		r, stop := newLogReader(fields)
		defer stop()
		if err := use(r.changes); err != nil {
			return err
		}
		return r.err
	}
}

// logReader reads what git prints about commits.
type logReader struct {
	pull   func() (string, bool)
	unread string // a field that was looked at, "" for none
	err    error
}

func newLogReader(fields iter.Seq[string]) (r *logReader, stop func()) {
	pull, stop := iter.Pull(fields)
	return &logReader{pull: pull}, stop
}

// readLog calls use with each commit of a log.
func readLog(fields iter.Seq[string], use func(Commit, iter.Seq[FileChange]) error) error {
	r, stop := newLogReader(fields)
	defer stop()
	for {
		id, ok := r.peek()
		if !ok {
			return nil
		}
		r.unread = ""
		if strings.HasPrefix(id, ":") {
			return fmt.Errorf("git log: %q belongs to no commit", id)
		}
		c := Commit{ID: id, Parents: r.next()}
		c.Time, _ = strconv.ParseInt(r.next(), 10, 64)
		c.Author, c.Email, c.Date, c.Subject = r.text(), r.text(), r.text(), r.text()
		if err := use(c, r.changes); err != nil {
			return err
		}
		for range r.changes { // those that use has not read
		}
		if r.err != nil {
			return r.err
		}
	}
}

func (r *logReader) next() string {
	field, _ := r.pull()
	return field
}

func (r *logReader) text() string { return strings.ToValidUTF8(r.next(), "\uFFFD") }

// peek returns the next field that is not empty: a commit or a change. Git puts an empty
// line between the two.
func (r *logReader) peek() (string, bool) {
	for r.unread == "" {
		field, ok := r.pull()
		if !ok {
			return "", false
		}
		r.unread = strings.TrimPrefix(field, "\n")
	}
	return r.unread, true
}

// changes yields the changes up to the next commit.
func (r *logReader) changes(yield func(FileChange) bool) {
	for r.err == nil {
		line, ok := r.peek()
		if !ok || !strings.HasPrefix(line, ":") {
			return
		}
		r.unread = ""
		var c FileChange
		if c, r.err = r.change(line); r.err != nil || !yield(c) {
			return
		}
	}
}

// change reads a line of git's raw format: for n parents n colons, n+1 modes, n+1 blobs,
// a letter for each parent, then the paths.
func (r *logReader) change(line string) (c FileChange, err error) {
	n := len(line) - len(strings.TrimLeft(line, ":"))
	words := strings.Fields(line[n:])
	if len(words) != 2*n+3 {
		return c, fmt.Errorf("git log: cannot read %q", line)
	}
	blobs, status := words[n+1:2*n+2], words[2*n+2]
	c = FileChange{Status: status[0], Blob: present(blobs[n]), From: make([]string, n)}
	paths := n + 1 // one for each parent and one of the result
	if n == 1 && c.Status != 'R' && c.Status != 'C' {
		paths = 1
	}
	if n == 1 {
		c.Similar, _ = strconv.Atoi(status[1:])
	}
	for i := range paths {
		c.Path = r.next()
		if i < n && present(blobs[i]) != "" {
			c.From[i] = c.Path
		}
	}
	return c, nil
}

// present returns the id of a blob, "" for that of none.
func present(blob string) string {
	if strings.Trim(blob, "0") == "" {
		return ""
	}
	return blob
}
