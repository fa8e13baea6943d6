package indexer

import (
	"testing"
	"time"

	"memctl/db"
	"memctl/files"

	"github.com/google/go-cmp/cmp"
)

// An odd number of nanoseconds, so that no whole second changes the tick.
const (
	writtenAt = int64(1_700_000_000_000_000_001)
	later     = writtenAt + int64(time.Second)
)

func TestCompare(t *testing.T) {
	tests := map[string]struct {
		stats   []files.Stat
		indexed []db.Stamp
		want    difference
	}{
		"nothing on either side": {},
		"the same file": {
			stats:   []files.Stat{stat("a", 5, writtenAt)},
			indexed: []db.Stamp{stamp("a", 5, writtenAt, later)},
		},
		"a new file": {
			stats: []files.Stat{stat("a", 5, writtenAt)},
			want:  difference{added: []string{"a.json"}},
		},
		"a removed file": {
			indexed: []db.Stamp{stamp("a", 5, writtenAt, later)},
			want:    difference{removed: []string{"decisions/a.json"}},
		},
		"another size": {
			stats:   []files.Stat{stat("a", 6, writtenAt)},
			indexed: []db.Stamp{stamp("a", 5, writtenAt, later)},
			want:    difference{changed: []string{"a.json"}},
		},
		"a later mtime": {
			stats:   []files.Stat{stat("a", 5, writtenAt+1)},
			indexed: []db.Stamp{stamp("a", 5, writtenAt, later)},
			want:    difference{changed: []string{"a.json"}},
		},
		"an earlier mtime": {
			stats:   []files.Stat{stat("a", 5, writtenAt-1)},
			indexed: []db.Stamp{stamp("a", 5, writtenAt, later)},
			want:    difference{changed: []string{"a.json"}},
		},
		"read too soon after it was written": {
			stats:   []files.Stat{stat("a", 5, writtenAt)},
			indexed: []db.Stamp{stamp("a", 5, writtenAt, writtenAt+1)},
			want:    difference{racy: []string{"a.json"}},
		},
		"never read": {
			stats:   []files.Stat{stat("a", 5, writtenAt)},
			indexed: []db.Stamp{stamp("a", 5, writtenAt, 0)},
			want:    difference{racy: []string{"a.json"}},
		},
		"before, between and after": {
			stats:   []files.Stat{stat("a", 1, writtenAt), stat("c", 1, writtenAt), stat("e", 1, writtenAt)},
			indexed: []db.Stamp{stamp("b", 1, writtenAt, later), stamp("c", 1, writtenAt, later), stamp("d", 1, writtenAt, later)},
			want:    difference{added: []string{"a.json", "e.json"}, removed: []string{"decisions/b.json", "decisions/d.json"}},
		},
		"the last is gone": {
			stats:   []files.Stat{stat("a", 1, writtenAt)},
			indexed: []db.Stamp{stamp("a", 1, writtenAt, later), stamp("b", 1, writtenAt, later)},
			want:    difference{removed: []string{"decisions/b.json"}},
		},
		"paths compare as bytes": {
			stats:   []files.Stat{stat("a-b", 1, writtenAt), stat("a", 1, writtenAt), stat("a_b", 1, writtenAt)},
			indexed: []db.Stamp{stamp("a-b", 1, writtenAt, later), stamp("a", 1, writtenAt, later), stamp("a_b", 1, writtenAt, later)},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := compare(tt.stats, tt.indexed)
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(difference{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func stat(stem string, size, mtime int64) files.Stat {
	return files.Stat{Name: stem + ".json", Size: size, MtimeNS: mtime}
}

func stamp(stem string, size, mtime, read int64) db.Stamp {
	return db.Stamp{Path: "decisions/" + stem + ".json", Size: size, MtimeNS: mtime, ReadNS: read}
}
