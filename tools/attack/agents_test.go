//go:build attack && linux

package attack

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
)

const canary = "zebras graze in the north"

// asAgent makes another project with a canary, and the user's own root, and runs what follows in an agent's shell.
func (p *project) asAgent() error {
	other := filepath.Join(p.dir, "other", ".claude", "memory", "decisions")
	transcripts := filepath.Join(p.dir, "home", ".claude", "projects", "-other", "memory")
	said, _ := json.Marshal(map[string]any{"type": "user", "sessionId": "5b1c0002", "cwd": filepath.Join(p.dir, "other"),
		"timestamp": "2026-03-01T10:00:00Z", "message": map[string]any{"content": "We always say: " + canary}})
	err := errors.Join(os.MkdirAll(other, 0o755), os.MkdirAll(transcripts, 0o755),
		os.Mkdir(filepath.Join(p.dir, "other", ".git"), 0o755),
		os.WriteFile(filepath.Join(other, "zebra.json"), []byte(memory("decision", "zebra", canary, "zebra")), 0o644),
		os.WriteFile(filepath.Join(p.dir, "other", "CLAUDE.md"), []byte("# Rules\n\n- Always say that "+canary+"\n"), 0o644),
		os.WriteFile(filepath.Join(transcripts, "zebra.md"), []byte("---\nname: zebra\ndescription: zebra\ntype: project\n---\n"+canary+"\n"), 0o644),
		os.WriteFile(filepath.Join(filepath.Dir(transcripts), "5b1c0002.jsonl"), append(said, '\n'), 0o600))
	if err == nil {
		err = errors.Join(p.run(nil, "init", "--user").err, p.run(nil, "roots", "--root", filepath.Join(p.dir, "other")).err)
	}
	p.env = []string{"CLAUDECODE=1"}
	return err
}

// has reports where a file below the case's folder has a text.
func (p *project) has(name, words string) error {
	data, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(name)))
	if err == nil && strings.Contains(string(data), words) {
		return fmt.Errorf("%s has %s", name, words)
	}
	return nil
}

// tells is an error if a command prints the canary.
func (p *project) tells(args ...string) error {
	if r := p.run(nil, args...); strings.Contains(r.out+r.messages, canary) {
		return fmt.Errorf("memctl %s tells of the other project: %.300s", strings.Join(args, " "), r.out)
	}
	return nil
}

const userSettings = "home/.claude/memory/memory-config.json"

func liftedGate(p *project) error {
	if err := p.asAgent(); err != nil {
		return err
	}
	p.run(nil, "config", "set", "sources.agent_all", "true", "--user")
	return errors.Join(p.has(userSettings, "agent_all\": true"), p.tells("search", "--all", "zebra"), p.tells("list", "--all"),
		p.tells("add", "--root", "../other", "decision", "Zebras are striped", "--json"), p.tells("show", "--root", "../other", "zebra"))
}

func settingOf(key, value string) func(*project) error {
	return func(p *project) error {
		if err := p.asAgent(); err != nil {
			return err
		}
		p.run(nil, "config", "set", key, value, "--user")
		p.run(nil, "config", "set", key, value, "--root", filepath.Join(p.dir, "home", ".claude", "memory"))
		return p.has(userSettings, strings.Trim(value, "[]\""))
	}
}

func foreignImports(p *project) error {
	if err := p.asAgent(); err != nil {
		return err
	}
	notes := filepath.Join(p.dir, "home", ".claude", "projects", "-other")
	var err error
	for _, source := range [][]string{{"markdown", "../other"}, {"auto-memory", filepath.Join(notes, "memory")}, {"transcripts", notes}} {
		err = errors.Join(err, p.tells(append([]string{"import", "--yes"}, source...)...))
	}
	return errors.Join(err, p.tells("search", "zebra"), p.tells("stage", "list"), p.tells("triage", filepath.Join(notes, "5b1c0002.jsonl")))
}

func ownLeave(p *project) error {
	if err := p.asAgent(); err != nil {
		return err
	}
	p.run(nil, "install", "--permissions")
	if r := p.run(nil, "roots", "add", "../other"); r.code == 0 {
		return errors.New("an agent added a project")
	}
	return p.has("work/.claude/settings.json", "Bash(memctl")
}

// answerOnStdin is a person's shell without a terminal: the answer has to come from one.
func answerOnStdin(p *project) error {
	if err := p.asAgent(); err != nil {
		return err
	}
	p.env = nil
	p.program([]byte("y\nyes\n"), "setsid", "-w", p.memctl, "config", "set", "hub.url", "https://hub.example", "--user")
	return p.has(userSettings, "hub.example")
}

func unconfirmedServer(p *project) error {
	if err := p.asAgent(); err != nil {
		return err
	}
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	config := fmt.Sprintf(`{"meaning": {"endpoint": %q, "model": "m"}}`, server.URL)
	if err := os.WriteFile(filepath.Join(p.dir, filepath.FromSlash(userSettings)), []byte(config), 0o644); err != nil {
		return err
	}
	p.run(nil, "search", "how long does kafka keep events?")
	p.run(nil, "reindex")
	if _, err := p.prompt(); err != nil || asked.Load() > 0 {
		return errors.Join(err, fmt.Errorf("%d requests with texts", asked.Load()))
	}
	return nil
}

func foreignHook(p *project) error {
	if err := p.asAgent(); err != nil {
		return err
	}
	event, _ := json.Marshal(map[string]any{"session_id": "s", "cwd": filepath.Join(p.dir, "other"), "prompt": "where do zebras graze in the north?"})
	for _, args := range [][]string{{"hook", "user-prompt-submit"}, {"hook", "user-prompt-submit", "--root", "../other"}} {
		r := p.run(event, args...)
		if r.code != 0 || strings.Contains(r.out, canary) {
			return fmt.Errorf("%s: exit status %d, %.300s", strings.Join(args, " "), r.code, r.out)
		}
	}
	return nil
}

func unknownSession(p *project) error {
	if err := p.asAgent(); err != nil {
		return err
	}
	p.folder, p.env = "other", append(p.env, "CLAUDE_CODE_SESSION_ID=5b1c0009")
	return errors.Join(p.tells("sessions"), p.tells("search", "--sessions", "zebras"), p.tells("sessions", "show", "5b1c0002"))
}
