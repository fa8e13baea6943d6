package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memctl/schemas"
)

// planted is a token of a vendor, made up, and spelled is how it may stand in a text: as
// it is, in base64, broken over lines, with a zero-width space, and full-width.
const (
	planted   = "ghp_" + plantedA + plantedB
	plantedA  = "1x9KqVtR4mZpLw8NcY"
	plantedB  = "b2HdTfGs7JuEoA3iQk"
	fullWidth = "ｇｈｐ＿１ｘ９ＫｑＶｔＲ４ｍＺｐＬｗ８ＮｃＹｂ２ＨｄＴｆＧｓ７ＪｕＥｏＡ３ｉＱｋ"
)

var (
	encodedPlanted = base64.StdEncoding.EncodeToString([]byte(planted))
	spelled        = fmt.Sprintf("as %s says, %s, ghp_%s\u200b%s and %s or\nghp_%s\n%s .", planted, encodedPlanted, plantedA, plantedB, fullWidth, plantedA, plantedB)
)

// A secret in every string that memctl takes, by any door, does not reach the disk.
func TestNoSecretReachesTheDisk(t *testing.T) {
	for _, info := range schemas.Categories {
		t.Run(string(info.Category), func(t *testing.T) {
			p := observedProject(t)
			t.Setenv("TMPDIR", t.TempDir())
			t.Setenv("XDG_STATE_HOME", filepath.Join(os.Getenv("TMPDIR"), "state"))
			doc := secretMemory(t, info.Category)
			target := ".claude/memory/" + info.Folder + "/deploy.json"
			draft := encoded(t, doc)
			memctl(t, p.dir, draft, "stage", "put", "--category", string(info.Category), "--input", "-")
			memctl(t, p.dir, draft, "create", "--category", string(info.Category), "--target", target, "--input", "-")

			stored, err := os.ReadFile(p.path(info.Folder + "/deploy.json"))
			p.check(err)
			var current map[string]any
			p.check(json.Unmarshal(stored, &current))
			doc["tags"], doc["related_files"] = append(current["tags"].([]any), planted), append(current["related_files"].([]any), planted)
			doc["changes"] = append(current["changes"].([]any), doc["changes"].([]any)...)
			memctl(t, p.dir, encoded(t, doc), "update", "--target", target, "--input", "-")
			for _, transition := range []string{"archive", "unarchive", "retire", "restore"} {
				memctl(t, p.dir, "", transition, "--target", target, "--reason", spelled)
			}
			saved := secretMemory(t, info.Category)
			delete(saved, "id")
			var ignored any
			connect(t, p.dir).call("save", map[string]any{"memory": saved, "new": true}, &ignored)
			transcript := secretTranscript(t, p.dir)
			main := strings.Replace(secretEvent(t, transcript), "agent_id", "of_the_main_agent", 1)
			exitStatus(t, p.dir, main, "hook", "stop") // by moments
			if kept, _ := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "memctl-*/*/moments-*")); len(kept) == 0 {
				t.Error("the stop hook kept nothing of what was said")
			}
			memctl(t, p.dir, "", "config", "set", "triage.strategy", "keywords")
			for _, hook := range []string{"user-prompt-submit", "post-tool-use", "post-tool-use-failure", "stop", "session-start"} {
				exitStatus(t, p.dir, secretEvent(t, transcript), "hook", hook)
			}
			if context, _ := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "memctl-*/*/triage-*")); len(context) == 0 {
				t.Error("the stop hook wrote no context file")
			}
			answer, _ := memctl(t, p.dir, "", "search", "--sessions", "--json", "decided")
			shown, _ := memctl(t, p.dir, "", "sessions", "show", "--json", "[")
			if answer += shown; !strings.Contains(answer, "REDACTED") || strings.Contains(answer, plantedA) || strings.Contains(answer, "7harbor") {
				t.Errorf("the past session is %s", answer)
			}
			p.expectNoSecret("after commands and hooks")

			// Files that were written past memctl.
			doc = secretMemory(t, info.Category)
			p.write(info.Folder+"/by-hand.json", doc)
			doc["record_status"], doc["retired_at"] = "retired", "2020-01-01T00:00:00Z"
			p.write(info.Folder+"/retired.json", doc)
			p.write(info.Folder+"/everywhere.json", replaceStrings(doc, spelled).(map[string]any))
			p.write(info.Folder+"/invalid.json", map[string]any{"title": planted, "password": "Winter-7harbor", planted: []any{spelled}})
			p.written(info.Folder + "/invalid.json")
			p.check(os.WriteFile(p.path("no.json"), []byte("{"+spelled), 0o644))
			p.written("no.json")
			exitStatus(t, p.dir, `{"source":"startup"}`, "hook", "session-start")
			memctl(t, p.dir, "", "gc")
			session := p.path("observations/by-hand.jsonl")
			p.check(os.WriteFile(session, []byte(secretObservation(t)), 0o600))
			long := time.Now().Add(-48 * time.Hour)
			p.check(os.Chtimes(session, long, long))
			memctl(t, p.dir, "", "scrub")
			memctl(t, p.dir, "", "reindex")
			p.expectNoSecret("after gc and scrub")
		})
	}
}

