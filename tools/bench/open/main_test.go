package main

import (
	"os"
	"strings"
	"testing"
)

// A floor that opens the database in another way than memctl is no floor.
func TestOpensAsDBOpenDoes(t *testing.T) {
	source, err := os.ReadFile("../../../db/open.go")
	if err != nil {
		t.Fatal(err)
	}
	joined := strings.ReplaceAll(string(source), "\" +\n\t\t\"", "") // a long text stands on two lines
	for _, part := range []string{openQuery, sharedPragmas} {
		if !strings.Contains(joined, `"`+part+`"`) {
			t.Errorf("db/open.go does not have %q any more: copy what it has", part)
		}
	}
}
