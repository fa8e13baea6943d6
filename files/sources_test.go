package files

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"memctl/files/gate"
)

// A line of the list of sources says nothing twice, and reads back as it was.
func TestSourcesAreLean(t *testing.T) {
	t.Parallel()
	root := Root{Path: t.TempDir()}
	content := []byte("# 1. Cache\r\n")
	of := func(n int) ImportRecord {
		return ImportRecord{Origin: gate.Name(fmt.Sprintf("docs/adr/%04d-cache.md", n)), Memory: "decisions/cache.json",
			Format: "adr", From: gate.Name("docs/adr"), Hash: "h", Made: "m", Blob: BlobIDs(content)[0], File: "f"}
	}
	written := func(list ...ImportRecord) []byte {
		if err := root.PutSources(list); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(root.Path, SourcesName))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	line := string(written(of(1)))
	if strings.Contains(line, `"from"`) || strings.Contains(line, `"file"`) || strings.Contains(line, of(1).Blob) {
		t.Errorf("the line is not lean: %s", line)
	}
	got, err := root.Sources()
	want := of(1).lean()
	want.From = gate.Name("docs/adr")
	if err != nil || !reflect.DeepEqual(got, []ImportRecord{want}) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if !got[0].SaysTheSame(content) || got[0].SaysTheSame([]byte("# 2. Cache\n")) {
		t.Error("the start of a blob does not tell whether the file says the same")
	}
	elsewhere := of(2)
	if elsewhere.From = gate.Name("docs"); !bytes.Contains(written(elsewhere), []byte(`"from":"docs"`)) {
		t.Error("the folder of an import is lost")
	}
	var all []ImportRecord
	for n := range 40 {
		all = append(all, of(n))
	}
	lines := strings.Split(string(written(all...)), "\n")
	if strings.Contains(lines[38], "0038-") && strings.Contains(lines[39], "0039-") {
		t.Error("the next two records of two branches stand at one place")
	}
}
