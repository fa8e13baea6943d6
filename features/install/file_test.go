package install

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memctl/clients"
)

// A file that another program changes after it was read is not overwritten.
func TestWriteKeepsConcurrentChanges(t *testing.T) {
	name := filepath.Join(t.TempDir(), "settings.json")
	for _, before := range []string{"", `{"model": "opus"}`} {
		if before != "" {
			if err := os.WriteFile(name, []byte(before), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		place := clients.PlaceOf("", name)
		data, err := clients.ReadAt(place, name)
		if err != nil {
			t.Fatal(err)
		}
		f := file{place: place, path: name, data: data}
		theirs := []byte(`{"model": "haiku"}`)
		if err := os.WriteFile(name, theirs, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := f.write([]byte("{}")); err == nil || !strings.Contains(err.Error(), "changed meanwhile") {
			t.Errorf("written over %q: %v", before, err)
		}
		if found, _ := os.ReadFile(name); !bytes.Equal(found, theirs) {
			t.Errorf("found %s", found)
		}
	}
}
