package schemas

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// The oracle is a complete JSON Schema library; tests hold the evaluator to its
// answers.
var oracle = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	compiler.UseLoader(embeddedLoader{})
	compiler.RegisterFormat(&jsonschema.Format{Name: "date-time", Validate: oracleDateTime})
	compiler.RegisterFormat(&jsonschema.Format{Name: "end-date", Validate: oracleEndDate})
	compiler.UseRegexpEngine(oracleExpression)
	byName := map[string]*jsonschema.Schema{}
	entries, err := schemaFiles.ReadDir(".")
	for _, entry := range entries {
		if err == nil {
			byName[entry.Name()], err = compiler.Compile("memctl:///" + entry.Name())
		}
	}
	return byName, err
})

type embeddedLoader struct{}

func (embeddedLoader) Load(url string) (any, error) {
	data, err := schemaFiles.ReadFile(path.Base(url))
	if err != nil {
		return nil, err
	}
	return jsonschema.UnmarshalJSON(bytes.NewReader(data))
}

// oracleEndDate is a format of memctl's own.
func oracleEndDate(v any) error {
	s, isText := v.(string)
	if _, isDate := EndOf(s); isText && s != "" && !isDate {
		return errors.New("no date")
	}
	return nil
}

// laxDateTime is the library's rule. It lets signs stand for digits
// ("+9:00:00Z"), which RFC 3339's grammar does not.
var laxDateTime = sync.OnceValue(func() *jsonschema.Schema {
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("date", map[string]any{"format": "date-time"}); err != nil {
		panic(err)
	}
	return compiler.MustCompile("date")
})

var dateTimeGrammar = regexp.MustCompile(`(?i)^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`)

func oracleDateTime(v any) error {
	if s, ok := v.(string); ok && !dateTimeGrammar.MatchString(s) {
		return errors.New("not RFC 3339")
	}
	return laxDateTime().Validate(v)
}

// oracleExpression compiles patterns, and expressions in values: on one line, while a long one breaks another rule.
func oracleExpression(s string) (jsonschema.Regexp, error) {
	if utf8.RuneCountInString(s) > maxChecked {
		s = ""
	}
	if strings.ContainsAny(s, "\t\n\r") {
		return nil, errors.New("not on one line")
	}
	return regexp.Compile(s)
}

// validateValue is Validate, checked against the oracle.
func validateValue(t *testing.T, doc any) []Violation {
	t.Helper()
	data := encode(t, doc)
	got := Validate(data)
	agree(t, data, got)
	return got
}

// agree compares what Validate and the oracle find: each rule broken at each
// place. Repeated keys and the cap on a report are Validate's alone.
func agree(t *testing.T, data []byte, got []Violation) {
	t.Helper()
	full := len(got) >= maxViolations
	var ours []string
	for _, v := range got {
		if v.Rule != "json" {
			ours = append(ours, v.Rule+" of "+v.Field)
		}
	}
	theirs := oracleFindings(t, data)
	if full {
		theirs = slices.DeleteFunc(theirs, func(s string) bool { return !slices.Contains(ours, s) })
	}
	slices.Sort(ours)
	if diff := cmp.Diff(theirs, ours); diff != "" {
		t.Errorf("%.1000s:\n(-oracle +evaluator)\n%s", data, diff)
	}
}

func oracleFindings(t *testing.T, data []byte) []string {
	t.Helper()
	all, err := oracle()
	if err != nil {
		t.Fatal(err)
	}
	doc := decodeAny(t, string(data))
	schema := all[categoryOf(doc).schemaName()]
	if schema == nil {
		schema = all[commonSchema]
	}
	var list []string
	if invalid := (*jsonschema.ValidationError)(nil); errors.As(schema.Validate(doc), &invalid) {
		list = findings(doc, invalid)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func findings(doc any, e *jsonschema.ValidationError) (list []string) {
	for _, cause := range e.Causes {
		list = append(list, findings(doc, cause)...)
	}
	add := func(rule string, place ...string) { list = append(list, rule+" of "+dotted(place)) }
	switch broken := e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.Reference:
	case *kind.Required:
		for _, name := range broken.Missing {
			add("required", append(slices.Clone(e.InstanceLocation), name)...)
		}
	case *kind.AdditionalProperties:
		for _, name := range broken.Properties {
			add("additionalProperties", append(slices.Clone(e.InstanceLocation), name)...)
		}
	case *kind.Not: // it names no keyword
		add("not", e.InstanceLocation...)
	case *kind.UniqueItems:
		// Ours compares strings only: other items are of the wrong type already.
		if _, repeated := firstRepeated(at(doc, e.InstanceLocation).([]any)); repeated {
			add("uniqueItems", e.InstanceLocation...)
		}
	default:
		add(strings.Join(broken.KeywordPath(), "/"), e.InstanceLocation...)
	}
	return list
}

// TestAgreesWithOracle changes valid memories at random, a few fields at a time.
func TestAgreesWithOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		category := Categories[i%len(Categories)].Category
		doc := decodeAny(t, fullMemory(category))
		for range 1 + random.IntN(3) {
			doc = mutated(doc, random)
		}
		validateValue(t, doc)
	}
}

var strangeValues = []any{nil, absent, true, 0, 1, -1, 0.5, 1e300, "", "x", "1.0", "a-b", "nul", "decision", "runbook", "low",
	"2026-01-31T09:00:00Z", "2026-01-31", strings.Repeat("é", 120), strings.Repeat("é", 301), "(", "a\tb", []any{}, []any{"a", "a"},
	[]any{nil, 1, "x"}, []any{1, ""}, numbered(13), map[string]any{}, map[string]any{"option": 1, "date": "x"}}

func mutated(doc any, random *rand.Rand) any {
	places := [][]string{{"extra"}, {"a.b"}, {""}}
	collectPlaces(doc, nil, &places)
	place := places[random.IntN(len(places))]
	return changed(doc, place, strangeValues[random.IntN(len(strangeValues))])
}

func collectPlaces(doc any, path []string, into *[][]string) {
	below := func(name string, value any) {
		place := append(slices.Clone(path), name)
		*into = append(*into, place)
		collectPlaces(value, place, into)
	}
	switch d := doc.(type) {
	case []any:
		for i, item := range d {
			below(strconv.Itoa(i), item)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(d)) {
			below(name, d[name])
		}
	}
}
