package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"memctl/exchange"
	"memctl/schemas"
)

// known are the memories that every door is asked about, by the name of their file.
var known = map[string]string{
	"decisions/events.json":     "Kafka keeps events for 14 days",
	"decisions/eviction.json":   "Redis eviction is allkeys-lfu",
	"decisions/webhooks.json":   "웹훅 재시도는 세 번까지 한다",
	"decisions/deploys.json":    "배포는 화요일 오전에만 진행한다",
	"decisions/backups.json":    "Backups werden jede Nacht nach Frankfurt kopiert",
	"decisions/partitions.json": "Postgres partitions the tracking table by month",
	"preferences/tabs.json":     "Indent with tabs, not spaces",
	"preferences/messages.json": "Fehlermeldungen der API sind auf Deutsch",
}

// knownTags are the tags of memories that have some.
var knownTags = map[string][]string{"decisions/partitions.json": {"postgres", "schema"}}

// verdict is what a door says of a text: that it is new, that a memory says it, or that a
// memory says it otherwise.
type verdict struct{ standing, other string }

var isNew = verdict{standing: "new"}

func saidBy(name string) verdict  { return verdict{"said", name + ".json"} }
func changes(name string) verdict { return verdict{"changes", name + ".json"} }

// doorCases are texts that no door treats in its own way.
var doorCases = []struct {
	category schemas.Category
	title    string
	want     verdict
}{
	{"decision", "Kafka keeps events for 14 days", saidBy("decisions/events")},
	{"decision", "kafka KEEPS events for 14 Days", saidBy("decisions/events")},
	{"decision", "Kafka retention: keeps events 14 days", saidBy("decisions/events")},
	{"decision", "Events are kept by Kafka for 14 days", saidBy("decisions/events")},
	{"decision", "Retention of Kafka events is a fortnight", isNew},
	{"decision", "Kafka keeps events for 30 days", changes("decisions/events")},
	{"decision", "Kafka never keeps events for 14 days", changes("decisions/events")},
	{"decision", "Kafka brokers run in three zones", isNew},
	{"decision", "Kafka events carry a trace id", isNew},
	{"preference", "Kafka keeps events for 14 days", isNew},
	{"decision", "Redis eviction is allkeys-lfu", saidBy("decisions/eviction")},
	{"decision", "Redis eviction is noeviction", changes("decisions/eviction")},
	{"decision", "Redis eviction: volatile-ttl", changes("decisions/eviction")},
	{"decision", "Redis eviction is not allkeys-lfu", changes("decisions/eviction")},
	{"decision", "Redis runs as a single node", isNew},
	{"decision", "The session cache lives in Redis", isNew},
	{"decision", "The tracking table of Postgres is partitioned by month", saidBy("decisions/partitions")},
	{"decision", "Postgres schema partitions: tracking by month", saidBy("decisions/partitions")},
	{"decision", "Postgres does not partition the tracking table by month", changes("decisions/partitions")},
	{"decision", "Postgres connections go through a pool", isNew},
	{"preference", "Always indent with tabs, not spaces", saidBy("preferences/tabs")},
	{"preference", "Indent with tabs and spaces", changes("preferences/tabs")},
	{"preference", "Keep functions short", isNew},
	{"decision", "Indent with tabs, not spaces", isNew},
	{"decision", "웹훅 재시도는 세 번까지 한다", saidBy("decisions/webhooks")},
	{"decision", "웹훅 재시도는 세 번까지만 한다", saidBy("decisions/webhooks")},
	{"decision", "웹훅 재시도는 하지 않는다", changes("decisions/webhooks")},
	{"decision", "결제 실패는 큐에 넣는다", isNew},
	{"decision", "배포는 화요일 오전에만 진행한다", saidBy("decisions/deploys")},
	{"decision", "화요일 오전에만 배포를 진행한다", saidBy("decisions/deploys")},
	{"decision", "배포는 화요일 오전에 진행하지 않는다", changes("decisions/deploys")},
	{"decision", "로그는 영어로 쓴다", isNew},
	{"decision", "Backups werden jede Nacht nach Frankfurt kopiert", saidBy("decisions/backups")},
	{"decision", "Jede Nacht werden Backups nach Frankfurt kopiert", saidBy("decisions/backups")},
	{"decision", "Backups werden nie nach Frankfurt kopiert", changes("decisions/backups")},
	{"decision", "Der Server in Frankfurt hat 64 GB Speicher", isNew},
	{"preference", "Fehlermeldungen der API sind deutsch", saidBy("preferences/messages")},
	{"preference", "Fehlermeldungen der API sind auf Englisch", changes("preferences/messages")},
	{"preference", "Fehlermeldungen der API sind nicht auf Deutsch", changes("preferences/messages")},
	{"preference", "Kommentare im Code bleiben kurz", isNew},
}

