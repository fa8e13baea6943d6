package indexer

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"memctl/db"
	"memctl/files"
	"memctl/schemas"
)

// observe indexes what hooks have appended to the sessions' files. It continues each
// file where it stopped, or starts again if another file has taken its place. A file
// that cannot be read is recorded with the reason.
func observe(ctx context.Context, d *db.DB, root files.Root) error {
	recorded, err := d.ObservationFiles(ctx)
	if err != nil {
		return err
	}
	files, sessions := listSessions(root, recorded)
	if sessions != nil {
		defer sessions.Close()
	}
	for _, f := range files {
		old, seen := recorded[f.Path()]
		delete(recorded, f.Path())
		if seen && old.Problem == "" && old.Size == f.Size && old.MtimeNS == f.MtimeNS && old.Inode == int64(f.Inode) {
			continue
		}
		if err := observeFile(ctx, d, sessions, f, old); err != nil {
			return err
		}
	}
	for _, path := range slices.Sorted(maps.Keys(recorded)) {
		if err := d.UpdateObservations(ctx, func(tx *db.Tx) error { return tx.RemoveObservations(path) }); err != nil {
			return err
		}
	}
	return nil
}

// listSessions lists the sessions' files. If the folder cannot be listed, for example
// because it belongs to another user, it clears known, so that the rows stay.
func listSessions(root files.Root, recorded map[string]db.ObservationFile) ([]files.SessionFile, *files.Sessions) {
	sessions, err := root.OpenSessions()
	if sessions == nil && err == nil {
		return nil, nil
	}
	var files []files.SessionFile
	if err == nil {
		files, err = sessions.List()
	}
	if err != nil {
		clear(recorded)
	}
	return files, sessions
}

func observeFile(
	ctx context.Context, d *db.DB, sessions *files.Sessions, f files.SessionFile, old db.ObservationFile,
) error {
	file, size, err := sessions.Open(f.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the next observe removes its rows
	}
	current := db.ObservationFile{Path: f.Path(), Size: f.Size, MtimeNS: f.MtimeNS, Inode: int64(f.Inode)}
	if err != nil {
		current.Problem = db.Reason(err)
		current.Size = -1
		if current.Problem == old.Problem {
			return nil
		}
		return d.UpdateObservations(ctx, func(tx *db.Tx) error { return replaceObservations(tx, current) })
	}
	defer file.Close()
	current.Size = size
	if old.Path != "" && !continues(file, current, old) {
		err := d.UpdateObservations(ctx, func(tx *db.Tx) error { return tx.RemoveObservations(current.Path) })
		if err != nil {
			return err
		}
		old = db.ObservationFile{}
	}
	for done := false; !done; {
		end := min(size, old.ReadBytes+partSize)
		if old, err = observePart(ctx, d, file, old, current, end); err != nil {
			return err
		}
		done = old.ReadBytes == 0 || old.Size == size
	}
	return nil
}

// continues reports whether a file is the recorded one with more lines.
func continues(file io.ReaderAt, current, recorded db.ObservationFile) bool {
	return recorded.Inode == current.Inode && recorded.Problem == "" && recorded.ReadBytes <= current.Size &&
		tail(file, recorded.ReadBytes) == recorded.Tail &&
		(current.Size > recorded.Size || recorded.ReadBytes < recorded.Size)
}

// partSize is how much of a file one transaction reads, so that no process waits long
// for the write lock. It is larger than any line.
const partSize = 4 << 20

// observePart indexes the lines of a file from where memctl stopped up to an end,
// unless another process has done so meanwhile. It returns what it recorded.
func observePart(
	ctx context.Context, d *db.DB, file io.ReaderAt, old, current db.ObservationFile, end int64,
) (db.ObservationFile, error) {
	err := d.UpdateObservations(ctx, func(tx *db.Tx) error {
		recorded, err := tx.ObservationFile(current.Path)
		if err != nil {
			return err
		}
		if recorded != old {
			current = db.ObservationFile{}
			return nil
		}
		o, err := tx.Observe(current.Path)
		if err != nil {
			return err
		}
		current.Broken = old.Broken
		read, err := readObservations(io.NewSectionReader(file, old.ReadBytes, end-old.ReadBytes), o, &current.Broken)
		if err != nil {
			return err
		}
		if read == 0 && end < current.Size { // one endless line
			current.Broken++
			read = end - old.ReadBytes
		}
		current.ReadBytes = old.ReadBytes + read
		current.Tail = tail(file, current.ReadBytes)
		if end < current.Size {
			current.Size = current.ReadBytes // the next part follows
		}
		return o.Close(current)
	})
	return current, err
}

func replaceObservations(tx *db.Tx, f db.ObservationFile) error {
	tx.RemoveObservations(f.Path)
	o, err := tx.Observe(f.Path)
	if err != nil {
		return err
	}
	return o.Close(f)
}

func readObservations(in io.Reader, o *db.Observer, broken *int) (int64, error) {
	return files.Lines(in, func(_ int64, line []byte) error {
		if line != nil && strings.TrimSpace(string(line)) == "" {
			return nil
		}
		ob, payload, torn, err := schemas.DecodeObservation(line)
		if torn {
			*broken++
		}
		if err != nil {
			return nil // counted
		}
		return o.Add(ob, payload)
	})
}

// tail is a digest of the bytes before end. It tells a file from another of the same
// name.
func tail(file io.ReaderAt, end int64) int64 {
	const most = 256
	data := make([]byte, min(end, most))
	n, _ := file.ReadAt(data, end-int64(len(data)))
	sum := sha256.Sum256(data[:n])
	return int64(binary.BigEndian.Uint32(sum[:]))
}
