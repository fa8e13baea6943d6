package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"memctl/text"
)

const (
	// diffTimeout limits what a person waits for a difference, and for the commits of some lines.
	diffTimeout = 20 * time.Second
	// moveTimeout limits the search for lines that came from another file.
	moveTimeout = 5 * time.Second
	// maxDiffed is the size from which a file counts as binary, in bytes.
	maxDiffed = 1 << 20
)

// diffOptions leave nothing of how a difference is printed to the repository.
var diffOptions = []string{"--relative", "--no-ext-diff", "--no-textconv", "--find-renames", "-l300", "--no-color",
	"--ignore-submodules=all"}

// Between calls use with each file that git diff, with further arguments, finds below a folder. Paths are from there.
func Between(ctx context.Context, dir string, use func(iter.Seq[FileChange]) error, args ...string) error {
	filters, err := unfiltered(ctx, dir)
	if err != nil {
		return err
	}
	return fields(ctx, dir, nil, diffTimeout, readChanges(use),
		slices.Concat(filters, []string{"diff", "--raw", "-z", "--no-abbrev"}, diffOptions, args)...)
}

// Hunk is where a difference replaces lines of a file by others; the first line is 1. Where there are none, the lines
// are behind the one that is named.
type Hunk struct{ OldStart, OldLines, NewStart, NewLines int }

// Before returns which line of the old file a line of the new file was. Of a line in the hunk that is the last or the
// first of the lines that the hunk replaces; of a line before the hunk it is old, as the hunks before have it.
func (h Hunk) Before(line, old int, last bool) int {
	if h.OldLines == 0 {
		h.OldStart++ // it is behind this line
	}
	if h.NewLines == 0 {
		h.NewStart++
	}
	switch {
	case line >= h.NewStart+h.NewLines:
		return line - (h.NewStart + h.NewLines) + h.OldStart + h.OldLines
	case line < h.NewStart:
		return old
	case last:
		return h.OldStart + h.OldLines - 1
	}
	return h.OldStart
}

// Lines calls hunk with each hunk that git diff, with further arguments, finds below a folder, and added with each
// line that it adds, until that returns false. It reads no binary file.
func Lines(ctx context.Context, dir string, hunk func(file string, h Hunk), added func(file string, n int,
	line []byte) bool,
	args ...string) error {
	filters, err := unfiltered(ctx, dir)
	if err != nil {
		return err
	}
	file, header, h, n := "", true, Hunk{}, 0
	return stream(ctx, dir, nil, diffTimeout, bufio.ScanLines, func(lines iter.Seq[[]byte]) error {
		for line := range lines {
			switch {
			case bytes.HasPrefix(line, []byte("diff --git ")):
				header, file = true, ""
			case header && bytes.HasPrefix(line, []byte("+++ ")):
				file = newName(string(line[len("+++ "):]))
			case bytes.HasPrefix(line, []byte("@@ ")):
				if h, header = readHunk(string(line)), false; hunk != nil {
					hunk(file, h)
				}
				n = h.NewStart
			case !header && bytes.HasPrefix(line, []byte("+")):
				if added != nil && !added(file, n, line[1:]) {
					return nil
				}
				n++
			}
		}
		return nil
	}, slices.Concat(filters, []string{"-c", "core.quotePath=false", "-c", "core.bigFileThreshold=" +
		strconv.Itoa(maxDiffed),
		"diff", "--patch", "-U0", "--inter-hunk-context=0", "--src-prefix=a/", "--dst-prefix=b/"}, diffOptions,
		args)...)
}

// newName returns the path in a line of a difference, "" for a file that is gone.
func newName(name string) string {
	name = strings.TrimSuffix(name, "\t") // behind a name with a space
	if unquoted, err := strconv.Unquote(name); err == nil {
		name = unquoted
	}
	path, _ := strings.CutPrefix(name, "b/")
	if name == "/dev/null" {
		return ""
	}
	return path
}

var hunkHead = text.Pattern(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

func readHunk(line string) (h Hunk) {
	m := hunkHead().FindStringSubmatch(line)
	if m == nil {
		return h
	}
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil {
			return 1 // a single line has no number
		}
		return n
	}
	return Hunk{number(m[1]), number(m[2]), number(m[3]), number(m[4])}
}

// unfiltered are options by which git runs no filter on the files that it compares: anybody who made the folder may
// have named its program.
func unfiltered(ctx context.Context, dir string) (options []string, err error) {
	out, err := Run(ctx, dir, "config", "--name-only", "-z", "--get-regexp", `^filter\..*\.(clean|process|required)$`)
	if failed := new(Error); errors.As(err, &failed) && failed.Status == 1 {
		return nil, nil // there is none
	}
	for key := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		options = append(options, "-c", key+"=")
	}
	return options, err
}