// doors are the ways in to a store. Each returns what it says of all texts, in their order.
var doors = map[string]func(door) []verdict{
	"add": door.add, "create": door.create, "save": door.mcp, "the page": door.page, "import": door.importNotes,
}

// Whichever way a text comes in, the same is said of it, and what is refused is not saved.
func TestDoorsAgree(t *testing.T) {
	t.Parallel()
	prepared := newProject(t)
	prepared.check(os.MkdirAll(prepared.path("preferences"), 0o755))
	prepared.check(os.WriteFile(prepared.path("memory-config.json"), []byte("{}"), 0o644))
	for name, title := range known {
		category, _ := schemas.CategoryOfPath(name)
		m := doorMemory(category, title)
		m["tags"] = []string{"untagged"}
		if tags := knownTags[name]; tags != nil {
			m["tags"] = tags
		}
		m["schema_version"], m["id"] = "1.0", strings.TrimSuffix(path.Base(name), ".json")
		m["created_at"], m["updated_at"] = "2025-01-02T03:04:05Z", "2025-01-02T03:04:05Z"
		data, err := json.Marshal(m)
		prepared.check(err)
		prepared.check(os.WriteFile(prepared.path(name), data, 0o644))
	}
	for name, ask := range doors {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := door{project{t, t.TempDir()}}
			d.check(os.CopyFS(d.path(), os.DirFS(prepared.path())))
			for i, got := range ask(d) {
				if c := doorCases[i]; got != c.want {
					t.Errorf("%s %q: %v, want %v", c.category, c.title, got, c.want)
				}
			}
		})
	}
}

// doorMemory is a memory as an agent drafts it.
func doorMemory(category schemas.Category, title string) map[string]any {
	content := map[string]any{"status": "accepted", "context": "It came up.", "decision": "As the title says.",
		"rationale": []string{"It was measured."}}
	if category == schemas.Preference {
		content = map[string]any{"topic": "Style", "value": "As the title says.", "reason": "People like it.",
			"strength": "default"}
	}
	return map[string]any{"category": category, "title": title, "tags": []string{"draft"}, "content": content}
}

// door is a copy of the store, reached in one way.
type door struct{ project }

// saved returns the verdict isNew for a file that a door has made, and removes it.
func (d door) saved(name string) verdict {
	d.t.Helper()
	if _, old := known[name]; old {
		d.t.Fatalf("%s was written over", name)
	}
	d.check(os.Remove(d.path(name)))
	return isNew
}

// refused returns the verdict, after it has compared what is there with what was there.
func (d door) refused(title string, v verdict) verdict {
	d.t.Helper()
	if files, err := filepath.Glob(d.path("*", "*.json")); err != nil || len(files) != len(known) {
		d.t.Fatalf("%q was refused: %d memories, %v", title, len(files), err)
	}
	return v
}

var knownMessage = regexp.MustCompile(`(\S+\.json) (says this already|says this otherwise|has the same one)`)

// verdictOf reads the verdict from a message.
func verdictOf(message string) verdict {
	found := knownMessage.FindStringSubmatch(message)
	switch {
	case found == nil:
		return isNew
	case found[2] == "says this otherwise":
		return verdict{"changes", found[1]}
	}
	return verdict{"said", found[1]}
}

