//go:build attack && linux

package attack

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"memctl/files/systemtest"
)

// The matrix has something else in the place of each file and folder that memctl reads or
// writes, and runs what reads and writes it. Nothing outside of the project, the state folder
// and the user's root may change, nothing may hang, and no text of another program may be taken
// for memctl's or be lost.

// entry is a file of the matrix, or a folder.
type entry struct {
	path     string // below the folder of the combination
	isFolder bool
	lines    [][]string // the command lines that read or write it
	derived  bool       // memctl makes it again: what another program writes there may go
}

// foreign is in every text that is not memctl's.
const foreign = "zebra"

// foreignText could be a memory, settings and rules.
const foreignText = `{"title": "Kafka ` + foreign + `", "tags": ["kafka"], "mcpServers": {"x": {"command": "` + foreign + `"}}}`

// kinds are what stands in the place of an entry.
var kinds = []struct {
	name string
	put  func(m *combination, path string, isFolder bool) error
}{
	{"a link out", func(m *combination, path string, isFolder bool) error {
		return os.Symlink(m.in("outside", pick(isFolder, "folder", "file")), path)
	}},
	{"a link to the user's folder", func(m *combination, path string, isFolder bool) error {
		return os.Symlink(m.in("home", pick(isFolder, "private", "private/notes")), path)
	}},
	{"a dangling link out", func(m *combination, path string, _ bool) error {
		return os.Symlink(m.in("outside", "new"), path)
	}},
	{"a link to a device", func(_ *combination, path string, _ bool) error { return os.Symlink("/dev/zero", path) }},
	{"a pipe", func(_ *combination, path string, _ bool) error { return syscall.Mkfifo(path, 0o666) }},
	{"a folder or a file", func(_ *combination, path string, isFolder bool) error {
		if isFolder {
			return os.WriteFile(path, []byte(foreignText), 0o644)
		}
		return errors.Join(os.Mkdir(path, 0o755), os.WriteFile(filepath.Join(path, foreign), []byte(foreign), 0o644))
	}},
	{"foreign content", func(_ *combination, path string, isFolder bool) error {
		if isFolder {
			return errors.Join(os.Mkdir(path, 0o755), os.WriteFile(filepath.Join(path, foreign), []byte(foreign), 0o644))
		}
		return os.WriteFile(path, []byte(foreign+" of another program\n"), 0o644)
	}},
	{"unreadable", func(_ *combination, path string, isFolder bool) error {
		if isFolder {
			return os.Mkdir(path, 0)
		}
		return os.WriteFile(path, []byte(foreignText), 0)
	}},
	{"huge", func(_ *combination, path string, isFolder bool) error {
		if isFolder {
			if err := os.Mkdir(path, 0o755); err != nil {
				return err
			}
			path = filepath.Join(path, "huge.json")
		}
		return errors.Join(os.WriteFile(path, nil, 0o644), os.Truncate(path, 1<<40))
	}},
}

func pick(isFolder bool, folder, file string) string {
	if isFolder {
		return folder
	}
	return file
}

