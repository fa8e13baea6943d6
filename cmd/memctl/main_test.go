package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/features/doctor"
	"memctl/files/gate/gatetest"
	"memctl/files/systemtest"
	"memctl/files/trust"
	"memctl/hooks"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/urfave/cli/v2"
)

var update = flag.Bool("update", false, "rewrite the golden parts of the scripts with what was seen")

// The test binary is memctl when it is called by that name. It is on the PATH of the
// scripts and of every test that runs a process.
func TestMain(m *testing.M) {
	clients.Others = command.ClientsOf(features())
	testscript.Main(ownTemp{m}, map[string]func(){"memctl": mainOrKill})
}

// ownTemp runs the tests in a new temporary folder, because hooks leave a log there.
type ownTemp struct{ *testing.M }

func (m ownTemp) Run() int {
	dir, err := os.MkdirTemp("", "memctl-test")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o777|fs.ModeSticky); err != nil { // for tests that run as nobody
		panic(err)
	}
	os.Setenv("TMPDIR", dir)
	os.Setenv("TMP", dir) // Windows
	os.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	os.Setenv("MEMCTL_USER_ROOT", filepath.Join(dir, "user")) // there is none
	return m.M.Run()
}

// typedVariable has what a person types on the terminal, where a test has none.
const typedVariable = "MEMCTL_TEST_TYPED"

// typed is a terminal on which a person has typed; questions are on stderr.
type typed struct {
	io.Reader
	io.Writer
}

func (typed) Close() error { return nil }

// killAt is an environment variable with the step of a change at which memctl kills
// itself.
const killAt = "MEMCTL_TEST_KILL_AT"

func mainOrKill() {
	if words := os.Getenv(typedVariable); words != "" {
		command.Terminal = func() (io.ReadWriteCloser, error) { return typed{strings.NewReader(words + "\n"), os.Stderr}, nil }
	}
	if runtime.GOOS == "windows" {
		renameVariables()
	}
	if systemtest.IsWine() { // which is slow
		for i := range hooks.All {
			hooks.All[i].Deadline = 30 * time.Second
		}
	}
	if steps, err := strconv.Atoi(os.Getenv(killAt)); err == nil {
		command.WriteStep = func() {
			if steps--; steps == 0 {
				self, _ := os.FindProcess(os.Getpid())
				self.Kill()
				select {}
			}
		}
	}
	if n, err := strconv.Atoi(os.Getenv(failAt)); err == nil {
		gatetest.Fail(n, func(gatetest.Operation) {})
	}
	if os.Getenv(untried) != "" {
		doctor.Trials = nil
	}
	if os.Getenv(stuck) != "" {
		more = append(more, stuckCommand)
	}
	main()
}

// failAt has the number of the operation of gate that fails in a process.
const failAt = "MEMCTL_TEST_FAIL_AT"

// untried is an environment variable without which doctor tries the hooks and the server. Scripts about that empty it.
const untried = "MEMCTL_TEST_UNTRIED"

// stuck is an environment variable that gives memctl a command which never looks at its context.
const stuck = "MEMCTL_TEST_STUCK"

func stuckCommand(std command.Streams) *cli.Command {
	return &cli.Command{Name: "stuck", Action: func(*cli.Context) error {
		fmt.Fprintln(std.Out, "at work")
		select {}
	}}
}

// renameVariables gives Windows the folders that a script sets under the names of Unix.
func renameVariables() {
	for unix, windows := range map[string]string{"HOME": "USERPROFILE", "TMPDIR": "TMP"} {
		if folder, set := os.LookupEnv(unix); set {
			os.Setenv(windows, filepath.FromSlash(folder))
		}
	}
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Files:               scripts(t),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"cp-store": copyStore, "captured": captured, "transcript": transcript, "seen": seen, "answer": hookAnswerFiles},
		Condition: func(name string) (bool, error) {
			if name != "links" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return systemtest.HasLinks(), nil
		},
		Setup: func(env *testscript.Env) error {
			testdata, err := os.Getwd()
			env.Setenv("TESTDATA", testdata+"/../../testdata")
			env.Setenv("MEMCTL_ROOT", "")
			env.Setenv("HOME", filepath.Join(env.WorkDir, ".no-home")) // testscript's is shared by all tests
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, ".state"))
			env.Setenv("CLAUDE_PROJECT_DIR", "")
			env.Setenv(untried, "yes")
			env.Setenv("TMPDIR", filepath.ToSlash(env.WorkDir)+"/.tmp")   // testscript sets another variable on Windows
			env.Setenv("USERPROFILE", filepath.Join(env.WorkDir, "home")) // the home folder on Windows
			return err
		},
	})
}

