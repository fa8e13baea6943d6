package db

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"
)

func TestSchemaDigest(t *testing.T) {
	for name, l := range map[string]layout{"index": index, "catalogue": catalogue, "past sessions": pastSessions} {
		d, err := create(t.Context(), filepath.Join(t.TempDir(), "new.db"), l)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		digest, err := d.schemaDigest(t.Context())
		if err != nil || digest != d.layout.digest {
			t.Errorf("the migrations of the %s make a schema with the digest %q, its layout says %q (%v)", name, digest, d.layout.digest, err)
		}
	}
}

func TestOpenRefusesAnotherSchema(t *testing.T) {
	const endless = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS version_id, 'content_version' AS key, i AS value FROM n`
	for name, sql := range map[string]string{
		"a view in a table's place": `DROP TABLE meta; CREATE VIEW meta AS ` + endless,
		"a trigger":                 `CREATE TRIGGER more AFTER UPDATE ON meta BEGIN INSERT INTO tokens (token) VALUES (randomblob(1000)); END`,
		"another table":             `CREATE TABLE more (x)`,
		"an index":                  `CREATE INDEX more ON files (abs(size_bytes))`,
		"a changed default":         `ALTER TABLE tokens ADD COLUMN more DEFAULT (1)`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "index.db")
			d, err := Create(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			if err := d.Update(t.Context(), (*Tx).PutConstants); err != nil {
				t.Fatal(err)
			}
			if _, err := d.sql.Exec(sql); err != nil {
				t.Fatal(err)
			}
			if err := d.Finish(t.Context()); err != nil && name == "a trigger" {
				t.Fatal(err)
			}
			d.Close()
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			if d, err := Open(ctx, path); !errors.Is(err, ErrVersion) {
				t.Errorf("Open: %v", err)
				if err == nil {
					d.Close()
				}
			}
		})
	}
}

// A hook's statement ends with its context.
func TestStatementEndsWithItsContext(t *testing.T) {
	d := newIndex(t)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	var n []int
	err := d.Select(ctx, &n, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n`)
	if took := time.Since(start); err == nil || took > 2*time.Second {
		t.Errorf("the statement took %v: %v", took, err)
	}
}
