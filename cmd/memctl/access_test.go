package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/files/systemtest"
	"memctl/store"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"
)

// staying are the flags that stay within the project, or within what their command may do. Every other flag is one
// of reaching.
const staying = `
	anyway around as-of batch budget category client color command commit commits confirm days details diff dry-run field
	fields file fix fixes force full gc git hash help history include-retired interactive issuer json keep kept
	left-out lifecycle-event limit limits machines mcp memories new-info no-history no-mcp no-observations no-open
	no-permissions no-roots observations older-than only ours path port print query repository reason roots rules session sequence
	similar since smart sort staged start status strategy strict tag target template theirs tool typed update version
	window withdraw yes config:--all config_list:--all edit:--rename never gone observations:--failed explain:--sessions
	hub_publish:--hub hub_login:--hub hub_logout:--hub
	review:--all review:--agent review:--verdict review:--because proposals:--take proposals:--drop list
	import:--loaded import:--next import:--done`

// leaf is a command that does something, by its whole name.
type leaf struct {
	name string
	*cli.Command
}

// leaves are all commands that do something.
func leaves(prefix string, list []*cli.Command) (all []leaf) {
	for _, command := range list {
		name := strings.TrimSpace(prefix + " " + command.Name)
		all = append(append(all, leaf{name, command}), leaves(name, command.Subcommands)...)
	}
	return all
}

func allLeaves() []leaf { return leaves("", commands(program(), "")) }

// unlisted are the hidden commands, of which git runs two.
var unlisted = []string{"merge-driver", "textconv", "debug", "complete"}

// Every flag is in one of two lists: reaching, or staying.
func TestEveryFlagSaysWhatItReaches(t *testing.T) {
	known := strings.Fields(staying)
	used, declared := map[string]bool{}, declarations()
	for _, cmd := range allLeaves() {
		fields := cmd.name
		isPart := strings.HasPrefix(fields, "add ") || strings.HasPrefix(fields, "hook ")
		if declared[fields] == nil && !isPart {
			t.Errorf("memctl %s does not say who may run it", fields)
		}
		if strings.HasPrefix(fields, "add ") {
			fields = "add"
		}
		for _, flag := range cmd.Flags {
			name := flag.Names()[0]
			own := strings.ReplaceAll(fields, " ", "_") + ":--" + name
			isReaching := slices.ContainsFunc(program().Reaching(), func(f command.FlagAccess) bool {
				return f.Flag == name && (f.Of == "" || slices.Contains(strings.Split(f.Of, ","), cmd.name))
			})
			used[name], used[own] = true, true
			isField := fields == "add" || fields == "create"
			if !isReaching && !isField && !slices.Contains(known, name) && !slices.Contains(known, own) {
				t.Errorf("memctl %s --%s: say in reaching what it reaches, or that it stays within the project",
					cmd.name, name)
			}
		}
	}
	for _, f := range program().Reaching() {
		if !used[f.Flag] {
			t.Errorf("no command has --%s", f.Flag)
		}
	}
}

// declarations are who may run each command, by its name.
func declarations() map[string]command.May {
	all := map[string]command.May{}
	command.Declared = func(name string, rules command.May) { all[name] = rules }
	defer func() { command.Declared = nil }()
	commands(program(), "")
	return all
}

// Clients that have rules ask about the commands that a person decides about.
func TestClientsAskAboutWhatAPersonDecides(t *testing.T) {
	var decided []string
	for name, rules := range declarations() {
		isRun := func(a command.Access) bool {
			words := a.When.Words
			return a.Who != store.Anyone && !a.Lifted && !strings.Contains(words, "outside") &&
				!strings.Contains(words, "settings") && !strings.Contains(words, "another project")
		}
		if slices.ContainsFunc(rules, isRun) && !slices.Contains(unlisted, name) && !strings.HasPrefix(name, "hub ") {
			decided = append(decided, name)
		}
	}
	slices.Sort(decided)
	if diff := cmp.Diff(clients.PersonCommands, decided); diff != "" {
		t.Errorf("(-clients.PersonCommands +declared)\n%s", diff)
	}
}

