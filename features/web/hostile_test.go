package web_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memctl/files"
)

// evil are texts that pages must show and not obey.
var evil = []string{
	`<script>window.pwned = 1; console.error("pwned")</script>`,
	`"><img src=x onerror="window.pwned = 1; console.error('pwned')">`,
	`javascript:window.pwned=1`,
	"\u202egnp.exe\u202c\u2066\u200b\u0007\u001b[31m",
	`</textarea></title></script><svg onload=console.error('pwned')>`,
	`{{.}} ${window.pwned=1} &lt;b&gt;`,
}

// hostileStore makes a root in which every text is evil.
func hostileStore(t *testing.T) (paths []string, root files.Root) {
	root = parcel(t)
	all := strings.Join(evil, "\n")
	change := map[string]any{"date": all, "summary": evil[0], "field": evil[1], "old_value": all,
		"new_value": map[string]any{all: all}}
	memory := func(content any) map[string]any {
		return map[string]any{
			"schema_version": "1.0", "category": "decision", "id": evil[0], "title": all, "record_status": "active",
			"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-11-20T00:00:00Z", "tags": evil,
			"related_files": append([]string{"../../../../etc/passwd", "/etc/passwd"}, evil...),
			"content":       content, "changes": []any{change, change}, "retired_reason": all, "confidence": 7,
		}
	}
	contents := map[string]any{
		"decisions/evil.json": map[string]any{"status": evil[0], "context": all, "decision": all, "rationale": evil,
			all:            all,
			"alternatives": []any{map[string]any{"option": all, "rejected_reason": all, evil[1]: evil}, all, 5},
			"consequences": all},
		"decisions/text.json": all,
		"runbooks/nested.json": []any{[]any{[]any{all}},
			map[string]any{"a": map[string]any{"b": all}}},
		"decisions/" + `'"><svg onload=x>&.json`: map[string]any{"context": strings.Repeat(all, 100)},
		"sessions/..%2f..%2fx?a=b#c.json":        map[string]any{"goal": 1e300, "completed": map[string]any{"x": nil}},
	}
	for path, content := range contents {
		m := memory(content)
		if path == "decisions/text.json" {
			m["category"], m["tags"], m["changes"], m["record_status"] = all, all, all, evil[1]
		}
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(root.Join(path), data, 0o644); err != nil {
			t.Fatal(err)
		}
		folder, name, _ := strings.Cut(strings.TrimSuffix(path, ".json"), "/")
		paths = append(paths, "/memories/"+folder+"/"+url.PathEscape(name))
	}
	session := "evil-session"
	line, _ := json.Marshal(map[string]any{
		"event_id": evil[0], "event_type": "tool_observation", "session_id": session,
		"timestamp": "2026-11-20T10:00:00.000Z",
		"payload": map[string]any{"tool_name": all, "tool_input": all, "tool_output": all, "success": false,
			"error_message": all,
			"metadata": map[string]any{"filePath": evil[2], "command": all,
				"privacy": map[string]any{"privateCount": 1, "secrets": map[string]any{all: 3}}}},
	})
	if err := os.WriteFile(filepath.Join(root.Path, "observations", session+".jsonl"), append(line, '\n'),
		0o644); err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	t.Setenv("CLAUDE_CONFIG_DIR", home)
	var talk strings.Builder
	for _, message := range []map[string]any{{"type": "user", "message": map[string]any{"content": all}},
		{"type": "assistant", "message": map[string]any{"content": []any{map[string]any{"type": "text", "text": all},
			map[string]any{"type": "tool_use", "name": evil[1], "input": map[string]any{"command": all}}}}}} {
		message["sessionId"], message["cwd"], message["timestamp"] = "evil-talk", root.Project, "2026-11-20T10:00:00Z"
		data, _ := json.Marshal(message)
		fmt.Fprintf(&talk, "%s\n", data)
	}
	if err := errors.Join(os.MkdirAll(filepath.Join(home, "projects", "x"), 0o755),
		os.WriteFile(filepath.Join(home, "projects", "x", "evil-talk.jsonl"), []byte(talk.String()), 0o600)); err != nil {
		t.Fatal(err)
	}
	config, _ := json.Marshal(map[string]any{"retrieval": map[string]any{"match_strategy": "hybrid", "max_inject": all},
		"categories": map[string]any{all: map[string]any{"description": all}}})
	if err := os.WriteFile(root.Join("memory-config.json"), config, 0o644); err != nil {
		t.Fatal(err)
	}
	return append(paths, "/sessions/"+session, "/sessions/evil-talk", "/sessions/evil-talk/1/save?side=user",
		"/sessions/evil-talk/1/save?side=agent", "/sessions?q=pwned"), root
}

// hostile opens every page of a store in which every text is evil.
func (w *walk) hostile(t *testing.T) {
	paths, root := hostileStore(t)
	tb := w.tab(t)
	tb.visit(serve(t, root, time.Hour).first)
	tb.width(360)
	words := url.QueryEscape(strings.Join(evil, " "))
	for _, path := range paths {
		if strings.HasPrefix(path, "/memories/") {
			paths = append(paths, path+"/edit")
		}
	}
	paths = append(paths, "/memories?q="+words+"&tag="+words+"&category="+words+"&since="+words+"&sort="+words+
		"&status=all", "/memories?status=all&page=-1", "/memories?status=all",
		"/why?prompt="+words+"&min_strength=NaN", "/sessions", "/health", "/trust", "/trust/private", "/settings", "/charts", "/new?category="+
			words, "/new?category=runbook&session="+words, "/sessions/"+words, "/palette?q="+words+"&here="+words,
		"/palette?keys=1")
	for i, path := range paths {
		tb.open(path)
		for _, problem := range js[[]string](tb, `(() => {
			const problems = [];
			if (window.pwned) problems.push("a script ran");
			for (const script of document.scripts) if (!/\/static\/\w+\/app.js$/.test(script.src)) problems.push(script.outerHTML);
			for (const link of document.querySelectorAll("[href], [src], [action], [formaction]")) {
				for (const name of ["href", "src", "action", "formaction"]) {
					const address = link.getAttribute(name);
					if (address !== null && new URL(address, location.href).origin !== location.origin) problems.push(link.outerHTML);
				}
			}
			for (const element of document.querySelectorAll("*")) {
				for (const name of element.getAttributeNames()) if (name.startsWith("on")) problems.push(element.outerHTML);
			}
			if (/[\u202a-\u202e\u2066-\u2069\u200b\u0007\u001b]/.test(document.body.innerText)) problems.push("shows an invisible character");
			if (!document.querySelector("footer .keys")) problems.push("the page is broken");
			for (const element of document.querySelectorAll("body *")) {
				if (document.documentElement.scrollWidth > innerWidth && element.getBoundingClientRect().right > innerWidth + 1) {
					problems.push("the page is too wide: " + element.outerHTML.slice(0, 200));
					break;
				}
			}
			return problems;
		})()`) {
			t.Errorf("%s: %s", path, problem)
		}
		if strings.HasSuffix(path, "/decisions/evil") {
			if heading := js[string](tb, "document.querySelector('h1').innerText + "+
				"document.querySelector('.tags').innerText"); strings.Count(heading, "U+202E") != 2 {
				t.Errorf("%s: no codes in %s", path, heading)
			}
		}
		if i < 2 {
			tb.shot(fmt.Sprintf("hostile-%d", i))
		}
	}
}
