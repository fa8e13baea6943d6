package exchange

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/schemas"
	"memctl/text"

	"github.com/jmoiron/sqlx"
)

const (
	// maxCell is how many bytes a value of a foreign database may have.
	maxCell = 8 << 20
	// databaseTime bounds a read of a foreign database, whose schema may be made to take
	// for ever.
	databaseTime = time.Minute
)

// claudeMemTables are those that are read. Every release has their columns.
var claudeMemTables = []foreignTable{
	{"observations", []string{"id", "project", "type", "title", "subtitle", "facts", "narrative", "concepts",
		"files_modified", "created_at_epoch"}, nil},
	{"session_summaries", []string{"id", "project", "request", "investigated", "learned", "completed", "next_steps",
		"notes", "created_at_epoch"}, nil},
}

// readClaudeMem reads claude-mem's database: observations and session summaries of the
// project.
func readClaudeMem(r *reader, name string) error {
	f := &file{origin: r.src.origin(name)}
	return r.readDatabase("claude-mem", name, func(d foreignDB) error {
		for _, table := range claudeMemTables {
			others := leftOut{}
			err := d.rows(table, func(row map[string]string) {
				if r.ofProject(row["project"], others) {
					r.claudeMemRow(f, table.name, row)
				}
			})
			if err != nil {
				return err
			}
			r.leaveOutAll(f.part(table.name), others)
		}
		return nil
	})
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

// maxProjects is how many other projects are counted.
const maxProjects = 10_000

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
		topic: row["title"], text: phrase, why: strings.TrimSpace(row["subtitle"]), steps: facts}
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
