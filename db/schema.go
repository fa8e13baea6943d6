package db

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// selectSchema reads the schema without evaluating any of it: to SQLite, sqlite_schema
// is a table like any other.
const selectSchema = `
	SELECT coalesce(group_concat(type || char(10) || name || char(10) || tbl_name || char(10) || coalesce(sql, ''), char(10)), '')
	FROM (SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name)`

// checkSchema compares the whole schema with the one that the migrations make. An index
// may come with a cloned project, and a view in a table's place or a trigger would run
// in every later statement.
func (d *DB) checkSchema(ctx context.Context) error {
	found, err := d.schemaDigest(ctx)
	if err == nil && found != d.layout.digest {
		err = fmt.Errorf("open index: %w: its tables are not this version's", ErrVersion)
	}
	return err
}

func (d *DB) schemaDigest(ctx context.Context) (string, error) {
	var schema string
	if err := d.sql.GetContext(ctx, &schema, selectSchema); err != nil {
		return "", wrap("read the index's schema", err)
	}
	sum := sha256.Sum256([]byte(schema))
	return hex.EncodeToString(sum[:]), nil
}
