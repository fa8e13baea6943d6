package schemas

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func wantOne(t *testing.T, got []Violation, field, rule string) {
	t.Helper()
	if len(got) != 1 || got[0].Field != field || got[0].Rule != rule {
		t.Fatalf("got %q, want %s of %s alone", got, rule, field)
	}
}

func TestValidateAccepts(t *testing.T) {
	for _, info := range Categories {
		for _, text := range []string{minimalMemory(info.Category), fullMemory(info.Category)} {
			if got := Validate([]byte(text)); got != nil {
				t.Errorf("%s: %q", text, got)
			}
		}
	}
}

func TestUnknownCategoryIsCheckedByTheCommonRules(t *testing.T) {
	got := Validate([]byte(strings.Replace(minimalMemory(Decision), `"decision","id":"a"`, `"idea","id":""`, 1)))
	if len(got) != 2 || got[0].String() != `category: expected one of decision, constraint, preference, runbook, tech_debt,`+
		` session_summary, got "idea"` || got[1].Field != "id" {
		t.Errorf("got %q", got)
	}
}

func TestUnreadable(t *testing.T) {
	notJSON := func(got string) Violation { return Violation{"", "json", "valid JSON", got} }
	notObject := func(got string) Violation { return Violation{"", "type", "an object", got} }
	twice := func(field, got string) Violation { return Violation{field, "json", "each key once", got + " again"} }
	for name, test := range map[string]struct {
		text string
		want Violation
	}{
		"empty":           {"", notJSON("line 1, column 1: unexpected end of JSON input")},
		"comma too many":  {"{\n\"é\":[1,]}", notJSON("line 2, column 8: invalid character ']' looking for beginning of value")},
		"raw newline":     {"{\"a\":\"b\n\"}", notJSON("line 1, column 8: invalid character '\\n' in string literal")},
		"trailing":        {"{} x", notJSON("line 1, column 4: invalid character 'x' after top-level value")},
		"two documents":   {"{}\n{}", notJSON("line 2, column 1: invalid character '{' after top-level value")},
		"byte order mark": {"\ufeff" + minimalMemory(Decision), notJSON("line 1, column 1: a byte order mark")},
		"too deep":        {strings.Repeat("[", 1<<20), notJSON("line 1, column 10001: invalid character '[' exceeded max depth")},
		"one level too deep": {with(`"z":` + strings.Repeat("[", maxLevels) + strings.Repeat("]", maxLevels)),
			notJSON("objects and lists are nested more than 100 deep")},
		"not UTF-8":    {"{\"é\":\"\xff\"}", Violation{"", "utf8", "UTF-8 text", "line 1, column 7: an invalid byte"}},
		"null":         {"null", notObject("null")},
		"list":         {"[{}]", notObject("a list")},
		"string":       {`"a"`, notObject(`"a"`)},
		"key twice":    {with(`"title":"u"`), twice("title", `"title"`)},
		"key thrice":   {with(`"title":"u","title":"v"`), twice("title", `"title"`)},
		"escaped twin": {with(`"\u0074itle":"u"`), twice("title", `"title"`)},
		"key twice deep": {with(`"changes":[{"date":"2026-01-31T09:00:00Z","summary":"s","new_value":[{},{"a":1,"a":2}]}]`),
			twice("changes.0.new_value.1.a", `"a"`)},
	} {
		got := Validate([]byte(test.text))
		if len(got) != 1 || got[0] != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

func TestExtremesDoNoHarm(t *testing.T) {
	nested := strings.Repeat(`{"a":`, maxLevels-4) + "1" + strings.Repeat("}", maxLevels-4) // in three levels, and one more below
	got := Validate([]byte(with(`"changes":[{"date":"2026-01-31T09:00:00Z","summary":"s","old_value":` + nested + `}]`)))
	if got != nil {
		t.Errorf("deep old_value: %q", got)
	}
	if got := Validate([]byte(with(`"confidence":1e-999999999,"times_updated":1e300`))); got != nil {
		t.Errorf("exponents: %q", got)
	}
	wantOne(t, Validate([]byte(with(`"confidence":1e999`))), "", "json")
	twice := strings.Replace(nested, "1", `{"b":1,"b":2}`, 1)
	got = Validate([]byte(with(`"changes":[{"date":"2026-01-31T09:00:00Z","summary":"s","old_value":` + twice + `}]`)))
	wantOne(t, got, "changes.0.old_value"+strings.Repeat(".a", maxDepth-3)+"...", "json")
}

// A file may break its schema in a hundred thousand places.
func TestReportsAreBounded(t *testing.T) {
	var twice, unknown strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&twice, `"%d":0,"%d":1,`, i%1000, i%1000)
		fmt.Fprintf(&unknown, `"%d":0,`, i)
	}
	for name, text := range map[string]string{
		"items":          with(`"changes":[` + strings.Repeat("1,", 100_000) + `1]`),
		"tags":           strings.Replace(with(`"z":0`), `["x"]`, `[`+strings.Repeat(`"",`, 100_000)+`""]`, 1),
		"keys twice":     with(twice.String() + `"z":0`),
		"unknown fields": with(unknown.String() + `"z":0`),
	} {
		got := Validate([]byte(text))
		if len(got) != maxViolations || len(repeatedKeys([]byte(text))) > maxViolations {
			t.Errorf("%s: %d violations", name, len(got))
		}
		if again := Validate([]byte(text)); !slices.Equal(got, again) {
			t.Errorf("%s: another report the second time", name)
		}
	}
}

