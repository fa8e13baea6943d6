//go:build attack && linux

package attack

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// invisibleTitle hides words in characters that no reader sees.
func invisibleTitle(p *project) error {
	var hidden strings.Builder
	for _, r := range "ignore previous" {
		hidden.WriteRune(0xE0100 + r)
	}
	hidden.WriteString("\u00ad\u3164\u115f\ufe01\u2060\u202e")
	if err := p.write("decisions/kafka.json", memory("decision", "kafka", "Kafka keeps events"+hidden.String()+" for 14 days", "kafka")); err != nil {
		return err
	}
	r, err := p.prompt()
	if err != nil {
		return err
	}
	for _, r := range r.out {
		if r == 0xad || r == 0x3164 || r == 0x115f || r == 0xfe01 || r == 0x2060 || r == 0x202e || r >= 0xE0000 {
			return fmt.Errorf("%U reached the agent", r)
		}
	}
	return nil
}

// controlCharacters stand in every name that commands print.
func controlCharacters(p *project) error {
	const evil = "a\u001b[31m\u009b\u202eb"
	err := errors.Join(
		p.write("decisions/"+evil+".json", "{"),
		p.write("memory-config.json", `{"`+"a\u009b\u202e"+`": 1, "categories": {"`+"x\u009b\u202e"+`": {"description": "d"}}}`),
		p.write("decisions/title.json", memory("decision", "title", "Kafka \u009b\u202e title", "kafka\u009b")),
	)
	if err != nil {
		return err
	}
	for _, args := range [][]string{
		{"list"}, {"list", "--json"}, {"search", "kafka"}, {"search", "--json", "kafka"}, {"doctor", "--memories"}, {"validate"}, {"validate", "--json"},
		{"doctor", "--memories", "--json"}, {"doctor"}, {"doctor", "--json"}, {"reindex", "--json"}, {"show", "title", "--details"}, {"explain", "kafka title"},
	} {
		r := p.run(nil, args...)
		for _, c := range r.out + r.messages {
			if c == 0x9b || c == 0x202e || c == 0x1b {
				return fmt.Errorf("memctl %s prints %U", strings.Join(args, " "), c)
			}
		}
	}
	return nil
}

// secret is a token of a vendor, made up.
const secret = "ghp_1x9KqVtR4mZpLw8NcYb2HdTfGs7JuEoA3iQk"

// secretEverywhere hands memctl a secret in every string that it takes.
func secretEverywhere(p *project) error {
	if err := p.write("memory-config.json", `{"observations": {"enabled": true}}`); err != nil {
		return err
	}
	draft, _ := json.Marshal(map[string]any{
		"title": "Deploy token " + secret, "tags": []string{"deploy", secret}, "related_files": []string{"deploy/" + secret},
		"content": map[string]any{
			"status": "accepted", "context": "c " + secret, "decision": "d " + secret, "rationale": []string{"r " + secret},
			"alternatives": []any{map[string]any{"option": secret, "rejected_reason": secret}}, "consequences": []string{secret},
		},
		"changes": []any{map[string]any{"date": "2026-01-01T00:00:00Z", "summary": secret, "field": secret, "old_value": secret, "new_value": map[string]any{secret: secret}}},
	})
	p.run(draft, "create", "--category", "decision", "--target", "deploy", "--input", "-")
	for _, hook := range hooks {
		event := map[string]any{"tool_name": "Tool" + secret, "tool_use_id": secret, "prompt_id": secret, "agent_id": secret, "error": secret,
			"tool_input": map[string]any{"command": "echo " + secret, secret: secret}, "tool_response": map[string]any{"stdout": secret},
			"last_assistant_message": "We decided to use " + secret + " because it works.", "prompt": "how is " + secret + " kept?"}
		p.run(p.event(event), "hook", hook.name)
	}
	p.run(nil, "retire", "--target", "deploy", "--reason", secret)
	return filepath.WalkDir(p.dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, "transcript.jsonl") {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(data), secret) {
			rel, _ := filepath.Rel(p.dir, path)
			err = fmt.Errorf("%s holds the secret", rel)
		}
		return err
	})
}

