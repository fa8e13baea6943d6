package exchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/files/gate"
	"memctl/schemas"
	"memctl/text"

	"github.com/jmoiron/sqlx"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// foreignDB is the opened database of another tool. Its tables are read, and nothing that it brings is run.
type foreignDB struct {
	r    *reader
	ctx  context.Context
	conn *sqlx.Conn
	tool string
}

// foreignTable names the columns of a table: those that every release has, and those that some have.
type foreignTable struct {
	name          string
	columns, some []string
}

// sqliteHeader begins the file of a database.
var sqliteHeader = []byte("SQLite format 3\x00")

// startsLikeDatabase reports whether a file of the source is a database, or empty as a new one is.
func (s *source) startsLikeDatabase(name string) (bool, error) {
	file, info, err := s.open(name)
	if err != nil {
		return false, err
	}
	defer file.Close()
	head := make([]byte, len(sqliteHeader))
	_, err = io.ReadFull(file, head)
	return info.Size() == 0 || err == nil && bytes.Equal(head, sqliteHeader), nil
}

// isFilled reports whether there is a file that is not empty.
func isFilled(path string) bool {
	info, err := gate.Stat(path)
	return err == nil && info.Size() > 0
}

// readDatabase opens a database of the source for reading.
func (r *reader) readDatabase(tool, name string, read func(foreignDB) error) error {
	opened, _, err := r.src.open(name) // a regular file within the folder
	if err != nil {
		return err
	}
	opened.Close()
	ctx, cancel := context.WithTimeout(r.ctx, databaseTime)
	defer cancel()
	db, err := openForeign(filepath.Join(r.src.dir.Name(), name))
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := db.Connx(ctx)
	if err != nil {
		return foreignDB{tool: tool}.failed("open", err)
	}
	defer conn.Close()
	if _, err := sqlite.Limit(conn.Conn, sqlite3.SQLITE_LIMIT_LENGTH, maxCell); err != nil {
		return err
	}
	return read(foreignDB{r, ctx, conn, tool})
}

// has reports whether the database has a plain table of a name. Of a view or a virtual table it says no, because these
// run what their author wants.
func (d foreignDB) has(table string) (bool, error) {
	var plain int
	err := d.conn.GetContext(d.ctx, &plain, `
		SELECT count(*)
		FROM main.sqlite_master
		WHERE name = ?
			AND type = 'table'
			AND sql LIKE 'CREATE TABLE%'`, table)
	if err != nil {
		return false, d.failed(table, err)
	}
	return plain == 1, nil
}

// rows calls use for each row, whose values are filtered texts by their columns. A column that the release does not
// have is "".
func (d foreignDB) rows(t foreignTable, use func(row map[string]string)) error {
	plain, err := d.has(t.name)
	if err != nil {
		return err
	}
	if !plain {
		return fmt.Errorf("no database of %s: it has no table %s", d.tool, t.name)
	}
	var existing []string
	err = d.conn.SelectContext(d.ctx, &existing, "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", t.name)
	if err != nil {
		return d.failed(t.name, err)
	}
	for _, column := range t.columns {
		if !slices.Contains(existing, column) {
			return fmt.Errorf("not a form of %s that memctl knows: %s has no column %s", d.tool, t.name, column)
		}
	}
	var selected []string
	for _, column := range slices.Concat(t.columns, t.some) {
		if slices.Contains(existing, column) {
			selected = append(selected,
				fmt.Sprintf("coalesce(CAST(substr(%[1]s, 1, 100000) AS TEXT), '') AS %[1]s", column))
		}
	}
	rows, err := d.conn.QueryxContext(d.ctx, "SELECT "+strings.Join(selected, ", ")+" FROM main."+t.name+
		" ORDER BY "+t.name+"."+t.columns[0])
	if err != nil {
		return d.failed(t.name, err)
	}
	defer rows.Close()
	for rows.Next() {
		values, row := map[string]any{}, map[string]string{}
		if err := rows.MapScan(values); err != nil {
			return d.failed(t.name, err)
		}
		for column, value := range values {
			row[column] = d.r.filtered(strings.ToValidUTF8(fmt.Sprint(value), "\uFFFD"))
		}
		if use(row); d.r.stopped() {
			return d.r.err
		}
	}
	if err := rows.Err(); err != nil {
		return d.failed(t.name, err)
	}
	return nil
}

// failed words an error of the database.
func (d foreignDB) failed(table string, err error) error {
	failure := new(sqlite.Error)
	if !errors.As(err, &failure) {
		return databaseError(table, err)
	}
	switch failure.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("the database is locked; close %s, then try again", d.tool)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN:
		return fmt.Errorf("%s was stopped while it wrote; start it once, then try again", d.tool)
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("the database is damaged: %s", text.Brief(err.Error()))
	}
	return databaseError(table, err)
}

// categoryOf returns the category that another tool's type names, "" for any other. A bug that was fixed is not yet a
// runbook, and a thing learned not yet a constraint: those are for a reader.
func categoryOf(kind string) schemas.Category {
	category := schemas.Category(strings.NewReplacer("-", "_", " ", "_").Replace(text.Lower(strings.TrimSpace(kind))))
	if _, known := category.Info(); known {
		return category
	}
	return ""
}

// leaveToReader adds an entry that names no category: somebody has to read it.
func (r *reader) leaveToReader(origin string, line int, content, reason string, when time.Time) {
	r.add(&Item{State: LeftOut, Origin: origin, Line: line, Reason: reason, Text: content, when: when})
}

// leftOut counts the rows of a source that are left out together, by the reason.
type leftOut map[string]int

// count adds a row to those of a reason.
func (l leftOut) count(reason string) {
	if l[reason] > 0 || len(l) < maxProjects {
		l[reason]++
	}
}

// leaveOutAll adds an item for each reason.
func (r *reader) leaveOutAll(origin string, rows leftOut) {
	for _, reason := range slices.Sorted(maps.Keys(rows)) {
		r.leaveOut(origin, 0, "", text.Plural(rows[reason], "entry", "entries")+": "+reason)
	}
}

// ofProject reports whether an entry of the project of a name is wanted, and counts it if not.
func (r *reader) ofProject(project string, others leftOut) bool {
	if strings.EqualFold(project, r.options.Project) {
		return true
	}
	if project == "" {
		others.count("they name no project")
	} else {
		others.count("of the project " + text.Brief(project) + "; --project takes them")
	}
	return false
}
