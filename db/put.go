package db

import "memctl/text"

// document is what the index holds of a file's memory. MemoryID is 0 if the file is
// unknown or not a memory.
type document struct {
	MemoryID int64  `db:"memory_id"`
	Title    string `db:"title"`
	Tags     string `db:"tags"`
	Body     string `db:"body"`
}

func (t *Tx) documentOf(path string) (document, error) {
	var found []document
	err := t.Select(&found, `
		SELECT m.memory_id, m.title, m.tags, coalesce(b.body, '') AS body
		FROM files f
		JOIN memories m ON m.memory_id = f.memory_id
		LEFT JOIN bodies b ON b.memory_id = f.memory_id
		WHERE f.path = ?`, path)
	return append(found, document{})[0], err
}

// Put writes the rows of one file in place of those it had. A memory keeps its
// memory_id.
func (t *Tx) Put(e Entry) error {
	old, err := t.remove(e.Path)
	if err != nil {
		return err
	}
	tables := newTables(t)
	if e.memory == nil {
		tables.queueFile(&e.File, nil)
		return tables.flush()
	}
	id := old.MemoryID
	if id == 0 {
		if err := t.get("find the next id", &id, `SELECT coalesce(max(memory_id), 0) + 1 FROM memories`); err != nil {
			return err
		}
	}
	tables.queueFile(&e.File, id)
	tables.queueMemory(id, e.memory)
	if err := tables.flush(); err != nil {
		return err
	}
	byToken := map[string][]posting{}
	for _, p := range e.memory.postings {
		p.memoryID = id
		byToken[p.token] = append(byToken[p.token], p)
	}
	if err := t.putPostings(byToken); err != nil {
		return err
	}
	return t.addFullText(id, e.memory)
}

// Remove deletes every row of the given files.
func (t *Tx) Remove(paths []string) error {
	for _, path := range paths {
		if _, err := t.remove(path); err != nil {
			return err
		}
	}
	return nil
}

// remove deletes every row of a file and returns the memory that it was.
func (t *Tx) remove(path string) (document, error) {
	old, err := t.documentOf(path)
	if err == nil && old.MemoryID != 0 {
		err = t.removeMemory(old)
	}
	if err != nil {
		return old, err
	}
	return old, t.exec("remove a file", `DELETE FROM files WHERE path = ?`, path)
}

// removeMemory deletes a memory's postings and full text, then the memory. Foreign
// keys delete the rows in the other tables.
func (t *Tx) removeMemory(old document) error {
	if err := t.removePostings(old.MemoryID, postingsOf(old.Title, text.Tags([]string{old.Tags}))); err != nil {
		return err
	}
	if err := t.removeFullText(old); err != nil {
		return err
	}
	return t.exec("remove a memory", `DELETE FROM memories WHERE memory_id = ?`, old.MemoryID)
}
