package web_test

import (
	"cmp"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memctl/files/trust"
	"memctl/observe"
)

const jana = "Jana Nováková"

// team plays a month in a project of Minjun's, to which Jana has added three memories that he has just pulled.
func team(t *testing.T) played {
	t.Helper()
	p := play(t)
	paths, err := p.root.MemoryPaths()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths { // his memctl wrote them
		data, err := p.root.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		trust.Wrote(data)
	}
	p.git("init", "--quiet")
	p.git("add", "--all", ":!*/retry-delay.json") // which the agent has just saved
	p.git("commit", "--quiet", "--date="+p.now.AddDate(0, 0, -40).Format(time.RFC3339), "--message=his")
	hers := filepath.Join(t.TempDir(), "hers")
	p.git("clone", "--quiet", p.root.Project, hers)
	for _, id := range []string{"cursor-lists", "late-scans", "retry-queue"} {
		p.write(filepath.Join(hers, ".claude", "memory", "decisions", id+".json"), decisionOf(id, p.now))
	}
	gitIn(t, hers, jana, "jana@acme.example", "add", "--all")
	gitIn(t, hers, jana, "jana@acme.example", "commit", "--quiet", "--date="+p.now.Format(time.RFC3339),
		"--message=hers")
	p.git("pull", "--quiet", "--ff-only", hers, "HEAD")
	return p
}

func (p played) git(args ...string) {
	p.Helper()
	gitIn(p.T, p.root.Project, "Minjun Kim", "minjun@acme.example", args...)
}

// titles are those of Jana's decisions.
var titles = map[string]string{
	"cursor-lists": "The tracking list pages by cursor, too",
	"late-scans":   "A late scan counts for the day on which it arrives",
	"retry-queue":  "Failed deliveries wait in the retry queue for a day",
}

// decisionOf is a decision of a moment. Its title is its id, if it is none of Jana's.
func decisionOf(id string, moment time.Time) string {
	title := cmp.Or(titles[id], strings.ReplaceAll(id, "-", " "))
	at := moment.UTC().Format(time.RFC3339)
	return fmt.Sprintf(`{"schema_version":"1.0","category":"decision","id":%q,"title":%q,"record_status":"active",`+
		`"created_at":%q,"updated_at":%q,"tags":["parcel"],"content":{"status":"accepted","context":"A depot asked.","decision":"%s.",`+
		`"rationale":["The depots agreed on it."]}}`, id, title, at, at, title)
}

func TestThePagesSayWhoSavedAMemory(t *testing.T) {
	p := team(t)
	s := serve(t, p.root, time.Hour)
	who := "/memories?who=" + url.QueryEscape(jana)
	day := p.now.Format(time.DateOnly)
	s.says("/memories/decisions/cursor-lists", "saved by "+jana+" <time")
	s.says("/memories/decisions/utc-times", "saved by Minjun Kim <time")
	s.says("/memories", `<option value="Minjun Kim">`)
	s.says(who, "3 memories")
	s.says(who, "!Times are stored in UTC")
	s.says(who+"&category=constraint", "0 memories")
	s.says(who+"&q=late", "1 found")
	s.says(who+"&q=times+UTC", "0 found")
	s.says("/memories?who=Nobody", "No memory matches")
	s.says("/today?day="+day, jana+" added 3 memories")
	s.says("/today?day="+day, ">"+titles["late-scans"]+"</a>")

	s.get(s.base + "/trust") // since this look, a new file is what the person wrote by hand
	p.write(p.root.Join("decisions/by-hand.json"), decisionOf("by-hand", p.now))
	saved := decisionOf("by-agent", p.now)
	trust.Wrote([]byte(saved))
	p.write(p.root.Join("decisions/by-agent.json"), saved)
	p.record(p.now, "s", "", observe.Saved, "decisions/by-agent")
	s.says("/memories/decisions/by-agent", "an agent, not committed")
	s.get(s.base + "/trust")
	s.says("/memories/decisions/by-hand", "you, not committed")

	// Another commit, and a name that is corrected.
	p.write(filepath.Join(p.root.Project, ".mailmap"), "Jana N. <jana@acme.example>\n")
	p.git("mv", ".claude/memory/decisions/late-scans.json", ".claude/memory/runbooks/late-scans.json")
	p.git("add", "--all")
	p.git("commit", "--quiet", "--message=names")
	s.says("/memories?who=Jana+N.", "3 memories")
	s.says("/memories/decisions/by-hand", "saved by Minjun Kim")
}

func TestWithoutGitNobodyIsNamed(t *testing.T) {
	p := play(t)
	s := serve(t, p.root, time.Hour)
	s.says("/memories", `!name="who"`)
	s.says("/memories", `!class="who"`)
	p.git("init", "--quiet") // without a commit
	s.says("/memories", `!name="who"`)
	s.says("/memories", `!class="who"`)
}

// Names are strangers' text.
func TestNamesOfAuthorsAreText(t *testing.T) {
	p := play(t)
	p.git("init", "--quiet")
	p.git("add", "--all")
	name := "<script>alert(1)</script>\u202e" + strings.Repeat("x", 500)
	gitIn(t, p.root.Project, name, "x@acme.example", "commit", "--quiet", "--message=x")
	s := serve(t, p.root, time.Hour)
	s.says("/memories/decisions/utc-times", "saved by scriptalert 1 script xxxxxxxxxxxxxxxxxx… <time")
	if err := os.RemoveAll(filepath.Join(p.root.Project, ".git")); err != nil {
		t.Fatal(err)
	}
	s.says("/memories", `!class="who"`)
}
