package web_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"memctl/files"
	"memctl/schemas"
)

var (
	// notInterface matches what a file, a command or a key says.
	notInterface = regexp.MustCompile(`(?s)<(code|pre|kbd|textarea)\b.*?</(?:code|pre|kbd|textarea)>|` +
		`<(\w+)[^>]* translate="no".*?</\w+>|<!--.*?-->`)
	spokenAttribute = regexp.MustCompile(`(?:aria-label|title|placeholder|alt|label|data-sure)="([^"]*)"`)
	anyTag          = regexp.MustCompile(`<[^>]*>`)
	// names matches identifiers of programs, commands that a sentence names, and the choices that a file has.
	names      = regexp.MustCompile(`\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b|\bmemctl(?: [a-z-]+)+|\([a-z_]+(?:, [a-z_]+)+\)`)
	englishRun = regexp.MustCompile(`[A-Za-z][A-Za-z'’-]*(?:[,;:]? [A-Za-z][A-Za-z'’-]*){2,}`)
	// properNames are no English that anybody could translate.
	properNames = []string{"LM Studio", "Claude Code", "Qwen Code", "Yes, I trust this folder", "claude-memory"}
)

// englishIn returns the runs of three or more English words that a page says.
func englishIn(page string) []string {
	page = notInterface.ReplaceAllString(page, "|")
	words := anyTag.ReplaceAllString(page, "|")
	for _, match := range spokenAttribute.FindAllStringSubmatch(page, -1) {
		words += "|" + match[1]
	}
	words = names.ReplaceAllString(html.UnescapeString(words), "|")
	for _, name := range properNames {
		words = strings.ReplaceAll(words, name, "|")
	}
	return englishRun.FindAllString(words, -1)
}

func TestEnglishIn(t *testing.T) {
	for page, want := range map[string]int{
		`<p>the file is gone</p>`: 1, `<p>파일이 Claude Code에</p>`: 0, `<code>memctl config set it</code>`: 0,
		`<input placeholder="type some words">`: 1, `<p translate="no">what git said</p>`: 0, `<p>two words</p><p>and more</p>`: 0,
	} {
		if got := englishIn(page); len(got) != want {
			t.Errorf("%s: %q", page, got)
		}
	}
}

