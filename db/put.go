package db

// Put writes the rows of files in place of those that they had. A memory keeps its
// memory_id.
func (t *Tx) Put(entries ...Entry) error {
	paths := make([]string, len(entries))
	for i, e := range entries {
		paths[i] = e.Path
	}
	var known []struct {
		Path string `db:"path"`
		ID   int64  `db:"memory_id"` // 0 if the file was not a memory
	}
	if err := t.Select(&known, `
		SELECT path, coalesce(memory_id, 0) AS memory_id
		FROM files
		WHERE path IN (SELECT value FROM json_each(?))`, JSON(paths)); err != nil {
		return err
	}
	loader := t.Load()
	err := t.get("find the next id", &loader.nextID, `SELECT coalesce(max(memory_id), 0) + 1 FROM memories`)
	if err != nil {
		return err
	}
	ids := make(map[string]int64, len(known))
	paths = paths[:0]
	for _, k := range known {
		ids[k.Path] = k.ID
		paths = append(paths, k.Path)
	}
	if err := t.Remove(paths...); err != nil {
		return err
	}
	for _, e := range entries {
		if err := loader.add(e, ids[e.Path]); err != nil {
			return err
		}
	}
	return loader.Close()
}

// Remove deletes every row of files. Foreign keys delete those of their memories in the
// other tables.
func (t *Tx) Remove(paths ...string) error {
	if len(paths) == 0 {
		return nil
	}
	const ids = `(SELECT memory_id FROM files WHERE path IN (SELECT value FROM json_each(?)))`
	// FTS5 wants the values that were added.
	if err := t.exec("remove full text", `
		INSERT INTO memories_fts (memories_fts, rowid, title, tags, body)
		SELECT 'delete', memory_id, full_text(title), full_text(tags), full_text(body)
		FROM memory_documents
		WHERE memory_id IN `+ids, JSON(paths)); err != nil {
		return err
	}
	if err := t.exec("remove memories", `DELETE FROM memories WHERE memory_id IN `+ids, JSON(paths)); err != nil {
		return err
	}
	var removed int
	if err := t.get("count what was removed", &removed, `SELECT changes()`); err != nil {
		return err
	}
	t.removed.Memories += removed
	return t.exec("remove files", `DELETE FROM files WHERE path IN (SELECT value FROM json_each(?))`, JSON(paths))
}
