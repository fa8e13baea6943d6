package exchange

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"memctl/git"
	"memctl/memdir"
	"memctl/privacy"
	"memctl/remote"
	"memctl/schemas"
	"memctl/writer"
)

// listTime limits how long git may take to list the files of a commit.
const listTime = time.Minute

// Publication is the set of memories that a commit has, ready for a hub. It has no name and
// no sequence yet.
type Publication struct {
	remote.Publication
	Withheld privacy.Report // what the filter removed
}

// InvalidError refuses a commit with files that are no valid memories.
type InvalidError struct {
	Commit string
	Files  []InvalidFile
}

// InvalidFile is a file with the first thing that is wrong with it.
type InvalidFile struct {
	Path string `json:"path"`
	schemas.Violation
}

func (e *InvalidError) Error() string {
	if len(e.Files) == 1 {
		return fmt.Sprintf("a file in commit %.10s is no valid memory", e.Commit)
	}
	return fmt.Sprintf("%d files in commit %.10s are no valid memories", len(e.Files), e.Commit)
}

// Hint says what to do about it.
func (e *InvalidError) Hint() string {
	return `"memctl validate" names all that is wrong: fix the files and commit them`
}

// ErrOwn refuses the user's own root, which may be in a repository, too.
var ErrOwn = errors.New("these are your own memories, which are never published")

// ReadPublication reads the memories of a root as a commit has them: what a hub says of a
// commit is then true, whatever else lies in the working tree. The filter removes private
// text and secrets. The error is an *InvalidError if a file is no valid memory.
func ReadPublication(ctx context.Context, root memdir.Root, filter *privacy.Filter, revision string) (p Publication, err error) {
	if err := checkNotOwn(root); err != nil {
		return p, err
	}
	if p.Commit, err = commitOf(ctx, root, revision); err != nil {
		return p, err
	}
	files, err := committedFiles(ctx, root, p.Commit)
	if err != nil {
		return p, err
	}
	stored, err := readBlobs(ctx, root, files)
	if err != nil {
		return p, err
	}
	invalid := &InvalidError{Commit: p.Commit}
	for _, f := range files {
		if ctx.Err() != nil {
			return p, ctx.Err()
		}
		found := f.violations(stored)
		if len(found) == 0 {
			var memory json.RawMessage
			memory, found, err = p.filtered(filter, f.path, stored[f.blob])
			if err != nil {
				return p, fmt.Errorf("%s: %w", f.path, err)
			}
			p.Memories = append(p.Memories, remote.File{Path: f.path, Memory: memory})
		}
		if len(found) > 0 {
			invalid.Files = append(invalid.Files, InvalidFile{f.path, found[0]})
		}
	}
	if len(invalid.Files) > 0 {
		return p, invalid
	}
	return p, nil
}

// checkNotOwn returns ErrOwn for the user's root, and an error if it is not clear which one
// that is.
func checkNotOwn(root memdir.Root) error {
	user, found, err := memdir.UserRoot()
	_, homeless := os.UserHomeDir() // as in some containers of CI
	switch {
	case found && user.Is(root), memdir.IsHome(root.Project):
		return ErrOwn
	case err != nil && homeless == nil:
		return fmt.Errorf("your own memories are never published, and it is not clear where they are: %w", err)
	}
	return nil
}

// filtered returns a memory without private text and secrets, as one line.
func (p *Publication) filtered(filter *privacy.Filter, path string, data []byte) (json.RawMessage, []schemas.Violation, error) {
	doc, err := schemas.DecodeDocument(data)
	if err != nil {
		return nil, nil, err
	}
	fields := writer.RedactValid(filter, doc)
	var found []schemas.Violation
	if removed := privacy.Sum(fields); removed.Found() {
		p.Withheld.Add(removed)
		if data, err = doc.Encode(); err != nil {
			return nil, nil, err
		}
		found = writer.CheckMemory(path, data)
	}
	var line bytes.Buffer
	err = json.Compact(&line, data)
	return line.Bytes(), found, err
}

// commitOf returns the full id of a commit.
func commitOf(ctx context.Context, root memdir.Root, revision string) (string, error) {
	if err := git.CheckCommits(ctx, root.Path); err != nil {
		return "", err
	}
	if strings.HasPrefix(revision, "-") {
		return "", fmt.Errorf("%q is no commit", revision)
	}
	out, err := git.Run(ctx, root.Path, "rev-parse", "--verify", "--quiet", revision+"^{commit}")
	if failed := new(git.Error); errors.As(err, &failed) {
		return "", &noCommit{revision}
	}
	return strings.TrimSpace(string(out)), err
}

