package indexer

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"memctl/db"
	"memctl/memdir"
)

// update is what brings one folder's rows up to date.
type update struct {
	*scan
	difference
}

// comparison sets what a look finds against what is indexed.
type comparison func(context.Context, *db.DB, *look) (*update, error)

// compareEntries compares by name and inode. Its update has no state: files may
// differ in what a listing does not tell. Where listings tell no inodes or much
// has changed, it compares stamps.
func compareEntries(ctx context.Context, d *db.DB, l *look) (*update, error) {
	if len(l.known) == 0 {
		var err error
		if l.known, err = d.Fingerprints(ctx, l.folder); err != nil {
			return nil, err
		}
	}
	known, s := l.known, l.listing()
	missing := known.Missing(s.digests)
	if s.obstacle != nil || !s.inodes || len(missing) > manyUnknown {
		return compareStamps(ctx, d, l)
	}
	var stats []memdir.Stat
	for _, place := range missing {
		stat, err := s.folder.StatListed(s.entries[place].Name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		stats = append(stats, stat)
	}
	u, err := compareUnknown(ctx, d, &scan{folder: s.folder}, stats, len(known)-len(s.entries)+len(missing))
	if u == nil && err == nil {
		return compareStamps(ctx, d, l)
	}
	l.glanced = stats
	return u, err
}

// compareRest is compareStamps after compareEntries. Nearly always each file is
// as it was indexed or glanced at, and the index need not be asked again.
func compareRest(ctx context.Context, d *db.DB, l *look) (*update, error) {
	s := l.whole()
	same := s.obstacle == nil && len(s.stats) == len(s.entries)
	for _, i := range l.known.Unlike(s.prints) {
		same = same && slices.Contains(l.glanced, s.stats[i])
	}
	if !same {
		return compareStamps(ctx, d, l)
	}
	return &update{scan: s}, nil
}

// manyUnknown is the number of files above which asking for each costs more than
// asking for all.
const manyUnknown = 50

// compareStamps is compare for the usual case: few files differ and none is gone.
// The fingerprints tell which files are as indexed; where the rest does not add
// up to what is indexed, compare does it.
func compareStamps(ctx context.Context, d *db.DB, l *look) (*update, error) {
	known, err := d.Fingerprints(ctx, l.folder)
	if err != nil {
		return nil, err
	}
	s := l.whole()
	var unknown []memdir.Stat
	for _, i := range known.Unlike(s.prints) {
		unknown = append(unknown, s.stats[i])
	}
	if len(unknown) > manyUnknown || s.obstacle != nil {
		return compare(ctx, d, l)
	}
	u, err := compareUnknown(ctx, d, s, unknown, len(known)-len(s.stats)+len(unknown))
	if u == nil && err == nil {
		return compare(ctx, d, l)
	}
	return u, err
}

// compareUnknown compares the files that no fingerprint fits. It returns nil where
// other than want of them are indexed: then files are gone.
func compareUnknown(ctx context.Context, d *db.DB, s *scan, unknown []memdir.Stat, want int) (*update, error) {
	sortByName(unknown)
	paths := make([]string, len(unknown))
	for i, stat := range unknown {
		paths[i] = s.folder.Name + "/" + stat.Name
	}
	indexed, err := d.StampsOf(ctx, paths)
	if err != nil || len(indexed) != want {
		return nil, err
	}
	return &update{scan: s, difference: diff(unknown, indexed)}, nil
}

func sortByName(stats []memdir.Stat) {
	slices.SortFunc(stats, func(a, b memdir.Stat) int { return strings.Compare(a.Name, b.Name) })
}

// compare sets what a scan finds against what is indexed.
func compare(ctx context.Context, d *db.DB, l *look) (*update, error) {
	indexed, err := d.Stamps(ctx, l.folder)
	if err != nil {
		return nil, err
	}
	u := &update{scan: l.whole()}
	sortByName(u.stats)
	if u.obstacle != nil {
		// A folder that cannot be read is recorded once, as if it were a file.
		i := slices.IndexFunc(indexed, func(s db.Stamp) bool { return s.Path == l.folder })
		if i >= 0 {
			u.obstacle, indexed = nil, slices.Delete(indexed, i, i+1)
		}
	}
	u.difference = diff(u.stats, indexed)
	return u, nil
}

func (u *update) size() int { return len(u.read) + len(u.doubt) + len(u.removed) }

// needed tells whether there is anything to write: files, or a folder's state
// that can be trusted from now on.
func (u *update) needed(recorded map[string]db.Folder) bool {
	if u.size() > 0 || u.obstacle != nil {
		return true
	}
	if u.state == nil {
		return false
	}
	known, ok := recorded[u.state.Folder]
	trusted := ok && u.state.MtimeNS == known.MtimeNS && memdir.Settled(known.MtimeNS, known.ListedNS)
	return !trusted && memdir.Settled(u.state.MtimeNS, u.state.ListedNS)
}
