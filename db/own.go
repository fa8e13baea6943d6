package db

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strings"

	"memctl/gate"
)

// applicationID marks the databases that memctl makes: "mctl" in ASCII. It is at
// applicationOffset of the file's header (https://sqlite.org/fileformat2.html#the_database_header).
const (
	applicationID     = 0x6d63746c
	applicationOffset = 68
	headerSize        = 100
	headerStart       = "SQLite format 3\x00"
)

// ErrForeign means that another program's database is in the place of the index. No rebuild
// replaces it.
var ErrForeign = fmt.Errorf("%w: another program's database is in its place; move it away", ErrReadOnly)

// IsOwn reports whether the file at a path may be deleted to make room for an index: it is
// memctl's own, it is empty, or it is no file at all. It returns ErrForeign for the database of
// another program, and ErrReadOnly for a file that it cannot read.
func IsOwn(ctx context.Context, path string) (bool, error) {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return true, nil
	}
	file, size, err := gate.OpenRegular(path)
	if err != nil {
		return false, fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	defer file.Close()
	if size == 0 {
		return true, nil
	}
	header := make([]byte, headerSize)
	if _, err := io.ReadFull(file, header); err != nil || !strings.HasPrefix(string(header), headerStart) {
		return false, nil
	}
	switch binary.BigEndian.Uint32(header[applicationOffset:]) {
	case applicationID:
		return true, nil
	case 0:
		if hasOlderTables(ctx, path) {
			return true, nil
		}
	}
	return false, ErrForeign
}

// hasOlderTables recognises an index of the versions that did not mark theirs, and a database
// without tables.
func hasOlderTables(ctx context.Context, path string) bool {
	d, err := connect(dsn(path, "mode=ro&immutable=1&"+sharedPragmas), index)
	if err != nil {
		return false
	}
	defer d.Close()
	var found bool
	err = d.sql.GetContext(ctx, &found, `
		SELECT count(*) = 0 OR sum(name IN ('goose_db_version', 'meta', 'memories', 'tokens')) = 4
		FROM sqlite_master`)
	return err == nil && found
}
