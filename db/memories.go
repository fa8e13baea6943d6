package db

import (
	"memctl/schemas"
	"memctl/text"
)

// memoryColumns are in the order of memoryRow.
var memoryColumns = []string{
	"memory_id", "id", "path", "category", "title", "title_key", "tags", "record_status",
	"created_at", "created_unix", "updated_at", "updated_unix", "times_updated", "confidence",
	"retired_at", "retired_unix", "retired_reason", "archived_at", "archived_unix", "archived_reason",
}

func memoryRow(id int64, path, tags string, m *schemas.Memory) []any {
	return []any{
		id, m.ID, path, string(m.Category), m.Title, text.Lower(m.Title), tags, string(m.RecordStatus),
		m.CreatedAt, unix(m.CreatedAt), m.UpdatedAt, unix(m.UpdatedAt), m.TimesUpdated, m.Confidence,
		nullable(m.RetiredAt), unix(m.RetiredAt), nullable(m.RetiredReason),
		nullable(m.ArchivedAt), unix(m.ArchivedAt), nullable(m.ArchivedReason),
	}
}

// unix is nil for an invalid timestamp, which then is neither older nor newer than any
// other.
func unix(stamp string) any {
	if t, ok := schemas.ParseTime(stamp); ok {
		return t.Unix()
	}
	return nil
}

// Counts returns the number of memories of each status.
func (t *Tx) Counts() (map[schemas.Status]int, error) {
	var rows []struct {
		Status string `db:"record_status"`
		N      int    `db:"n"`
	}
	counts := map[schemas.Status]int{}
	// By category too, as the index memories_by_category has them: nothing is sorted.
	err := t.Select(&rows, `SELECT record_status, count(*) AS n FROM memories GROUP BY category, record_status`)
	for _, row := range rows {
		counts[schemas.Status(row.Status)] += row.N
	}
	return counts, err
}
