package retrieve_test

import (
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
		filter retrieve.Filter
		want   retrieve.Counts
	}{
		"all": {retrieve.Filter{}, retrieve.Counts{Total: 4,
			Categories: map[schemas.Category]int{schemas.Decision: 2, schemas.Runbook: 2},
			Tags:       []retrieve.TagCount{{Tag: "kafka", Count: 3}, {Tag: "go", Count: 2}}}},
		"active, whatever the limit": {retrieve.Filter{Statuses: active, Limit: 1}, retrieve.Counts{Total: 3,
			Categories: map[schemas.Category]int{schemas.Decision: 2, schemas.Runbook: 1},
			Tags:       []retrieve.TagCount{{Tag: "go", Count: 2}, {Tag: "kafka", Count: 2}}}},
		"since": {retrieve.Filter{Statuses: active, Since: now}, retrieve.Counts{Total: 2,
			Categories: map[schemas.Category]int{schemas.Decision: 1, schemas.Runbook: 1},
			Tags:       []retrieve.TagCount{{Tag: "go", Count: 2}, {Tag: "kafka", Count: 1}}}},
		"none": {retrieve.Filter{Tag: "none"}, retrieve.Counts{Categories: map[schemas.Category]int{}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := retrieve.Count(t.Context(), d, tt.filter)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			tt.filter.Limit = 0
			items, err := retrieve.List(t.Context(), d, tt.filter, "path")
			if err != nil || len(items) != got.Total {
				t.Errorf("a listing has %d, the count is %d (%v)", len(items), got.Total, err)
			}
		})
	}
	days, err := retrieve.CreatedByDay(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	want := []retrieve.DayCount{{Day: "2026-01-02", Category: schemas.Decision, Count: 2}, {Day: "2026-01-02", Category: schemas.Runbook, Count: 2}}
	if diff := cmp.Diff(want, days); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
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
			found, err := retrieve.Rank(t.Context(), d, q)
			if err != nil || len(found) != want {
				t.Errorf("%s since %v: %d, want %d (%v)", q.Strategy, since, len(found), want, err)
			}
		}
	}
}
