package clients_test

import (
	"os"
	"path/filepath"
	"testing"

	"memctl/clients"
	"memctl/files/systemtest"
	"memctl/schemas"
)

func TestScoreSessionFindsTheTranscriptOfASession(t *testing.T) {
	home := t.TempDir()
	t.Setenv("CLAUDE_CONFIG_DIR", home)
	const session = "4b0c6a1e-52f7-4f0e-9a41-0d7c1b8e2f10"
	folder := filepath.Join(home, "projects", "-home-dev-shop")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	line := `{"type":"assistant","message":{"content":[{"type":"text","text":"We decided on Kafka."}]}}` + "\n"
	outside := filepath.Join(t.TempDir(), "outside.jsonl")
	for _, path := range []string{filepath.Join(folder, session+".jsonl"), filepath.Join(home, "secret.jsonl"), outside} {
		if err := os.WriteFile(path, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const linked = "9d3e8c52-7a60-4b1f-8e55-61f2a7c4d903"
	if systemtest.HasLinks() {
		systemtest.Symlink(t, outside, filepath.Join(folder, linked+".jsonl"))
	}
	for id, want := range map[string]bool{session: true, linked: false, "00000000-0000-4000-8000-000000000000": false, "../../secret": false, "": false, "{" + session + "}": false} {
		report, found, err := clients.ScoreSession(id, schemas.DefaultConfig())
		if err != nil || found != want || found && report.Messages != 1 {
			t.Errorf("%q: found %v with %d messages, want %v (%v)", id, found, report.Messages, want, err)
		}
	}
}
