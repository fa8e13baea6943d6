package retrieve

import (
	"memctl/db"
	"memctl/memdir"
)

// Source is what the layers of disclosure are read from: an index that is up to
// date, and the files it is of.
type Source struct {
	DB   *db.DB
	Root memdir.Root
}

// The types of what a search finds.
const (
	MemoryType      = "memory"
	ObservationType = "observation"
)
