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

	"memctl/cmd/command"
	"memctl/features/exchange"
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

// verdict is the answer of a door to a text: it is new, similar to a memory, or a duplicate of one.
type verdict struct{ verdict, other string }

var isNew = verdict{verdict: "new"}

func duplicateOf(name string) verdict { return verdict{"duplicate", name + ".json"} }
func similarTo(name string) verdict   { return verdict{"similar", name + ".json"} }

// doorCases are texts that no door treats in its own way.
var doorCases = []struct {
	category schemas.Category
	title    string
	want     verdict
}{
	{"decision", "Kafka keeps events for 14 days", duplicateOf("decisions/events")},
	{"decision", "kafka Keeps the events for 14 Days", duplicateOf("decisions/events")},
	{"decision", "Kafka retention: keeps events 14 days", similarTo("decisions/events")},
	{"decision", "Events are kept by Kafka for 14 days", similarTo("decisions/events")},
	{"decision", "Retention of Kafka events is a fortnight", isNew},
	{"decision", "Kafka keeps events for 30 days", similarTo("decisions/events")},
	{"decision", "Kafka never keeps events for 14 days", similarTo("decisions/events")},
	{"decision", "Kafka brokers run in three zones", isNew},
	{"decision", "Kafka events carry a trace id", isNew},
	{"preference", "Kafka keeps events for 14 days", isNew},
	{"decision", "Redis eviction is allkeys-lfu", duplicateOf("decisions/eviction")},
	{"decision", "Redis eviction is noeviction", similarTo("decisions/eviction")},
	{"decision", "Redis eviction: volatile-ttl", similarTo("decisions/eviction")},
	{"decision", "Redis eviction is not allkeys-lfu", similarTo("decisions/eviction")},
	{"decision", "Redis runs as a single node", isNew},
	{"decision", "The session cache lives in Redis", isNew},
	{"decision", "The tracking table of Postgres is partitioned by month", similarTo("decisions/partitions")},
	{"decision", "Postgres schema partitions: tracking by month", similarTo("decisions/partitions")},
	{"decision", "Postgres does not partition the tracking table by month", similarTo("decisions/partitions")},
	{"decision", "Postgres connections go through a pool", isNew},
	{"preference", "Always indent with tabs, not spaces", similarTo("preferences/tabs")},
	{"preference", "Indent with tabs and spaces", similarTo("preferences/tabs")},
	{"preference", "Keep functions short", isNew},
	{"decision", "Indent with tabs, not spaces", isNew},
	{"decision", "웹훅 재시도는 세 번까지 한다", duplicateOf("decisions/webhooks")},
	{"decision", "웹훅 재시도는 세 번까지만 한다", similarTo("decisions/webhooks")},
	{"decision", "웹훅 재시도는 하지 않는다", similarTo("decisions/webhooks")},
	{"decision", "결제 실패는 큐에 넣는다", isNew},
	{"decision", "배포는 화요일 오전에만 진행한다", duplicateOf("decisions/deploys")},
	{"decision", "화요일 오전에만 배포를 진행한다", similarTo("decisions/deploys")},
	{"decision", "배포는 화요일 오전에 진행하지 않는다", similarTo("decisions/deploys")},
	{"decision", "로그는 영어로 쓴다", isNew},
	{"decision", "Backups werden jede Nacht nach Frankfurt kopiert", duplicateOf("decisions/backups")},
	{"decision", "Jede Nacht werden Backups nach Frankfurt kopiert", similarTo("decisions/backups")},
	{"decision", "Backups werden nie nach Frankfurt kopiert", similarTo("decisions/backups")},
	{"decision", "Der Server in Frankfurt hat 64 GB Speicher", isNew},
	{"preference", "Fehlermeldungen der API sind deutsch", similarTo("preferences/messages")},
	{"preference", "Fehlermeldungen der API sind auf Englisch", similarTo("preferences/messages")},
	{"preference", "Fehlermeldungen der API sind nicht auf Deutsch", similarTo("preferences/messages")},
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

// saved removes a file that a door has made.
func (d door) saved(name string) {
	d.t.Helper()
	if _, old := known[name]; old {
		d.t.Fatalf("%s was written over", name)
	}
	d.check(os.Remove(d.path(name)))
}

// refused checks that nothing was saved.
func (d door) refused(title string) {
	d.t.Helper()
	if files, err := filepath.Glob(d.path("*", "*.json")); err != nil || len(files) != len(known) {
		d.t.Fatalf("%q was refused: %d memories, %v", title, len(files), err)
	}
}

var (
	duplicateMessage = regexp.MustCompile(`(\S+\.json) already says this: ".+"; nothing was saved`)
	duplicateError   = regexp.MustCompile(`^nothing was saved: (\S+) already says this: ".+"; if yours is another fact, save it again with new: true$`)
	similarMessage   = regexp.MustCompile(`\[SIMILAR\] (\S+\.json) says: ".+"; both are kept`)
)

// verdictOf reads the verdict from messages.
func verdictOf(messages string) verdict {
	if found := duplicateMessage.FindStringSubmatch(messages); found != nil {
		return verdict{"duplicate", found[1]}
	}
	if found := similarMessage.FindStringSubmatch(messages); found != nil {
		return verdict{"similar", found[1]}
	}
	return isNew
}

// run runs a command in this process.
func (d door) run(stdin []byte, args ...string) (out, messages string, ok bool) {
	var stdout, stderr strings.Builder
	std := command.Streams{In: bytes.NewReader(stdin), Out: &stdout, Err: &stderr}
	code := run(append([]string{"memctl", "--root", d.dir}, args...), std.With(features()))
	return stdout.String(), stderr.String(), code == 0
}

func (d door) add() (all []verdict) {
	for _, c := range doorCases {
		out, messages, ok := d.run(nil, "add", string(c.category), c.title)
		v := verdictOf(messages)
		if ok {
			_, name, _ := strings.Cut(strings.TrimSpace(out), ".claude/memory/")
			d.saved(name)
		} else {
			d.refused(c.title)
		}
		if ok != (v.verdict != "duplicate") {
			d.t.Errorf("%q: %s", c.title, messages)
		}
		all = append(all, v)
	}
	return all
}

// create saves every memory. It names the one that says the same as a similar one.
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
		if c.want.verdict == "duplicate" && v == similarTo(strings.TrimSuffix(c.want.other, ".json")) {
			v = c.want
		}
		all = append(all, v)
	}
	return all
}

