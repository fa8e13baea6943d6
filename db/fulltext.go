package db

// How FTS5 is set up (https://sqlite.org/fts5.html#configuration_options). Merging
// segments may rewrite the whole full text: a prompt must never pay for that, so
// nothing is merged by itself until there are very many segments, and commands
// that have time merge a little (MergeFullText).
const (
	bulkHash    = 24 << 20 // bytes gathered before a segment is written, while everything is indexed
	usualHash   = 1 << 20  // FTS5's default
	automerge   = 0        // never
	crisismerge = 500      // segments
	mergePages  = 64       // written by one MergeFullText
)

// rebuildFullText indexes the text of all memories in one go.
func (t *Tx) rebuildFullText() error {
	if err := t.configureFullText("hashsize", bulkHash); err != nil {
		return err
	}
	if err := t.exec("index full text", `INSERT INTO memories_fts (memories_fts) VALUES ('rebuild')`); err != nil {
		return err
	}
	for _, option := range []struct {
		name  string
		value int
	}{{"hashsize", usualHash}, {"automerge", automerge}, {"crisismerge", crisismerge}} {
		if err := t.configureFullText(option.name, option.value); err != nil {
			return err
		}
	}
	return nil
}

// MergeFullText does a bounded part of the merging that is due.
func (t *Tx) MergeFullText() error { return t.configureFullText("merge", mergePages) }

func (t *Tx) configureFullText(option string, value int) error {
	return t.exec("configure full text", `INSERT INTO memories_fts (memories_fts, rank) VALUES (?, ?)`, option, value)
}

// removeFullText takes a memory out of the full text; FTS5 wants its old values.
func (t *Tx) removeFullText(id int64, old *document) error {
	return t.execPrepared("remove full text", `
		INSERT INTO memories_fts (memories_fts, rowid, title, tags, body)
		VALUES ('delete', ?, ?, ?, ?)`, id, old.Title, old.Tags, old.Body)
}