// Base is what the work tree and git's index are compared with: the last commit, or nothing before the first one.
func Base(ctx context.Context, dir string) (string, error) {
	if head := Head(ctx, dir); head != "" {
		return head, nil
	}
	out, err := RunWith(ctx, dir, strings.NewReader(""), "hash-object", "-t", "tree", "--stdin")
	return strings.TrimSpace(string(out)), err
}

// Untracked lists the files below a folder that git neither has nor ignores.
func Untracked(ctx context.Context, dir string, pathspecs ...string) (paths []string, err error) {
	args := append([]string{"--literal-pathspecs", "ls-files", "-z", "--others", "--exclude-standard", "--"},
		pathspecs...)
	out, err := Run(ctx, dir, args...)
	for path := range strings.SplitSeq(string(out), "\x00") {
		if path != "" {
			paths = append(paths, path)
		}
	}
	return paths, err
}

// Message is a commit with what its author wrote about it below the subject.
type Message struct {
	Commit
	Body string
}

// Messages returns the newest commits that git log, with further arguments, lists in a limited time. It reports
// whether there may be more.
func Messages(ctx context.Context, dir string, most int, args ...string) (list []Message, more bool, err error) {
	err = fields(ctx, dir, nil, diffTimeout, func(fields iter.Seq[string]) error {
		r, stop := newLogReader(fields)
		defer stop()
		for {
			id, ok := r.peek()
			if !ok {
				return nil
			}
			if len(list) == most {
				more = true
				return nil
			}
			r.unread = ""
			m := Message{Commit: Commit{ID: id}}
			m.Author, m.Date, m.Subject, m.Body = r.text(), r.text(), r.text(), r.text()
			list = append(list, m)
		}
	}, slices.Concat([]string{"--literal-pathspecs", "log", "--no-patch", "--no-notes", "--no-color", "--no-ext-diff",
		"--no-textconv", "--encoding=UTF-8", "--format=%H%x00%aN%x00%aI%x00%s%x00%b%x00"}, args)...)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return list, true, nil
	}
	return list, more, err
}

// WritersOf returns the commits that wrote some lines of a file of the last commit, the newest first, or those of all
// of its lines if the first line is 0. Lines that came from another file have the commit that wrote them there, too.
func WritersOf(ctx context.Context, dir, file string, first, last, most int) (list []Message, more bool, err error) {
	if first == 0 {
		return Messages(ctx, dir, most, "--follow", "--no-merges", "--", file)
	}
	lines := "-L" + strconv.Itoa(first) + "," + strconv.Itoa(last)
	list, more, err = Messages(ctx, dir, most, lines+":"+file)
	if err != nil {
		return list, more, err
	}
	ids, err := moved(ctx, dir, lines, file)
	ids = slices.DeleteFunc(ids, func(id string) bool {
		return slices.ContainsFunc(list, func(m Message) bool { return m.ID == id })
	})
	if err != nil || len(ids) == 0 {
		return list, more, err
	}
	origins, _, err := Messages(ctx, dir, most, append([]string{"--no-walk=sorted"}, ids[:min(len(ids), most)]...)...)
	list = append(list[:min(len(list), max(most-len(origins), 1))], origins...)
	slices.SortStableFunc(list, func(x, y Message) int { return timeOf(y.Date).Compare(timeOf(x.Date)) })
	return list, more, err
}

func timeOf(date string) time.Time {
	t, _ := time.Parse(time.RFC3339, date) // git's own
	return t
}

var blamed = text.Pattern(`^([0-9a-f]{40,64}) \d+ \d+ \d+$`)

// moved returns the commits that wrote some lines of a file of the last commit, in this or another file; those that
// were moved have eight letters at least. Within the time that a person waits it finds all of them, or none.
func moved(ctx context.Context, dir, lines, file string) (ids []string, err error) {
	limited, cancel := context.WithTimeout(ctx, moveTimeout)
	defer cancel()
	out, err := Run(limited, dir, "blame", "--porcelain", "-w", "-C8", "-C8", "--no-textconv", lines, "HEAD", "--",
		file)
	if limited.Err() != nil && ctx.Err() == nil {
		return nil, nil
	}
	for line := range strings.Lines(string(out)) {
		if m := blamed().FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil && !slices.Contains(ids, m[1]) {
			ids = append(ids, m[1])
		}
	}
	return ids, err
}
