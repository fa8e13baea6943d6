package schemas

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func ourSchema(t *testing.T, name string) *schema {
	t.Helper()
	return memorySchemas()[name]
}

func schemaText(t *testing.T, name string) []byte {
	t.Helper()
	data, err := schemaFiles.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestSchemasAreReadWhole shows that the evaluator sees all that the files say:
// encoding/json also takes keys that differ in case only.
func TestSchemasAreReadWhole(t *testing.T) {
	set := memorySchemas()
	if len(set) != 1+len(Categories) {
		t.Fatalf("%d schemas", len(set))
	}
	for name, s := range set {
		file := decodeAny(t, string(schemaText(t, name)))
		if diff := cmp.Diff(file, decodeAny(t, string(encode(t, s)))); diff != "" {
			t.Errorf("%s (-file +evaluator):\n%s", name, diff)
		}
	}
}

// TestEvaluatorKnowsAllKeywords holds that the schemas use what the evaluator implements.
func TestEvaluatorKnowsAllKeywords(t *testing.T) {
	for name, s := range memorySchemas() {
		checkSupported(t, name, s)
	}
}

func checkSupported(t *testing.T, at string, s *schema) {
	switch {
	case s.Type != "" && typeName(s.Type) == "":
		t.Errorf("%s: unknown type %q", at, s.Type)
	case !slices.Contains([]string{"", "date-time", "end-date", "regex"}, s.Format):
		t.Errorf("%s: unknown format %q", at, s.Format)
	case s.Additional != nil && *s.Additional:
		t.Errorf("%s: additionalProperties can only be false", at)
	case s.Not != nil && s.Not.Pattern == "":
		t.Errorf("%s: not is for patterns", at)
	case s.UniqueItems && (s.Items == nil || s.Items.Type != "string"):
		t.Errorf("%s: uniqueItems is for lists of strings", at)
	case s.Ref != "" && s.referred == nil:
		t.Errorf("%s: $ref %q leads nowhere", at, s.Ref)
	}
	for _, within := range s.within() {
		checkSupported(t, at, within)
	}
}

// TestLibraryStaysOutOfTheBinary: its init compiles five metaschemas.
func TestLibraryStaysOutOfTheBinary(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "santhosh-"+"tekuri") && !strings.HasSuffix(file, "_test.go") {
			t.Errorf("%s imports the JSON Schema library", file)
		}
	}
}

// objectOf returns an object's members and the order of their keys.
func objectOf(t *testing.T, data []byte) (map[string]json.RawMessage, []string) {
	t.Helper()
	values, order := map[string]json.RawMessage{}, []string{}
	for key, value := range Members(data) {
		values[key] = value
		order = append(order, key)
	}
	return values, order
}

func TestSchemaPropertiesAreTheStructFields(t *testing.T) {
	memory, _ := objectOf(t, schemaText(t, commonSchema))
	definitions, _ := objectOf(t, memory["$defs"])
	change, _ := objectOf(t, definitions["change"])
	type pair struct {
		schema map[string]json.RawMessage
		value  any
	}
	pairs := []pair{{memory, Memory{}}, {change, Change{}}}
	for _, info := range Categories {
		own, _ := objectOf(t, schemaText(t, info.Category.schemaName()))
		properties, _ := objectOf(t, own["properties"])
		content, _ := objectOf(t, properties["content"])
		pairs = append(pairs, pair{content, reflect.ValueOf(NewContent(info.Category)).Elem().Interface()})
		fields, _ := objectOf(t, content["properties"])
		if alternatives, _ := objectOf(t, fields["alternatives"]); len(alternatives) > 0 {
			items, _ := objectOf(t, alternatives["items"])
			pairs = append(pairs, pair{items, Alternative{}})
		}
		if examples, _ := objectOf(t, fields["examples"]); len(examples) > 0 {
			pairs = append(pairs, pair{examples, Examples{}})
		}
		if check, _ := objectOf(t, fields["check"]); len(check) > 0 {
			pairs = append(pairs, pair{check, Check{}})
		}
	}
	for _, c := range pairs {
		names, always := jsonNames(reflect.TypeOf(c.value))
		if _, order := objectOf(t, c.schema["properties"]); !slices.Equal(order, names) {
			t.Errorf("%T: schema has %q, the struct %q", c.value, order, names)
		}
		var required []string
		_ = json.Unmarshal(c.schema["required"], &required)
		for _, name := range required {
			if !slices.Contains(always, name) {
				t.Errorf("%T: %s is required, yet encoding leaves it out when empty", c.value, name)
			}
		}
	}
}

func jsonNames(typ reflect.Type) (names, always []string) {
	for i := range typ.NumField() {
		name, option, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		names = append(names, name)
		if option != "omitempty" && option != "omitzero" {
			always = append(always, name)
		}
	}
	return names, always
}

func TestSchemaEnumsAreTheGoConstants(t *testing.T) {
	properties := ourSchema(t, commonSchema).Properties
	var categories, statuses []string
	for _, info := range Categories {
		categories = append(categories, string(info.Category))
	}
	for _, status := range Statuses {
		statuses = append(statuses, string(status))
	}
	if got := properties["category"].Enum; !slices.Equal(got, categories) {
		t.Errorf("category: %v", got)
	}
	if got := properties["record_status"].Enum; !slices.Equal(got, statuses) {
		t.Errorf("record_status: %v", got)
	}
}

// TestSchemasDescribeEverything holds the public docs complete, and every
// object closed: a category's root is closed by the common schema.
func TestSchemasDescribeEverything(t *testing.T) {
	for name, s := range memorySchemas() {
		checkDescribed(t, name, s, s.Ref == commonSchema)
	}
}

func checkDescribed(t *testing.T, at string, s *schema, closed bool) {
	if s.Description == "" && !strings.HasPrefix(s.Ref, "#/$defs/") {
		t.Errorf("%s: a schema has no description", at)
	}
	if s.Properties != nil && !s.closed() && !closed {
		t.Errorf("%s: %s takes unknown fields", at, s.Description)
	}
	for _, within := range s.within() {
		checkDescribed(t, at, within, false)
	}
}