func (d door) mcp() (all []verdict) {
	session := connect(d.t, d.dir)
	for _, c := range doorCases {
		result := session.try("save", map[string]any{"memory": doorMemory(c.category, c.title)})
		info, _ := c.category.Info()
		if result.IsError {
			found := duplicateError.FindStringSubmatch(said(result))
			if found == nil {
				d.t.Fatalf("%q: %s", c.title, said(result))
			}
			d.refused(c.title)
			all = append(all, duplicateOf(info.Folder+"/"+found[1]))
			continue
		}
		var out struct {
			ID      string
			Similar *struct{ ID, Text string }
		}
		d.check(json.Unmarshal([]byte(said(result)), &out))
		d.saved(info.Folder + "/" + out.ID + ".json")
		v := isNew
		if out.Similar != nil && out.Similar.Text != "" {
			v = similarTo(info.Folder + "/" + out.Similar.ID)
		}
		all = append(all, v)
	}
	return all
}

// importNotes imports all texts at once, as Markdown notes.
func (d door) importNotes() (all []verdict) {
	d.check(os.Mkdir(d.path("../notes"), 0o755))
	for i, c := range doorCases {
		note := fmt.Sprintf("---\ntitle: %q\ncategory: %s\n---\nIt came up%s\n", c.title, c.category, strings.Repeat(".", i+1))
		d.check(os.WriteFile(d.path(fmt.Sprintf("../notes/%02d.md", i)), []byte(note), 0o644))
	}
	out, messages, ok := d.run(nil, "import", "markdown", d.path("../notes"), "--yes", "--json")
	var done exchange.Import
	if err := json.Unmarshal([]byte(out), &done); err != nil || !ok || len(done.Items) != len(doorCases) {
		d.t.Fatalf("%v, %d items: %s", err, len(done.Items), messages)
	}
	for i, item := range done.Items {
		var v verdict
		switch {
		case item.Title != doorCases[i].title:
			d.t.Fatalf("item %d is %q", i, item.Title)
		case item.State == exchange.Similar:
			v = verdict{"duplicate", item.Path}
		case item.State != exchange.New:
			d.t.Fatalf("%q is %s: %s", item.Title, item.State, item.Reason)
		default:
			d.saved(item.Path)
			if v = isNew; item.Near != "" && doorCases[i].want != isNew { // it also names a memory on the same subject
				v = verdict{"similar", item.Near}
			}
		}
		all = append(all, v)
	}
	d.refused("the rest")
	return all
}

// page fills in the page's form. Of what is refused it says where that stands, and offers to
// save it anyway.
func (d door) page() (all []verdict) {
	b := openUI(d.project)
	for _, c := range doorCases {
		code, to, body := b.submit(c.category, c.title, false)
		if code == http.StatusSeeOther {
			_, _, body = b.fetch(http.MethodGet, to, nil)
			d.saved(b.pathOf(to))
			v := isNew
			if found := similarNotice.FindStringSubmatch(body); found != nil {
				for name, title := range known {
					if strings.HasPrefix(html.UnescapeString(found[1]), title) {
						v = verdict{"similar", name}
					}
				}
			}
			all = append(all, v)
			continue
		}
		link := refusedLink.FindStringSubmatch(body)
		if code != http.StatusConflict || link == nil || !strings.Contains(body, saveAnyway) {
			d.t.Fatalf("%q was answered %d:\n%s", c.title, code, body)
		}
		d.refused(c.title)
		all = append(all, verdict{"duplicate", b.pathOf(link[1])})
	}
	code, to, body := b.submit("decision", "Kafka keeps events for 14 days", true)
	if code != http.StatusSeeOther {
		d.t.Fatalf("saving it anyway was answered %d:\n%s", code, body)
	}
	d.saved(b.pathOf(to))
	return all
}

var (
	refusedLink   = regexp.MustCompile(`role="alert"><p>Nothing was saved: a memory already says this\. <a href="([^"]+)">`)
	similarNotice = regexp.MustCompile(`A memory is similar, and both are kept: (?:<span[^>]*>)?([^<]*)`)
)

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

// submit fills in the form for a new memory. If it is saved, to is the address of its page.
func (b visitor) submit(category schemas.Category, title string, anyway bool) (code int, to, body string) {
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
	return b.fetch(http.MethodPost, b.base+"/new", form)
}

// pathOf returns the path of the memory with an address.
func (b visitor) pathOf(address string) string {
	address, _, _ = strings.Cut(strings.TrimPrefix(address, b.base+"/memories/"), "?")
	return address + ".json"
}