// run runs memctl.
func (d door) run(stdin []byte, args ...string) (out, messages string, ok bool) {
	d.t.Helper()
	command := exec.Command("memctl", args...)
	command.Dir, command.Stdin = d.dir, bytes.NewReader(stdin)
	command.Env = append(os.Environ(), "MEMCTL_ROOT=", "CLAUDE_PROJECT_DIR=")
	var stdout, stderr strings.Builder
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	return stdout.String(), stderr.String(), err == nil
}

func (d door) add() (all []verdict) {
	for _, c := range doorCases {
		out, messages, ok := d.run(nil, "add", string(c.category), c.title)
		v := verdictOf(messages)
		if ok {
			v = d.saved(strings.TrimPrefix(strings.TrimSpace(out), ".claude/memory/"))
		} else if v != isNew {
			v = d.refused(c.title, v)
		} else {
			d.t.Errorf("%q: %s", c.title, messages)
		}
		all = append(all, v)
	}
	return all
}

// create saves every memory, and says what it knows in a notice.
func (d door) create() (all []verdict) {
	for _, c := range doorCases {
		draft, err := json.Marshal(doorMemory(c.category, c.title))
		d.check(err)
		info, _ := c.category.Info()
		target := ".claude/memory/" + info.Folder + "/new.json"
		_, messages, ok := d.run(draft, "create", "--category", string(c.category), "--target", target, "--input", "-")
		if !ok {
			d.t.Errorf("%q: %s", c.title, messages)
			continue
		}
		d.saved(info.Folder + "/new.json")
		v := verdictOf(messages)
		if strings.Contains(messages, "has the same one") && path.Dir(v.other) != info.Folder {
			v = isNew // it warns of a title of another category, too
		}
		all = append(all, v)
	}
	return all
}

func (d door) mcp() (all []verdict) {
	session := connect(d.t, d.dir)
	for _, c := range doorCases {
		var out struct {
			Status, ID string
			Other      *struct{ ID, Text string }
		}
		session.call("save", map[string]any{"memory": doorMemory(c.category, c.title)}, &out)
		info, _ := c.category.Info()
		if out.Other == nil {
			all = append(all, d.saved(info.Folder+"/"+out.ID+".json"))
			continue
		}
		if out.Other.Text == "" {
			d.t.Errorf("%q: the other memory's text is missing", c.title)
		}
		all = append(all, d.refused(c.title, verdict{out.Status, info.Folder + "/" + out.Other.ID + ".json"}))
	}
	return all
}

// importNotes imports all texts at once, as Markdown notes.
func (d door) importNotes() (all []verdict) {
	d.check(os.Mkdir(d.path("../notes"), 0o755))
	for i, c := range doorCases {
		note := fmt.Sprintf("---\ntitle: %q\ncategory: %s\n---\nIt came up in week %d.\n", c.title, c.category, i)
		d.check(os.WriteFile(d.path(fmt.Sprintf("../notes/%02d.md", i)), []byte(note), 0o644))
	}
	out, messages, ok := d.run(nil, "import", "markdown", d.path("../notes"), "--yes", "--json")
	var done exchange.Import
	if err := json.Unmarshal([]byte(out), &done); err != nil || !ok || len(done.Items) != len(doorCases) {
		d.t.Fatalf("%v, %d items: %s", err, len(done.Items), messages)
	}
	for i, item := range done.Items {
		v := verdict{"said", item.Path}
		switch {
		case item.Title != doorCases[i].title:
			d.t.Fatalf("item %d is %q", i, item.Title)
		case item.State == exchange.New:
			v = d.saved(item.Path)
		case item.State != exchange.Similar:
			d.t.Fatalf("%q is %s: %s", item.Title, item.State, item.Reason)
		case item.Reason != "":
			v.standing = "changes"
		}
		all = append(all, v)
	}
	d.refused("the rest", isNew)
	return all
}

