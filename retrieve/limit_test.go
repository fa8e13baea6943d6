package retrieve_test

import (
	"testing"

	"memctl/retrieve"
	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

// aged returns an active session summary that was updated days ago.
func aged(id string, days int) schemas.Memory {
	return schemas.Memory{
		ID:           id,
		Category:     schemas.SessionSummary,
		RecordStatus: schemas.Active,
		UpdatedAt:    schemas.FormatTime(now.AddDate(0, 0, -days)),
	}
}

func TestOverListsMemoriesBeyondALimit(t *testing.T) {
	retired := aged("retired", 400)
	retired.RecordStatus = schemas.Retired
	other := aged("other", 400)
	other.Category = schemas.Decision
	undated := aged("undated", 0)
	undated.UpdatedAt = "long ago"
	created := aged("created", 0)
	created.UpdatedAt, created.CreatedAt = "", schemas.FormatTime(now.AddDate(0, 0, -15))
	imported := aged("imported", 20)
	imported.Tags = []string{"a", "imported", "z"}
	d := indexOf(t, imported, aged("new", 0), aged("ten", 10), aged("twenty", 20), undated, created, aged("hundred", 100), retired, other)

	tests := map[string]struct {
		limit retrieve.Limit
		want  []string
	}{
		"no limit":                        {retrieve.Limit{}, nil},
		"as many as there are":            {retrieve.Limit{Max: 6}, nil},
		"the undated first":               {retrieve.Limit{Max: 5}, []string{"undated"}},
		"the oldest first":                {retrieve.Limit{Max: 2}, []string{"undated", "hundred", "twenty", "created"}},
		"by age, the undated have none":   {retrieve.Limit{Since: now.AddDate(0, 0, -30)}, []string{"hundred aged"}},
		"by age and number":               {retrieve.Limit{Max: 4, Since: now.AddDate(0, 0, -30)}, []string{"undated", "hundred aged"}},
		"the kept one stays and counts":   {retrieve.Limit{Max: 5, Keep: "decisions/hundred.json"}, []string{"undated"}},
		"the kept one stays however old":  {retrieve.Limit{Since: now.AddDate(0, 0, -30), Keep: "decisions/hundred.json"}, nil},
		"imported ones have an age":       {retrieve.Limit{Max: 6, Since: now.AddDate(0, 0, -15)}, []string{"hundred aged", "twenty aged", "imported aged"}},
		"one kept leaves room for no one": {retrieve.Limit{Max: 1, Keep: "decisions/undated.json"}, []string{"hundred", "twenty", "created", "ten", "new"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.limit.Category = schemas.SessionSummary
			list, total, err := retrieve.Over(t.Context(), d, tt.limit, retrieve.Every)
			if err != nil {
				t.Fatal(err)
			}
			first, firstOf, err := retrieve.Over(t.Context(), d, tt.limit, 1)
			if err != nil || total != len(list) || firstOf != total || len(first) != min(1, total) || total > 0 && first[0] != list[0] {
				t.Errorf("the first of %d is %v of %d (%v)", total, first, firstOf, err)
			}
			var got []string
			for _, s := range list {
				word := s.Path[len("decisions/") : len(s.Path)-len(".json")]
				if s.TooOld {
					word += " aged"
				}
				got = append(got, word)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestOnlyInFindsWhatNoOtherMemorySays(t *testing.T) {
	memory := func(id string, status schemas.Status, statement string) schemas.Memory {
		return schemas.Memory{ID: id, RecordStatus: status, Content: &schemas.SessionContent{Completed: []string{statement}}}
	}
	d := indexOf(t,
		memory("a", schemas.Active, "Rotated the signing keys. Moved billing to Kafka. 웹훅 재시도 정리"),
		memory("b", schemas.Active, "We moved all of the billing to kafka, at last"),
		memory("c", schemas.Retired, "rotated the signing keys"),
	)
	got, err := retrieve.OnlyIn(t.Context(), d, "decisions/a.json",
		[]string{"Rotated the signing keys.", "Moved billing to Kafka", "웹훅 재시도", "—", "", `"quoted" OR NOT`})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Rotated the signing keys.", "웹훅 재시도", `"quoted" OR NOT`}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