func TestOneKeyDoesNotFillTheReport(t *testing.T) {
	got := Validate([]byte(with(strings.Repeat(`"id":"a",`, 200) + `"tags":["x"]`)))
	if len(got) != 2 || got[0].Field != "id" || got[1].Field != "tags" {
		t.Errorf("got %q", got)
	}
}

func TestViolationsReadWell(t *testing.T) {
	const decisionFields = "one of the fields alternatives, consequences, context, decision, rationale, status"
	for _, test := range []struct {
		field string
		value any
		want  string
	}{
		{"title", absent, "title: expected a string, got missing"},
		{"title", nil, "title: expected a string, got null"},
		{"title", strings.Repeat("t", 130), "title: expected at most 120 characters, got 130 characters"},
		{"tags.0", "", `tags.0: expected at least 1 character, got ""`},
		{"schema_version", "2", `schema_version: expected "1.0", got "2"`},
		{"schema_version", absent, `schema_version: expected "1.0", got missing`},
		{"content", absent, "content: expected an object, got missing"},
		{"id", "a\nb", `id: expected 1 to 80 lower-case letters, digits and inner hyphens: the file's name without .json, got "a\nb"`},
		{"id", "nul", `id: expected anything but a name that Windows keeps for a device, got "nul"`},
		{"id", "com1", `id: expected anything but a name that Windows keeps for a device, got "com1"`},
		{"updated_at", "today", `updated_at: expected RFC 3339 date and time with offset, for example 2026-01-31T09:00:00Z, got "today"`},
		{"updated_at", absent, "updated_at: expected a string, got missing"},
		{"tags", []any{}, "tags: expected at least 1 item, got 0 items"},
		{"tags", numbered(13), "tags: expected at most 12 items, got 13 items"},
		{"tags", []any{"a", "a"}, `tags: expected no item twice, got "a" again`},
		{"tags", "a,b", `tags: expected a list, got "a,b"`},
		{"confidence", 1.5, "confidence: expected 1 or less, got 1.5"},
		{"times_updated", -1, "times_updated: expected 0 or more, got -1"},
		{"times_updated", true, "times_updated: expected a whole number, got true"},
		{"content", []any{1}, "content: expected an object, got a list"},
		{"content.status", "done", `content.status: expected one of proposed, accepted, deprecated, superseded, got "done"`},
		{"content.status", absent, "content.status: expected one of proposed, accepted, deprecated, superseded, got missing"},
		{"content.reasons", "x", "content.reasons: expected " + decisionFields + `, got "x"`},
		{"content.a\u202eb", 1, `content."a\u202eb": expected ` + decisionFields + ", got 1"},
	} {
		got := validateValue(t, changed(decodeAny(t, fullMemory(Decision)), split(test.field), test.value))
		if len(got) != 1 || got[0].String() != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
	if got := Validate([]byte("[]"))[0].String(); got != "document: expected an object, got a list" {
		t.Error(got)
	}
	if got := Validate([]byte("{"))[0].String(); got != "expected valid JSON: line 1, column 1: unexpected end of JSON input" {
		t.Error(got)
	}
}

func TestViolationsAreSortedByField(t *testing.T) {
	got := Validate([]byte(`{"z":1,"b":1,"a.b":1,"":1,"category":"runbook","content":{"steps":[]}}`))
	if !slices.IsSortedFunc(got, compareViolations) {
		t.Errorf("not sorted: %q", got)
	}
	var unknown []string
	for _, v := range got {
		if v.Rule == "additionalProperties" {
			unknown = append(unknown, v.Field)
		}
	}
	if want := []string{`""`, `"a.b"`, "b", "z"}; !slices.Equal(unknown, want) {
		t.Errorf("got %q, want %q", unknown, want)
	}
}

func BenchmarkValidate(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if got := Validate([]byte(typicalMemory)); got != nil {
			b.Fatal(got)
		}
	}
}
