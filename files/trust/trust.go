// Package trust knows which memories this person has seen. A memory is text that goes into an agent's context,
// and a clone or a pull brings memories that others wrote. The contents that count as seen are in the person's
// state folder, over all projects: those that this person's memctl wrote, those that the person committed in
// this clone, and those that the person said to have seen. It owns that file and what a session's start noted of
// a root. It does not decide what is done with a memory that is new.
package trust

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"memctl/files"
)

const (
	// seenName is the file with the contents that count as seen, a line each.
	seenName = "seen-contents"
	// maxSeen bounds it, in bytes: half a million contents. Beyond, nothing more counts as seen.
	maxSeen = 16 << 20
	// digits is how long a line is: the first half of a SHA-256.
	digits = 32
)

// Content names the bytes of a memory's file.
func Content(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:digits/2])
}

// Seen are the contents that count as seen.
type Seen struct {
	lines []byte
	set   map[string]bool // nil until Has is asked often
	asked int
}

// From manyAsked questions on, Has makes a set, which costs as much as six of them. A prompt asks only a few.
const manyAsked = 8

// ReadSeen reads the contents that count as seen. If they cannot be read, none does.
func ReadSeen() (*Seen, error) {
	data, err := files.ReadStateFile(seenName, maxSeen)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		data = nil
	}
	return &Seen{lines: data}, err
}

// Has reports whether a content counts as seen.
func (s *Seen) Has(content string) bool {
	if s.asked++; s.asked < manyAsked {
		return len(content) == digits && bytes.Contains(s.lines, []byte("\n"+content))
	}
	if s.set == nil {
		s.set = make(map[string]bool, len(s.lines)/(digits+1))
		for line := range strings.SplitSeq(string(s.lines), "\n") {
			if len(line) == digits {
				s.set[line] = true
			}
		}
	}
	return s.set[content]
}

// Add makes contents count as seen.
func Add(contents ...string) error {
	seen, err := ReadSeen()
	if err != nil {
		return err
	}
	contents = slices.DeleteFunc(slices.Clone(contents), seen.Has)
	if len(contents) == 0 {
		return nil
	}
	return files.KeepState(seenName, contents, maxSeen)
}

// Wrote makes a memory count as seen that this person's memctl is about to write. A failure means that the next
// session's start calls it new, which is no reason not to write it.
func Wrote(data []byte) { _ = Add(Content(data)) }

// Rewrote is Wrote for a memory that was made of others: it counts as seen only if all of them do.
func Rewrote(data []byte, from ...[]byte) {
	seen, err := ReadSeen()
	if err != nil {
		return
	}
	for _, before := range from {
		if !seen.Has(Content(before)) {
			return
		}
	}
	Wrote(data)
}