// entries lists the matrix.
func entries() (list []entry) {
	root := [][]string{
		{"hook", "session-start"}, {"hook", "post-tool-use"}, {"hook", "stop"},
		{"create", "--category", "decision", "--target", "decisions/new.json", "--input", "-"}, {"hook", "user-prompt-submit"},
	}
	add := func(isFolder, derived bool, lines [][]string, paths ...string) {
		for _, path := range paths {
			list = append(list, entry{path, isFolder, lines, derived})
		}
	}
	const memory = "work/.claude/memory/"
	folders := []string{"decisions", "sessions", "runbooks", "constraints", "tech-debt", "preferences", "observations"}
	add(true, false, root, "work/.claude", "work/.claude/memory")
	for _, folder := range folders {
		add(true, false, root, memory+folder)
	}
	for _, folder := range folders[:6] {
		add(false, false, root, memory+folder+"/kafka.json")
		add(false, true, root, memory+folder+"/.memctl-write.tmp")
	}
	add(false, false, append(root, []string{"config", "set", "retrieval.max_inject", "4"}), memory+"memory-config.json")
	add(false, false, root, memory+"synonyms.txt", memory+"observations/5b2b1f0e-0000-4000-8000-000000000001.jsonl",
		memory+"observations/.gitignore", memory+"decisions/kafka.conflict")
	add(false, true, root, "work/.claude/.stop_hook_active")
	add(false, false, append(root, []string{"reindex"}), memory+"index.db")
	for _, suffix := range []string{"-wal", "-shm", "-journal", ".lock", ".write.lock", ".build.lock", ".new"} {
		add(false, true, append(root, []string{"reindex"}), memory+"index.db"+suffix)
	}
	git := [][]string{{"install", "--git"}, {"install", "--git", "--dry-run"}, {"uninstall", "--git"}}
	add(false, false, git, memory+".gitattributes", memory+".gitignore")
	for client, files := range map[string][]string{
		"claude-code": {".claude/settings.json", ".mcp.json", ".claude/settings.local.json"},
		"codex":       {".codex/hooks.json", ".codex/config.toml"},
		"gemini":      {".gemini/settings.json"},
		"qwen":        {".qwen/settings.json"},
		"opencode":    {".opencode/plugin/memctl.js", "opencode.json"},
		"copilot":     {".github/hooks/memctl.json", ".mcp.json"},
	} {
		for _, file := range files {
			scope := []string{"--client", client, "--scope", "project"}
			if strings.Contains(file, "local") {
				scope[3] = "local"
			}
			lines := [][]string{
				append([]string{"install", "--mcp"}, scope...), append([]string{"uninstall"}, scope...),
			}
			add(false, false, lines, "work/"+file)
			if folder := filepath.Dir(file); folder != "." && folder != ".claude" {
				add(true, false, lines, "work/"+folder)
			}
		}
	}
	export := [][]string{
		{"export", "claude-md"}, {"export", "markdown", "--output", "notes"}, {"import", "markdown", "notes", "--dry-run"},
	}
	add(false, false, export, "work/AGENTS.md", "work/CLAUDE.md", "work/notes/index.md", "work/notes/decisions/kafka.md")
	add(true, false, export, "work/notes", "work/notes/decisions")
	state := append([][]string{{"search", "--all", "kafka"}, {"install", "--mcp"}}, root...)
	add(false, true, state, "state/memctl/known-roots", "state/memctl/roots.json", "state/memctl/catalogue.db",
		"state/memctl/injections.jsonl", "state/memctl/news")
	add(true, true, state, "state/memctl")
	return list
}

// combination is an entry and what stands in its place.
type combination struct {
	entry
	kind int
	dir  string
}

func (m *combination) String() string { return m.path + " is " + kinds[m.kind].name }

func (m *combination) in(names ...string) string {
	return filepath.Join(m.dir, filepath.Join(names...))
}

// build makes a project, a home and what lies outside.
func (m *combination) build() error {
	const memory = "work/.claude/memory/"
	files := map[string]string{
		"outside/file": foreignText, "outside/folder/decisions/" + foreign + ".json": foreignText,
		"outside/folder/memory/decisions/" + foreign + ".json": foreignText, "outside/folder/index.db": foreign,
		"outside/folder/settings.json": foreignText, "outside/folder/hooks.json": foreignText,
		"home/private/notes": foreignText, "home/private/decisions/" + foreign + ".json": foreignText,
		memory + "memory-config.json": `{"observations": {"enabled": true}, "privacy": {"excludePatterns": []}}`,
		"work/.git/HEAD":              "ref: refs/heads/main\n", "work/.git/config": "[core]\n\trepositoryformatversion = 0\n",
		"work/.git/refs/heads/.keep": "", "work/.git/objects/.keep": "", "tmp/.keep": "", "state/.keep": "",
	}
	for folder, category := range map[string]string{"decisions": "decision"} {
		files[memory+folder+"/other.json"] = strings.ReplaceAll(
			memoryOf(category, "other", "Kafka keeps events for 14 days"), "\n", "")
	}
	for name, data := range files {
		if err := errors.Join(os.MkdirAll(filepath.Dir(m.in(name)), 0o755), os.WriteFile(m.in(name), []byte(data), 0o644)); err != nil {
			return err
		}
	}
	path := m.in(m.path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.RemoveAll(path)); err != nil {
		return err
	}
	if err := kinds[m.kind].put(m, path, m.isFolder); err != nil {
		return err
	}
	return filepath.WalkDir(m.dir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, nobody, nobody))
	})
}

