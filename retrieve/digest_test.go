package retrieve_test

import (
	"fmt"
	"testing"
	"time"

	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
)

// digestOf returns how many lines a digest of memories has, and which is the longest title.
func digestOf(t *testing.T, tokens int, memories ...schemas.Memory) (n, longest int) {
	t.Helper()
	root := files.Root{Project: t.TempDir()}
	list, err := retrieve.Source{DB: indexOf(t, memories...), Root: root}.Digest(t.Context(),
		retrieve.DigestQuery{Tokens: tokens, Since: time.Now(), Cwd: root.Project})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		longest = max(longest, len(m.Title))
	}
	return len(list), longest
}

// runbookTitled is a runbook with a title of a length.
func runbookTitled(i, length int) schemas.Memory {
	return schemas.Memory{ID: fmt.Sprintf("m%03d", i), Category: schemas.Runbook, RecordStatus: schemas.Active,
		Title: fmt.Sprintf("%0*d", length, i), UpdatedAt: "2026-01-01T00:00:00Z", CreatedAt: "2026-01-01T00:00:00Z",
		Content: &schemas.RunbookContent{}}
}

func TestADigestHasTheShortestLines(t *testing.T) {
	var memories []schemas.Memory
	for i := range 300 {
		memories = append(memories, runbookTitled(i, 30+i%60))
	}
	n, longest := digestOf(t, 500, memories...)
	if n < 50 || longest > 41 { // five of each length, ten tokens and more each
		t.Errorf("%d lines, the longest title has %d bytes", n, longest)
	}
}

// The shortest lines, with which the index begins, are those of memories for another folder.
func TestMemoriesForOtherFoldersLeaveRoomInADigest(t *testing.T) {
	var memories []schemas.Memory
	for i := range 200 {
		m := runbookTitled(i, 40+i%100)
		if i < 110 { // of 125 that are read
			m = runbookTitled(i, 30)
			m.Folder = "elsewhere"
		}
		memories = append(memories, m)
	}
	if n, _ := digestOf(t, 500, memories...); n != 15 {
		t.Errorf("%d lines", n)
	}
}
