package exchange

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/schemas"
	"memctl/text"

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
	"observations":      {"project", "type", "title", "subtitle", "facts", "narrative", "concepts", "files_modified", "created_at_epoch"},
	"session_summaries": {"project", "request", "investigated", "learned", "completed", "next_steps", "notes", "created_at_epoch"},
}

// readClaudeMem reads claude-mem's database: observations and session summaries of the
// project. It reads tables only, and runs nothing that the database brings.
func readClaudeMem(r *reader) error {
	name := r.src.name
	if name == "" {
		name = "claude-mem.db"
	}
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
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := sqlite.Limit(conn, sqlite3.SQLITE_LIMIT_LENGTH, maxCell); err != nil {
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

// openForeign opens a database for reading. A log next to it means that its program may be
// at work: then SQLite's locks are used, else not even a lock file is made.
func openForeign(path string) (*sql.DB, error) {
	query := "mode=ro&_pragma=query_only(1)&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)&_pragma=mmap_size(0)&_pragma=temp_store(memory)&_pragma=busy_timeout(2000)"
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() == 0 {
		query += "&immutable=1"
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a Windows drive
	}
	return sql.Open("sqlite", (&url.URL{Scheme: "file", Path: slashed, RawQuery: query}).String())
}

// claudeMemTable reads the rows of a table that belong to the project.
func (r *reader) claudeMemTable(ctx context.Context, conn *sql.Conn, f *file, table string) error {
	columns := claudeMemColumns[table]
	if err := checkTable(ctx, conn, table, columns); err != nil {
		return err
	}
	selected := make([]string, len(columns))
	for i, column := range columns {
		selected[i] = fmt.Sprintf("coalesce(CAST(substr(%s, 1, 100000) AS TEXT), '')", column)
	}
	rows, err := conn.QueryContext(ctx, "SELECT id, "+strings.Join(selected, ", ")+" FROM main."+table+" ORDER BY id")
	if err != nil {
		return databaseError(table, err)
	}
	defer rows.Close()
	others := map[string]int{}
	for rows.Next() {
		values := make([]string, len(columns))
		var id int64
		into := []any{&id}
		for i := range values {
			into = append(into, &values[i])
		}
		if err := rows.Scan(into...); err != nil {
			return databaseError(table, err)
		}
		row := map[string]string{}
		for i, column := range columns {
			row[column] = r.filtered(strings.ToValidUTF8(values[i], "\uFFFD"))
		}
		if row["project"] != r.Project && len(others) < maxProjects {
			others[row["project"]]++
			continue
		}
		if err := r.claudeMemRow(f, table, id, row); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return databaseError(table, err)
	}
	for _, project := range sortedProjects(others) {
		reason := fmt.Sprintf("%s of the project %s; --project takes them", text.Plural(others[project], "row", "rows"), text.Brief(project))
		if err := r.leaveOut(f.origin+"#"+table, 0, "", reason); err != nil {
			return err
		}
	}
	return nil
}

// maxProjects is how many other projects are counted.
const maxProjects = 10_000

func sortedProjects(counts map[string]int) []string {
	var names []string
	for name := range counts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// checkTable refuses what is no plain table: a view or a virtual table runs what its
// author wants.
func checkTable(ctx context.Context, conn *sql.Conn, table string, columns []string) error {
	var plain int
	err := conn.QueryRowContext(ctx, `
		SELECT count(*)
		FROM main.sqlite_master
		WHERE name = ?
			AND type = 'table'
			AND sql LIKE 'CREATE TABLE%'`, table).Scan(&plain)
	if err != nil {
		return databaseError(table, err)
	}
	if plain != 1 {
		return fmt.Errorf("no database of claude-mem: it has no table %s", table)
	}
	for _, column := range append([]string{"id"}, columns...) {
		var found int
		err := conn.QueryRowContext(ctx, "SELECT count(*) FROM pragma_table_xinfo(?) WHERE name = ? AND hidden = 0", table, column).Scan(&found)
		if err != nil {
			return databaseError(table, err)
		}
		if found != 1 {
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

func (r *reader) claudeMemRow(f *file, table string, id int64, row map[string]string) error {
	part := fmt.Sprintf("%s/%d", table, id)
	when := epoch(row["created_at_epoch"])
	if table == "session_summaries" {
		return r.draft(f, part, 0, summaryDraft(row, when))
	}
	facts := jsonList(row["facts"])
	said := strings.Join(append([]string{row["narrative"]}, facts...), "\n")
	if row["narrative"] == "" {
		said = strings.Join(facts, "\n")
	}
	if said == "" {
		said = row["subtitle"]
	}
	whole := strings.TrimSpace(strings.Join([]string{row["type"], row["title"], row["subtitle"], said}, "\n"))
	category, ok := r.Category, r.Category != ""
	if named, known := categoryNamed(row["type"]); known {
		category, ok = named, true
	} else if !ok {
		category, ok = classify(said)
	}
	title := titleFrom(row["title"])
	if !ok || title == "" || said == "" {
		return r.leaveOut(f.origin+"#"+part, 0, whole, "it fits no category; --category takes it")
	}
	why := row["subtitle"]
	if category == schemas.Decision && len(facts) > 0 {
		said, why = row["narrative"], strings.Join(slices.Concat([]string{row["subtitle"]}, facts), "\n")
		if said == "" {
			said = row["title"]
		}
	}
	made := content(category, saying{topic: row["title"], lead: unless(title, row["title"]), said: said, why: strings.TrimSpace(why), steps: facts, from: "claude-mem"})
	if runbook, ok := made.(*schemas.RunbookContent); ok {
		runbook.RootCause = row["narrative"]
	}
	return r.draft(f, part, 0, draft{category: category, title: title, tags: append(jsonList(row["concepts"]), row["type"]),
		files: r.projectFiles(jsonList(row["files_modified"])), content: made, when: when, text: whole})
}

func summaryDraft(row map[string]string, when time.Time) draft {
	goal := row["request"]
	outcome := "partial"
	if row["completed"] != "" && row["next_steps"] == "" {
		outcome = "success"
	}
	var changes []string
	for _, field := range []string{"investigated", "learned", "notes"} {
		for _, line := range nonEmptyLines(row[field]) {
			changes = append(changes, capital(field)+": "+line)
		}
	}
	made := &schemas.SessionContent{
		Goal: goal, Outcome: outcome, Completed: nonEmptyLines(row["completed"]),
		NextActions: nonEmptyLines(row["next_steps"]), KeyChanges: changes,
	}
	title := titleFrom(goal)
	if title == "" {
		title = "Session of " + when.Format(time.DateOnly)
	}
	return draft{category: schemas.SessionSummary, title: title, tags: []string{"claude-mem"}, content: made, when: when,
		text: strings.Join([]string{goal, row["completed"], row["next_steps"], strings.Join(changes, "\n")}, "\n")}
}

// projectFiles keeps the files of the project, relative to it.
func (r *reader) projectFiles(files []string) []string {
	var kept []string
	for _, file := range files {
		if filepath.IsAbs(file) {
			rel, err := filepath.Rel(r.w.Root.Project, file)
			if err != nil {
				continue
			}
			file = rel
		}
		if file = filepath.ToSlash(filepath.Clean(file)); filepath.IsLocal(file) && len(kept) < 50 {
			kept = append(kept, file)
		}
	}
	return kept
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
