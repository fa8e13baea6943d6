package retrieve_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"memctl/retrieve"
)

func TestMemoriesNearAnother(t *testing.T) {
	withParcel(t, func(source retrieve.Source) {
		ids := func(list []retrieve.Relation, err error) string {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, r := range list {
				names = append(names, r.Kind+" "+r.ID)
			}
			return fmt.Sprint(names)
		}
		outbox, err := source.Alone().Lookup(t.Context(), "transactional-outbox")
		if err != nil {
			t.Fatal(err)
		}
		if got := ids(source.NamedBy(t.Context(), outbox)); !strings.Contains(got, "named_by kafka-message-size") {
			t.Errorf("it is named by %s", got)
		}
		for title, want := range map[string]string{
			"":                                "[]",
			"Kafka":                           "[]", // one word says too little
			"PostgreSQL and Kafka separately": "[]", // it is the memory's own title
			"Kafka consumer lag":              "[similar_title kafka-consumer-lag]",
			"Kafka consumer of another world, entirely elsewhere": "[]",
		} {
			if got := ids(source.AlikeInTitle(t.Context(), outbox, title)); got != want {
				t.Errorf("%q is like %s, want %s", title, got, want)
			}
		}
		d, err := source.Alone().Detail(t.Context(), outbox)
		if err != nil || slices.ContainsFunc(d.Relations, func(r retrieve.Relation) bool {
			return r.ID != "" && r.Title == ""
		}) {
			t.Errorf("a relation has no title: %v, %v", d.Relations, err)
		}
	})
}