// koreanProject is a project that has everything, and all of whose texts are Korean.
func koreanProject(t *testing.T) played {
	p := play(t)
	old := p.now.AddDate(0, 0, -400).UTC().Format(time.RFC3339)
	memory := func(folder, category, id, title, more, content string) {
		p.write(p.root.Join(folder+"/"+id+".json"), fmt.Sprintf(`{"schema_version":"1.0","category":%q,"id":%q,"title":%q,`+
			`"record_status":"active","created_at":%q,"updated_at":%q,"tags":["배송"],"content":%s%s}`, category, id, title,
			old, old, content, more))
	}
	for _, folder := range schemas.Folders() { // those of play are English
		names, _ := filepath.Glob(p.root.Join(folder + "/*.json"))
		for _, name := range names {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	rule := `{"kind":"technical","rule":"패키지는 pnpm으로만 설치한다.","impact":["CI가 거부한다."],"severity":"high","active":true,` +
		`"expires":"2026-01-31","check":{"forbidden_command":"npm install","instead":"pnpm add"}}`
	memory("constraints", "constraint", "use-pnpm", "패키지는 pnpm으로 설치한다", `,"related_files":["internal/없음.go"]`, rule)
	memory("constraints", "constraint", "no-force-push", "main에 강제로 푸시하지 않는다", "", rule)
	memory("preferences", "preference", "table-tests", "테스트는 표로 쓴다", `,"folder":"없는폴더"`,
		`{"topic":"테스트","value":"표","strength":"strong","reason":"읽기 쉽다."}`)
	for _, id := range []string{"jwt-rotation", "cursor-pages", "utc-times", "webhook-keys"} {
		memory("decisions", "decision", id, "결정 "+id, `,"changes":[{"date":"`+old+`","summary":"고침","field":"content.status",`+
			`"old_value":"proposed","new_value":"accepted"}]`,
			`{"status":"accepted","context":"배경","decision":"서명 키는 90일마다 바꾼다","rationale":["까닭"],`+
				`"alternatives":[{"option":"매년","rejected_reason":"너무 늦다"}]}`)
	}
	memory("decisions", "decision", "old-choice", "지난 결정", "", `{"status":"superseded","context":"배경","decision":"옛 방식","rationale":["까닭"]}`)
	memory("tech-debt", "tech_debt", "late", "미룬 일", "", `{"status":"open","priority":"high","description":"느리다","reason_deferred":"바빠서","impact":["느림"]}`)
	memory("sessions", "session_summary", "last", "지난 세션", "", `{"goal":"목표","outcome":"success","completed":["끝냄"],"next_actions":["다음 일"]}`)
	memory("runbooks", "runbook", "fix-it", "고치는 법", "", `{"trigger":"실패","steps":["다시 한다"]}`)
	for name, data := range map[string]string{ // each broken in its own way
		"broken-json": `{"title": `, "broken-empty": ``, "broken-list": `[1]`,
		"broken-fields": `{"schema_version":"1.0","category":"decision","id":"another","title":5,"record_status":"gone",` +
			`"created_at":"gestern","updated_at":"x","tags":[],"confidence":7,"content":{"status":"maybe","rationale":[]}}`,
		"broken-merge": "<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n", "broken-utf8": "{\"title\": \"\xff\"}",
		"broken-twice": `{"title":"가","title":"나"}`, "Broken Name": `{}`, "UTC-TIMES": `{}`,
	} {
		p.write(p.root.Join("decisions/"+name+".json"), data)
	}
	p.write(p.root.Join("decisions/utc-times.conflict"), `{"schema_version":"1.0","conflicts":[{"field":"title","ours":"하나","theirs":"둘"}]}`)
	p.write(p.root.Join("memory-config.json"), `{"retrieval":{"match_strategy":"maybe","max_inject":"many","hybrid":{"min_strength":9}},`+
		`"triage":{"enabled":5},"unknown":1,"categories":{"nothing":{}},"observations":{"enabled":true},"delete":{"grace_period_days":1.5}}`)
	p.write(filepath.Join(p.root.Project, ".claude", "settings.json"), `{"disableAllHooks":true,"hooks":{"Stop":[{"hooks":[`+
		`{"type":"command","command":"memctl hook stop","timeout":10000},{"type":"command","command":"memctl hook stop"},`+
		`{"type":"command","command":"/nowhere/memctl hook session-start"}]}]}}`)
	p.write(filepath.Join(p.root.Project, ".mcp.json"), `{"mcpServers":{"memctl":{"command":"/nowhere/memctl","args":["mcp"]}}}`)
	p.write(filepath.Join(p.root.Project, ".gemini", "settings.json"), `{"hooks": 5`)
	p.koreanSessions()
	giveKoreanWork(t, p.root)
	propose(t, p.root, schemas.Constraint, "배포는 금요일에 하지 않는다")
	if err := os.Remove(p.root.Join(".gitignore")); err != nil {
		t.Fatal(err)
	}
	return p
}

// koreanSessions replaces the transcripts, and adds observations of tools.
func (p played) koreanSessions() {
	names, _ := filepath.Glob(filepath.Join(os.Getenv("CLAUDE_CONFIG_DIR"), "projects", "x", "*"))
	for _, name := range names {
		if err := os.Remove(name); err != nil {
			p.Fatal(err)
		}
	}
	p.talkOf("c0ffee00-0000-4000-8000-000000000001", "앞으로 배포는 항상 스크립트로 한다", "네, 원인은 시간대였습니다.")
	p.talkOf("c0ffee00-0000-4000-8000-000000000002", "시간은 무엇으로 저장하지?", "네.")
	var lines strings.Builder
	for i, failed := range []bool{true, true, false} {
		line, err := json.Marshal(map[string]any{"event_id": fmt.Sprint(i), "event_type": "tool_observation",
			"session_id": "c0ffee00", "timestamp": p.now.Add(time.Duration(i) * time.Second).UTC().Format("2006-01-02T15:04:05.000Z"),
			"payload": map[string]any{"tool_name": "Bash", "success": !failed, "error_message": map[bool]string{true: "실패함"}[failed],
				"metadata": map[string]any{"command": "make test", "privacy": map[string]any{"privateCount": 1,
					"secrets": map[string]any{"password": 3}}}}})
		if err != nil {
			p.Fatal(err)
		}
		fmt.Fprintf(&lines, "%s\n", line)
	}
	p.write(filepath.Join(p.root.Path, "observations", "c0ffee00.jsonl"), lines.String())
}

func (p played) talkOf(session, prompt, answer string) {
	p.Helper()
	var lines strings.Builder
	for _, said := range [][2]string{{"user", prompt}, {"assistant", answer}} {
		line, err := json.Marshal(map[string]any{"type": said[0], "sessionId": session, "cwd": p.root.Project,
			"timestamp": p.now.UTC().Format(time.RFC3339),
			"message":   map[string]any{"role": said[0], "content": said[1]}})
		if err != nil {
			p.Fatal(err)
		}
		fmt.Fprintf(&lines, "%s\n", line)
	}
	p.write(filepath.Join(os.Getenv("CLAUDE_CONFIG_DIR"), "projects", "x", session+".jsonl"), lines.String())
}

func giveKoreanWork(t *testing.T, root files.Root) {
	t.Helper()
	const list = `{"last": 2, "items": [
		{"item": 1, "file": "AGENTS.md", "line": 3, "text": "폴더 설명.", "sha256": "a", "state": "done", "reason": "코드에 있음"},
		{"item": 2, "file": "AGENTS.md", "line": 7, "under": "서비스", "text": "금요일에는 푸시하지 않는다", "sha256": "b", "state": "waits"}]}`
	state := filepath.Join(os.Getenv("XDG_STATE_HOME"), "memctl")
	if err := os.WriteFile(filepath.Join(state, "worklist-"+root.Key()+".json"), []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestPagesAreKorean reads every page of a project with everything, and the answers to every kind of mistake.
func TestPagesAreKorean(t *testing.T) {
	p := koreanProject(t)
	s := serve(t, p.root, time.Hour)
	korean := func(r *http.Request) { r.Header.Set("Accept-Language", "ko") }
	look := func(name string, status int, page string) {
		if !strings.Contains(page, `<html lang="ko"`) {
			t.Errorf("%s (%d) is no page in Korean: %.200s", name, status, page)
		}
		runs := englishIn(page)
		slices.Sort(runs)
		for _, run := range slices.Compact(runs) {
			t.Errorf("%s (%d) says %q", name, status, run)
		}
	}
	get := func(path string) string {
		status, page, _ := s.send(http.MethodGet, s.base+path, "", korean)
		look(path, status, page)
		return page
	}
	post := func(from, path string, values url.Values) {
		_, page, _ := s.send(http.MethodGet, s.base+from, "", korean)
		form := formNamed(page, path)
		if form == "" {
			t.Errorf("%s has no form %s", from, path)
		}
		values.Set("form_token", form)
		status, answer, header := s.send(http.MethodPost, s.base+path, values.Encode(), korean)
		if goTo := header.Get("Location"); goTo != "" {
			status, answer, _ = s.send(http.MethodGet, s.origin+goTo, "", korean)
		}
		look("POST "+path, status, answer)
	}
	for _, path := range []string{"/today", "/today/needs?again=1", "/waiting", "/memories", "/memories?status=all&q=결정",
		"/memories?q=없는말", "/memories?q=pnpn", "/why", "/why?prompt=서명+키는+얼마나+자주+바꾸나요", "/why?prompt=응",
		"/why?prompt=서명+키는+얼마나+자주+바꾸나요&min_strength=0.3", "/sessions", "/sessions?q=배포", "/sessions?q=없는말",
		"/sessions/c0ffee00", "/sessions/c0ffee00?failed=1", "/sessions/c0ffee00-0000-4000-8000-000000000001", "/health",
		"/health/checks", "/charts", "/settings", "/triage", "/new", "/new?from=2", "/palette", "/palette?q=설정&keys=1", "/nothing",
		"/memories/decisions/none", "/sessions/none", "/memories/constraints/use-pnpm/edit"} {
		get(path)
	}
	for _, info := range schemas.Categories {
		get("/new?category=" + string(info.Category))
		names, _ := filepath.Glob(p.root.Join(info.Folder + "/*.json"))
		for _, name := range names {
			get("/memories/" + info.Folder + "/" + url.PathEscape(strings.TrimSuffix(filepath.Base(name), ".json")))
		}
	}
	post("/new", "/new/sentence", url.Values{"text": {""}})
	post("/new", "/new/sentence", url.Values{"text": {"<private>모두 비밀</private>"}})
	post("/new", "/new/sentence", url.Values{"text": {"서명 키는 90일마다 바꾼다"}})
	post("/new", "/new/sentence", url.Values{"text": {"새 규칙: 비밀 번호 password=hunter2hunter2 는 쓰지 않는다"}})
	post("/new?category=decision", "/new", url.Values{"category": {"decision"}, "title": {strings.Repeat("긴", 200)}, "confidence": {"많이"}})
	post("/new?category=constraint", "/new", url.Values{"category": {"constraint"}, "title": {"제목"}, "tags": {strings.Repeat("꼬리,", 3)},
		"content.check.forbidden_lines": {"(("}, "content.expires": {"내일"}, "folder": {"../밖"}})
	edit := url.Values{"category": {"constraint"}, "hash": {"0"}, "title": {"다른 제목"}}
	post("/memories/constraints/use-pnpm/edit", "/memories/constraints/use-pnpm/edit", edit)
	post("/memories/constraints/use-pnpm", "/memories/constraints/use-pnpm/retire", url.Values{"hash": {"0"}})
	post("/settings", "/settings", url.Values{"v.retrieval.max_inject": {"많이"}, "was.retrieval.max_inject": {"3"},
		"v.retrieval.hybrid.min_strength": {"99"}, "was.retrieval.hybrid.min_strength": {"0"}, "v.privacy.patterns": {"("}})
	for _, path := range []string{"/undo/none", "/today/none/skip", "/trust/seen"} {
		status, page, _ := s.send(http.MethodPost, s.base+path, "form_token=wrong", korean)
		look("POST "+path, status, page)
	}
}

// formNamed returns the token of the form, or of the button, with an action.
func formNamed(page, action string) string {
	at := regexp.MustCompile(`(?:form)?action="[^"]*` + regexp.QuoteMeta(action) + `"[^>]*?name="form_token" value="(\w+)"|` +
		`action="[^"]*` + regexp.QuoteMeta(action) + `"(?s:.*?)name="form_token" value="(\w+)"`)
	if found := at.FindStringSubmatch(page); found != nil {
		return found[1] + found[2]
	}
	return ""
}

// TestMain stands in for the program that doctor tries: as "hook stop" this one ends at once.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "hook" || os.Args[1] == "mcp") {
		fmt.Println("시험")
		os.Exit(3)
	}
	os.Exit(m.Run())
}
