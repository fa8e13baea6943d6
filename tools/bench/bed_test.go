package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memctl/files"
	"memctl/files/trust"
	"memctl/schemas"
	"memctl/store/storetest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The sizes of the stores.
const (
	small = 600
	large = 10_000
	own   = 100 // of the user's own
)

// bed is what the measurements work on.
type bed struct {
	ctx          context.Context
	dir          string // home, working and temporary folder of all programs
	env          []string
	memctl, open string         // programs
	database     string         // a copy of an index: memctl does not have it open
	observed     string         // a project without memories whose tools are observed
	user         *project       // its root is the user's, where one is asked
	stores       map[int]stores // by size
	sessions     int            // that hooks have run in
}

// bareBed is a bed without stores.
func bareBed(t testing.TB, memctl string) (b *bed, err error) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state")) // of this process, and of the programs
	b = &bed{
		ctx: t.Context(),
		dir: dir,
		env: append(os.Environ(), "HOME="+dir, "USERPROFILE="+dir, "TMPDIR="+dir, "TMP="+dir, "MEMCTL_ROOT=",
			"CLAUDE_PROJECT_DIR=", "CLAUDE_CONFIG_DIR=", "CLAUDECODE=", "MEMCTL_USER_ROOT="),
		open:     filepath.Join(dir, "open.exe"),
		database: filepath.Join(dir, "copy.db"),
		observed: filepath.Join(dir, "observed"),
		stores:   map[int]stores{},
	}
	b.memctl, err = filepath.Abs(memctl)
	return b, err
}

func newBed(t testing.TB, memctl string) (*bed, error) {
	b, err := bareBed(t, memctl)
	if err != nil {
		return nil, err
	}
	if err := b.buildOpen(); err != nil {
		return nil, err
	}
	if b.user, err = b.newProject("user", own, seed+1, schemas.Hybrid); err != nil {
		return nil, err
	}
	for _, size := range []int{small, large} {
		if b.stores[size], err = b.newStores(size); err != nil {
			return nil, err
		}
	}
	init := process{command: []string{b.memctl, "init", "--observations", "--root", b.observed}}
	if _, err := b.run(init); err != nil {
		return nil, err
	}
	index, err := os.ReadFile(b.stores[small].quiet.path(files.IndexName))
	if err != nil {
		return nil, err
	}
	return b, os.WriteFile(b.database, index, 0o600)
}

// stores are the stores of one size, which are alike.
type stores struct {
	quiet  *project           // does not change
	hybrid *project           // quiet ranked by hybrid
	busy   *project           // changes between runs
	server *mcp.ClientSession // serves quiet
}

func (b *bed) newStores(size int) (s stores, err error) {
	if s.quiet, err = b.newProject("quiet", size, seed, schemas.TitleTags); err != nil {
		return s, err
	}
	if s.hybrid, err = b.newProject("hybrid", size, seed, schemas.Hybrid); err != nil {
		return s, err
	}
	if s.busy, err = b.newProject("busy", size, seed, schemas.TitleTags); err != nil {
		return s, err
	}
	s.server, err = b.connect(s.quiet.dir)
	return s, err
}

func (b *bed) close() {
	for _, s := range b.stores {
		s.server.Close()
	}
}

