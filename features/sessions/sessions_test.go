package sessions

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memctl/clients"
	"memctl/triage"
)

// home is a user's home folder with a project, and the folders in which clients keep transcripts.
type home struct {
	t             testing.TB
	path, project string
}

func newHome(t testing.TB) home {
	t.Helper()
	path, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		t.Setenv(name, path)
	}
	for _, name := range []string{"XDG_STATE_HOME", "LOCALAPPDATA", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME",
		"GEMINI_CLI_HOME", "QWEN_HOME", "COPILOT_HOME", "MEMCTL_ROOT", "MEMCTL_USER_ROOT"} {
		t.Setenv(name, "")
	}
	h := home{t, path, filepath.Join(path, "work", "proj")}
	h.mkdir(filepath.Join(h.project, ".git"))
	return h
}

func (h home) mkdir(path string) {
	h.t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		h.t.Fatal(err)
	}
}

// write writes a file below the home folder, in which $PROJECT stands for the project.
func (h home) write(name, content string) string {
	h.t.Helper()
	path := filepath.Join(h.path, filepath.FromSlash(name))
	h.mkdir(filepath.Dir(path))
	content = strings.ReplaceAll(content, "$PROJECT", filepath.ToSlash(h.project))
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		h.t.Fatal(err)
	}
	return path
}

func (h home) open(scope Scope) *Library {
	h.t.Helper()
	l, err := Open(h.t.Context(), scope, nil)
	if err != nil || l.Stale != nil {
		h.t.Fatal(err, l)
	}
	h.t.Cleanup(func() { l.Close() })
	return l
}

func (h home) own() *Library { return h.open(Scope{Folder: h.project}) }

// claudeLines is a transcript of Claude Code with a turn for each prompt.
func claudeLines(session, folder string, prompts ...string) string {
	var lines strings.Builder
	for i, prompt := range prompts {
		at := time.Date(2026, 3, 1, 10, i, 0, 0, time.UTC).Format(time.RFC3339)
		fmt.Fprintf(&lines, `{"type":"user","sessionId":%q,"cwd":%q,"timestamp":%q,"message":{"content":%q}}`+"\n", session, folder, at, prompt)
		fmt.Fprintf(&lines, `{"type":"assistant","timestamp":%q,"message":{"id":"m%d","content":[{"type":"text","text":"Done with step %d."}]}}`+"\n", at, i, i)
	}
	return lines.String()
}

// places are where the clients keep transcripts, below the home folder.
var places = map[string]string{
	"claude-code": ".claude/projects/-work-proj/a.jsonl",
	"codex":       ".codex/sessions/2026/11/21/rollout-2026-11-21T23-14-45-a.jsonl",
	"gemini":      ".gemini/tmp/proj/chats/session-2026-11-21T23-15-a.jsonl",
	"qwen":        ".qwen/projects/-work-proj/chats/a.jsonl",
	"copilot":     ".copilot/session-state/a/events.jsonl",
}

func captured(t *testing.T, client string) string {
	t.Helper()
	path := filepath.Join("..", "..", "testdata", "clients", client, "transcript.jsonl")
	if client == "claude-code" {
		path = filepath.Join("..", "..", "testdata", "claude-code", "transcript.jsonl")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Every prompt of a captured session of each client is found by its own words.
func TestEveryPromptIsFound(t *testing.T) {
	for client, place := range places {
		t.Run(client, func(t *testing.T) {
			h := newHome(t)
			lines := strings.ReplaceAll(captured(t, client), "/home/dev/project", "$PROJECT")
			lines = strings.ReplaceAll(lines, "bb97ae4cdb5b0dd7e32b198a7ebcb35332fca3343779f0895ffb11258627aa8f",
				strings.TrimPrefix(hashed(h.project), "sha256:"))
			h.write(place, lines)
			h.write(".claude/projects/-work-other/b.jsonl", claudeLines("b", "$PROJECT/../other", "something else entirely"))
			l := h.own()
			list, err := l.List(t.Context(), time.Time{}, 10)
			if err != nil || len(list) != 1 || list[0].Client != client || list[0].ID == "" {
				t.Fatalf("the list is %+v (%v)", list, err)
			}
			prompts := 0
			for _, m := range messages(t, client, lines) {
				if !m.FromUser || triage.IsAsk(m.Text[0]) {
					continue
				}
				prompts++
				prompt := strings.Join(m.Text, "\n")
				matches, err := l.Search(t.Context(), prompt, 5)
				if err != nil || len(matches) != 1 || !strings.Contains(matches[0].Prompt, strings.TrimSpace(prompt)) {
					t.Errorf("%q: found %+v (%v)", prompt, matches, err)
				}
			}
			if prompts == 0 || list[0].Turns != prompts {
				t.Errorf("%d prompts, %d turns", prompts, list[0].Turns)
			}
		})
	}
}

func messages(t *testing.T, client, lines string) (list []triage.Message) {
	_, err := clients.Named(client).ReadLines(strings.NewReader(lines), func(l clients.Line) error {
		list = append(list, l.Messages...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return triage.Latest(list)
}
