package indexer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"memctl/files"
	"memctl/schemas"
)

// runLine is the observation of one run.
func runLine(id int, output string) []byte {
	return schemas.EncodeObservation(schemas.Observation{
		EventID: fmt.Sprint(id), EventType: schemas.ToolObservation, SessionID: "s", Timestamp: "2026-01-01T00:00:00.000Z",
		Payload: schemas.ToolPayload{
			ToolName: "Bash", ToolInput: json.RawMessage("null"), ToolOutput: output,
			Metadata: schemas.ToolMetadata{Command: fmt.Sprintf("run %d", id), PromptID: fmt.Sprint("p", id/10), ToolUseID: fmt.Sprint("t", id)},
		},
	})
}

// observedRuns are the runs that the index has, first and last, their number and that of
// the broken lines.
func observedRuns(t *testing.T, root files.Root) (counts string) {
	t.Helper()
	check(t, Use(t.Context(), root, Full, func(ix *Index) error {
		var list []string
		err := ix.Select(t.Context(), &list, `
			SELECT count(*) || ' ' || coalesce(min(CAST(event_id AS INTEGER)), '-') || '-' || coalesce(max(CAST(event_id AS INTEGER)), '-')
				|| ' prompts ' || coalesce(max(prompt_index), 0)
				|| ' text ' || (SELECT count(*) FROM observations_fts WHERE observations_fts MATCH 'run')
				|| ' broken ' || coalesce((SELECT sum(broken) FROM observation_files), 0)
			FROM observations`)
		counts = list[0]
		return err
	}))
	return counts
}

func TestSessionsAreTakenInByParts(t *testing.T) {
	root := files.Root{Path: t.TempDir()}
	check(t, os.Mkdir(root.Join("observations"), 0o700))
	path := root.Join("observations/session.jsonl")
	output := strings.Repeat("x", 9000)
	var data []byte
	for i := range 1000 { // more than two parts
		data = append(data, runLine(i, output)...)
	}
	extra := runLine(1000, "x")
	endless := append(bytes.Repeat([]byte("x"), partSize+10), '\n')
	steps := []struct {
		name, want string
		data       []byte
	}{
		{"the whole file", "1000 0-999 prompts 100 text 1000 broken 0", data},
		{"the same", "1000 0-999 prompts 100 text 1000 broken 0", data},
		{"half a line more", "1000 0-999 prompts 100 text 1000 broken 0", append(bytes.Clone(data), extra[:50]...)},
		{"the rest of it", "1001 0-1000 prompts 101 text 1001 broken 0", append(bytes.Clone(data), extra...)},
		{"a smaller file", "2 0-1000 prompts 2 text 2 broken 0", append(runLine(0, ""), extra...)},
		{"a larger one in its place", "2 998-999 prompts 1 text 2 broken 0", append(runLine(998, output), runLine(999, output)...)},
		{"an endless line", "1 5-5 prompts 1 text 1 broken 2", append(bytes.Clone(endless), runLine(5, "")...)},
		{"nothing", "0 --- prompts 0 text 0 broken 0", nil},
	}
	for _, step := range steps {
		check(t, os.WriteFile(path, step.data, 0o600)) // in place: the inode stays
		if got := observedRuns(t, root); got != step.want {
			t.Errorf("%s: got %s, want %s", step.name, got, step.want)
		}
	}
	check(t, os.WriteFile(path, data, 0o600))
	observedRuns(t, root)
	check(t, os.RemoveAll(root.Join("observations")))
	if got := observedRuns(t, root); !strings.HasPrefix(got, "0 ") {
		t.Errorf("without the folder: %s", got)
	}
}
