package migrations

import (
	"io/fs"
	"strconv"
	"strings"
	"testing"
)

func TestLatestIsTheNewestFile(t *testing.T) {
	names, err := fs.Glob(Files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	newest := 0
	for _, name := range names {
		number, _, _ := strings.Cut(name, "_")
		version, err := strconv.Atoi(number)
		if err != nil {
			t.Errorf("%s does not begin with a version", name)
		}
		newest = max(newest, version)
	}
	if newest != Latest {
		t.Errorf("Latest is %d, the newest file %d", Latest, newest)
	}
}