// agentWorld is a home with a project, another one that must stay unread, and the user's settings.
type agentWorld struct {
	t                        *testing.T
	home, shop, other, state string
	asked                    atomic.Int32 // requests to the network
	hub                      string
}

const canary = "canary-of-the-other-project"

func newAgentWorld(t *testing.T) *agentWorld {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &agentWorld{t: t, home: filepath.Join(dir, "home"), state: filepath.Join(dir, "state")}
	w.shop, w.other = filepath.Join(w.home, "shop"), filepath.Join(w.home, "other")
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { w.asked.Add(1) }))
	t.Cleanup(server.Close)
	w.hub = server.URL
	memory := func(title string) string {
		return fmt.Sprintf(`{"title": %q, "tags": ["x"], "content": {"status": "accepted", "context": %q,
			"decision": "d", "rationale": ["r"]}}`, title, title)
	}
	said := func(session, folder, words string) string {
		return fmt.Sprintf(`{"type":"user","sessionId":%q,"cwd":%q,"timestamp":"2026-03-01T10:00:00Z",`+
			`"message":{"content":%q}}`, session, filepath.ToSlash(folder), words) + "\n"
	}
	for path, data := range map[string]string{
		"shop/.claude/memory/decisions/kafka.json":        memory("Kafka keeps the events"),
		"shop/.claude/memory/memory-config.json":          `{"retrieval": {"match_strategy": "hybrid"}}`,
		"other/.claude/memory/decisions/kafka.json":       memory("Kafka " + canary),
		"other/.claude/memory/memory-config.json":         `{"retrieval": {"match_strategy": "hybrid"}}`,
		"other/CLAUDE.md":                                 "# Rules\n\n- Always say " + canary + ", kafka\n",
		".claude/memory/memory-config.json":               `{"sources": {"notes": "read"}}`,
		".claude/settings.json":                           `{"model": "x"}`,
		".claude/projects/-other/memory/MEMORY.md":        "- [Kafka](kafka.md) " + canary,
		".claude/projects/-other/memory/kafka.md":         "---\nname: kafka\ndescription: " + canary + "\n---\n" + canary,
		".claude/projects/-other/5b1c0002-aaaa.jsonl":     said("5b1c0002-aaaa", w.other, "We always keep kafka "+canary),
		".claude/projects/-shop-none/5b1c0001-aaaa.jsonl": said("5b1c0001-aaaa", w.shop, "kafka in the shop"),
	} {
		path = filepath.Join(w.home, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, value := range map[string]string{"HOME": w.home, "USERPROFILE": w.home, "XDG_STATE_HOME": w.state,
		"XDG_CONFIG_HOME": "", "MEMCTL_ROOT": "", "MEMCTL_USER_ROOT": "", "CLAUDE_PROJECT_DIR": "",
		"CLAUDE_CONFIG_DIR": "", "VISUAL": "true", "EDITOR": "true"} {
		t.Setenv(name, value)
	}
	for _, client := range clients.All() {
		for _, variable := range client.ShellVariables() {
			t.Setenv(variable, "")
		}
	}
	t.Chdir(w.shop)
	for _, project := range []string{w.shop, w.other} { // the catalogue knows both, as after sessions
		w.run("roots", "--root", project)
	}
	notes := filepath.Join(w.home, "notes")
	if err := os.Mkdir(notes, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{"the person's words", canary} { // what changed after the person's import
		page := "# Kafka " + said + "\n\nWe decided to use Kafka for " + said + ".\n"
		if err := os.WriteFile(filepath.Join(notes, "kafka.md"), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
		if said != canary {
			w.run("import", "markdown", notes, "--category", "decision", "--yes")
		}
	}
	return w
}

// run runs a command of the program in this process, and returns what it printed.
func (w *agentWorld) run(args ...string) string {
	var out bytes.Buffer
	run(append([]string{"memctl"}, args...), command.Streams{In: strings.NewReader("kafka"), Out: &out, Err: &out}.With(features()))
	return out.String()
}

// snapshot is what lies in the home folder outside of the agent's project, without the user's own memories and what
// memctl derives.
func (w *agentWorld) snapshot() map[string]string {
	files := map[string]string{}
	err := filepath.WalkDir(w.home, func(path string, entry fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(w.home, path)
		rel = filepath.ToSlash(rel)
		isOwn := rel == "shop" ||
			strings.HasPrefix(rel, ".claude/memory/") && rel != ".claude/memory/memory-config.json"
		if err == nil && entry.IsDir() && isOwn {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() || isOwn || strings.Contains(rel, "index.db") {
			return err
		}
		data, err := os.ReadFile(path)
		files[rel] = string(data)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return files
}

// check reports what an agent got or changed that is not its own.
func (w *agentWorld) check(line, printed string, before map[string]string) {
	w.t.Helper()
	tells := func(words string) bool { return strings.Contains(printed, words+" "+canary) }
	if tells("Kafka") || tells("say") || tells("keep kafka") {
		w.t.Errorf("%s: told the agent of the other project:\n%s", line, printed)
	}
	after := w.snapshot()
	for path := range after {
		if after[path] != before[path] {
			w.t.Errorf("%s: wrote %s", line, path)
		}
	}
	if len(after) < len(before) {
		w.t.Errorf("%s: removed a file", line)
	}
}

// reaches are the arguments by which a command may reach beyond the project.
func (w *agentWorld) reaches(command leaf) (lines [][]string) {
	memory := filepath.Join(w.other, ".claude", "memory", "decisions", "kafka.json")
	transcripts := filepath.Join(w.home, ".claude", "projects", "-other")
	positions := map[string][][]string{
		"import": {{"--update", "--yes"}, {"basic-memory", w.other}, {"markdown", w.other}, {"adr", w.other},
			{"auto-memory", filepath.Join(transcripts, "memory")}, {"transcripts", transcripts},
			{"jsonl", memory}, {"claude-mem", memory, "--project", "other"}},
		"export": {{"jsonl", "--output", filepath.Join(w.other, "out")}, {"html", "-o", filepath.Join(w.home, "out")},
			{"claude-md", "-o", filepath.Join(w.other, "AGENTS.md")}, {"markdown", "-o", w.other}},
		"triage": {{filepath.Join(transcripts, "5b1c0002-aaaa.jsonl")}},
		"config set": {{"sources.agent_all", "true", "--user"}, {"hub.url", w.hub, "--scope", "user"},
			{"retrieval.max_inject", "4", "--root", filepath.Join(w.home, ".claude", "memory")},
			{"meaning.endpoint", w.hub, "--user"}, {"sources.roots", `["` + filepath.ToSlash(w.other) + `"]`, "--user"}},
		"config unset":   {{"sources.notes", "--user"}},
		"config preset":  {{"v5", "--user"}},
		"config confirm": {{"moments.ask"}, {"meaning.endpoint"}},
		"hub publish":    {{"--hub", w.hub, "--sequence", "1", "--repository", "github.com/a/b"}},
		"hub login":      {{"--hub", w.hub, "--issuer", w.hub}},
		"hub logout":     {{"--hub", w.hub}},
		"search": {{"kafka", "--all"}, {"kafka", "--sessions", "--all"}, {"kafka", "--plain-http", "--hub"},
			{"kafka", "--sessions"}},
		"list":            {{"--all"}},
		"sessions show":   {{"5b1c0002"}, {"5b1c0002", "--all"}},
		"sessions save":   {{"5b1c0002", "1"}, {"5b1c0002", "1", "--all"}},
		"sessions forget": {{"5b1c0001"}, {"--older-than", "1d", "--all"}},
		"install": {{"--permissions"}, {"--yes"}, {"--scope", "user"}, {"--notes", "leave"},
			{"--client", "codex,gemini,opencode,qwen,copilot", "--scope", "user"}},
		"uninstall":    {{"--scope", "user"}, {"--leftovers", "--yes"}, {"--all-projects", "--yes"}},
		"setup":        {{"--yes"}},
		"roots forget": {{w.other}, {"--gone"}},
		"complete":     {{"--", "memctl", "show", "--root", w.other, ""}},
		"init":         {},
	}
	lines = append(lines, positions[command.name]...)
	words := []string{}
	if command.ArgsUsage != "" && positions[command.name] == nil {
		words = []string{"kafka"}
		lines = append(lines, []string{memory})
	}
	for _, flag := range command.Flags {
		switch name := flag.Names()[0]; name {
		case "root":
			for _, root := range []string{w.other, filepath.Join(w.other, ".claude", "memory")} {
				lines = append(lines, append([]string{"--root", root}, words...))
			}
		case "all", "user", "sessions":
			lines = append(lines, append([]string{"--" + name}, words...))
		case "input", "output", "target", "file":
			lines = append(lines, append([]string{"--" + name, memory}, words...))
		}
	}
	return append(lines, words)
}

// checkAbove checks that the folder above all projects is no project of an agent that works there.
func (w *agentWorld) checkAbove(all []leaf) {
	w.t.Setenv("CLAUDECODE", "1")
	w.t.Chdir(filepath.Dir(w.home))
	before := w.snapshot()
	for _, command := range all {
		if command.name == "doctor" || strings.HasPrefix(command.name, "hook") {
			continue
		}
		for _, args := range w.reaches(command) {
			if len(args) > 1 && strings.HasPrefix(args[1], w.other) && (args[0] == "--root" || command.name == "import") {
				args = append(strings.Fields(command.name), args...)
				w.check("above all projects: memctl "+strings.Join(args, " "), w.run(args...), before)
			}
		}
	}
	rules := filepath.Join(w.other, "CLAUDE.md")
	w.check("above", w.run("import", "markdown", rules, "--category", "preference", "--user", "--yes"), before)
}

// No command gives an agent what is not its own, or changes it, in the shell of any client.
func TestAgentsGetNoMoreThanTheTableAllows(t *testing.T) {
	if systemtest.IsWine() {
		t.Skip("slow there")
	}
	w := newAgentWorld(t)
	if got := w.run("search", "--all", "kafka"); !strings.Contains(got, canary) {
		t.Fatalf("a person does not see the other project:\n%s", got)
	}
	asked := command.Terminal
	command.Terminal = func() (io.ReadWriteCloser, error) {
		t.Error("an agent was asked")
		return nil, fs.ErrNotExist
	}
	t.Cleanup(func() { command.Terminal = asked })
	all := allLeaves()
	before, refused, runs := w.snapshot(), map[string]bool{}, 0
	for i, client := range clients.All() {
		for j, variable := range client.ShellVariables() {
			t.Setenv(variable, "00000000-0000-4000-8000-000000000000")
			if got := w.run("search", "--all", "kafka"); !strings.Contains(got, "agents may not ") {
				t.Errorf("%s=1 is no agent's:\n%s", variable, got)
			}
			for _, command := range all[:len(all)*max(0, 1-j)] { // the first variable stands for the client
				if command.name == "doctor" || strings.HasPrefix(command.name, "hook") {
					continue // they run programs, and have scripts
				}
				for _, args := range w.reaches(command) {
					line := strings.Join(append(strings.Fields(command.name), args...), " ")
					first := i+j == 0
					if !first && !refused[line] {
						continue // allowed to the agents of all clients alike
					}
					runs++
					printed := w.run(append(strings.Fields(command.name), args...)...)
					if isRefused := strings.Contains(printed, "agents may not "); first {
						refused[line] = isRefused
					} else if !isRefused {
						t.Errorf("%s=1 memctl %s: not refused:\n%s", variable, line, printed)
					}
					w.check(variable+"=1 memctl "+line, printed, before)
				}
			}
			t.Setenv(variable, "")
		}
	}
	w.checkAbove(all)
	if n := w.asked.Load(); n > 0 {
		t.Errorf("%d requests went out", n)
	}
	t.Log(runs, "runs")
}
