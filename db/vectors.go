package db

import (
	"context"
	"embed"
	"encoding/binary"
)

// Kinds of VectorSet.
const (
	MemoryVectors      = "memory"
	ObservationVectors = "observation"
	PassageVectors     = "passage"
)

// VectorKinds are the kinds of texts of this database.
func (d *DB) VectorKinds() []string { return d.layout.kinds }

// VectorSet is a row of vector_sets. Vectors of one set can be compared.
type VectorSet struct {
	ID             int64   `db:"set_id"`
	Kind           string  `db:"kind"`
	Model          string  `db:"model"`
	DocumentPrefix string  `db:"document_prefix"`
	QueryPrefix    string  `db:"query_prefix"`
	Dimension      int     `db:"dimension"`
	Far            float64 `db:"far"`
	Near           float64 `db:"near"`
	Probe          []byte  `db:"probe"` // the vector of a known sentence
	Complete       bool    `db:"complete"`
}

// VectorSets lists the sets of a kind, the newest first.
func (d *DB) VectorSets(ctx context.Context, kind string) ([]VectorSet, error) {
	return Query[VectorSet](ctx, d, `
	SELECT
		set_id,
		kind,
		model,
		document_prefix,
		query_prefix,
		dimension,
		far,
		near,
		probe,
		complete
	FROM vector_sets
	WHERE kind = ?
	ORDER BY set_id DESC`, kind)
}

// PutVectorSet adds a set without vectors in the place of the one of the same kind, model and
// prefix, and returns its id.
func (t *Tx) PutVectorSet(s VectorSet) (id int64, err error) {
	t.exec("remove vectors", `
		DELETE FROM vector_sets
		WHERE kind = ? AND model = ? AND document_prefix = ?`, s.Kind, s.Model, s.DocumentPrefix)
	err = t.get("write a set of vectors", &id, `
		INSERT INTO vector_sets (kind, model, document_prefix, query_prefix, dimension, far, near, probe, complete)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)
		RETURNING set_id`, s.Kind, s.Model, s.DocumentPrefix, s.QueryPrefix, s.Dimension, s.Far, s.Near, s.Probe)
	return id, err
}

// Pending is a text without a vector.
type Pending struct {
	ID   int64  `db:"id"`
	Path string `db:"path"` // of a memory, else ""
	Text string `db:"text"`
}

// The outbox: what has no vector in a set, a statement for each kind. There is no list of it that could be
// lost or be worked off twice.
//
//go:embed pending_memory.sql pending_observation.sql pending_passage.sql
var pendingFiles embed.FS

// Pending returns the texts without a vector in a set, at most limit: memories, or some of the newest
// of the other kinds.
func (d *DB) Pending(ctx context.Context, s VectorSet, limit, newest int) ([]Pending, error) {
	args := []any{s.ID, limit}
	if s.Kind != MemoryVectors {
		args = append(args, newest)
	}
	statement, err := pendingFiles.ReadFile("pending_" + s.Kind + ".sql")
	if err != nil {
		return nil, err
	}
	return Query[Pending](ctx, d, string(statement), args...)
}

// CountPending counts the texts without a vector in a set.
func (d *DB) CountPending(ctx context.Context, s VectorSet, newest int) (int, error) {
	list, err := d.Pending(ctx, s, -1, newest)
	return len(list), err
}

// PutText notes the hash of a text.
func (t *Tx) PutText(kind string, id int64, hash []byte) error {
	column := kind + "_id" // of texts
	t.exec("replace a text", `DELETE FROM texts WHERE `+column+` = ?`, id)
	return t.exec("write a text", `
		INSERT INTO texts (text_hash, `+column+`)
		SELECT ?, `+column+`
		FROM `+kindTables[kind]+`
		WHERE `+column+` = ?`, hash, id) // unless it is gone meanwhile
}

var kindTables = map[string]string{MemoryVectors: "memories", ObservationVectors: "observations",
	PassageVectors: "passages"}

