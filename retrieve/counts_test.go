package retrieve_test

import (
	"slices"
	"testing"
	"time"

	"memctl/retrieve"
	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

func TestCountCountsWhatAListingSelects(t *testing.T) {
	memory := func(id string, category schemas.Category, updated time.Time, status schemas.Status, tags ...string) schemas.Memory {
		return schemas.Memory{ID: id, Category: category, RecordStatus: status, Tags: tags, Title: id,
			CreatedAt: "2026-01-02T23:30:00Z", UpdatedAt: schemas.FormatTime(updated)}
	}
	old := now.AddDate(0, 0, -10)
	d := indexOf(t,
		memory("a", schemas.Decision, now, schemas.Active, "kafka", "go"),
		memory("b", schemas.Decision, old, schemas.Active, "kafka"),
		memory("c", schemas.Runbook, now, schemas.Active, "go"),
		memory("d", schemas.Runbook, now, schemas.Retired, "kafka"),
	)
	active := []schemas.Status{schemas.Active}
	for name, tt := range map[string]struct {
		filter     retrieve.Filter
		categories map[schemas.Category]int
		tags       []retrieve.TagCount
	}{
		"all":                   {retrieve.Filter{}, map[schemas.Category]int{schemas.Decision: 2, schemas.Runbook: 2}, []retrieve.TagCount{{Tag: "kafka", Count: 3}, {Tag: "go", Count: 2}}},
		"active, and one tag":   {retrieve.Filter{Statuses: active, Limit: 1}, map[schemas.Category]int{schemas.Decision: 2, schemas.Runbook: 1}, []retrieve.TagCount{{Tag: "go", Count: 2}}},
		"since":                 {retrieve.Filter{Statuses: active, Since: now}, map[schemas.Category]int{schemas.Decision: 1, schemas.Runbook: 1}, []retrieve.TagCount{{Tag: "go", Count: 2}, {Tag: "kafka", Count: 1}}},
		"of those with one tag": {retrieve.Filter{Statuses: active, Tag: "kafka"}, map[schemas.Category]int{schemas.Decision: 2}, []retrieve.TagCount{{Tag: "kafka", Count: 2}, {Tag: "go", Count: 1}}},
		"none":                  {retrieve.Filter{Tag: "none"}, map[schemas.Category]int{}, []retrieve.TagCount{}},
	} {
		t.Run(name, func(t *testing.T) {
			sources := retrieve.Sources{{DB: d}}
			categories, err := sources.Count(t.Context(), tt.filter)
			if err != nil {
				t.Fatal(err)
			}
			tags, err := sources.CountTags(t.Context(), tt.filter)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.categories, categories) + cmp.Diff(tt.tags, tags); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			total := 0
			for _, n := range categories {
				total += n
			}
			tt.filter.Limit = 0
			items, err := retrieve.List(t.Context(), d, tt.filter, "path")
			if err != nil || len(items) != total {
				t.Errorf("a listing has %d, the count is %d (%v)", len(items), total, err)
			}
		})
	}
	days, err := retrieve.Source{DB: d}.CreatedByDay(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []retrieve.DayCount{{Day: "2026-01-02", Category: schemas.Decision, Count: 2}, {Day: "2026-01-02", Category: schemas.Runbook, Count: 2}}
	if diff := cmp.Diff(want, days); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSeveralRootsAreListedAndCountedAsOne(t *testing.T) {
	memory := func(id, title string, category schemas.Category, updated time.Time, tags ...string) schemas.Memory {
		return schemas.Memory{ID: id, Category: category, RecordStatus: schemas.Active, Tags: tags, Title: title,
			CreatedAt: schemas.FormatTime(updated.AddDate(-1, 0, 0)), UpdatedAt: schemas.FormatTime(updated)}
	}
	day := func(n int) time.Time { return now.AddDate(0, 0, -n) }
	first := []schemas.Memory{
		memory("a", "Kafka", schemas.Runbook, day(1), "go", "one"),
		memory("b", "zebra", schemas.Decision, day(3), "go"),
		memory("c", "Alpha", schemas.Decision, day(5), "two"),
	}
	second := []schemas.Memory{
		memory("d", "beta", schemas.Decision, day(2), "two"),
		memory("e", "Yak", schemas.Runbook, day(4), "two"),
	}
	one := retrieve.Sources{{DB: indexOf(t, slices.Concat(first, second)...)}}
	several := retrieve.Sources{{DB: indexOf(t, first...)}, {DB: indexOf(t, second...)}}
	for _, sort := range retrieve.SortNames {
		for limit := range 6 {
			f := retrieve.Filter{Limit: limit}
			want, err := one.List(t.Context(), f, sort)
			if err != nil {
				t.Fatal(err)
			}
			got, err := several.List(t.Context(), f, sort)
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%s, limit %d: %v (-want +got):\n%s", sort, limit, err, diff)
			}
			wantTags, err := one.CountTags(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			gotTags, err := several.CountTags(t.Context(), f)
			if diff := cmp.Diff(wantTags, gotTags); diff != "" || err != nil {
				t.Errorf("tags, limit %d: %v (-want +got):\n%s", limit, err, diff)
			}
		}
	}
	counts, err := several.Count(t.Context(), retrieve.Filter{})
	if diff := cmp.Diff(map[schemas.Category]int{schemas.Decision: 3, schemas.Runbook: 2}, counts); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestSinceLeavesOutOlderMemories(t *testing.T) {
	old := now.AddDate(0, 0, -10)
	d := indexOf(t,
		schemas.Memory{ID: "new", Title: "Kafka lag", Category: schemas.Decision, RecordStatus: schemas.Active, UpdatedAt: schemas.FormatTime(now)},
		schemas.Memory{ID: "old", Title: "Kafka lag", Category: schemas.Decision, RecordStatus: schemas.Active, UpdatedAt: schemas.FormatTime(old)},
	)
	for _, q := range []retrieve.Query{retrieve.NewQuery("kafka lag", nil, 10, now), retrieve.NewHybridQuery("kafka lag", nil, 10)} {
		for since, want := range map[time.Time]int{{}: 2, old: 2, now: 1, now.Add(time.Second): 0} {
			q.Since = since
			results, err := retrieve.Rank(t.Context(), d, q)
			if err != nil || len(results) != want {
				t.Errorf("%s since %v: %d, want %d (%v)", q.Strategy, since, len(results), want, err)
			}
		}
	}
}
