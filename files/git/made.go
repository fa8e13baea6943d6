package git

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/files/gate"
)

const (
	// maxReflog bounds what is read of a reflog, in bytes.
	maxReflog = 16 << 20
	// maxMade is how many commits of a reflog are looked at, the last ones.
	maxMade = 500
	// zeros is the id of no commit.
	zeros = "0000000000000000000000000000000000000000"
)

// Reflog is the part of HEAD's reflog that begins at an offset: a line for each time that HEAD of this
// clone moved. No clone brings one along.
type Reflog struct {
	Size  int64             // of all of it, in bytes
	Begin string            // the hash of the first line
	Email string            // the address of whoever moved HEAD last
	made  map[string]string // the address of the committer of each commit made here, by its id
	last  []string          // the ids, the last one last
}

// ReadReflog reads the reflog of the repository that a folder is in.
func ReadReflog(ctx context.Context, dir string, from int64) (r Reflog, err error) {
	out, err := Run(ctx, dir, "rev-parse", "--git-path", "logs/HEAD")
	if err != nil {
		return r, err
	}
	path := strings.TrimSuffix(string(out), "\n")
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	data, err := gate.ReadRegular(path, maxReflog)
	if err != nil {
		return r, err
	}
	r.Size, r.made = int64(len(data)), map[string]string{}
	first, _, _ := bytes.Cut(data, []byte("\n"))
	r.Begin = fmt.Sprintf("%x", sha256.Sum256(first))
	for line := range bytes.Lines(data) {
		r.read(string(line), from <= 0)
		from -= int64(len(line))
	}
	return r, nil
}

// read reads a line: the ids before and after, NAME <ADDRESS>, the time, and what was done. An amended commit
// counts as made here if the one before does.
func (r *Reflog) read(line string, counts bool) {
	who, done, _ := strings.Cut(line, "\t")
	before, rest, _ := strings.Cut(who, " ")
	id, rest, _ := strings.Cut(rest, " ")
	_, address, _ := strings.Cut(rest, "<")
	address, _, ok := strings.Cut(address, ">")
	if !ok {
		return
	}
	r.Email = address
	_, known := r.made[before]
	made := strings.HasPrefix(done, "commit: ") || strings.HasPrefix(done, "commit (initial): ") ||
		strings.HasPrefix(done, "commit (amend): ") && known
	if made && counts && id != zeros {
		r.made[id] = address
		r.last = append(r.last, id)
	}
}

// Blobs calls use with each file that a commit made here has put below a folder, by the address that made the
// commit. Of merges, and of commits by another author, nothing counts.
func (r Reflog) Blobs(ctx context.Context, dir string, limit time.Duration, use func(blob string)) error {
	if len(r.last) == 0 {
		return nil
	}
	args := append([]string{"--no-walk=unsorted", "--ignore-missing", "--no-renames"},
		r.last[max(0, len(r.last)-maxMade):]...)
	return Log(ctx, dir, limit, func(c Commit, files iter.Seq[FileChange]) error {
		for file := range files {
			if file.Blob != "" && c.Email == r.made[c.ID] && !strings.Contains(c.Parents, " ") {
				use(file.Blob)
			}
		}
		return nil
	}, append(args, "--", ".")...)
}

// Lacking returns those of some ids that the repository has no object of.
func Lacking(ctx context.Context, dir string, ids []string) (lacking map[string]bool, err error) {
	out, err := RunWith(ctx, dir, strings.NewReader(strings.Join(ids, "\n")+"\n"), "cat-file",
		"--batch-check=%(objectname)")
	lacking = map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if id, missing := strings.CutSuffix(strings.TrimSpace(line), " missing"); missing {
			lacking[id] = true
		}
	}
	return lacking, err
}

// rewriting are the attributes by which git writes another content to the work tree than it keeps, apart from ends of
// lines.
var rewriting = []string{"filter", "ident", "working-tree-encoding"}

// Rewritten returns those of some paths below a folder to which git may write another content than it keeps.
func Rewritten(ctx context.Context, dir string, paths []string) (map[string]bool, error) {
	args := slices.Concat([]string{"check-attr", "-z", "--stdin"}, rewriting)
	out, err := RunWith(ctx, dir, strings.NewReader(strings.Join(paths, "\x00")+"\x00"), args...)
	found := map[string]bool{}
	fields := strings.Split(string(out), "\x00")
	for ; len(fields) >= 3; fields = fields[3:] {
		if value := fields[2]; value != "unspecified" && value != "unset" {
			found[fields[0]] = true
		}
	}
	return found, err
}

// Edited returns the paths below a folder that differ between the work tree and git's index, or that only the work tree
// has. What is in a repository within the folder is not among them.
func Edited(ctx context.Context, dir string) (map[string]bool, error) {
	out, err := Run(ctx, dir, "ls-files", "-z", "--modified", "--others")
	changed := map[string]bool{}
	for path := range strings.SplitSeq(string(out), "\x00") {
		changed[path] = true
	}
	return changed, err
}

// Author is who changed a file, and when.
type Author struct{ Name, Email, Date string }

// maxPathspecs is how many files git is asked about by name. Of more, it is asked about their folder.
const maxPathspecs = 200

var errEnough = errors.New("all are known")

// Authors returns who changed some files last, by their paths below a folder, as far as git can tell in a
// limited time. It passes over commits that were made here: what is asked about is not theirs.
func (r Reflog) Authors(ctx context.Context, dir string, limit time.Duration, paths []string) (
	map[string]Author, error) {
	prefix, err := Prefix(ctx, dir)
	if err != nil {
		return nil, err
	}
	authors, open := map[string]Author{}, map[string]bool{}
	for _, path := range paths {
		open[path] = true
	}
	if len(paths) > maxPathspecs {
		paths = []string{"."}
	}
	err = Log(ctx, dir, limit, func(c Commit, files iter.Seq[FileChange]) error {
		for file := range files {
			if path := strings.TrimPrefix(file.Path, prefix); open[path] && r.made[c.ID] == "" {
				authors[path] = Author{c.Author, c.Email, c.Date}
				delete(open, path)
			}
		}
		if len(open) == 0 {
			return errEnough
		}
		return nil
	}, append([]string{"--no-renames", "HEAD", "--"}, paths...)...)
	if errors.Is(err, errEnough) {
		err = nil
	}
	return authors, err
}