// HasVector reports whether a set has the vector of a text.
func (d *DB) HasVector(ctx context.Context, s VectorSet, hash []byte) (bool, error) {
	ids, err := Query[int64](ctx, d, `SELECT vector_id FROM vectors WHERE set_id = ? AND text_hash = ?`, s.ID, hash)
	return len(ids) > 0, err
}

// PutVector adds the vector of a text, and its signs.
func (t *Tx) PutVector(s VectorSet, hash, vector []byte) error {
	var id int64
	t.get("write a vector", &id, `
		INSERT INTO vectors (set_id, text_hash, vector)
		VALUES (?1, ?2, ?3)
		ON CONFLICT (set_id, text_hash) DO UPDATE SET vector = excluded.vector
		RETURNING vector_id`, s.ID, hash, vector)
	return t.putSigns(s, id, vector)
}

// signBytes is the length of the longest row of vector_pages. SQLite keeps such a row on one of its own pages, and
// reads it in less than half of the time of a longer one (https://sqlite.org/fileformat2.html#ovflpgs).
const signBytes = 4000

// PageVectors is how many vectors a row of vector_pages has the signs of.
func (s VectorSet) PageVectors() int64 { return max(1, signBytes/8/int64(s.SignWords())) }

// SignWords is how many words of 64 bits the signs of a vector take.
func (s VectorSet) SignWords() int { return (s.Dimension + 63) / 64 }

// Signs returns the signs of a vector, a bit a dimension.
func (s VectorSet) Signs(vector []byte) []byte {
	words := make([]uint64, s.SignWords())
	for i, b := range vector {
		if int8(b) > 0 {
			words[i/64] |= 1 << (i % 64)
		}
	}
	var signs []byte
	for _, word := range words {
		signs = binary.LittleEndian.AppendUint64(signs, word)
	}
	return signs
}

// putSigns writes the signs of a vector in their place on a page.
func (t *Tx) putSigns(s VectorSet, id int64, vector []byte) error {
	size, vectors := 8*s.SignWords(), s.PageVectors()
	pages, _ := queryTx[[]byte](t, `SELECT signs FROM vector_pages WHERE set_id = ? AND page = ?`, s.ID, id/vectors)
	page := make([]byte, int(vectors)*size)
	if len(pages) > 0 {
		copy(page, pages[0])
	}
	copy(page[int(id%vectors)*size:], s.Signs(vector))
	return t.exec("write signs", `
		INSERT INTO vector_pages (set_id, page, signs)
		VALUES (?, ?, ?)
		ON CONFLICT (set_id, page) DO UPDATE SET signs = excluded.signs`, s.ID, id/vectors, page)
}

// CompleteVectors marks a set as complete and removes the other sets of its kind.
func (t *Tx) CompleteVectors(s VectorSet) error {
	t.exec("remove vectors", `DELETE FROM vector_sets WHERE kind = ? AND set_id <> ?`, s.Kind, s.ID)
	return t.exec("complete vectors", `UPDATE vector_sets SET complete = 1 WHERE set_id = ?`, s.ID)
}

// RemoveUnusedVectors deletes the vectors of texts that are gone, and their signs.
func (t *Tx) RemoveUnusedVectors() error {
	var unused []struct {
		VectorSet
		VectorID int64 `db:"vector_id"`
	}
	t.Select(&unused, `
		SELECT
			s.set_id,
			s.dimension,
			v.vector_id
		FROM vectors v
		JOIN vector_sets s ON s.set_id = v.set_id
		WHERE NOT EXISTS (SELECT 1 FROM texts t WHERE t.text_hash = v.text_hash)`)
	for _, v := range unused {
		t.putSigns(v.VectorSet, v.VectorID, nil)
		t.exec("remove a vector", `DELETE FROM vectors WHERE vector_id = ?`, v.VectorID)
	}
	return t.err
}