// noCommit is the error for a commit that git does not have.
type noCommit struct{ revision string }

func (n *noCommit) Error() string { return fmt.Sprintf("git has no commit %q", n.revision) }

// Hint says what to do about it.
func (n *noCommit) Hint() string {
	return "a shallow clone has the last commit only: fetch the one that is published"
}

// committed is a memory file of a commit.
type committed struct {
	path string // below the root
	mode string
	blob string
	size int
}

func (f committed) violations(stored map[string][]byte) []schemas.Violation {
	expected := schemas.Violation{Rule: "file", Expected: "a readable memory file"}
	switch {
	case f.mode != "100644" && f.mode != "100755":
		expected.Got = "a link, which is not followed"
	case !utf8.ValidString(f.path):
		expected.Got = "a name that is not UTF-8"
	case f.size > schemas.MaxFileBytes:
		expected.Got = fmt.Sprintf("%.1f MiB, the limit is %d MiB", float64(f.size)/(1<<20), schemas.MaxFileBytes>>20)
	default:
		return writer.CheckMemory(f.path, stored[f.blob])
	}
	return []schemas.Violation{expected}
}

// committedFiles lists the memory files of a commit by path.
func committedFiles(ctx context.Context, root memdir.Root, commit string) (files []committed, err error) {
	args := []string{"--literal-pathspecs", "ls-tree", "-z", "-l", "--no-abbrev", commit, "--"}
	for _, info := range schemas.Categories {
		args = append(args, info.Folder+"/")
	}
	total := 0
	err = git.Fields(ctx, root.Path, listTime, func(entries iter.Seq[string]) error {
		for entry := range entries {
			f, isFile, err := readEntry(entry)
			if err != nil {
				return err
			}
			if _, ok := schemas.CategoryOfPath(f.path); !isFile || !ok {
				continue
			}
			files = append(files, f)
			total += min(f.size, schemas.MaxFileBytes)
			if len(files) > remote.MaxMemories || total > remote.MaxPublication {
				return fmt.Errorf("a repository publishes at most %d memories of %d MiB together", remote.MaxMemories, remote.MaxPublication>>20)
			}
		}
		return nil
	}, args...)
	slices.SortFunc(files, func(a, b committed) int { return strings.Compare(a.path, b.path) })
	return files, err
}

// readEntry reads a line of git ls-tree: mode, type, object, size, a tab and the path.
func readEntry(entry string) (f committed, isFile bool, err error) {
	head, name, _ := strings.Cut(entry, "\t")
	words := strings.Fields(head)
	if len(words) != 4 {
		return f, false, fmt.Errorf("git ls-tree answers %q", entry)
	}
	f = committed{path: path.Clean(name), mode: words[0], blob: words[2]}
	if words[1] != "blob" {
		return f, false, nil
	}
	if f.size, err = strconv.Atoi(words[3]); err != nil {
		return f, false, &lacking{f.path}
	}
	return f, true, nil
}

// lacking is the error for a file that a partial clone does not have.
type lacking struct{ path string }

func (l *lacking) Error() string { return "this clone does not have " + l.path }

// Hint says what to do about it.
func (l *lacking) Hint() string { return "clone the repository without --filter" }

// readBlobs returns the bytes of files by the id of their blob.
func readBlobs(ctx context.Context, root memdir.Root, files []committed) (map[string][]byte, error) {
	var ids []string
	for _, f := range files {
		if f.size <= schemas.MaxFileBytes {
			ids = append(ids, f.blob)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	stored := make(map[string][]byte, len(ids))
	err := git.Blobs(ctx, root.Path, ids, schemas.MaxFileBytes, func(id string, data []byte) error {
		stored[id] = bytes.Clone(data)
		return nil
	})
	for _, f := range files {
		if _, read := stored[f.blob]; err == nil && !read && f.size <= schemas.MaxFileBytes {
			return nil, &lacking{f.path}
		}
	}
	return stored, err
}

// RepositoryName returns the name of the repository that a root is in, by its git remote
// "origin".
func RepositoryName(ctx context.Context, root memdir.Root) (string, error) {
	out, err := git.Run(ctx, root.Path, "remote", "get-url", "origin")
	if failed := new(git.Error); errors.As(err, &failed) {
		return "", remote.ErrUnnamed
	}
	if err != nil {
		return "", err
	}
	return remote.RepositoryOf(string(out))
}
