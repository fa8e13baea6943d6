package db

// Put writes the rows of files in place of those that they had. A memory keeps its
// memory_id.
func (t *Tx) Put(entries ...Entry) error {
	loader := t.Load()
	if err := t.get("find the next id", &loader.nextID, `SELECT coalesce(max(memory_id), 0) + 1 FROM memories`); err != nil {
		return err
	}
	for _, e := range entries {
		var id int64
		if err := t.get("find a memory", &id, `SELECT coalesce((SELECT memory_id FROM files WHERE path = ?), 0)`, e.Path); err != nil {
			return err
		}
		if id > 0 {
			t.removed.Memories++
		}
		if err := t.remove(e.Path); err != nil {
			return err
		}
		if err := loader.add(e, id); err != nil {
			return err
		}
	}
	return loader.Close()
}

// Remove deletes every row of a file. Foreign keys delete those of its memory in the
// other tables.
func (t *Tx) Remove(path string) error {
	t.removed.Memories++
	return t.remove(path)
}

func (t *Tx) remove(path string) error {
	if err := t.removeFullText(path); err != nil {
		return err
	}
	if err := t.exec("remove a memory", `
		DELETE FROM memories
		WHERE memory_id = (SELECT memory_id FROM files WHERE path = ?)`, path); err != nil {
		return err
	}
	return t.exec("remove a file", `DELETE FROM files WHERE path = ?`, path)
}
