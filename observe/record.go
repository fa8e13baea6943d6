package observe

import (
	"context"
	"fmt"
	"strings"
	"time"

	"memctl/memdir"
	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
)

// Record appends the observation of an event to the session's file, unless the
// configuration excludes it, and reports what the privacy filter removed. It appends
// nothing once the context has ended: what the filter could not examine by then may hold
// a secret.
func Record(
	ctx context.Context, root memdir.Root, cfg schemas.Config, e Event, now time.Time,
) (privacy.Report, error) {
	if !cfg.Observations.Enabled || e.ToolName == "" || Excluded(cfg.Observations.ExcludedTools, e) {
		return privacy.Report{}, nil
	}
	filter := cfg.Privacy.Filter()
	o, r := New(e, filter.Within(ctx), now)
	if err := ctx.Err(); err != nil {
		return r, fmt.Errorf("record the tool: %w", err)
	}
	if err := root.AppendToSession(SessionFile(o.SessionID), schemas.EncodeObservation(o)); err != nil {
		return r, fmt.Errorf("record the tool: %w", err)
	}
	return r, nil
}

// SessionFile returns the file name of a session. Ids are UUIDs. One that is not a
// plain word, or so short that a system may give it a meaning (nul), is named by its
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
	return memdir.SessionFileName("session-" + word[:min(len(word), readable)] + "-" + text.Hash(session, 6))
}
