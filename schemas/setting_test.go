package schemas

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"memctl/privacy"
)

func setting(t testing.TB, key string) Setting {
	t.Helper()
	for _, s := range Settings() {
		if s.Key == key {
			return s
		}
	}
	t.Fatalf("no setting %s", key)
	return Setting{}
}

// The table and the fields of Config are the same settings of the same types.
func TestSettingsAreTheFieldsOfConfig(t *testing.T) {
	all := Settings()
	for key := range descriptions() {
		general := func(f field) bool { return strings.Replace(f.key, "."+string(f.category), ".<category>", 1) == key }
		if !slices.ContainsFunc(fieldsOf(&Config{}), func(f field) bool { return f.key == key || general(f) }) {
			t.Errorf("settings.txt describes %s, which does not exist", key)
		}
	}
	if len(all) < 50 || all[0].Key != "memory_root" {
		t.Errorf("%d settings, the first is %s", len(all), all[0].Key)
	}
	var keys []string
	for _, s := range all {
		keys = append(keys, s.Key)
		value := s.In(DefaultConfig()).Value
		if want := encoded(s.absent); string(value) != string(want) || s.Purpose == "" {
			t.Errorf("%s: %s, default %s, %q", s.Key, value, want, s.Purpose)
		}
	}
	fields := map[string]map[string]any{}
	collectLeaves(map[string]any{"properties": asProperties(decodeAny(t, string(encode(t, DefaultConfig()))))}, "", fields)
	for key := range fields {
		if !slices.Contains(keys, key) {
			t.Errorf("no setting for %s", key)
		}
	}
}

