package git

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"memctl/memdir"
	"memctl/schemas"
)

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

// Stages returns the versions of a memory that git could not merge. There are none,
// found is false, unless a merge is going on and both sides have the memory.
func Stages(ctx context.Context, root memdir.Root, path string) (versions Texts, found bool, err error) {
	stages, err := Resolve(ctx, root.Path, []string{":1:./" + path, ":2:./" + path, ":3:./" + path})
	if err != nil {
		return versions, false, err
	}
	ids := []string{stages[0].Blob, stages[1].Blob, stages[2].Blob}
	contents := map[string][]byte{}
	err = Blobs(ctx, root.Path, ids, schemas.MaxFileBytes,
		func(id string, data []byte) error {
			contents[id] = data
			return nil
		})
	versions = Texts{Base: contents[ids[0]], Ours: contents[ids[1]], Theirs: contents[ids[2]]}
	return versions, versions.Ours != nil && versions.Theirs != nil, err
}
