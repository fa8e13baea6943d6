package exchange

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/schemas"
	"memctl/text"

	"github.com/jmoiron/sqlx"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const (
	// maxCell is how many bytes a value of a foreign database may have.
	maxCell = 8 << 20
	// databaseTime bounds a read of a foreign database, whose schema may be made to take
	// for ever.
	databaseTime = time.Minute
)

// claudeMemColumns are those that are read, by table. Every release has them.
var claudeMemColumns = map[string][]string{
	"observations": {"project", "type", "title", "subtitle", "facts", "narrative", "concepts", "files_modified",
		"created_at_epoch"},
	"session_summaries": {"project", "request", "investigated", "learned", "completed", "next_steps", "notes",
		"created_at_epoch"},
}

// readClaudeMem reads claude-mem's database: observations and session summaries of the
// project. It reads tables only, and runs nothing that the database brings.
func readClaudeMem(r *reader, name string) error {
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
		return err
	}
	defer conn.Close()
	if _, err := sqlite.Limit(conn.Conn, sqlite3.SQLITE_LIMIT_LENGTH, maxCell); err != nil {
		return err
	}
	f := &file{origin: r.src.origin(name)}
	for _, table := range []string{"observations", "session_summaries"} {
		if err := r.claudeMemTable(ctx, conn, f, table); err != nil {
			return err
		}
	}
	return nil
}

// openForeign opens a database for reading. A log or a journal next to it means that its program may be
// at work: then SQLite's locks are used, else not even a lock file is made.
func openForeign(path string) (*sqlx.DB, error) {
	query := "mode=ro&_pragma=query_only(1)&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)" +
		"&_pragma=mmap_size(0)&_pragma=temp_store(memory)&_pragma=busy_timeout(2000)"
	if !isFilled(path+"-wal") && !isFilled(path+"-journal") {
		query += "&immutable=1"
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a Windows drive
	}
	return sqlx.Open("sqlite", (&url.URL{Scheme: "file", Path: slashed, RawQuery: query}).String())
}

// claudeMemTable reads the rows of a table that belong to the project.
func (r *reader) claudeMemTable(ctx context.Context, conn *sqlx.Conn, f *file, table string) error {
	columns := claudeMemColumns[table]
	if err := checkTable(ctx, conn, table, columns); err != nil {
		return err
	}
	selected := make([]string, len(columns))
	for i, column := range columns {
		selected[i] = fmt.Sprintf("coalesce(CAST(substr(%[1]s, 1, 100000) AS TEXT), '') AS %[1]s", column)
	}
	rows, err := conn.QueryxContext(ctx, "SELECT id, "+strings.Join(selected, ", ")+" FROM main."+table+" ORDER BY id")
	if err != nil {
		return databaseError(table, err)
	}
	defer rows.Close()
	others := map[string]int{}
	for rows.Next() {
		row, err := r.claudeMemValues(rows)
		if err != nil {
			return databaseError(table, err)
		}
		if project := row["project"]; project != r.options.Project {
			if others[project] > 0 || len(others) < maxProjects {
				others[project]++
			}
			continue
		}
		if r.claudeMemRow(f, table, row); r.stopped() {
			return r.err
		}
	}
	if err := rows.Err(); err != nil {
		return databaseError(table, err)
	}
	for _, project := range slices.Sorted(maps.Keys(others)) {
		reason := fmt.Sprintf("%s of the project %s; --project takes them", text.Plural(others[project], "row", "rows"),
			text.Brief(project))
		r.leaveOut(f.part(table), 0, "", reason)
	}
	return nil
}

// maxProjects is how many other projects are counted.
const maxProjects = 10_000

// claudeMemValues returns the values of a row by their columns.
func (r *reader) claudeMemValues(rows *sqlx.Rows) (map[string]string, error) {
	values := map[string]any{}
	if err := rows.MapScan(values); err != nil {
		return nil, err
	}
	row := map[string]string{"id": fmt.Sprint(values["id"])}
	delete(values, "id")
	for column, value := range values {
		row[column] = r.filtered(strings.ToValidUTF8(fmt.Sprint(value), "\uFFFD"))
	}
	return row, nil
}