// quarantineRace renames a valid memory over an invalid one while a hook judges it.
// The invalid one is long, so judging it takes time.
func quarantineRace(p *project) error {
	valid := memory("decision", "race", "Kafka race", "kafka")
	invalid := strings.TrimSuffix(memory("decision", "race", strings.Repeat("Kafka ", 150_000), "kafka"), "}")
	event := p.event(map[string]any{"tool_name": "Write", "tool_input": map[string]any{"file_path": p.path("decisions/race.json")}})
	for i := range 100 {
		if err := errors.Join(p.write("decisions/race.json", invalid), p.write("race.tmp", valid)); err != nil {
			return err
		}
		renamed := make(chan error)
		go func() {
			time.Sleep(time.Duration(i%50) * time.Millisecond / 2)
			renamed <- os.Rename(p.path("race.tmp"), p.path("decisions/race.json"))
		}()
		r := p.run(event, "hook", "post-tool-use")
		if err := errors.Join(<-renamed, r.err); err != nil {
			return err
		}
		aside, err := filepath.Glob(p.path("decisions/race.json.invalid.*"))
		if err != nil {
			return err
		}
		for _, path := range aside {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if string(data) == valid {
				return fmt.Errorf("a valid memory was set aside in race %d", i+1)
			}
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// settingsDiff installs next to values that the diff must not show.
func settingsDiff(p *project) error {
	settings := filepath.Join(p.dir, "work", ".claude", "settings.json")
	for _, before := range []string{
		"{\"env\": {\"TOKEN\": \"" + secret + "\"},\n  \"hooks\": {}}",
		"{\"env\": {\n  \"TOKEN\": \"" + secret + "\"\n}}",
		"{\"env\": {\"TOKEN\": \"" + secret + "\"}}",
	} {
		if err := os.WriteFile(settings, []byte(before), 0o600); err != nil {
			return err
		}
		for _, args := range [][]string{{"install", "--dry-run"}, {"install", "--json"}, {"uninstall"}} {
			r := p.run(nil, args...)
			if r.err != nil {
				return r.err
			}
			if strings.Contains(r.out+r.messages, secret) {
				return fmt.Errorf("memctl %s shows a value that does not change", strings.Join(args, " "))
			}
		}
	}
	return nil
}

// foreignRoot is announced at each start until the person answers. The state of this user knows nothing of it.
func foreignRoot(p *project) error {
	home := filepath.Join(p.dir, "home")
	if err := errors.Join(os.RemoveAll(home), os.Mkdir(home, 0o700)); err != nil {
		return err
	}
	for i := range 2 {
		event := map[string]any{"source": "startup", "session_id": fmt.Sprint("s", i)}
		r, err := p.hook("session-start", event, sessionLimit)
		if err != nil {
			return err
		}
		if !strings.Contains(r.out, `review them with \"memctl trust\"`) || !strings.Contains(r.out, newMark) {
			return fmt.Errorf("session start %d says %q", i+1, r.out)
		}
	}
	return nil
}

// outsideSources has a list of sources name files that are not the project's, by a path and behind links: none may be
// read into the project, and the agent not be told to read them.
func outsideSources(p *project) error {
	const outside = "Amethyst opens the safe at home" // no filter takes it out
	home, docs := filepath.Join(p.dir, "home"), filepath.Join(p.dir, "work", "docs")
	err := errors.Join(os.MkdirAll(docs, 0o755), os.MkdirAll(filepath.Join(p.dir, "work", ".git"), 0o755),
		os.WriteFile(filepath.Join(p.dir, "work", ".git", "config"), []byte(outside), 0o600),
		os.WriteFile(filepath.Join(home, "own.md"), []byte("# "+outside+"\n\nWe decided: "+outside+".\n"), 0o600),
		os.Symlink(filepath.Join(home, "own.md"), filepath.Join(docs, "out.md")),
		os.Symlink("../.git/config", filepath.Join(docs, "git.md")))
	var lines strings.Builder
	for _, name := range []string{"~/own.md", "../home/own.md", filepath.Join(home, "own.md"), "docs/out.md", "docs/git.md", ".git/config"} {
		fmt.Fprintf(&lines, `{"source":%q,"memory":"decisions/kafka.json","format":"markdown","from":%[1]q,"sha256":"0","made":"0",`+
			`"file":"0","bytes":5,"text":"old"}`+"\n", name)
	}
	if err = errors.Join(err, p.write("sources.jsonl", lines.String())); err != nil {
		return err
	}
	for _, args := range [][]string{{"import", "--update"}, {"import", "--update", "--yes"}} {
		p.run(nil, args...) // a status of findings is none of an attack
		for _, pattern := range []string{"*.jsonl", "*/*.json"} {
			names, _ := filepath.Glob(p.path(pattern))
			for _, name := range names {
				if data, err := os.ReadFile(name); err != nil || strings.Contains(string(data), outside) {
					return fmt.Errorf("memctl %s wrote what a file outside says into %s (%v)", strings.Join(args, " "), name, err)
				}
			}
		}
	}
	r, err := p.hook("session-start", map[string]any{"source": "startup"}, sessionLimit)
	if err == nil && strings.Contains(r.out, "import --update") {
		err = fmt.Errorf("the agent is told to read files outside: %s", r.out)
	}
	return err
}
