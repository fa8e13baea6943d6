package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestInitialConfigIsTheDefaults(t *testing.T) {
	got, warnings := DecodeConfig(InitialConfig)
	if len(warnings) > 0 {
		t.Fatalf("the initial file warns: %v", warnings)
	}
	// A file without the key keeps the ranking it was written for; a new one begins with the better.
	if got.Retrieval.MatchStrategy != Hybrid {
		t.Errorf("the initial file ranks by %s", got.Retrieval.MatchStrategy)
	}
	if got.Retrieval.Limit() != maxLines {
		t.Errorf("the initial file gives %d lines", got.Retrieval.Limit())
	}
	got.Retrieval.MaxInject, got.Retrieval.LimitSet = 5, false
	if got.Triage.Strategy != Moments {
		t.Errorf("the initial file asks by %s", got.Triage.Strategy)
	}
	got.Retrieval.MatchStrategy, got.Triage.Strategy = TitleTags, "keywords"
	if diff := cmp.Diff(DefaultConfig(), got); diff != "" {
		t.Errorf("defaults and initial file differ (-default +file):\n%s", diff)
	}
}

func compiledConfigSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(configSchemaFile(t)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("config", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("config")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// The schema is for people and editors, DecodeConfig for the hook. Each leaf of
// the schema is tried with its default, its bounds and wrong values, and both
// must agree on whether there is anything to say.
func TestDecoderAgreesWithSchema(t *testing.T) {
	schema := compiledConfigSchema(t)
	var root map[string]any
	if err := json.Unmarshal(configSchemaFile(t), &root); err != nil {
		t.Fatal(err)
	}
	leaves := map[string]map[string]any{}
	collectLeaves(root, "", leaves)
	if len(leaves) < 50 {
		t.Fatalf("only %d leaves found", len(leaves))
	}
	for path, leaf := range leaves {
		if path == "$schema" {
			continue
		}
		for _, value := range trials(leaf) {
			doc := nest(path, value)
			raw, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
			if err != nil {
				t.Fatal(err)
			}
			valid := schema.Validate(parsed) == nil
			_, warnings := DecodeConfig(raw)
			if valid != (len(warnings) == 0) {
				t.Errorf("%s: schema says valid=%v, decoder says %v", raw, valid, warnings)
			}
			if len(warnings) > 0 && !strings.HasPrefix(warnings[0].Key, path) {
				t.Errorf("%s: the warning names %q", raw, warnings[0].Key)
			}
		}
		if fallback, err := json.Marshal(leaf["default"]); err != nil || !defaultHolds(t, path, string(fallback)) {
			t.Errorf("%s: the schema's default %s is not the decoder's", path, fallback)
		}
	}
}

func collectLeaves(node map[string]any, path string, leaves map[string]map[string]any) {
	properties, ok := node["properties"].(map[string]any)
	if !ok {
		leaves[path] = node
		return
	}
	for key, sub := range properties {
		collectLeaves(sub.(map[string]any), strings.TrimPrefix(path+"."+key, "."), leaves)
	}
}

func trials(leaf map[string]any) []any {
	values := []any{leaf["default"], nil, []any{3}, map[string]any{}, "bogus-value", true, 1}
	if low, ok := leaf["minimum"].(float64); ok {
		values = append(values, low, low-1)
	}
	if high, ok := leaf["maximum"].(float64); ok {
		values = append(values, high, high+1)
	}
	if leaf["type"] == "integer" {
		values = append(values, 12.5)
	}
	return values
}

func nest(path string, value any) any {
	keys := strings.Split(path, ".")
	for i := len(keys) - 1; i >= 0; i-- {
		value = map[string]any{keys[i]: value}
	}
	return value
}

func defaultHolds(t *testing.T, path, want string) bool {
	t.Helper()
	raw, err := json.Marshal(DefaultConfig())
	if err != nil {
		t.Fatal(err)
	}
	var node any
	if err := json.Unmarshal(raw, &node); err != nil {
		t.Fatal(err)
	}
	for key := range strings.SplitSeq(path, ".") {
		node = node.(map[string]any)[key]
	}
	got, err := json.Marshal(node)
	return err == nil && string(got) == want
}

func TestDecodeConfigNamesWhatIsWrong(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
	}{
		{"empty file", ``, `memory-config.json: the file is empty; using the defaults`},
		{"broken", `{"a":`, `memory-config.json: line 1, column 5: unexpected end of JSON input; using the defaults`},
		{"broken below", "{\n\"é\":[1,]}", `memory-config.json: line 2, column 8: invalid character ']' looking for beginning of value; using the defaults`},
		{"raw newline", "{\"a\":\"b\n\"}", `memory-config.json: line 1, column 8: invalid character '\n' in string literal; using the defaults`},
		{"a list", `[]`, `memory-config.json: expected a JSON object, got a list; using the defaults`},
		{"unknown key", `{"retrival":{}}`, `memory-config.json: retrival: unknown key; ignored`},
		{"a number beyond all numbers", `{"retrieval":{"max_inject":1e999}}`, `memory-config.json: retrieval.max_inject: expected a number, got one that is out of range; using 5`},
		{"wrong type", `{"retrieval":{"max_inject":[3]}}`, `memory-config.json: retrieval.max_inject: expected a number, got a list; using 5`},
		{"too large", `{"retrieval":{"max_inject":21}}`, `memory-config.json: retrieval.max_inject: 21 is outside 0 to 20; using 20`},
		{"quoted number", `{"retrieval":{"max_inject":"3"}}`, `memory-config.json: retrieval.max_inject: a number in quotes; using 3`},
		{"fraction", `{"triage":{"max_messages":12.5}}`, `memory-config.json: triage.max_messages: expected a whole number, got 12.5; using 12`},
		{"wrong section", `{"triage":[1]}`, `memory-config.json: triage: expected an object, got a list; using the defaults`},
		{"unknown strategy", `{"retrieval":{"match_strategy":"llm"}}`, `memory-config.json: retrieval.match_strategy: expected one of title_tags, hybrid, got "llm"; using "title_tags"`},
		{"other root", `{"memory_root":"docs"}`, `memory-config.json: memory_root: "docs" is not supported; using ".claude/memory"`},
		{"unknown category", `{"categories":{"idea":{"description":"d"}}}`, `memory-config.json: categories.idea: unknown category; using its description only`},
		{"not a pattern", `{"privacy":{"excludePatterns":["ok","(",5]}}`, "memory-config.json: privacy.excludePatterns: error parsing regexp: missing closing ): `(`; using the rest of it\n" +
			"memory-config.json: privacy.excludePatterns: expected a list of strings, found a number in it; using the rest of it"},
		{"too large a pattern", `{"privacy":{"excludePatterns":["(?:[a-z]x){1000}","ok"]}}`, "memory-config.json: privacy.excludePatterns: a pattern of more than 1000 steps, repetitions counted: `(?:[a-z]x){1000}`; using the rest of it"},
		{"too many patterns", `{"privacy":{"excludePatterns":["x"` + strings.Repeat(`,"x"`, 64) + `]}}`, "memory-config.json: privacy.excludePatterns: at most 64 items, got 65; using the first 64"},
		{"unknown format", `{"privacy":{"formats":["xml","tag"]}}`, `memory-config.json: privacy.formats: expected some of xml, bracket, comment, found "tag"; using the rest of it`},
		{"no name", `{"":{"auto_commit":1}}`, `memory-config.json: "": unknown key; ignored`},
		{"a path as a name", `{"retrieval.max_inject":3}`, `memory-config.json: "retrieval.max_inject": unknown key; ignored`},
		{"an unknown category twice", `{"categories":{"a.b":{"enabled":1},"A.B":{"enabled":"x"}}}`, `memory-config.json: categories."a.b": unknown category; using its description only` + "\n" +
			`memory-config.json: categories."a.b".enabled: expected true or false, got a number; using true` + "\n" +
			`memory-config.json: categories."a.b".enabled: expected true or false, got a string; using true`},
		{"nothing", `{"$schema":"x"}`, ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, warnings := DecodeConfig([]byte(tt.in))
			var lines []string
			for _, w := range warnings {
				lines = append(lines, w.String())
			}
			if got := strings.Join(lines, "\n"); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestCategoryNamesInAnyCase(t *testing.T) {
	c, warnings := DecodeConfig([]byte(`{
		"categories": {"decision": {"description": "first"}, "DECISION": {"description": "second"}},
		"triage": {"thresholds": {"Runbook": 0.1}}}`))
	want := []Description{{"decision", "second"}}
	if len(warnings) > 0 || !cmp.Equal(c.Descriptions, want) || c.Triage.Thresholds[Runbook] != 0.1 {
		t.Errorf("got %v, %v, %v", c.Descriptions, c.Triage.Thresholds, warnings)
	}
}

func TestModels(t *testing.T) {
	c, warnings := DecodeConfig([]byte(`{"triage": {"parallel": {
		"category_models": {"runbook": "OPUS", "decision": "gpt", "CONSTRAINT": "opus"},
		"verification_model": 5, "default_model": "Sonnet"}}}`))
	want := DefaultConfig().Triage.Parallel
	want.CategoryModels[Runbook], want.DefaultModel = "opus", "sonnet"
	if diff := cmp.Diff(want, c.Triage.Parallel); diff != "" || len(warnings) != 5 {
		t.Errorf("%v (-want +got):\n%s", warnings, diff)
	}
}

func FuzzDecodeConfig(f *testing.F) {
	f.Add(InitialConfig)
	f.Add([]byte(`{"retrieval":{"max_inject":"3"},"x":1}`))
	f.Add([]byte(`{"triage":{"thresholds":{"decision":1e999}}}`))
	f.Add([]byte("{\"categories\":{\"\\u0000\":{\"description\":\"\xff\"}}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, warnings := DecodeConfig(data)
		if c.Retrieval.MaxInject < 0 || c.Retrieval.MaxInject > 20 || c.Triage.MaxMessages < 10 || c.Triage.MaxMessages > 200 {
			t.Errorf("out of range: %+v", c.Retrieval)
		}
		for category, threshold := range c.Triage.Thresholds {
			if !(threshold >= 0 && threshold <= 1) {
				t.Errorf("threshold of %s is %v", category, threshold)
			}
		}
		for _, w := range warnings {
			if fmt.Sprint(w) == "" || w.Used == "" {
				t.Errorf("a warning says nothing: %#v", w)
			}
		}
	})
}

func BenchmarkDecodeConfig(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		DecodeConfig(InitialConfig)
	}
}