// scripts are those of the core, and those that features have beside their code.
func scripts(t *testing.T) (files []string) {
	for _, folder := range []string{"testdata/script", "../../features/*/testdata/script"} {
		found, err := filepath.Glob(folder + "/*.txtar")
		if err != nil || len(found) == 0 {
			t.Fatal(folder, err)
		}
		files = append(files, found...)
	}
	return files
}

// copyStore copies testdata/stores/parcel to .claude/memory. It moves updates from 2026
// to 2024, so that no memory is recent, whenever the test runs.
func copyStore(ts *testscript.TestScript, neg bool, args []string) {
	root := ts.MkAbs(".claude/memory")
	store := os.DirFS(ts.Getenv("TESTDATA") + "/stores/parcel")
	ts.Check(fs.WalkDir(store, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return errors.Join(err, os.MkdirAll(filepath.Join(root, path), 0o755))
		}
		data, err := fs.ReadFile(store, path)
		if err != nil {
			return err
		}
		data = bytes.Replace(data, []byte(`"updated_at": "2026`), []byte(`"updated_at": "2024`), 1)
		return os.WriteFile(filepath.Join(root, path), data, 0o644)
	}))
}

// transcript adds a file's text to what a client keeps in the home folder, which $PROJECT in it stands
// for: transcript FILE PATH.
func transcript(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: transcript FILE PATH")
	}
	home := ts.Getenv("HOME")
	path := filepath.Join(home, filepath.FromSlash(args[1]))
	before, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	ts.Check(err)
	said := strings.ReplaceAll(ts.ReadFile(args[0]), "$PROJECT", filepath.ToSlash(home))
	ts.Check(os.WriteFile(path, append(before, said...), 0o600))
}

// seen makes the memories of the project count as seen, as the person's answer to memctl trust does: seen [FOLDER]...
func seen(ts *testscript.TestScript, neg bool, args []string) {
	for _, folder := range append(args, ".claude/memory") {
		ts.Check(markSeen(filepath.Join(ts.Getenv("XDG_STATE_HOME"), "memctl"), ts.MkAbs(folder)))
	}
}

// markSeen makes the memories of a root count as seen in a state folder.
func markSeen(state, root string) error {
	files, err := filepath.Glob(filepath.Join(root, "*", "*.json"))
	if err != nil {
		return err
	}
	var lines strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "\n%s", trust.Content(data))
	}
	if err := os.MkdirAll(state, 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(state, "seen-contents"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(lines.String())
	return errors.Join(err, file.Close())
}

// captured copies a file of testdata/claude-code as if the client had run in $WORK/home,
// the home of the project: captured NAME FILE [OLD NEW]...
func captured(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || len(args)%2 != 0 {
		ts.Fatalf("usage: captured NAME FILE [OLD NEW]...")
	}
	data, err := os.ReadFile(ts.Getenv("TESTDATA") + "/claude-code/" + args[0])
	ts.Check(err)
	for pair := range slices.Chunk(args[2:], 2) {
		if !strings.Contains(string(data), pair[0]) {
			ts.Fatalf("%s does not contain %s", args[0], pair[0])
		}
	}
	replaced := strings.NewReplacer(append([]string{"/home/dev", ts.Getenv("WORK") + "/home"}, args[2:]...)...).Replace(string(data))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(replaced), 0o600))
}

// program is memctl with all of its features, without streams.
func program() command.Streams { return command.Streams{}.With(features()) }
