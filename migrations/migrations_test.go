package migrations

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
	"testing"
)

func TestLatestIsTheNewestFile(t *testing.T) {
	for folder, database := range map[string]struct {
		files  fs.FS
		latest int
	}{
		"index":     {Index, LatestIndex},
		"catalogue": {Catalogue, LatestCatalogue},
	} {
		names, err := fs.Glob(database.files, folder+"/*.sql")
		if err != nil {
			t.Fatal(err)
		}
		newest := 0
		for _, name := range names {
			number, _, _ := strings.Cut(path.Base(name), "_")
			version, err := strconv.Atoi(number)
			if err != nil {
				t.Errorf("%s does not begin with a version", name)
			}
			newest = max(newest, version)
		}
		if newest != database.latest {
			t.Errorf("the latest version of %s is %d, the newest file %d", folder, database.latest, newest)
		}
	}
}
