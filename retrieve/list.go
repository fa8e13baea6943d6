package retrieve

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

// itemColumns are the columns that Item is read from.
const itemColumns = `id, path, category, title, tags, record_status, created_at, updated_at, times_updated, folder`

// orders are the orders of a listing by name: a number, then a text, both ascending. The path
// breaks ties.
var orders = map[string][2]string{
	"updated": {"-coalesce(updated_unix, -1 << 62)", "''"},
	"created": {"-coalesce(created_unix, -1 << 62)", "''"},
	"title":   {"0", "title_key"},
	"category": {"coalesce((SELECT priority FROM categories k WHERE k.category = m.category), 10)",
		"category || char(1) || title_key"},
	"path": {"0", "''"},
}

// SortNames are the orders that List knows, the default first.
var SortNames = []string{"updated", "created", "title", "category", "path"}

// List returns the memories that f selects, in an order that is one of SortNames.
// Without a limit it returns all of them.
func List(ctx context.Context, d *db.DB, f Filter, sort string) ([]ListEntry, error) {
	order, ok := orders[sort]
	if !ok {
		return nil, fmt.Errorf("unknown order %q", sort)
	}
	statement := `
		SELECT ` + itemColumns + `, ` + order[0] + ` AS number, ` + order[1] + ` AS text
		FROM memories m
		WHERE ` + filtered + `
		ORDER BY number, text, path
		LIMIT CASE WHEN :limit > 0 THEN :limit ELSE -1 END`
	return db.Query[ListEntry](ctx, d, statement, f.args()...)
}

// List returns the memories of all sources that f selects, in an order of SortNames.
func (s Sources) List(ctx context.Context, f Filter, sort string) ([]ListEntry, error) {
	var all []ListEntry
	err := s.each(func(source Source) error {
		items, err := List(ctx, source.DB, f, sort)
		for i := range items {
			items[i].Root = source.Root
		}
		all = append(all, items...)
		return err
	})
	if len(s) > 1 {
		slices.SortStableFunc(all, func(a, b ListEntry) int {
			return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Text, b.Text), cmp.Compare(a.Path, b.Path))
		})
	}
	if f.Limit > 0 {
		all = all[:min(len(all), f.Limit)]
	}
	if err == nil {
		at := func(i int) (*Entry, files.Root) { return &all[i].Entry, all[i].Root }
		s.markConflicts(len(all), at)
		err = s.markNew(ctx, len(all), at)
	}
	return all, err
}

// timeOf returns the time of a stamp in seconds. What is no time comes before all others.
func timeOf(stamp string) time.Time {
	at, _ := schemas.ParseTime(stamp)
	return at.Truncate(time.Second)
}

// HeavyUpdates is how many updates a memory takes before it is worth a look. One
// that changes so often holds several subjects, or one that is not settled.
const HeavyUpdates = 5

// HeavilyUpdated returns the active memories with more than HeavyUpdates updates,
// the most updated first.
func (s Source) HeavilyUpdated(ctx context.Context) ([]ListEntry, error) {
	return s.items(ctx, `
		SELECT `+itemColumns+`
		FROM memories
		WHERE record_status = 'active' AND times_updated > ?
		ORDER BY times_updated DESC, path`, HeavyUpdates)
}

// RetiredSince returns the memories retired at or after a time, the last one first.
func (s Source) RetiredSince(ctx context.Context, since time.Time) ([]ListEntry, error) {
	return s.items(ctx, `
		SELECT `+itemColumns+`, retired_at, coalesce(retired_reason, '') AS retired_reason
		FROM memories
		WHERE record_status = 'retired' AND retired_unix >= ?
		ORDER BY retired_unix DESC, path`, since.Unix())
}

// AtPaths returns the memories at some paths below the root.
func (s Source) AtPaths(ctx context.Context, paths []string) ([]ListEntry, error) {
	return s.items(ctx, `
		SELECT `+itemColumns+`
		FROM memories
		WHERE memory_id IN (
			SELECT memory_id
			FROM files
			WHERE path IN (SELECT value FROM json_each(?))
		)`, db.JSON(paths))
}

func (s Source) items(ctx context.Context, statement string, args ...any) ([]ListEntry, error) {
	items, err := db.Query[ListEntry](ctx, s.DB, statement, args...)
	for i := range items {
		items[i].Root = s.Root
	}
	return items, err
}

// Count returns how many memories f selects in each category, whatever its limit.
func (s Sources) Count(ctx context.Context, f Filter) (map[schemas.Category]int, error) {
	type row struct {
		Category schemas.Category `db:"category"`
		Count    int              `db:"count"`
	}
	counts := map[schemas.Category]int{}
	err := s.each(func(source Source) error {
		rows, err := db.Query[row](ctx, source.DB, `
			SELECT category, count(*) AS count
			FROM memories m
			WHERE `+filtered+`
			GROUP BY category`, f.args()...)
		for _, r := range rows {
			counts[r.Category] += r.Count
		}
		return err
	})
	return counts, err
}

// TagCount is how many memories have a tag.
type TagCount struct {
	Tag   string
	Count int
}

