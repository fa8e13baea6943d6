package files

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"memctl/files/systemtest"
)

func openStaged(t *testing.T) *Staged {
	t.Helper()
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	staged, err := Root{Path: filepath.Join(temp, "memory")}.OpenStaging()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { staged.Close() })
	return staged
}

// The journal rotates many times while 16 goroutines write: every line that remains is
// whole, the newest lines are kept, and both files stay within their bounds.
func TestJournalIsBoundedAndWhole(t *testing.T) {
	systemtest.SkipUnderWine(t, "a line that is appended may replace another that is appended at the same time")
	const limit, writers, lines = 16 << 10, 16, 500
	s := openStaged(t)
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			for n := range lines {
				// The journal may be full for a moment while another rotates it.
				if err := s.Append("log", fmt.Appendf(nil, "writer %d line %d end\n", w, n), limit); err != nil && !errors.Is(err, errFull) {
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	err := s.Append("log", []byte("the last\n"), limit)
	if errors.Is(err, errFull) {
		err = s.Append("log", []byte("the last\n"), limit)
	}
	if err != nil {
		t.Fatal(err)
	}
	data, err := s.ReadJournal("log", limit)
	if err != nil || !bytes.HasSuffix(data, []byte("the last\n")) {
		t.Errorf("%v, ends in %q", err, data[max(0, len(data)-50):])
	}
	if len(data) < limit || len(data) > 4*limit {
		t.Errorf("%d bytes are left", len(data))
	}
	for line := range strings.Lines(string(data)) {
		if line != "the last\n" && (!strings.HasPrefix(line, "writer ") || !strings.HasSuffix(line, " end\n")) {
			t.Errorf("half a line: %q", line)
		}
	}
}

// A full journal that cannot be set aside stops growing.
func TestJournalThatCannotRotateStopsGrowing(t *testing.T) {
	const limit = 100
	for name, block := range map[string]string{"a folder for the old one": "log.1", "a folder for the lock": "log.lock"} {
		t.Run(name, func(t *testing.T) {
			s := openStaged(t)
			if err := os.MkdirAll(filepath.Join(s.path, block, "full"), 0o700); err != nil {
				t.Fatal(err)
			}
			for range 100 {
				err := s.Append("log", []byte("0123456789\n"), limit)
				info, statErr := os.Stat(filepath.Join(s.path, "log"))
				if statErr != nil || info.Size() > 2*limit+11 || err == nil && info.Size() > limit {
					t.Fatalf("%v, %v", err, info)
				}
			}
		})
	}
}

func TestJournalRefusesLinksAndFolders(t *testing.T) {
	s := openStaged(t)
	victim := filepath.Join(filepath.Dir(filepath.Dir(s.path)), "victim")
	if systemtest.HasLinks() {
		systemtest.Symlink(t, victim, filepath.Join(s.path, "link"))
	}
	if err := s.Append("link", []byte("line\n"), 100); err == nil && systemtest.HasLinks() {
		t.Error("followed a link out of the folder")
	}
	if _, err := os.Lstat(victim); err == nil {
		t.Error("wrote through a link")
	}
	if err := os.Mkdir(filepath.Join(s.path, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := s.Append("folder", []byte("line\n"), 100); err == nil {
		t.Error("wrote to a folder")
	}
	if data, err := s.ReadJournal("none", 100); len(data) != 0 || err != nil {
		t.Errorf("of no journal: %q, %v", data, err)
	}
}

// If two processes see that the journal is full, the second must not set aside the one
// that the first has just begun.
func TestJournalRotatesOnce(t *testing.T) {
	const limit = 100
	s := openStaged(t)
	for range 2 {
		if err := s.Append("log", bytes.Repeat([]byte("x"), limit), limit); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Append("log", []byte("new\n"), limit); err != nil {
		t.Fatal(err)
	}
	if err := s.rotate("log", limit); err != nil {
		t.Fatal(err)
	}
	data, err := s.ReadJournal("log", limit)
	if want := strings.Repeat("x", 2*limit) + "new\n"; string(data) != want || err != nil {
		t.Errorf("%q, %v", data, err)
	}
}
