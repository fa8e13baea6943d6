// Package retrieve reads the index. It ranks memories for a prompt, one SQL
// statement for each strategy, explains a ranking, finds memories by id, lists
// them, and renders the block that a prompt receives. It writes nothing.
package retrieve

import (
	"database/sql/driver"
	"encoding/json"

	"memctl/db"
	"memctl/memdir"
)

// Source is an index that is up to date, and the root whose files it holds.
type Source struct {
	DB   *db.DB
	Root memdir.Root
}

// Values of Row.Type, Ref.Type, Event.Type, Timeline.Type and Detail.Type.
const (
	MemoryType      = "memory"
	ObservationType = "observation"
)

// jsonArg is a query parameter that SQL reads as JSON text.
type jsonArg struct{ value any }

// Value implements driver.Valuer.
func (a jsonArg) Value() (driver.Value, error) {
	data, err := json.Marshal(a.value)
	return string(data), err
}
