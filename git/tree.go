package git

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
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
	return Entries(ctx, dir, timeout, func(words []string, name string) error {
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
}

// ReadFiles returns the bytes of files by the ids of their blobs, without those over a
// size.
func ReadFiles(ctx context.Context, dir string, files []File, maxBytes int) (map[string][]byte, error) {
	contents := map[string][]byte{}
	var ids []string
	for _, f := range files {
		if _, listed := contents[f.Blob]; !listed && f.Size <= maxBytes {
			contents[f.Blob] = nil
			ids = append(ids, f.Blob)
		}
	}
	err := Blobs(ctx, dir, ids, maxBytes, func(id string, data []byte) error {
		contents[id] = data
		return nil
	})
	for _, f := range files {
		if data, wanted := contents[f.Blob]; err == nil && wanted && data == nil {
			return nil, lacking(f.Path)
		}
	}
	return contents, err
}

// lacking is the error for a file that a partial clone does not have.
func lacking(path string) error {
	return text.WithHint(errors.New("this clone does not have "+path), "clone the repository without --filter")
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