// page fills in the page's form. Of what is refused it says where that stands, and offers to
// save it anyway.
func (d door) page() (all []verdict) {
	b := openUI(d.project)
	var refusal verdict
	for _, c := range doorCases {
		code, at, body := b.submit(c.category, c.title, false)
		if code == http.StatusSeeOther {
			all = append(all, d.saved(at))
			continue
		}
		link := refusedLink.FindStringSubmatch(body)
		if code != http.StatusConflict || link == nil || !strings.Contains(body, saveAnyway) {
			d.t.Fatalf("%q was answered %d:\n%s", c.title, code, body)
		}
		refusal = verdict{"said", b.pathOf(link[2])}
		if link[1] == "otherwise" {
			refusal.standing = "changes"
		}
		if title := html.UnescapeString(link[3]); title != known[refusal.other] {
			d.t.Errorf("the link to %s says %q", refusal.other, title)
		}
		all = append(all, d.refused(c.title, refusal))
	}
	code, at, body := b.submit("decision", "Kafka keeps events for 30 days", true)
	if code != http.StatusSeeOther {
		d.t.Fatalf("saving it anyway was answered %d:\n%s", code, body)
	}
	d.saved(at)
	return all
}

var refusedLink = regexp.MustCompile(`role="alert"><p>Nothing was saved: a memory says this (already|otherwise)\. <a href="([^"]+)">([^<]*)</a>`)

const saveAnyway = `<button name="anyway" value="1">Save anyway</button>`

// visitor is a person's browser at the pages of a project.
type visitor struct {
	project
	client http.Client
	origin string
	base   string // of the address of every page
}

// openUI starts the pages of a project.
func openUI(p project) visitor {
	p.t.Helper()
	command := exec.Command("memctl", "ui", "--no-open")
	command.Dir = p.dir
	command.Env = append(os.Environ(), "MEMCTL_ROOT=", "CLAUDE_PROJECT_DIR=")
	out, err := command.StdoutPipe()
	p.check(err)
	p.check(command.Start())
	p.t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	p.check(err)
	first, err := url.Parse(strings.TrimSpace(line))
	p.check(err)
	b := visitor{project: p, origin: "http://" + first.Host}
	b.client.Jar, _ = cookiejar.New(nil)
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	_, _, welcome := b.fetch(http.MethodGet, first.RequestURI(), nil)
	b.base = regexp.MustCompile(`url=(/\w+)/"`).FindStringSubmatch(welcome)[1]
	return b
}

// fetch returns the status of an answer, the address that it leads to, and its text.
func (b visitor) fetch(method, address string, form url.Values) (code int, to, body string) {
	b.t.Helper()
	request, err := http.NewRequest(method, b.origin+address, strings.NewReader(form.Encode()))
	b.check(err)
	request.Header.Set("Origin", b.origin)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := b.client.Do(request)
	b.check(err)
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	b.check(err)
	return answer.StatusCode, answer.Header.Get("Location"), string(data)
}

var formToken = regexp.MustCompile(`name="form_token" value="([^"]+)"`)

// submit fills in the form for a new memory. If it is saved, at is its file.
func (b visitor) submit(category schemas.Category, title string, anyway bool) (code int, at, body string) {
	b.t.Helper()
	_, _, body = b.fetch(http.MethodGet, b.base+"/new?category="+string(category), nil)
	token := formToken.FindStringSubmatch(body)
	if token == nil {
		b.t.Fatalf("there is no form:\n%s", body)
	}
	form := url.Values{"form_token": {token[1]}, "category": {string(category)}, "title": {title}, "tags": {"draft"}}
	for name, value := range doorMemory(category, title)["content"].(map[string]any) {
		if list, ok := value.([]string); ok {
			name, value = name+".0", list[0]
		}
		form.Set("content."+name, value.(string))
	}
	if anyway {
		form.Set("anyway", "1")
	}
	code, at, body = b.fetch(http.MethodPost, b.base+"/new", form)
	return code, b.pathOf(at), body
}

// pathOf returns the path of the memory with an address.
func (b visitor) pathOf(address string) string {
	address, _, _ = strings.Cut(strings.TrimPrefix(address, b.base+"/memories/"), "?")
	return address + ".json"
}
