package git

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"memctl/text"
)

// Entries runs git ls-tree or ls-files with further arguments, for a limited time, and
// calls use with the words and the path of each entry.
func Entries(ctx context.Context, dir string, limit time.Duration, use func(words []string, path string) error,
	command string, args ...string) error {
	return fields(ctx, dir, nil, limit, func(fields iter.Seq[string]) error {
		for field := range fields {
			head, name, _ := strings.Cut(field, "\t")
			if err := use(strings.Fields(head), name); err != nil {
				return err
			}
		}
		return nil
	}, append([]string{"--literal-pathspecs", command, "-z"}, args...)...)
}

// File is a file of a commit.
type File struct {
	Path string // below the folder that was asked about
	Mode string
	Blob string
	Size int
}

// IsRegular reports whether the file is neither a link nor a submodule.
func (f File) IsRegular() bool { return f.Mode == "100644" || f.Mode == "100755" }

// Files calls use with each file that a commit has right in some folders below dir.
func Files(ctx context.Context, dir, commit string, folders []string, use func(File) error) error {
	args := []string{"-l", "--no-abbrev", commit, "--"}
	for _, folder := range folders {
		args = append(args, folder+"/")
	}
	err := Entries(ctx, dir, timeout, func(words []string, name string) error {
		if len(words) != 4 { // mode, type, object and size
			return fmt.Errorf("git ls-tree answers %q", words)
		}
		if words[1] != "blob" {
			return nil
		}
		size, err := strconv.Atoi(words[3])
		if err != nil {
			return lacking(path.Clean(name))
		}
		return use(File{path.Clean(name), words[0], words[2], size})
	}, "ls-tree", args...)
	// What a server that promised a file did not send, git wants to fetch for its size.
	if failed := new(Error); errors.As(err, &failed) && strings.Contains(failed.Message, "promisor") {
		return lacking("all files of " + text.Truncate(commit, 10))
	}
	return err
}

// Folders returns the ids of some folders below dir in a commit, or of links in their place, as git prints them.
func Folders(ctx context.Context, dir, commit string, folders []string) (string, error) {
	out, err := Run(ctx, dir, slices.Concat([]string{"--literal-pathspecs", "ls-tree", "-z", commit, "--"}, folders)...)
	return string(out), err
}

// ReadFiles calls fn with the bytes of each of some files of a commit. The bytes are valid until fn returns.
func ReadFiles(ctx context.Context, dir string, files []File, fn func(f File, data []byte) error) error {
	byBlob := map[string][]File{}
	for _, f := range files {
		byBlob[f.Blob] = append(byBlob[f.Blob], f)
	}
	err := Blobs(ctx, dir, slices.Collect(maps.Keys(byBlob)), math.MaxInt, func(id string, data []byte) (err error) {
		for _, f := range byBlob[id] {
			err = errors.Join(err, fn(f, data))
		}
		delete(byBlob, id)
		return err
	})
	for _, lost := range byBlob {
		return cmp.Or(err, lacking(lost[0].Path))
	}
	return err
}

// lacking is the error for a file that a partial clone does not have.
func lacking(path string) error {
	return text.WithHint(errors.New("this clone does not have "+path), "clone the repository without --filter")
}

// Has reports whether the commit that is checked out has a file, by its path below a folder.
func Has(ctx context.Context, dir, path string) bool {
	_, err := Run(ctx, dir, "cat-file", "-e", "HEAD:./"+path)
	return err == nil
}

// CommitOf returns the full id of a commit.
func CommitOf(ctx context.Context, dir, revision string) (string, error) {
	if err := CheckCommits(ctx, dir); err != nil {
		return "", err
	}
	if strings.HasPrefix(revision, "-") {
		return "", fmt.Errorf("%q is no commit", revision)
	}
	commit := commitAt(ctx, dir, revision)
	if commit == "" && ctx.Err() == nil {
		return "", text.WithHint(fmt.Errorf("git has no commit %q", revision),
			"a shallow clone has the last commit only: fetch the one that is published")
	}
	return commit, ctx.Err()
}

// Blobs calls fn with the bytes of each blob, in one process. It leaves out those that
// git does not have and those over a size.
func Blobs(ctx context.Context, dir string, ids []string, maxBytes int, fn func(id string, data []byte) error) error {
	for some := range slices.Chunk(ids, 128) { // bounds the output of a process
		if err := blobs(ctx, dir, some, maxBytes, fn); err != nil {
			return err
		}
	}
	return nil
}

func blobs(ctx context.Context, dir string, ids []string, maxBytes int, fn func(id string, data []byte) error) error {
	found, err := Resolve(ctx, dir, ids)
	var small []string
	for _, f := range found {
		if f.Blob != "" && f.Size <= maxBytes {
			small = append(small, f.Blob)
		}
	}
	if err != nil || len(small) == 0 {
		return err
	}
	out, err := RunWith(ctx, dir, strings.NewReader(strings.Join(small, "\n")+"\n"), "cat-file", "--batch")
	if err != nil {
		return err
	}
	for _, id := range small {
		var size int
		header, rest, _ := bytes.Cut(out, []byte("\n"))
		if _, err := fmt.Sscanf(string(header), id+" blob %d", &size); err != nil || size > len(rest) {
			return fmt.Errorf("git cat-file answers %q", header)
		}
		if err := fn(id, rest[:size]); err != nil {
			return err
		}
		out = rest[min(size+1, len(rest)):]
	}
	return nil
}

// Resolve returns the blobs that specs such as COMMIT:PATH name, with their sizes, one without an id
// for nothing.
func Resolve(ctx context.Context, dir string, specs []string) (blobs []File, err error) {
	out, err := RunWith(ctx, dir, strings.NewReader(strings.Join(specs, "\n")+"\n"), "cat-file",
		"--batch-check=%(objecttype) %(objectname) %(objectsize)")
	for line := range strings.Lines(string(out)) {
		var f File
		if n, _ := fmt.Sscanf(line, "blob %s %d", &f.Blob, &f.Size); n != 2 {
			f.Blob = ""
		}
		blobs = append(blobs, f)
	}
	if err == nil && len(blobs) != len(specs) {
		err = fmt.Errorf("git cat-file answers %d lines for %d", len(blobs), len(specs))
	}
	return blobs, err
}
