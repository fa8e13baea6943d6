package schemas

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the files that the tags of Config generates")

// Two files state the settings for people, editors and new memory roots. After a
// change of the table: go test ./schemas -run TestGeneratedFiles -update
func TestGeneratedFiles(t *testing.T) {
	for name, want := range map[string][]byte{
		"memory-config.schema.json":  generateSchema(t),
		"memory-config.default.json": generateDefaults(t),
	} {
		if *update {
			if err := os.WriteFile(name, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(name)
		if diff := gocmp.Diff(string(want), string(got)); diff != "" || err != nil {
			t.Errorf("%s: %v (-table +file):\n%s", name, err, diff)
		}
	}
}

func configSchemaFile(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile("memory-config.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func generateSchema(t *testing.T) []byte {
	closed := false
	section := func(description string) *schema {
		return &schema{Type: "object", Description: description, Additional: &closed, Properties: properties{}}
	}
	root := section("Settings of one memory root. Every key may be left out; the hooks never fail over this file: a key that is wrong is warned about and its default holds.")
	root.Dialect, root.ID, root.Title = "https://json-schema.org/draft/2020-12/schema", "memory-config.schema.json", "memory-config.json"
	root.Properties["$schema"] = &schema{Type: "string", Description: "Where an editor finds this schema."}
	for _, s := range settingsTable() {
		in, name := root, s.Key
		for {
			first, rest, below := strings.Cut(name, ".")
			if !below {
				break
			}
			in, name = in.Properties[first], rest
		}
		added := s.schema()
		if s.Default == nil {
			added = section(s.Purpose)
		}
		added.place = len(in.Properties)
		in.Properties[name] = added
	}
	return laidOut(t, root)
}

// MarshalJSON writes the properties in the order of their places.
func (p properties) MarshalJSON() ([]byte, error) {
	names := slices.SortedFunc(maps.Keys(p), func(a, b string) int { return cmp.Compare(p[a].place, p[b].place) })
	var members [][]byte
	for _, name := range names {
		key, _ := EncodeJSON(name)
		value, err := EncodeJSON(p[name])
		if err != nil {
			return nil, err
		}
		members = append(members, slices.Concat(key, []byte(":"), value))
	}
	return slices.Concat([]byte("{"), bytes.Join(members, []byte(",")), []byte("}")), nil
}

func generateDefaults(t *testing.T) []byte {
	data := []byte("{}\n")
	for _, s := range Settings() {
		initial := s.tag.Get("new")
		if initial == "" {
			continue
		}
		encoded, err := s.Parse(initial)
		if err != nil {
			t.Fatal(err)
		}
		if data, err = s.Set(data, encoded); err != nil {
			t.Fatal(err)
		}
	}
	return oneLineLists(data)
}

func laidOut(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return oneLineLists(b.Bytes())
}

var (
	listOfStrings = regexp.MustCompile(`\[\n(?: *"[^"\n]*",?\n)+ *\]`)
	lineBreak     = regexp.MustCompile(`\n *`)
)

// oneLineLists puts each list of strings on one line.
func oneLineLists(data []byte) []byte {
	return listOfStrings.ReplaceAllFunc(data, func(list []byte) []byte {
		items := lineBreak.ReplaceAll(list[1:len(list)-1], []byte(" "))
		return slices.Concat([]byte("["), bytes.TrimSpace(items), []byte("]"))
	})
}