// removeStopFlag makes the next stop one that the agent was not asked at.
func (b *bed) removeStopFlag() error {
	err := os.Remove(filepath.Join(b.observed, ".claude", ".stop_hook_active"))
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

// after runs a process each time change was made and has settled.
func (b *bed) after(change func() error, p process) func() (sample, error) {
	return func() (sample, error) {
		if err := change(); err != nil {
			return sample{}, err
		}
		time.Sleep(settling)
		return b.run(p)
	}
}

// always runs a process.
func (b *bed) always(p process) func() (sample, error) {
	return func() (sample, error) { return b.run(p) }
}

// seed makes the same stores each time.
const seed = 1

// settling is longer than an index needs before it trusts a file that was just written
// (files.Settled), as when a person edits a file and then asks.
const settling = 150 * time.Millisecond

// project is a folder with a synthetic store.
type project struct {
	dir    string
	prompt string
	target schemas.Memory // the memory that prompt asks for, a decision
	draft  schemas.Memory // what create is given, a constraint
	edits  int
}

func (b *bed) newProject(name string, size int, seed int64, strategy string) (*project, error) {
	p := &project{dir: filepath.Join(b.dir, fmt.Sprintf("%s-%d", name, size))}
	if err := storetest.Write(p.dir, size, seed); err != nil {
		return nil, err
	}
	config := fmt.Appendf(nil, `{"retrieval": {"match_strategy": %q}}`, strategy)
	if err := os.WriteFile(p.path(files.ConfigName), config, 0o644); err != nil {
		return nil, err
	}
	memories := storetest.Memories(size, seed)
	if err := see(memories); err != nil {
		return nil, err
	}
	p.choosePrompt(memories)
	p.chooseDraft(memories)
	time.Sleep(settling)
	if _, err := b.run(process{command: []string{b.memctl, "reindex", "--root", p.dir}}); err != nil {
		return nil, err
	}
	_, err := b.run(process{command: []string{b.memctl, "roots", "--root", p.dir}}) // as after a few sessions
	return p, err
}

// see makes memories count as seen, as in the project of a team, but for one of twenty, which was just pulled.
func see(memories []schemas.Memory) error {
	var seen []string
	for i, m := range memories {
		data, err := m.Encode()
		if err != nil {
			return err
		}
		if i%20 > 0 {
			seen = append(seen, trust.Content(data))
		}
	}
	return trust.Add(seen...)
}

// path is the path of something in the memory root.
func (p *project) path(below ...string) string {
	return filepath.Join(append([]string{p.dir, filepath.FromSlash(files.RootPath)}, below...)...)
}

// choosePrompt asks for the active decision whose title has the three rarest words.
func (p *project) choosePrompt(memories []schemas.Memory) {
	counts := map[string]int{}
	for _, m := range memories {
		for _, word := range append(strings.Fields(m.Title), m.Tags...) {
			counts[word]++
		}
	}
	fewest := 0
	for _, m := range memories {
		words := strings.Fields(m.Title)
		slices.SortFunc(words, func(a, b string) int { return counts[a] - counts[b] })
		words = words[:3]
		touched := counts[words[0]] + counts[words[1]] + counts[words[2]]
		if m.Category == schemas.Decision && m.RecordStatus == schemas.Active && (fewest == 0 || touched < fewest) {
			fewest, p.target = touched, m
			p.prompt = "please help with " + strings.Join(words, " and ")
		}
	}
}

// edit replaces the memory that the prompt asks for, as git and editors do: by renaming
// a new file over it.
func (p *project) edit() error {
	p.edits++
	m := p.target
	m.Title += fmt.Sprintf(" edited%d", p.edits)
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	path := p.path("decisions", m.ID+".json")
	if err := os.WriteFile(path+".tmp", data, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".tmp", path)
}

// chooseDraft takes a constraint. At 10,000 memories its category holds more than it may
// by default, so that each create also retires a memory; that of the prompt stays.
func (p *project) chooseDraft(memories []schemas.Memory) {
	for _, m := range memories {
		if m.Category == schemas.Constraint {
			p.draft = m
		}
	}
}

// removeCreated makes the next create one.
func (p *project) removeCreated() error {
	err := os.Remove(p.path("constraints", "bench.json"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// process is a program to run, and what it does when it works.
type process struct {
	command []string
	stdin   []byte
	event   map[string]any // of a hook, on its stdin; each run is a session of its own if it names none
	stdout  string         // part of what it prints; "" for anything
	env     []string       // besides that of the bed
	stderr  *string        // receives what it says there; nil for nowhere
}

// run runs a process in the bench's own folder, home and temporary folder.
func (b *bed) run(p process) (sample, error) {
	if p.event != nil {
		event := map[string]any{"session_id": b.newSession()}
		maps.Copy(event, p.event)
		var err error
		if p.stdin, err = json.Marshal(event); err != nil {
			return sample{}, err
		}
	}
	cmd := exec.CommandContext(b.ctx, p.command[0], p.command[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = b.dir, append(slices.Clip(b.env), p.env...), bytes.NewReader(p.stdin)
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	state := cmd.ProcessState
	if state == nil {
		return sample{}, err
	}
	if p.stderr != nil {
		*p.stderr = messages.String()
	}
	if state.ExitCode() != 0 || !strings.Contains(out.String(), p.stdout) {
		return sample{}, fmt.Errorf("%s: exit status %d, expected 0 and %q in %q\n%s",
			strings.Join(p.command, " "), state.ExitCode(), p.stdout, out.String(), messages.String())
	}
	return sample{cpu: milliseconds(state.UserTime() + state.SystemTime()), wall: milliseconds(wall),
		usage: state.SysUsage(), printed: out.String()}, nil
}

func (b *bed) newSession() string {
	b.sessions++
	return fmt.Sprintf("00000000-0000-4000-8000-%012d", b.sessions)
}

// afterTurn runs the stop hook of a session that it knows, after one more turn.
func (b *bed) afterTurn(stop process) func() (sample, error) {
	transcript := filepath.Join(b.dir, "grown.jsonl")
	turn := bytes.ReplaceAll(messages(4), []byte("2026-11-20"), []byte("2026-11-21"))
	return func() (sample, error) {
		stop.event["session_id"], stop.event["transcript_path"] = b.newSession(), transcript
		err := os.WriteFile(transcript, messages(200), 0o600)
		if err == nil {
			_, err = b.after(b.removeStopFlag, stop)()
		}
		if err = errors.Join(err, os.WriteFile(transcript, append(messages(200), turn...), 0o600)); err != nil {
			return sample{}, err
		}
		return b.after(b.removeStopFlag, stop)()
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

// buildOpen builds the yardstick.
func (b *bed) buildOpen() error {
	cmd := exec.CommandContext(b.ctx, "go", "build", "-o", b.open, "memctl/tools/bench/open")
	cmd.Stderr = os.Stderr
	return cmd.Run()
}

// connect starts an MCP server that runs until the bench ends.
func (b *bed) connect(project string) (*mcp.ClientSession, error) {
	command := exec.CommandContext(b.ctx, b.memctl, "mcp", "--root", project)
	command.Dir, command.Env, command.Stderr = b.dir, b.env, os.Stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	session, err := client.Connect(b.ctx, &mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		return nil, fmt.Errorf("start the MCP server: %w", err)
	}
	return session, nil
}

// search asks a running server. Only the elapsed time is known.
func (b *bed) search(s stores) func() (sample, error) {
	call := &mcp.CallToolParams{Name: "search", Arguments: map[string]any{"query": s.quiet.prompt}}
	return func() (sample, error) {
		start := time.Now()
		answer, err := s.server.CallTool(b.ctx, call)
		if err == nil && answer.IsError {
			err = fmt.Errorf("the search failed: %v", answer.Content)
		}
		return sample{wall: milliseconds(time.Since(start))}, err
	}
}

// messages makes a transcript of n messages: a correction, an answer with a decision, a tool
// that is used and its result, and so on.
func messages(n int) []byte {
	random, words := rand.New(rand.NewSource(seed)), storetest.Words()
	text := func(length int) string {
		list := make([]string, length)
		for i := range list {
			list[i] = words[random.Intn(len(words))]
		}
		return strings.Join(list, " ")
	}
	var out bytes.Buffer
	for i := range n {
		role, content := "user", fmt.Sprintf("%q", "No, never "+text(3)+", because "+text(3)+". "+text(12))
		switch i % 4 {
		case 1:
			answer := text(40) + "\nWe decided on " + text(3) + " because of " + text(3) + ".\n" + text(40)
			role, content = "assistant", fmt.Sprintf(`[{"type":"text","text":%q}]`, answer)
		case 2:
			role, content = "assistant", fmt.Sprintf(`[{"type":"tool_use","name":"Bash","input":{"command":%q}}]`,
				text(8))
		case 3:
			content = fmt.Sprintf(`[{"type":"tool_result","content":%q}]`, text(100))
		}
		fmt.Fprintf(&out,
			`{"type":%q,"message":{"role":%q,"content":%s},"isSidechain":false,"timestamp":"2026-11-20T15:23:01.961Z"}`+"\n", role, role, content)
	}
	return out.Bytes()
}
