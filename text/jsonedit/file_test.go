package jsonedit

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestPutAndRemoveKeepTheRest(t *testing.T) {
	for name, tt := range map[string]struct {
		in     string
		change func(*File)
		want   string
	}{
		"no file":              {"", func(f *File) { f.Put("/a/b", 1) }, "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n"},
		"an equal value":       {`{"a" :1.0}`, func(f *File) { f.Put("/a", 1) }, `{"a" :1.0}`},
		"a member among tabs":  {"{\n\t\"a\": {}\n}", func(f *File) { f.Put("/a/b", "<x>") }, "{\n\t\"a\": {\n\t\t\"b\": \"<x>\"\n\t}\n}"},
		"an element":           {`{"a":[1 , 2]}`, func(f *File) { f.Put("/a/-", 3) }, `{"a":[1 , 2, 3]}`},
		"an object is merged":  {`{"a":{"b":1,"c":2}}`, func(f *File) { f.Put("/a", map[string]int{"b": 3}) }, `{"a":{"b":3,"c":2}}`},
		"a name with a slash":  {`{}`, func(f *File) { f.Put(Pointer("", "a/~b"), 1) }, "{\n  \"a/~b\": 1\n}"},
		"the first goes":       {"{\n \"a\":1, \"b\":2}", func(f *File) { f.Remove("/a") }, "{\n \"b\":2}"},
		"no object":            {`[]`, nil, ``},
		"the last goes":        {`{"a":1 ,"b":2}`, func(f *File) { f.Remove("/b") }, `{"a":1 }`},
		"the only one goes":    {"{\"a\":[\n1\n]}", func(f *File) { f.Remove("/a/0") }, `{"a":[]}`},
		"with what is empty":   {`{"a":{"b":[1]},"c":2}`, func(f *File) { f.Prune("/a/b/0") }, `{"c":2}`},
		"what is not there":    {`{"a":1}`, func(f *File) { f.Remove("/b/c") }, `{"a":1}`},
		"a byte order mark":    {"\ufeff{\"a\":1}", func(f *File) { f.Put("/a", 2) }, "\ufeff{\"a\":2}"},
		"lines of Windows":     {"{\r\n  \"a\": 1\r\n}\r\n", func(f *File) { f.Put("/b", 2) }, "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}\r\n"},
		"a list that is short": {"{\n}", func(f *File) { f.Put("/a", []string{"x", "y"}) }, "{\n  \"a\": [\"x\", \"y\"]\n}"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Parse([]byte(tt.in))
			if tt.change == nil {
				if err == nil {
					t.Error("no object, no error")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			tt.change(f)
			if got := string(f.Bytes()); got != tt.want || f.Err() != nil {
				t.Errorf("%v\n got %q\nwant %q", f.Err(), got, tt.want)
			}
		})
	}
}

func TestErrorsNameThePlace(t *testing.T) {
	for want, tt := range map[string]struct {
		in     string
		change func(*File)
	}{
		"line 2, column 6: a: expected an object, found a number":  {"{\n\"a\": 1}", func(f *File) { f.Put("/a/b", 1) }},
		"line 1, column 6: a: expected an array, found null":       {`{"a":null}`, func(f *File) { f.Put("/a/-", 1) }},
		"line 1, column 10: a[1]: expected an object, found true":  {`{"a":[{},true]}`, func(f *File) { f.At("/a/1").Member("x") }},
		`line 1, column 13: a: "b" is there twice`:                 {`{"a":{"b":1,"b":2}}`, func(f *File) { f.At("/a").Members() }},
		"line 1, column 8: a/b: expected an array, found a string": {`{"a/b":"x"}`, func(f *File) { f.Root().Member("a/b").Elements() }},
	} {
		f, err := Parse([]byte(tt.in))
		if err != nil {
			t.Fatal(err)
		}
		tt.change(f)
		if err := f.Err(); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", tt.in, err, want)
		}
		if string(f.Bytes()) != tt.in {
			t.Errorf("%s became %s", tt.in, f.Bytes())
		}
	}
}

// Whatever the file holds: what is put is there, what is removed again leaves the rest.
func FuzzPut(f *testing.F) {
	for _, seed := range []string{"", "{}", "{\n\t\"a\" : [ ] }\r\n", "\ufeff{\"a\": {\"b\": [1, {}]}}", `{"a":1 ,"x":{"y":[ ]}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse(data)
		if err != nil || file.At("/x").Exists() {
			return
		}
		before := map[string]any{}
		_ = json.Unmarshal(file.text, &before)
		file.Put("/x/y/-", "z")
		again, err := Parse(bytes.Clone(file.Bytes()))
		if err != nil || file.Err() != nil || len(again.At("/x/y").Strings()) != 1 {
			t.Fatalf("%q became %q: %v, %v", data, file.Bytes(), err, file.Err())
		}
		again.Prune("/x/y/0")
		after := map[string]any{}
		if err := json.Unmarshal(WithoutMark(again.Bytes()), &after); err != nil || !equalJSON(before, after) {
			t.Fatalf("%q became %q: %v", data, again.Bytes(), err)
		}
	})
}

func equalJSON(a, b any) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}