func memoryOf(category, id, title string) string { return memory(category, id, title, "kafka") }

// nobody runs the commands of the matrix: root reads what is unreadable.
const nobody = 65534

// limit is how long a command may take on a loaded machine.
const limit = 20 * time.Second

// stdin is what each command gets: an event for every hook, and a draft.
func (m *combination) stdin(line []string) string {
	if line[0] == "create" {
		return `{"title": "Kafka has brokers", "tags": ["kafka"], "content": {"status": "accepted", "context": "c", "decision": "d", "rationale": ["r"]}}`
	}
	return fmt.Sprintf(`{"session_id": "5b2b1f0e-0000-4000-8000-000000000001", "cwd": %q, "prompt": "how long does kafka keep events?",
		"source": "startup", "tool_name": "Bash", "tool_input": {"command": "make"}, "tool_response": {"stdout": "all tests pass"},
		"last_assistant_message": "We decided to keep Kafka because it is simple. We chose it over NATS."}`, m.in("work"))
}

// run runs a command line of the entry and checks how it ends.
func (m *combination) run(memctl string, line []string) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, memctl, line...)
	cmd.Dir = m.in("work")
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + m.in("home"), "TMPDIR=" + m.in("tmp"), "XDG_STATE_HOME=" + m.in("state"),
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	cmd.Stdin = strings.NewReader(m.stdin(line))
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	err := cmd.Run()
	isHook := line[0] == "hook"
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("memctl %v hangs", line)
	case isHook && err != nil, cmd.ProcessState.ExitCode() == 2: // wrong usage
		return fmt.Errorf("memctl %v: %w: %s", line, err, messages.String())
	case err != nil && !errors.As(err, new(*exec.ExitError)), strings.Contains(messages.String(), "panic"):
		return fmt.Errorf("memctl %v: %w: %s", line, err, messages.String())
	case isHook && strings.Contains(out.String(), foreign), m.isLink() && strings.Contains(out.String(), foreign):
		return fmt.Errorf("memctl %v shows foreign text: %.500s", line, out.String())
	}
	return nil
}

func (m *combination) isLink() bool { return strings.Contains(kinds[m.kind].name, "link") }

// check builds the combination, runs its commands and compares what they must not change.
func (m *combination) check(memctl string) error {
	if err := m.build(); err != nil {
		return err
	}
	before, foreignBefore := m.outside(), m.countForeign()
	var problems []error
	for _, line := range m.lines {
		problems = append(problems, m.run(memctl, line))
		if after := m.outside(); !maps.Equal(before, after) {
			problems = append(problems, fmt.Errorf("after memctl %v, outside was\n%v\nand is\n%v", line, before, after))
			before = after
		}
	}
	if after := m.countForeign(); !m.derived && after < foreignBefore {
		problems = append(problems, fmt.Errorf("foreign text is lost: %d files had it, %d have it", foreignBefore, after))
	}
	return errors.Join(problems...)
}