// The tags repeat constants of the package privacy.
func TestPrivacySettingsAreThoseOfThePackage(t *testing.T) {
	marker := []string{privacy.PrivateMarker, privacy.RedactedMarker, ""}
	for key, want := range map[string][]string{
		"privacy.formats":    privacy.Formats(),
		"privacy.marker":     marker,
		"privacy.onUnclosed": {privacy.KeepUnclosed, privacy.RedactUnclosed},
	} {
		if got := setting(t, key).Values(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
	if most := setting(t, "privacy.excludePatterns").maxItems(); most != privacy.MaxPatterns {
		t.Errorf("%d patterns, want %d", most, privacy.MaxPatterns)
	}
}

// A value that is not the default arrives in the field of its key and in no other.
func TestSettingsArriveInTheirFields(t *testing.T) {
	for _, s := range Settings() {
		if s.fixed() {
			continue
		}
		value := s.otherValue()
		data, err := s.Set([]byte("{}"), value)
		if err != nil {
			t.Fatalf("%s: %v", s.Key, err)
		}
		c, warnings := DecodeConfig(data)
		if len(warnings) > 0 {
			t.Errorf("%s: %v", s.Key, warnings)
		}
		for _, each := range Settings() {
			want := encoded(each.absent)
			if each.Key == s.Key {
				want = value
			}
			if got := each.In(c).Value; string(got) != string(want) && !dependsOn(each, s) {
				t.Errorf("%s set to %s: %s is %s, want %s", s.Key, value, each.Key, got, want)
			}
		}
	}
}

// dependsOn reports whether the value of a setting where the file lacks it follows another one.
func dependsOn(s, other Setting) bool {
	return s.Key == "retrieval.max_inject" && other.Key == "retrieval.match_strategy"
}

// A new root has the defaults; unset and the presets lead to them and to v5's, from any file.
func TestDefaultsAreThoseOfANewRoot(t *testing.T) {
	fresh, _ := DecodeConfig(InitialConfig)
	const old = `{"retrieval": {"match_strategy": "title_tags"}, "triage": {"hint": false}}`
	for _, s := range Settings() {
		if v := s.In(fresh); v.Changed() {
			t.Errorf("a new root: %s is %s, default %s", s.Key, v.Value, v.Default)
		}
		for name, file := range map[string][]byte{"none": nil, "empty": []byte("{}"), "new": InitialConfig, "v5": []byte(old)} {
			unset, err := s.Unset(file)
			if c, _ := DecodeConfig(unset); err != nil || s.In(c).Changed() {
				t.Errorf("file %s: %s unset: %v, %s", name, s.Key, err, unset)
			}
			for _, preset := range Presets {
				want := s.Preset(preset)
				if want == nil {
					continue
				}
				set, err := s.Set(file, want)
				if c, _ := DecodeConfig(set); err != nil || !sameValue(s.In(c).Value, want) {
					t.Errorf("file %s, preset %s: %s: %v, %s", name, preset, s.Key, err, set)
				}
			}
		}
	}
	v5, _ := DecodeConfig([]byte("{}"))
	for _, s := range Settings() {
		if want := s.Preset("v5"); want != nil && !sameValue(s.In(v5).Value, want) {
			t.Errorf("an old file: %s is %s, want %s", s.Key, s.In(v5).Value, want)
		}
	}
}

// otherValue is a valid value that is not the default.
func (s Setting) otherValue() json.RawMessage {
	var value any
	switch was := s.Default.(type) {
	case bool:
		value = !was
	case int:
		value = was + 1
	case float64:
		value = was / 2
	case string:
		value = "other"
		if s.Values() != nil {
			value = s.Values()[slices.IndexFunc(s.Values(), func(v string) bool { return v != was })]
		}
	case []string:
		value = []string{"other"}
		if s.Values() != nil {
			value = s.Values()[:1]
		}
	}
	data, _ := EncodeJSON(value)
	return data
}

// asProperties turns a decoded object into the form of a schema's properties.
func asProperties(v any) map[string]any {
	properties := map[string]any{}
	for key, value := range v.(map[string]any) {
		node := map[string]any{}
		if _, isObject := value.(map[string]any); isObject {
			node["properties"] = asProperties(value)
		}
		properties[key] = node
	}
	return properties
}

func TestSetKeepsTheRest(t *testing.T) {
	for name, tt := range map[string]struct{ key, value, in, want string }{
		"no file":           {"retrieval.max_inject", "3", "", "{\n  \"triage\": {\n    \"strategy\": \"moments\",\n    \"hint\": false\n  },\n  \"retrieval\": {\n    \"max_inject\": 3\n  }\n}\n"},
		"in place":          {"retrieval.max_inject", "3", "{ \"x\":[1,\t2], \"retrieval\" : {\"max_inject\"  :9 } }\n\n", "{ \"x\":[1,\t2], \"retrieval\" : {\"max_inject\"  :3 } }\n\n"},
		"among others":      {"triage.max_messages", "80", "{\n    \"triage\": {\n        \"enabled\": true\n    },\n    \"odd\": null\n}", "{\n    \"triage\": {\n        \"enabled\": true,\n        \"max_messages\": 80\n    },\n    \"odd\": null\n}"},
		"a new section":     {"triage.thresholds.decision", "0.5", "{\n  \"odd\": {}\n}\n", "{\n  \"odd\": {},\n  \"triage\": {\n    \"thresholds\": {\n      \"decision\": 0.5\n    }\n  }\n}\n"},
		"an empty section":  {"delete.archive_retired", "false", "{\n  \"delete\": {}\n}\n", "{\n  \"delete\": {\n    \"archive_retired\": false\n  }\n}\n"},
		"a small file":      {"delete.archive_retired", "false", `{"auto_commit":false}`, `{"auto_commit":false, "delete": {"archive_retired": false}}`},
		"another case":      {"categories.decision.enabled", "false", `{"categories":{"DECISION":{"enabled":true}}}`, `{"categories":{"DECISION":{"enabled":false}}}`},
		"the later of two":  {"triage.thresholds.runbook", "1", `{"triage":{"thresholds":{"Runbook":0.2,"runbook":0.3}}}`, `{"triage":{"thresholds":{"Runbook":0.2,"runbook":1}}}`},
		"what was wrong":    {"retrieval.max_inject", "0", `{"retrieval":{"max_inject":"many"}}`, `{"retrieval":{"max_inject":0}}`},
		"text":              {"categories.decision.description", `a "b" <c>`, `{}`, "{\n  \"categories\": {\n    \"decision\": {\n      \"description\": \"a \\\"b\\\" <c>\"\n    }\n  }\n}"},
		"a byte order mark": {"retrieval.max_inject", "3", "\xef\xbb\xbf{\"retrieval\":{\"max_inject\":9}}", "\xef\xbb\xbf{\"retrieval\":{\"max_inject\":3}}"},
	} {
		t.Run(name, func(t *testing.T) {
			s := setting(t, tt.key)
			value, err := s.Parse(tt.value)
			if err != nil {
				t.Fatal(err)
			}
			var in []byte
			if tt.in != "" {
				in = []byte(tt.in)
			}
			if got, err := s.Set(in, value); err != nil || string(got) != tt.want {
				t.Errorf("%v\n got %q\nwant %q", err, got, tt.want)
			}
		})
	}
}

func TestUnsetKeepsTheRest(t *testing.T) {
	for name, tt := range map[string]struct{ in, want string }{
		"not there":           {`{"retrieval": {}, "x": 1}`, `{"retrieval": {}, "x": 1}`},
		"the only one":        {`{"retrieval": { "user_share": 3 }, "x": 1}`, `{"retrieval": {}, "x": 1}`},
		"the first":           {"{\"retrieval\": {\n  \"user_share\": 3,\n  \"enabled\": true\n}}", "{\"retrieval\": {\n  \"enabled\": true\n}}"},
		"the first of a line": {`{"retrieval": {"user_share": 3, "enabled": true}}`, `{"retrieval": {"enabled": true}}`},
		"the last":            {"{\"retrieval\": {\n  \"enabled\": true,\n  \"user_share\": 3\n}}", "{\"retrieval\": {\n  \"enabled\": true\n}}"},
		"no section":          {`{"retrieval": 3}`, `{"retrieval": 3}`},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := setting(t, "retrieval.user_share").Unset([]byte(tt.in)); err != nil || string(got) != tt.want {
				t.Errorf("%v\n got %q\nwant %q", err, got, tt.want)
			}
		})
	}
}

