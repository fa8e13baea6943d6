package retrieve

import (
	"fmt"
	"strings"
	"testing"

	"memctl/schemas"
	"memctl/text"

	"github.com/google/go-cmp/cmp"
)

func TestTitlesHaveTheShortestIDs(t *testing.T) {
	memory := func(id, title string) schemas.Memory { return noted(schemas.Decision, id, title) }
	project := index(t, "project", []schemas.Memory{
		memory("kafka", "Kafka"), memory("kafka-partitions", "Kafka <partitions>"), memory("kafka-lag", "Kafka lag"),
		memory("redis-holds-carts", "Kafka and Redis"), memory("both", "Kafka both"), memory("카프카-파티션", "Kafka 파티션"),
	})
	user := index(t, "user", []schemas.Memory{memory("kafka-pitfalls", "Kafka pitfalls"), memory("both", "Kafka twice")})
	sources := Sources{project, user}
	results, err := sources.rank(t.Context(), NewHybridQuery("kafka", nil, 20))
	if err != nil {
		t.Fatal(err)
	}
	list, given, err := sources.Titles(t.Context(), results)
	if err != nil || len(given) != len(results) {
		t.Fatal(len(given), err)
	}
	ids := map[string]string{}
	for line := range strings.Lines(list) {
		if line, ok := strings.CutPrefix(line, "- decision "); ok {
			id, title, _ := strings.Cut(strings.TrimSpace(strings.TrimSuffix(line, " ()\n")), ": ") // the second root
			ids[title] = id
		}
	}
	want := map[string]string{
		"Kafka": "kafka", "Kafka &lt;partitions&gt;": "kafka-pa", "Kafka lag": "kafka-l", "Kafka and Redis": "red",
		"Kafka 파티션": "카", "Kafka pitfalls": "kafka-pi",
	}
	for title, id := range want {
		if ids[title] != id {
			t.Errorf("%s has %q, want %q", title, ids[title], id)
		}
	}
	for title, id := range ids {
		if ref, err := sources.Lookup(t.Context(), id); err != nil {
			t.Errorf("%s: %q finds %v, %v", title, id, ref, err)
		}
	}
}

func TestTitlesKeepWithinTheClientsLimit(t *testing.T) {
	var memories []schemas.Memory
	for i := range 300 {
		memories = append(memories, noted(schemas.Decision, fmt.Sprintf("m-%d", i), strings.Repeat("\U0001F600", 60)+" kafka"))
	}
	sources := index(t, "project", memories).Alone()
	results, err := sources.rank(t.Context(), NewHybridQuery("kafka", nil, 300))
	if err != nil {
		t.Fatal(err)
	}
	list, given, err := sources.Titles(t.Context(), results)
	if err != nil || len(given) == 0 || len(given) == len(results) || len(given) != strings.Count(list, "\n- ") {
		t.Fatal(len(given), len(results), err)
	}
	if n := text.Units(list); n > text.MaxHookText || !strings.HasSuffix(list, blockEnd) {
		t.Errorf("%d units: %s", n, list[max(0, len(list)-200):])
	}
	if list, given, err := sources.Titles(t.Context(), nil); list != "" || given != nil || err != nil {
		t.Error(cmp.Diff("", list), given, err)
	}
}