func (p project) write(path string, doc map[string]any) {
	p.t.Helper()
	p.check(os.WriteFile(p.path(path), []byte(encoded(p.t, doc)), 0o644))
}

// expectNoSecret looks at the bytes of every file of the project and of the temporary
// folder.
func (p project) expectNoSecret(when string) {
	p.t.Helper()
	forms := []string{plantedA, plantedB, encodedPlanted, fullWidth, "Winter-7harbor"}
	for _, dir := range []string{p.dir, os.Getenv("TMPDIR")} {
		p.check(filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(path)
			for _, form := range forms {
				if at := strings.Index(strings.ToLower(string(data)), strings.ToLower(form)); at >= 0 {
					p.t.Errorf("%s, %s: %q", when, path, data[max(0, at-100):at+len(form)])
				}
			}
			return err
		}))
	}
}

// secretMemory makes a memory that has every field of its schema, with the secret in
// every string that takes any text.
func secretMemory(t *testing.T, category schemas.Category) map[string]any {
	set := schemaFiles{t, map[string]map[string]any{}}
	doc := set.example("memory.schema.json", set.file("memory.schema.json")).(map[string]any)
	own := set.example(string(category)+".schema.json", set.file(string(category)+".schema.json")).(map[string]any)
	for name, value := range own {
		doc[name] = value
	}
	change := doc["changes"].([]any)[0].(map[string]any)
	change["old_value"], change["new_value"] = spelled, map[string]any{planted: []any{spelled, "<private>" + planted + "</private>"}}
	doc["title"] = "Deploy " + planted
	doc["tags"] = []any{"deploy", planted}
	doc["record_status"], doc["folder"] = "active", "packages/"+planted
	return doc
}

// schemaFiles are the JSON schemas of memories.
type schemaFiles struct {
	t     *testing.T
	files map[string]map[string]any
}

