package indexer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"strings"
	"time"

	"memctl/db"
	"memctl/memdir"
	"memctl/schemas"
)

// read reads and decodes one file. It returns false if the file is gone.
func (f *folder) read(name string) (db.Entry, bool) {
	read := time.Now().UnixNano()
	data, stat, err := f.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return db.Entry{}, false
	}
	e := db.Entry{File: db.File{Path: f.path + name, Size: stat.Size, MtimeNS: stat.MtimeNS, ReadNS: read}}
	if err != nil {
		// A chmod may make the file readable and leave its mtime as it is: do not trust
		// its stamp. Another file in the place of a link has another stamp.
		if !errors.Is(err, memdir.ErrNotFile) && !errors.Is(err, memdir.ErrTooLarge) {
			e.ReadNS = 0
		}
		e.Problem = db.Reason(err)
		return e, true
	}
	sum := sha256.Sum256(data)
	e.SHA256 = hex.EncodeToString(sum[:])
	m, err := schemas.Decode(data)
	if err != nil {
		e.Problem = db.Reason(err)
		return e, true
	}
	category, _ := schemas.CategoryOfFolder(f.Name)
	m.Complete(category, strings.TrimSuffix(name, ".json"))
	e.Memory = &m
	return e, true
}

// readAhead is how many files are read before those ahead of them are written. Each may
// take some MiB.
const readAhead = 4

// readAll passes files to use in order, and reads the next ones meanwhile.
func readAll(ctx context.Context, f *folder, names []string, use func(db.Entry) error) error {
	if len(names) == 0 {
		return ctx.Err()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	entries := make(chan db.Entry, readAhead)
	go func() {
		defer close(entries)
		for _, name := range names {
			e, ok := f.read(name)
			if !ok {
				continue
			}
			select {
			case entries <- e:
			case <-ctx.Done():
				return
			}
		}
	}()
	for e := range entries {
		if err := use(e); err != nil {
			return err
		}
	}
	return ctx.Err()
}
