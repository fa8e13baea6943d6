package files

import (
	"encoding/json"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// Origin says what a memory was imported from, in the first entry of its history.
type Origin struct {
	Format string `json:"format"`
	Source string `json:"source"`
	Hash   string `json:"sha256"` // of the text, shortened
}

// OriginField is the field that an entry of history names which has an origin.
const OriginField = "origin"

// What the summary of such an entry says before the format and before the source.
const (
	importedAs   = "Imported ("
	importedFrom = ") from "
)

// Entry returns an entry of history that says the origin. Its summary says the format and the source, and its value is
// the hash; a source that is too long for a summary stands in the value too.
func (o Origin) Entry(date string) schemas.Change {
	entry := schemas.Change{Date: date, Field: OriginField, Summary: importedAs + o.Format + importedFrom + o.Source}
	entry.NewValue, _ = schemas.EncodeJSON(o.Hash) // of a string
	if len(entry.Summary) > schemas.MaxSummary {
		entry.Summary = text.Ellipsis(entry.Summary, schemas.MaxSummary)
		entry.NewValue, _ = schemas.EncodeJSON(o) // of strings
	}
	return entry
}

// OriginIn returns the origin that an entry of history says: also one of an earlier version, whose value has all of it.
func OriginIn(entry schemas.Change) (o Origin, found bool) {
	if entry.Field != OriginField {
		return o, false
	}
	if json.Unmarshal(entry.NewValue, &o.Hash) != nil {
		return o, json.Unmarshal(entry.NewValue, &o) == nil && o.Source != ""
	}
	said, ours := strings.CutPrefix(entry.Summary, importedAs)
	o.Format, o.Source, found = strings.Cut(said, importedFrom)
	return o, ours && found
}