func (s schemaFiles) file(name string) map[string]any {
	if s.files[name] == nil {
		data, err := os.ReadFile("../../schemas/" + name)
		if err == nil {
			var schema map[string]any
			err = json.Unmarshal(data, &schema)
			s.files[name] = schema
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
	return s.files[name]
}

// example makes a value that a schema takes, with all of its fields.
func (s schemaFiles) example(file string, schema map[string]any) any {
	if ref, ok := schema["$ref"].(string); ok && schema["properties"] == nil {
		name, pointer, _ := strings.Cut(ref, "#/$defs/")
		if name == "" {
			name = file
		}
		return s.example(name, s.file(name)["$defs"].(map[string]any)[pointer].(map[string]any))
	}
	if properties, ok := schema["properties"].(map[string]any); ok {
		object := map[string]any{}
		for name, property := range properties {
			object[name] = s.example(file, property.(map[string]any))
		}
		return object
	}
	switch {
	case schema["const"] != nil:
		return schema["const"]
	case schema["enum"] != nil:
		return schema["enum"].([]any)[0]
	case schema["format"] == "date-time", schema["format"] == "end-date":
		return "2026-01-01T00:00:00Z"
	case schema["format"] == "regex": // on one line
		return planted
	}
	switch schema["type"] {
	case "array":
		return []any{s.example(file, schema["items"].(map[string]any))}
	case "boolean":
		return true
	case "integer", "number":
		return 1
	case "object":
		return map[string]any{}
	}
	return spelled
}

// replaceStrings replaces every string of a JSON value.
func replaceStrings(v any, with string) any {
	switch v := v.(type) {
	case string:
		return with
	case []any:
		for i := range v {
			v[i] = replaceStrings(v[i], with)
		}
	case map[string]any:
		for key := range v {
			v[key] = replaceStrings(v[key], with)
		}
	}
	return v
}

// secretTranscript is a client's file, outside of the folders that memctl writes to.
//
// It writes another one where Claude Code keeps those of the project.
func secretTranscript(t *testing.T, project string) string {
	dir := t.TempDir()
	t.Setenv("CLAUDE_CONFIG_DIR", dir)
	path := filepath.Join(dir, "transcript.jsonl")
	said := "We decided to use " + spelled + " because it works.\nWe chose it over " + planted + ". The error was fixed by " + spelled
	line := encoded(t, map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": said}})
	var kept strings.Builder
	for _, content := range []any{said, "Keep <private>" + planted + "</private> and <private>Winter-7harbor</private>.",
		[]any{map[string]any{"type": "tool_result", "content": spelled}}} {
		kept.WriteString(encoded(t, map[string]any{"type": "user", "sessionId": planted, "cwd": project, "timestamp": planted,
			"message": map[string]any{"content": content}}) + "\n")
	}
	kept.WriteString(encoded(t, map[string]any{"type": "assistant", "message": map[string]any{"id": planted, "content": []any{
		map[string]any{"type": "text", "text": said}, map[string]any{"type": "tool_use", "name": planted,
			"input": map[string]any{"file_path": project + "/" + planted, "command": spelled}}}}}) + "\n")
	folder := filepath.Join(dir, "projects", "p")
	if err := errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, "s.jsonl"), []byte(kept.String()), 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(line+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// secretEvent is an event of any hook with the secret in every string.
func secretEvent(t *testing.T, transcript string) string {
	return encoded(t, map[string]any{
		"session_id": "s " + planted, "tool_name": "Tool" + planted, "tool_use_id": planted, "prompt_id": planted, "agent_id": planted,
		"error": spelled, "source": planted, "hook_event_name": planted, "prompt": "how is " + planted + " kept?", "transcript_path": transcript,
		"tool_input":             map[string]any{"command": "echo " + spelled, planted: []any{spelled, map[string]any{planted: spelled}}},
		"tool_response":          map[string]any{"type": planted, "stdout": spelled, "content": []any{map[string]any{"type": planted, "text": spelled}}},
		"last_assistant_message": "We decided to use " + spelled + " because it works, rather than " + planted + ".",
	})
}

// secretObservation is stored lines with the secret in every string, also in a member that
// no version of memctl wrote, and in the first of two members with one name.
func secretObservation(t *testing.T) string {
	return fmt.Sprintf(`{"event_id":%[1]q,"event_type":"tool_observation","session_id":%[1]q,"timestamp":%[1]q,"more":%[1]q,"payload":{"tool_name":%[1]q,`+
		`"tool_input":{%[1]q:[%[1]q]},"tool_output":%[1]q,"duration_ms":1,"success":true,"error_message":%[1]q,"metadata":{"filePath":%[1]q,"fileType":%[1]q,"command":%[1]q,`+
		`"pattern":%[1]q,"url":%[1]q,"subagentType":%[1]q,"toolUseId":%[1]q,"promptId":%[1]q,"agentId":%[1]q,"privacy":{"warnings":[%[1]q]}}}}`+"\n", planted) +
		fmt.Sprintf(`{"event_id":"2","event_type":"tool_observation","session_id":"s","timestamp":"2026-01-01T00:00:00Z","more":%q,"payload":{"tool_name":"Bash","tool_input":null,"tool_output":"","duration_ms":1,"success":true,"metadata":{}}}`+"\n", planted) +
		fmt.Sprintf(`{"event_id":"3","event_type":"tool_observation","session_id":"s","timestamp":"2026-01-01T00:00:00Z","payload":{"tool_name":"Bash","tool_input":{"command":%q,"command":"ls"},"tool_output":"","duration_ms":1,"success":true,"metadata":{}}}`+"\n", planted)
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
