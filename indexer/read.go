package indexer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"time"

	"memctl/db"
	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"
)

// readEntry reads and decodes one file. It returns false if the file is gone.
func readEntry(f *memdir.Folder, name string) (db.Entry, bool) {
	read := time.Now().UnixNano()
	data, stat, err := f.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return db.Entry{}, false
	}
	e := db.Entry{File: db.File{Path: f.Name + "/" + name, Size: stat.Size, MtimeNS: stat.MtimeNS, ReadNS: read}}
	if err != nil {
		// A chmod may make the file readable and leave its mtime as it is: never trust
		// its stamp.
		e.ReadNS = 0
		e.Problem = problemText(err)
		return e, true
	}
	sum := sha256.Sum256(data)
	e.SHA256 = hex.EncodeToString(sum[:])
	m, err := schemas.Decode(data)
	if err != nil {
		e.Problem = problemText(err)
		return e, true
	}
	category, _ := schemas.CategoryOfFolder(f.Name)
	m.Complete(category, strings.TrimSuffix(name, ".json"))
	e.Memory = &m
	return e, true
}

// problemText is one line and never empty.
func problemText(err error) string {
	if reason := text.Ellipsis(text.Printable(err.Error()), 300); reason != "" {
		return reason
	}
	return "unreadable"
}

// chunkSize is how many files one goroutine reads at a time.
const chunkSize = 32

// readAll reads files on every core and passes them to use in order.
func readAll(ctx context.Context, f *memdir.Folder, names []string, use func(db.Entry) error) error {
	if len(names) <= chunkSize {
		return useAll(ctx, readChunk(ctx, f, names), use)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	chunks := make(chan chan []db.Entry, 2*runtime.GOMAXPROCS(0)) // bounds what is read ahead
	go func() {
		defer close(chunks)
		for part := range slices.Chunk(names, chunkSize) {
			done := make(chan []db.Entry, 1)
			select {
			case chunks <- done:
				go func() { done <- readChunk(ctx, f, part) }()
			case <-ctx.Done():
				return
			}
		}
	}()
	for chunk := range chunks {
		if err := useAll(ctx, <-chunk, use); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func useAll(ctx context.Context, entries []db.Entry, use func(db.Entry) error) error {
	for _, e := range entries {
		if err := use(e); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func readChunk(ctx context.Context, f *memdir.Folder, names []string) []db.Entry {
	entries := make([]db.Entry, 0, len(names))
	for _, name := range names {
		if ctx.Err() != nil {
			break
		}
		if e, ok := readEntry(f, name); ok {
			entries = append(entries, e)
		}
	}
	return entries
}
