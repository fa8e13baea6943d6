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
	written = int64(1_700_000_000_000_000_001)
	later   = written + int64(time.Second)
)

func TestCompare(t *testing.T) {
	tests := map[string]struct {
		found   []files.Stat
		indexed []db.Stamp
		want    difference
	}{
		"nothing on either side": {},
		"the same file": {
			found:   []files.Stat{stat("a", 5, written)},
			indexed: []db.Stamp{stamp("a", 5, written, later)},
		},
		"a new file": {
			found: []files.Stat{stat("a", 5, written)},
			want:  difference{added: []string{"a.json"}},
		},
		"a removed file": {
			indexed: []db.Stamp{stamp("a", 5, written, later)},
			want:    difference{removed: []string{"decisions/a.json"}},
		},
		"another size": {
			found:   []files.Stat{stat("a", 6, written)},
			indexed: []db.Stamp{stamp("a", 5, written, later)},
			want:    difference{changed: []string{"a.json"}},
		},
		"a later mtime": {
			found:   []files.Stat{stat("a", 5, written+1)},
			indexed: []db.Stamp{stamp("a", 5, written, later)},
			want:    difference{changed: []string{"a.json"}},
		},
		"an earlier mtime": {
			found:   []files.Stat{stat("a", 5, written-1)},
			indexed: []db.Stamp{stamp("a", 5, written, later)},
			want:    difference{changed: []string{"a.json"}},
		},
		"read too soon after it was written": {
			found:   []files.Stat{stat("a", 5, written)},
			indexed: []db.Stamp{stamp("a", 5, written, written+1)},
			want:    difference{racy: []string{"a.json"}},
		},
		"never read": {
			found:   []files.Stat{stat("a", 5, written)},
			indexed: []db.Stamp{stamp("a", 5, written, 0)},
			want:    difference{racy: []string{"a.json"}},
		},
		"before, between and after": {
			found:   []files.Stat{stat("a", 1, written), stat("c", 1, written), stat("e", 1, written)},
			indexed: []db.Stamp{stamp("b", 1, written, later), stamp("c", 1, written, later), stamp("d", 1, written, later)},
			want:    difference{added: []string{"a.json", "e.json"}, removed: []string{"decisions/b.json", "decisions/d.json"}},
		},
		"the last is gone": {
			found:   []files.Stat{stat("a", 1, written)},
			indexed: []db.Stamp{stamp("a", 1, written, later), stamp("b", 1, written, later)},
			want:    difference{removed: []string{"decisions/b.json"}},
		},
		"paths compare as bytes": {
			found:   []files.Stat{stat("a-b", 1, written), stat("a", 1, written), stat("a_b", 1, written)},
			indexed: []db.Stamp{stamp("a-b", 1, written, later), stamp("a", 1, written, later), stamp("a_b", 1, written, later)},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := compare(tt.found, tt.indexed)
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