func TestSettingsRefuse(t *testing.T) {
	for name, tt := range map[string]struct{ key, value, in, says string }{
		"too much":        {"retrieval.max_inject", "21", `{}`, "expected 20 or less, got 21"},
		"a fraction":      {"retrieval.max_inject", "2.5", `{}`, "expected a whole number"},
		"out of range":    {"triage.thresholds.decision", "1e999", `{}`, "triage.thresholds.decision"},
		"no boolean":      {"retrieval.enabled", "yes", `{}`, `expected true or false, got "yes"`},
		"no such model":   {"triage.parallel.default_model", "gpt", `{}`, "expected one of haiku, sonnet, opus"},
		"what is fixed":   {"memory_root", "docs", `{}`, `expected ".claude/memory"`},
		"nothing":         {"retrieval.max_inject", "", `{}`, "a whole number"},
		"no JSON":         {"retrieval.max_inject", "3", `{"a":`, "line 1"},
		"a list":          {"retrieval.max_inject", "3", `[]`, "expected a JSON object"},
		"a key twice":     {"retrieval.max_inject", "3", `{"a":1,"a":2}`, `the key "a" occurs twice`},
		"another section": {"retrieval.max_inject", "3", `{"retrieval":7}`, "retrieval: expected an object, found a number"},
	} {
		t.Run(name, func(t *testing.T) {
			s := setting(t, tt.key)
			value, err := s.Parse(tt.value)
			if err == nil {
				_, err = s.Set([]byte(tt.in), value)
			}
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v, want %q", err, tt.says)
			}
		})
	}
	if _, err := setting(t, "categories.runbook.enabled").Unset([]byte(`{"categories":{"runbook":{"enabled":false},"RUNBOOK":{"enabled":true}}}`)); err == nil {
		t.Error("unset a key that another spelling still sets")
	}
}

// Whatever the file says: a set value holds, other settings stay, and unset
// takes it out again.
func FuzzSetting(f *testing.F) {
	f.Add(InitialConfig, 3)
	f.Add([]byte(`{"retrieval":{"max_inject":"3"},"x":1}`), 20)
	f.Add([]byte("{\"categories\":{\"DECISION\":{}},\r\n\t\"triage\" : { } }"), 7)
	f.Add([]byte("\xef\xbb\xbf{ }"), 40)
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		all := Settings()
		s := all[int(uint(n)%uint(len(all)))]
		fallback := encoded(s.Default)
		set, err := s.Set(data, fallback)
		if err != nil {
			return
		}
		if !json.Valid(bytes.TrimPrefix(set, byteOrderMark)) {
			t.Fatalf("%s made %q of %q", s.Key, set, data)
		}
		before, _ := DecodeConfig(data)
		after, _ := DecodeConfig(set)
		for _, other := range all {
			was, is := other.In(before).Value, other.In(after).Value
			if other.Key == s.Key && !sameValue(is, fallback) || other.Key != s.Key && !sameValue(is, was) && !dependsOn(other, s) {
				t.Fatalf("setting %s made %s of %s, which is %s: %q -> %q", s.Key, other.Key, was, is, data, set)
			}
		}
		if _, err := s.Unset(set); err != nil && !strings.Contains(err.Error(), "spelling") {
			t.Errorf("cannot unset %s again in %q: %v", s.Key, set, err)
		}
	})
}