// CountTags returns how many of the memories that f selects have each tag, the most
// frequent first. Its limit is that of the tags.
func (s Sources) CountTags(ctx context.Context, f Filter) ([]TagCount, error) {
	type row struct {
		Lines string `db:"lines"` // the tags of a memory each
	}
	counts := map[string]int{}
	err := s.each(func(source Source) error {
		// One row costs a third of a row for each memory.
		all, err := db.QueryRow[row](ctx, source.DB, `
			SELECT coalesce(group_concat(tags, char(10)), '') AS lines
			FROM memories m
			WHERE `+filtered, f.args()...)
		for line := range strings.Lines(all.Lines) {
			for _, tag := range text.Tags([]string{line}) {
				counts[tag]++
			}
		}
		return err
	})
	return mostFrequent(counts, f.Limit), err
}

// Facets counts the results of a search by category and by tag, so many tags at most.
func Facets(results []Result, tags int) (map[schemas.Category]int, []TagCount) {
	byCategory, byTag := map[schemas.Category]int{}, map[string]int{}
	for _, r := range results {
		byCategory[r.Category]++
		for _, tag := range r.Tags {
			byTag[text.Lower(tag)]++
		}
	}
	return byCategory, mostFrequent(byTag, tags)
}

// mostFrequent returns so many tags at most, all of them for 0.
func mostFrequent(counts map[string]int, limit int) []TagCount {
	tags := make([]TagCount, 0, len(counts))
	for tag, n := range counts {
		tags = append(tags, TagCount{tag, n})
	}
	slices.SortFunc(tags, func(a, b TagCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Tag, b.Tag))
	})
	if limit > 0 {
		tags = tags[:min(len(tags), limit)]
	}
	return tags
}

// DayCount is how many memories of a category were created on a day.
type DayCount struct {
	Day      string           `db:"day"` // 2006-01-02, UTC
	Category schemas.Category `db:"category"`
	Count    int              `db:"count"`
}

// CreatedByDay counts the memories of every status by the day of their creation, oldest
// first.
func (s Source) CreatedByDay(ctx context.Context) ([]DayCount, error) {
	return db.Query[DayCount](ctx, s.DB, `
		SELECT date(min(created_unix), 'unixepoch') AS day, category, count(*) AS count
		FROM memories
		WHERE created_unix IS NOT NULL
		GROUP BY (created_unix + 62135596800) / 86400, category -- of days since the year 1
		ORDER BY day, category`)
}

// NotReadable says of each root that has some which files are not readable as memories.
func (s Sources) NotReadable(ctx context.Context) (notes []string, err error) {
	for _, source := range s {
		err = source.DB.View(ctx, func(tx *db.Tx) error {
			first, err := tx.Problems(1)
			if err != nil || len(first) == 0 {
				return err
			}
			n, err := tx.CountProblems()
			notes = append(notes, NotReadable(source.Root, n, first[0]))
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return notes, nil
}

// NotReadable says that n files of a root are not readable as memories, and names the first.
func NotReadable(root files.Root, n int, first schemas.Problem) string {
	if data, err := root.ReadFile(first.Path); err == nil && schemas.ConflictLine(data) > 0 {
		first.Reason = "a merge left it in conflict: " + root.ResolveCommand(first.Path)
	}
	if root.Scope == files.UserScope {
		first.Path = root.ShownPath(first.Path)
	}
	return fmt.Sprintf("%s: %s (%s)%s",
		text.Plural(n, "file is not readable as a memory", "files are not readable as memories"),
		text.Printable(first.Path), text.Printable(first.Reason), text.AndMore(n-1))
}

//go:embed over_limit.sql
var overLimitSQL string

// Limit is how many memories of a category may be active, and how old.
type Limit struct {
	Category schemas.Category
	Max      int       // 0: any number
	Since    time.Time // memories last updated before are too old; zero: none are
	Keep     string    // path of a memory that stays whatever the limits; "" for none
}

// Every is for Over to return all memories.
const Every = everyMemory

// OverLimit is an active memory for which a limit leaves no room.
type OverLimit struct {
	Path   string `db:"path"`
	Title  string `db:"title"`
	TooOld bool   `db:"too_old"` // else there are too many
}

// Over returns the active memories beyond a limit, in the order in which they would be retired:
// at most most of them, and their total. Imported memories are not part of that number: their
// source decides how many there are.
func Over(ctx context.Context, d *db.DB, l Limit, most int) (over []OverLimit, total int, err error) {
	var cutoff any // NULL: none is too old
	if !l.Since.IsZero() {
		cutoff = l.Since.Unix()
	}
	args := []any{sql.Named("category", string(l.Category)), sql.Named("keep", l.Keep), sql.Named("cutoff", cutoff)}
	active, err := db.QueryRow[int](ctx, d, `
		SELECT count(*)
		FROM memories
		WHERE category = ?
			AND record_status = 'active'
			AND ',' || tags || ',' NOT LIKE '%,imported,%'`, l.Category)
	if err != nil {
		return nil, 0, err
	}
	tooMany := 0
	if l.Max > 0 {
		tooMany = max(0, active-l.Max)
	}
	fetched := min(tooMany, most)
	if cutoff != nil { // those that are too old follow those that have no age, and precede or follow the others
		fetched = Every
	}
	listed, err := db.Query[OverLimit](ctx, d, overLimitSQL, append(args, sql.Named("limit", fetched))...)
	for i, m := range listed {
		if i < tooMany || m.TooOld {
			over = append(over, m)
		}
	}
	return over[:min(len(over), most)], max(tooMany, len(over)), err
}
