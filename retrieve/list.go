package retrieve

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"memctl/db"
	"memctl/schemas"
)

// Item is one memory in a listing.
type Item struct {
	ID           string           `db:"id"`
	Path         string           `db:"path"`
	Category     schemas.Category `db:"category"`
	Title        string           `db:"title"`
	Tags         string           `db:"tags"` // joined with commas
	Status       schemas.Status   `db:"record_status"`
	CreatedAt    string           `db:"created_at"`
	UpdatedAt    string           `db:"updated_at"`
	TimesUpdated int              `db:"times_updated"`
}

// itemColumns are those of Item.
const itemColumns = `id, path, category, title, tags, record_status, created_at, updated_at, times_updated`

// sortings are the orders of a listing; the path breaks ties.
var sortings = map[string]string{
	"updated":  "updated_unix DESC",
	"created":  "created_unix DESC",
	"title":    "title_key",
	"category": "coalesce((SELECT priority FROM categories k WHERE k.category = m.category), 10), category, title_key",
	"path":     "path",
}

// SortNames lists the orders that List knows, the default first.
var SortNames = []string{"updated", "created", "title", "category", "path"}

// Filter limits a listing. Empty fields do not.
type Filter struct {
	Statuses   []schemas.Status
	Categories []schemas.Category
	Tag        string
	Sort       string // one of SortNames
	Limit      int    // 0: all
}

// List returns memories in the order asked for.
func List(ctx context.Context, d *db.DB, f Filter) ([]Item, error) {
	order, ok := sortings[f.Sort]
	if !ok {
		return nil, fmt.Errorf("unknown order %q", f.Sort)
	}
	query := `
		SELECT ` + itemColumns + `
		FROM memories m
		WHERE record_status IN (SELECT value FROM json_each(:statuses))
			AND (:categories IS NULL OR category IN (SELECT value FROM json_each(:categories)))
			AND (:tag IS NULL OR EXISTS (SELECT 1 FROM tags g WHERE g.memory_id = m.memory_id AND g.tag = :tag))
		ORDER BY ` + order + `, path
		LIMIT CASE WHEN :limit > 0 THEN :limit ELSE -1 END`
	q := Query{Statuses: f.Statuses, Categories: f.Categories, Tag: f.Tag, Limit: f.Limit}
	args, err := q.args()
	if err != nil {
		return nil, err
	}
	var items []Item
	err = d.Select(ctx, &items, query, args...)
	return items, err
}

// Find returns the paths of the memories, or broken files, that an id or a path
// below the root stands for. An id may stand for several: it is a file name.
func Find(ctx context.Context, d *db.DB, name string) ([]string, error) {
	var tries []string
	stem := strings.TrimSuffix(name, ".json")
	if strings.Contains(name, "/") {
		tries = append(tries, stem+".json")
	} else {
		for _, info := range schemas.Categories {
			tries = append(tries, info.Folder+"/"+stem+".json")
		}
	}
	list, err := json.Marshal(tries)
	if err != nil {
		return nil, err
	}
	var paths []string
	err = d.Select(ctx, &paths, `
		SELECT f.path
		FROM json_each(?) j
		CROSS JOIN files f ON f.path = j.value
		ORDER BY f.path`, string(list))
	return paths, err
}

// Similar returns some ids that contain part of a name that was not found.
func Similar(ctx context.Context, d *db.DB, name string) ([]string, error) {
	var ids []string
	err := d.Select(ctx, &ids, `
			SELECT DISTINCT id FROM memories
			WHERE instr(id, ?) > 0 OR instr(?, id) > 0
			ORDER BY length(id), id
			LIMIT 5`, name, name)
	return ids, err
}