// checkTable refuses what is no plain table: a view or a virtual table runs what its
// author wants.
func checkTable(ctx context.Context, conn *sqlx.Conn, table string, columns []string) error {
	var plain int
	err := conn.GetContext(ctx, &plain, `
		SELECT count(*)
		FROM main.sqlite_master
		WHERE name = ?
			AND type = 'table'
			AND sql LIKE 'CREATE TABLE%'`, table)
	if err == nil && plain != 1 {
		return fmt.Errorf("no database of claude-mem: it has no table %s", table)
	}
	var existing []string
	if err == nil {
		err = conn.SelectContext(ctx, &existing, "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", table)
	}
	if err != nil {
		return databaseError(table, err)
	}
	for _, column := range append([]string{"id"}, columns...) {
		if !slices.Contains(existing, column) {
			return fmt.Errorf("no database of claude-mem: %s has no column %s", table, column)
		}
	}
	return nil
}

func databaseError(table string, err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s: not read within %v", table, databaseTime)
	}
	return fmt.Errorf("%s: %s", table, text.Brief(err.Error()))
}

func (r *reader) claudeMemRow(f *file, table string, row map[string]string) {
	part := table + "/" + row["id"]
	if table == "session_summaries" {
		r.draft(f, part, 0, summaryDraft(row))
		return
	}
	facts := jsonList(row["facts"])
	phrase := strings.Join(facts, "\n")
	if row["narrative"] != "" {
		phrase = strings.Join(append([]string{row["narrative"]}, facts...), "\n")
	}
	phrase = cmp.Or(phrase, row["subtitle"])
	d := draft{category: cmp.Or(r.options.Category, r.before(f.part(part))), title: titleFrom(row["title"]),
		tags:  append(jsonList(row["concepts"]), row["type"]),
		files: r.projectFiles(jsonList(row["files_modified"])), when: epoch(row["created_at_epoch"]),
		raw:   strings.TrimSpace(strings.Join([]string{row["type"], row["title"], row["subtitle"], phrase}, "\n")),
		topic: row["title"], text: phrase, why: strings.TrimSpace(row["subtitle"]), steps: facts, from: "claude-mem"}
	if category, known := categoryNamed(row["type"]); known {
		d.category = category
	}
	if d.category == "" || d.title == "" || phrase == "" {
		r.leaveOut(f.part(part), 0, d.raw, unfit)
		return
	}
	d.lead = unless(d.title, row["title"])
	if d.category == schemas.Decision && len(facts) > 0 {
		d.text = cmp.Or(row["narrative"], row["title"])
		d.why = strings.TrimSpace(strings.Join(append([]string{row["subtitle"]}, facts...), "\n"))
	}
	d.content = d.body()
	if runbook, ok := d.content.(*schemas.RunbookContent); ok {
		runbook.RootCause = row["narrative"]
	}
	r.draft(f, part, 0, d)
}

func summaryDraft(row map[string]string) draft {
	goal, when := row["request"], epoch(row["created_at_epoch"])
	outcome := pick(row["completed"] != "" && row["next_steps"] == "", "success", "partial")
	var changes []string
	for _, field := range []string{"investigated", "learned", "notes"} {
		for _, line := range nonEmptyLines(row[field]) {
			changes = append(changes, capital(field)+": "+line)
		}
	}
	return draft{
		category: schemas.SessionSummary, title: cmp.Or(titleFrom(goal), "Session of "+when.Format(time.DateOnly)),
		tags: []string{"claude-mem"}, when: when,
		content: &schemas.SessionContent{
			Goal: goal, Outcome: outcome, Completed: nonEmptyLines(row["completed"]),
			NextActions: nonEmptyLines(row["next_steps"]), KeyChanges: changes,
		},
		raw: strings.Join([]string{goal, row["completed"], row["next_steps"], strings.Join(changes, "\n")}, "\n"),
	}
}

// projectFiles keeps the files of the project, relative to it.
func (r *reader) projectFiles(files []string) []string {
	var own []string
	for _, file := range files {
		if filepath.IsAbs(file) {
			rel, err := filepath.Rel(r.w.Root.Project, file)
			if err != nil {
				continue
			}
			file = rel
		}
		if file = filepath.ToSlash(filepath.Clean(file)); filepath.IsLocal(file) && len(own) < 50 {
			own = append(own, file)
		}
	}
	return own
}

func jsonList(raw string) []string {
	var list []string
	if json.Unmarshal([]byte(raw), &list) != nil {
		return stringsOf(raw)
	}
	return slices.DeleteFunc(list, func(s string) bool { return strings.TrimSpace(s) == "" })
}

// epoch reads a time in milliseconds, or in seconds as early releases wrote it.
func epoch(raw string) time.Time {
	var n int64
	if _, err := fmt.Sscan(raw, &n); err != nil || n <= 0 {
		return time.Time{}
	}
	if n < 1e11 {
		return time.Unix(n, 0).UTC()
	}
	return time.UnixMilli(n).UTC()
}
