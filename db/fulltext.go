package db

const (
	// bulkHash is FTS5's buffer while everything is indexed, in bytes: the fewer
	// times it is written out, the fewer segments have to be merged.
	bulkHash = 24 << 20
	// usualHash is FTS5's default.
	usualHash = 1 << 20
)

// rebuildFullText indexes the text of all memories in one go.
func (t *Tx) rebuildFullText() error {
	const configure = `INSERT INTO memories_fts (memories_fts, rank) VALUES ('hashsize', ?)`
	if err := t.exec("configure full text", configure, bulkHash); err != nil {
		return err
	}
	if err := t.exec("index full text", `INSERT INTO memories_fts (memories_fts) VALUES ('rebuild')`); err != nil {
		return err
	}
	return t.exec("configure full text", configure, usualHash)
}

// removeFullText takes a memory out of the full text; FTS5 wants its old values.
func (t *Tx) removeFullText(id int64, title, tags, body string) error {
	return t.exec("remove full text", `
		INSERT INTO memories_fts (memories_fts, rowid, title, tags, body)
		VALUES ('delete', ?, ?, ?, ?)`, id, title, tags, body)
}
