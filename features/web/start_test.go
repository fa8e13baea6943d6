package web_test

import (
	"os"
	"testing"
	"time"

	"memctl/files"
)

func TestThePageShowsTheTextOfAStart(t *testing.T) {
	root := parcel(t)
	s := serve(t, root, time.Hour)
	s.says("/why", "&lt;memory-context source=")
	s.says("/why", "Transactional outbox")
	s.says("/why?prompt=kafka", "!memory-context")
	if err := os.WriteFile(root.Join(files.ConfigName), []byte(`{"retrieval": {"start_tokens": 0}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	s.says("/why", "the start of a session brings none")
}
