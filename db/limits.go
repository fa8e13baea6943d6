package db

import (
	"memctl/schemas"
	"memctl/text"
)

// What the index takes of one memory (docs/audit.md). A valid memory is far below these
// limits, except for its body. The file keeps what the index leaves out.
const (
	MaxTitle = 1000    // code points of a title, and of every other short text
	MaxTags  = 100     // tags
	MaxTag   = 100     // code points of a tag
	MaxList  = 100     // changes, and related files
	MaxBody  = 100_000 // code points of the text of the content
)

// limited returns a memory cut to what the index takes.
func limited(m schemas.Memory) schemas.Memory {
	for _, short := range []*string{
		&m.ID, &m.Title, &m.CreatedAt, &m.UpdatedAt,
		&m.RetiredAt, &m.RetiredReason, &m.ArchivedAt, &m.ArchivedReason,
	} {
		*short = text.Truncate(*short, MaxTitle)
	}
	m.Category = schemas.Category(text.Truncate(string(m.Category), MaxTitle))
	m.RecordStatus = schemas.Status(text.Truncate(string(m.RecordStatus), MaxTitle))
	m.Tags = limitedList(m.Tags, MaxTags, MaxTag)
	m.RelatedFiles = limitedList(m.RelatedFiles, MaxList, MaxTitle)
	m.Changes = m.Changes[:min(len(m.Changes), MaxList)]
	return m
}

func limitedList(list []string, most, length int) []string {
	short := make([]string, 0, min(len(list), most))
	for _, s := range list[:min(len(list), most)] {
		short = append(short, text.Truncate(s, length))
	}
	return short
}
