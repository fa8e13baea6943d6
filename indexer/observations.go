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
	"memctl/memdir"
	"memctl/schemas"
)

// observe takes in what the hooks have appended to the sessions' files: each from
// where it was left, or from its beginning where it is no longer the file that was
// read. A file that cannot be read is recorded with the reason.
func observe(ctx context.Context, d *db.DB, root memdir.Root) error {
	known, err := d.ObservationFiles(ctx)
	if err != nil {
		return err
	}
	files, sessions := listSessions(root, known)
	if sessions != nil {
		defer sessions.Close()
	}
	for _, f := range files {
		was, seen := known[f.Path()]
		delete(known, f.Path())
		if seen && was.Problem == "" && was.Size == f.Size && was.MtimeNS == f.MtimeNS && was.Inode == int64(f.Inode) {
			continue
		}
		if err := observeFile(ctx, d, sessions, f, was); err != nil {
			return err
		}
	}
	for _, path := range slices.Sorted(maps.Keys(known)) {
		if err := d.Update(ctx, func(tx *db.Tx) error { return tx.RemoveObservations(path) }); err != nil {
			return err
		}
	}
	return nil
}

// listSessions lists the files. Where the folder cannot be listed, what is known
// stays as it is: it may be somebody else's for the moment.
func listSessions(root memdir.Root, known map[string]db.ObservationFile) ([]memdir.SessionFile, *memdir.Sessions) {
	sessions, err := root.OpenSessions()
	if sessions == nil && err == nil {
		return nil, nil
	}
	var files []memdir.SessionFile
	if err == nil {
		files, err = sessions.List()
	}
	if err != nil {
		clear(known)
	}
	return files, sessions
}

func observeFile(ctx context.Context, d *db.DB, sessions *memdir.Sessions, f memdir.SessionFile, was db.ObservationFile) error {
	file, size, err := sessions.Open(f.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the next look drops it
	}
	now := db.ObservationFile{Path: f.Path(), Size: f.Size, MtimeNS: f.MtimeNS, Inode: int64(f.Inode)}
	if err != nil {
		now.Problem = problemText(err)
		now.Size = -1
		return d.Update(ctx, func(tx *db.Tx) error { return replaceObservations(tx, now) })
	}
	defer file.Close()
	now.Size = size
	continues := was.Inode == now.Inode && was.Problem == "" && was.ReadBytes <= size && tail(file, was.ReadBytes) == was.Tail &&
		(size > was.Size || was.ReadBytes < was.Size)
	if was.Path != "" && !continues {
		err := d.Update(ctx, func(tx *db.Tx) error { return tx.RemoveObservations(now.Path) })
		if err != nil {
			return err
		}
		was = db.ObservationFile{}
	}
	for done := false; !done; {
		end := min(size, was.ReadBytes+partSize)
		if was, err = observePart(ctx, d, file, was, now, end); err != nil {
			return err
		}
		done = was.ReadBytes == 0 || was.Size == size
	}
	return nil
}

// partSize is how much of a file one transaction takes in: nobody waits long for
// the write lock. No line is as long.
const partSize = 4 << 20

// observePart takes in the lines of a file from where it was left up to an end,
// unless another process has done so meanwhile.
func observePart(ctx context.Context, d *db.DB, file io.ReaderAt, was, now db.ObservationFile, end int64) (db.ObservationFile, error) {
	err := d.Update(ctx, func(tx *db.Tx) error {
		recorded, err := tx.ObservationFile(now.Path)
		if err != nil {
			return err
		}
		if recorded != was {
			now = db.ObservationFile{}
			return nil
		}
		o, err := tx.Observe(now.Path)
		if err != nil {
			return err
		}
		now.Broken = was.Broken
		read, err := readObservations(io.NewSectionReader(file, was.ReadBytes, end-was.ReadBytes), o, &now.Broken)
		if err != nil {
			return err
		}
		if read == 0 && end < now.Size { // one endless line
			now.Broken++
			read = end - was.ReadBytes
		}
		now.ReadBytes = was.ReadBytes + read
		now.Tail = tail(file, now.ReadBytes)
		if end < now.Size {
			now.Size = now.ReadBytes // there is more
		}
		return o.Close(now)
	})
	return now, err
}

func replaceObservations(tx *db.Tx, f db.ObservationFile) error {
	if err := tx.RemoveObservations(f.Path); err != nil {
		return err
	}
	o, err := tx.Observe(f.Path)
	if err != nil {
		return err
	}
	return o.Close(f)
}

func readObservations(in io.Reader, o *db.Observer, broken *int) (int64, error) {
	return memdir.Lines(in, func(line []byte) error {
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

// tail is a digest of the bytes before a place: another file of the same name has
// others there.
func tail(file io.ReaderAt, end int64) int64 {
	const most = 256
	data := make([]byte, min(end, most))
	n, _ := file.ReadAt(data, end-int64(len(data)))
	sum := sha256.Sum256(data[:n])
	return int64(binary.BigEndian.Uint32(sum[:]))
}
