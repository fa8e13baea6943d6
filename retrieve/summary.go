package retrieve

import (
	"context"

	"memctl/db"
	"memctl/schemas"
)

// LastSummary returns the active session summary that was updated last. It reports false if there is none.
func (s Source) LastSummary(ctx context.Context) (r Result, m schemas.Memory, ok bool, err error) {
	paths, err := db.Query[string](ctx, s.DB, `
		SELECT path
		FROM memories
		WHERE category = 'session_summary' AND record_status = 'active'
		ORDER BY updated_unix DESC
		LIMIT 1`)
	if err != nil || len(paths) == 0 {
		return r, m, false, err
	}
	r, m, ok = readMemory(s.Root, paths[0])
	return r, m, ok, nil
}
