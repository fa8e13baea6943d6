package retrieve

import (
	"errors"
	"os"
	"testing"

	"memctl/db"
	"memctl/files"
	"memctl/indexer"
)

// An index that fails while it is read is left out, or is the answer's error if it is the
// first. The other one stays as it is.
func TestUseLeavesOutAnIndexThatFails(t *testing.T) {
	errOther := errors.New("another reason")
	for name, tt := range map[string]struct {
		fails   int // the source whose index is damaged; -1 for another error
		err     error
		skipped int
	}{
		"the first":  {0, db.ErrDamaged, 0},
		"the second": {1, nil, 1},
		"neither":    {-1, errOther, 0},
	} {
		t.Run(name, func(t *testing.T) {
			roots, before := make([]files.Root, 2), make([]os.FileInfo, 2)
			for i := range roots {
				roots[i] = files.Root{Path: t.TempDir()}
				if err := indexer.Use(t.Context(), roots[i], indexer.Full, func(*indexer.Index) error { return nil }); err != nil {
					t.Fatal(err)
				}
				before[i] = indexFile(t, roots[i])
			}
			alone := false
			skipped, err := Use(t.Context(), roots, indexer.Full, func(s Sources) error {
				alone = len(s) == 1
				if tt.fails < 0 {
					return errOther
				}
				return s.each(func(source Source) error {
					if source.Root.Is(roots[tt.fails]) {
						return db.ErrDamaged
					}
					return nil
				})
			})
			if !errors.Is(err, tt.err) || len(skipped) != tt.skipped || alone != (tt.fails == 1) {
				t.Errorf("%v, skipped %v, alone %v", err, skipped, alone)
			}
			for i, root := range roots {
				if kept := os.SameFile(before[i], indexFile(t, root)); kept == (i == tt.fails) {
					t.Errorf("index %d is kept: %v", i, kept)
				}
			}
		})
	}
}

func indexFile(t *testing.T, root files.Root) os.FileInfo {
	t.Helper()
	info, err := os.Lstat(root.Join(files.IndexName))
	if err != nil {
		t.Fatal(err)
	}
	os.SameFile(info, info) // Windows asks which file it is only now
	return info
}
