package observe

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"memctl/memdir"
	"memctl/privacy"
	"memctl/schemas"
)

// Record appends what the event tells of, unless the settings leave it out, and
// reports what was taken out of it.
func Record(root memdir.Root, settings schemas.Recording, e Event, now time.Time) (privacy.Report, error) {
	if !settings.Observations.Enabled || e.ToolName == "" || excluded(settings.Observations.ExcludedTools, e) {
		return privacy.Report{}, nil
	}
	o, r := New(e, privacy.New(privacy.Options(settings.Privacy)), now)
	if err := root.AppendToSession(SessionFile(e.SessionID), schemas.EncodeObservation(o)); err != nil {
		return r, fmt.Errorf("record the tool: %w", err)
	}
	return r, nil
}

// SessionFile names the file of a session. Ids are UUIDs; one that is no plain
// word, or so short that some system gives it a meaning (nul), is known by its
// hash.
func SessionFile(session string) string {
	const least, most, readable = 8, 100, 40
	word := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '-' || r == '_' {
			return r
		}
		return -1
	}, session)
	if word == session && len(word) >= least && len(word) <= most && word[0] != '-' {
		return memdir.SessionFileName(word)
	}
	sum := sha256.Sum256([]byte(session))
	return memdir.SessionFileName("session-" + word[:min(len(word), readable)] + "-" + hex.EncodeToString(sum[:6]))
}

// newID is a random UUID (RFC 9562, version 4). It need not be hard to guess.
func newID() string {
	high, low := rand.Uint64(), rand.Uint64()
	high = high&^0xf000 | 0x4000
	low = low&^(3<<62) | 2<<62
	var id [16]byte
	binary.BigEndian.PutUint64(id[:8], high)
	binary.BigEndian.PutUint64(id[8:], low)
	digits := hex.EncodeToString(id[:]) // fmt would be the slowest part of the line
	return digits[:8] + "-" + digits[8:12] + "-" + digits[12:16] + "-" + digits[16:20] + "-" + digits[20:]
}