// outside describes every file that memctl must leave as it is.
func (m *combination) outside() map[string]string {
	files := map[string]string{}
	for _, top := range []string{"outside", "home", "work/.git"} {
		_ = filepath.WalkDir(m.in(top), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || path == m.in("home", ".claude", "memory") || entry.IsDir() {
				return err
			}
			data, _ := os.ReadFile(path)
			if path == m.in("work/.git/config") && slices.Contains(m.lines[0], "--git") {
				return nil
			}
			files[path] = fmt.Sprintf("%v %x", entry.Type(), sha256.Sum256(data))
			return nil
		})
	}
	return files
}

// countForeign counts the files of the project and of the state folder with foreign text.
func (m *combination) countForeign() (n int) {
	for _, top := range []string{"work", "state"} {
		_ = filepath.WalkDir(m.in(top), func(path string, entry fs.DirEntry, err error) error {
			info, infoErr := os.Lstat(path)
			if err != nil || infoErr != nil || !info.Mode().IsRegular() || info.Size() > 1<<30 {
				return nil
			}
			if data, _ := os.ReadFile(path); bytes.Contains(data, []byte(foreign)) {
				n++
			}
			return nil
		})
	}
	return n
}

// The settings of a person may be links to dotfiles, in a folder of any place: they are changed
// there, and the links stay.
func TestOwnLinks(t *testing.T) {
	memctl, err := filepath.Abs(os.Getenv("MEMCTL"))
	if err != nil {
		t.Fatal(err)
	}
	for client, file := range map[string]string{
		"claude-code": ".claude/settings.json", "codex": ".codex/hooks.json", "gemini": ".gemini/settings.json",
		"qwen": ".qwen/settings.json", "opencode": ".config/opencode/opencode.json", "copilot": ".copilot/mcp-config.json",
	} {
		p, err := newProject(t.Context(), memctl, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		link, target := filepath.Join(p.dir, "home", file), filepath.Join(p.dir, "dotfiles", client)
		err = errors.Join(os.MkdirAll(filepath.Dir(link), 0o755), os.Mkdir(filepath.Dir(target), 0o755),
			os.WriteFile(target, []byte("{}\n"), 0o644), os.Symlink(target, link))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{"install --mcp --scope user", "uninstall --scope user"} {
			if r := p.run(nil, append(strings.Fields(line), "--client", client)...); r.err != nil {
				t.Errorf("%s: %v", client, r.err)
			}
			data, _ := os.ReadFile(target)
			if installed := bytes.Contains(data, []byte("memctl")); installed != strings.HasPrefix(line, "install") {
				t.Errorf("%s: after %s the dotfile is %s", client, line, data)
			}
			if info, err := os.Lstat(link); err != nil || info.Mode().Type() != fs.ModeSymlink {
				t.Errorf("%s: the link has gone: %v", client, err)
			}
		}
	}
}

// TestMatrix runs every combination, a few at a time.
func TestMatrix(t *testing.T) {
	folder, err := os.MkdirTemp("", "memctl-matrix-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	program, err := os.ReadFile(os.Getenv("MEMCTL"))
	if err == nil {
		err = os.Chmod(folder, 0o755)
	}
	if err != nil {
		t.Fatalf("MEMCTL names no binary; make attack sets it: %v", err)
	}
	systemtest.WriteProgram(t, filepath.Join(folder, "memctl"), string(program))
	var all []*combination
	for _, e := range entries() {
		for kind := range kinds {
			all = append(all, &combination{e, kind, filepath.Join(folder, fmt.Sprint(len(all)))})
		}
	}
	if len(all) < 500 {
		t.Errorf("%d combinations", len(all))
	}
	start := time.Now()
	work := make(chan *combination)
	var running sync.WaitGroup
	for range 2 * runtime.NumCPU() {
		running.Go(func() {
			for m := range work {
				if err := m.check(filepath.Join(folder, "memctl")); err != nil {
					t.Errorf("%s: %v", m, err)
				}
				os.RemoveAll(m.dir)
			}
		})
	}
	for m := range slices.Values(all) {
		work <- m
	}
	close(work)
	running.Wait()
	t.Logf("%d combinations in %v", len(all), time.Since(start).Round(time.Second))
}
