package indexer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/schemas"
)

// folder is a category folder as it is on disk and as the index has it.
type folder struct {
	*files.Folder        // nil if the folder does not exist or cannot be opened
	path          string // begins the paths of its rows: "decisions/", in the catalogue "3/decisions/"
	prefix        string // of path in the catalogue: "3/"
	stats         []files.Stat
	more          bool      // stats are only a part of a large folder
	state         db.Folder // to record once its files are indexed
	// recorded is the record of git's log on the files that are read, nil where it does not apply.
	recorded schemas.History
	difference
}

// difference lists the differences between a folder's files and the index.
type difference struct {
	added   []string // names
	changed []string // names of files with another size or mtime
	racy    []string // names of files read so soon after a write that size and mtime prove nothing
	removed []string // paths that only the index has
}

// changes is the number of files that differ.
func (d difference) changes() int { return len(d.added) + len(d.changed) + len(d.removed) }

func (d *difference) add(part difference) {
	d.added = append(d.added, part.added...)
	d.changed = append(d.changed, part.changed...)
	d.racy = append(d.racy, part.racy...)
}

// listFolder lists a folder's files, the first part of a large one. The folder's mtime
// is older than the list: a later change gives the folder another one.
func listFolder(root files.Root, prefix, name string) *folder {
	f := &folder{path: prefix + name + "/", prefix: prefix, state: db.Folder{Folder: prefix + name,
		ListedNS: time.Now().UnixNano()}}
	var err error
	if f.Folder, err = root.OpenFolder(name); err == nil && f.Folder != nil {
		f.state.MtimeNS = f.MtimeNS
		err = f.next()
	}
	if err != nil {
		f.state.ListedNS = 0 // list it again next time
		f.state.Problem = db.Reason(err)
	}
	return f
}

// next lists the next part of the folder.
func (f *folder) next() (err error) {
	if f.stats, f.more, err = f.NextStats(); err != nil {
		err = fmt.Errorf("list %s: %w", f.Name, err)
	}
	return err
}

func (f *folder) close() {
	if f.Folder != nil {
		f.Close()
	}
}

// compareTo compares a folder with the index.
func (f *folder) compareTo(ctx context.Context, d *db.DB) error {
	if f.more {
		return f.compareParts(ctx, d)
	}
	indexed, err := d.Stamps(ctx, f.path, "", -1)
	f.difference = compare(f.stats, indexed)
	return err
}

// stampsOfPart returns what the index has of the part of the folder that is listed.
func (f *folder) stampsOfPart(ctx context.Context, d *db.DB) ([]db.Stamp, error) {
	paths := make([]string, len(f.stats))
	for i, stat := range f.stats {
		paths[i] = f.path + stat.Name
	}
	return d.StampsOf(ctx, paths)
}

// compareParts compares a large folder part by part.
func (f *folder) compareParts(ctx context.Context, d *db.DB) error {
	for compared := 0; ; {
		indexed, err := f.stampsOfPart(ctx, d)
		if err != nil {
			return err
		}
		f.add(compare(f.stats, indexed))
		compared += len(indexed)
		if f.more {
			if err := f.next(); err != nil {
				return err
			}
			continue
		}
		if n, err := d.CountFiles(ctx, f.path); err != nil || n == compared {
			return err
		}
		return f.findRemoved(ctx, d)
	}
}

// findRemoved looks for the files that only the index has.
func (f *folder) findRemoved(ctx context.Context, d *db.DB) error {
	for after := ""; ; {
		stamps, err := d.Stamps(ctx, f.path, after, files.PartSize)
		if err != nil || len(stamps) == 0 {
			return err
		}
		for _, s := range stamps {
			if _, err := f.Stat(baseName(s.Path)); errors.Is(err, fs.ErrNotExist) {
				f.removed = append(f.removed, s.Path)
			}
		}
		after = stamps[len(stamps)-1].Path
	}
}

// compare walks two lists of one folder, both sorted by name.
func compare(stats []files.Stat, indexed []db.Stamp) difference {
	var d difference
	for len(stats) > 0 || len(indexed) > 0 {
		switch {
		case len(indexed) == 0 || len(stats) > 0 && stats[0].Name < baseName(indexed[0].Path):
			d.added = append(d.added, stats[0].Name)
			stats = stats[1:]
		case len(stats) == 0 || baseName(indexed[0].Path) < stats[0].Name:
			d.removed = append(d.removed, indexed[0].Path)
			indexed = indexed[1:]
		default:
			file, stamp := stats[0], indexed[0]
			switch {
			case file.Size != stamp.Size || file.MtimeNS != stamp.MtimeNS:
				d.changed = append(d.changed, file.Name)
			case !files.Settled(file.MtimeNS, stamp.ReadNS):
				d.racy = append(d.racy, file.Name)
			}
			stats, indexed = stats[1:], indexed[1:]
		}
	}
	return d
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// Discrepancy is a file on which the index and the disk disagree.
type Discrepancy struct {
	Path  string
	State string // "missing" from the index, "stale" if the file is gone, or "changed"
}

// Check compares the index with the files and changes neither. If the root has no
// index, the error is db.ErrMissing.
func Check(ctx context.Context, root files.Root) ([]Discrepancy, error) {
	ix, err := openOnDisk(ctx, root)
	if readOnly(err) {
		ix = &Index{}
		ix.DB, err = db.OpenReadOnly(ctx, root.Join(files.IndexName))
	}
	if err != nil {
		return nil, err
	}
	defer ix.Close()
	recorded, _, err := ix.Folders(ctx, "", quickLimit)
	if err != nil {
		return nil, err
	}
	var list []Discrepancy
	for _, name := range schemas.Folders() {
		differences, err := checkFolder(ctx, ix.DB, listFolder(root, "", name), recorded[name].Problem)
		if err != nil {
			return nil, err
		}
		list = append(list, differences...)
	}
	return list, nil
}

func checkFolder(ctx context.Context, d *db.DB, f *folder, recordedProblem string) (list []Discrepancy, err error) {
	defer f.close()
	if err := f.compareTo(ctx, d); err != nil {
		return nil, err
	}
	if now := f.state.Problem; now != recordedProblem {
		state := "missing"
		if now == "" {
			state = "stale"
		}
		list = append(list, Discrepancy{f.state.Folder, state})
	}
	b := &batch{write: func(b *batch) error {
		for _, e := range b.put {
			state := "changed"
			if slices.Contains(f.added, baseName(e.Path)) {
				state = "missing"
			}
			list = append(list, Discrepancy{e.Path, state})
		}
		for _, e := range b.touched {
			if slices.Contains(f.changed, baseName(e.Path)) {
				list = append(list, Discrepancy{e.Path, "changed"})
			}
		}
		for _, path := range b.removed {
			list = append(list, Discrepancy{path, "stale"})
		}
		return nil
	}}
	err = errors.Join(b.addFolder(ctx, d, f), b.flush())
	return list, err
}

// Collisions names the indexed files that some system takes for another one. All of them are
// in the index.
func Collisions(tx *db.Tx) ([]schemas.Problem, error) {
	paths, err := tx.Paths()
	if err != nil {
		return nil, err
	}
	var problems []schemas.Problem
	for _, twins := range files.Collisions(paths) {
		for i, at := range twins {
			other := path.Base(twins[(i+1)%len(twins)])
			reason := "macOS and Windows take it and " + other + " for the same file"
			problems = append(problems, schemas.Problem{Path: at, Reason: reason})
		}
	}
	return problems, nil
}
