package schemas

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// Recorded is what git's log says of a memory's file. It counts where git.history is true: there an
// update leaves updated_at, times_updated and changes as they are.
type Recorded struct {
	Blob    string    // the id of what the last commit has of the file, "" if it has none
	Commit  string    // that changed the file last, "" if none did since it was added
	Changed time.Time // when the author of Commit did so
	Times   int       // how many commits changed the file since it was added
}

// History is what git's log says of the files of a root, by their paths below it. It is nil where the
// files count alone.
type History map[string]Recorded

// Date gives a memory at a path the time and the number of its changes, and reports whether they are
// others than its file has. Whatever shows a memory's times has them from here.
func (h History) Date(m *Memory, path string, file []byte, written time.Time) bool {
	updated, times := m.UpdatedAt, m.TimesUpdated
	if h != nil {
		m.recount(h[path], file, written)
	}
	return m.UpdatedAt != updated || m.TimesUpdated != times
}

// recount gives a memory the time and the number of its changes: what its file says, or what git
// has recorded if that is later or more. A file that is not as git has it was changed once more, when
// it was written.
func (m *Memory) recount(r Recorded, file []byte, written time.Time) {
	when, times := r.Changed, r.Times
	if !isBlob(r.Blob, file) {
		when = written
		if r.Blob != "" {
			times++
		}
	}
	if known, ok := ParseTime(m.UpdatedAt); !when.IsZero() && (!ok || when.After(known)) {
		m.UpdatedAt = FormatTime(when)
	}
	m.TimesUpdated = max(m.TimesUpdated, times)
}

// isBlob reports whether git stores a file under an id. A checkout may have turned its line ends
// into CRLF.
func isBlob(id string, file []byte) bool {
	return id != "" && (id == blobID(file, len(id)) || id == blobID(bytes.ReplaceAll(file, []byte("\r\n"), []byte("\n")), len(id)))
}

func blobID(file []byte, digits int) string {
	data := append(fmt.Appendf(nil, "blob %d\x00", len(file)), file...)
	if digits == hex.EncodedLen(sha256.Size) {
		return fmt.Sprintf("%x", sha256.Sum256(data))
	}
	return fmt.Sprintf("%x", sha1.Sum(data))
}
