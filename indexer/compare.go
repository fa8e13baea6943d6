package indexer

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"memctl/db"
	"memctl/memdir"
)

// difference is how a folder's files differ from the index.
type difference struct {
	added   []string // names
	changed []string // names of files with another size or mtime
	racy    []string // names of files read so soon after a write that size and mtime prove nothing
	removed []string // paths that only the index has
}

// compare walks two lists of one folder, both sorted by name.
func compare(found []memdir.Stat, indexed []db.Stamp) difference {
	var d difference
	for len(found) > 0 || len(indexed) > 0 {
		switch {
		case len(indexed) == 0 || len(found) > 0 && found[0].Name < baseName(indexed[0].Path):
			d.added = append(d.added, found[0].Name)
			found = found[1:]
		case len(found) == 0 || baseName(indexed[0].Path) < found[0].Name:
			d.removed = append(d.removed, indexed[0].Path)
			indexed = indexed[1:]
		default:
			file, stamp := found[0], indexed[0]
			switch {
			case file.Size != stamp.Size || file.MtimeNS != stamp.MtimeNS:
				d.changed = append(d.changed, file.Name)
			case !memdir.Settled(file.MtimeNS, stamp.ReadNS):
				d.racy = append(d.racy, file.Name)
			}
			found, indexed = found[1:], indexed[1:]
		}
	}
	return d
}

// changes is the number of files that differ.
func (d difference) changes() int { return len(d.added) + len(d.changed) + len(d.removed) }

// compareFolder compares a folder with the index. It fails with errTooMany if too many
// files differ.
func compareFolder(ctx context.Context, d *db.DB, s *scan) (difference, error) {
	if s.more {
		return compareParts(ctx, d, s)
	}
	indexed, err := d.Stamps(ctx, s.state.Folder, "", len(s.stats)+syncLimit+1)
	if err != nil {
		return difference{}, err
	}
	found := compare(s.stats, indexed)
	if found.changes() > syncLimit {
		err = errTooMany
	}
	return found, err
}

// compareParts compares a large folder part by part.
func compareParts(ctx context.Context, d *db.DB, s *scan) (all difference, err error) {
	known := 0
	for {
		paths := make([]string, len(s.stats))
		for i, stat := range s.stats {
			paths[i] = s.folder.Name + "/" + stat.Name
		}
		indexed, err := d.StampsOf(ctx, paths)
		if err != nil {
			return all, err
		}
		part := compare(s.stats, indexed)
		all.added = append(all.added, part.added...)
		all.changed = append(all.changed, part.changed...)
		all.racy = append(all.racy, part.racy...)
		known += len(indexed)
		if all.changes() > syncLimit {
			return all, errTooMany
		}
		if !s.more {
			break
		}
		if err := s.next(); err != nil {
			return all, err
		}
	}
	if n, err := d.CountFiles(ctx, s.folder.Name); err != nil || n == known {
		return all, err
	}
	all.removed, err = goneFiles(ctx, d, s.folder)
	return all, err
}

// goneFiles returns the paths of a folder that only the index has.
func goneFiles(ctx context.Context, d *db.DB, folder *memdir.Folder) (gone []string, err error) {
	for after := ""; ; {
		stamps, err := d.Stamps(ctx, folder.Name, after, memdir.PartSize)
		if err != nil || len(stamps) == 0 {
			return gone, err
		}
		for _, s := range stamps {
			if _, err := folder.Stat(baseName(s.Path)); errors.Is(err, fs.ErrNotExist) {
				gone = append(gone, s.Path)
			}
		}
		if len(gone) > syncLimit {
			return gone, errTooMany
		}
		after = stamps[len(stamps)-1].Path
	}
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
