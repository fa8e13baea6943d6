package db

import (
	"strconv"

	"memctl/schemas"
)

// PutMeta records one fact about the index.
func (t *Tx) PutMeta(key, value string) error {
	return t.exec("write meta", `
		INSERT INTO meta (key, value) VALUES (?, ?)
		ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, value)
}

// Meta returns a fact about the index, "" if it is not recorded.
func (t *Tx) Meta(key string) (string, error) {
	var value string
	err := t.get("read meta", &value, `SELECT coalesce((SELECT value FROM meta WHERE key = ?), '')`, key)
	return value, err
}

// PutConstants writes what does not depend on any file: the content version and the
// categories.
func (t *Tx) PutConstants() error {
	if err := t.PutMeta("content_version", strconv.Itoa(ContentVersion)); err != nil {
		return err
	}
	table := newInserter(t, "categories", "category", "folder", "display", "priority")
	for _, info := range schemas.Categories {
		table.queue(string(info.Category), info.Folder, info.Category.Display(), info.Priority)
	}
	return table.flush()
}
