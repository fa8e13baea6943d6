package doctor

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/files/gate"
	"memctl/text"
)

// trial is a run of this program in a project made for it.
type trial struct {
	name   string   // the command
	exit   int      // the expected exit status
	want   []string // texts that its output has to contain
	effect string   // what the program did if it does
}

// Trials are the hooks in the order of a session, and the MCP server: most of doctor's time. Tests may empty it.
var Trials = []trial{
	{"hook session-start", 0, []string{"built its memory index"}, "built the index"},
	{"hook user-prompt-submit", 0, []string{"<memory-context", "decisions/trial-queue.json"}, "injected a memory"},
	{"hook pre-tool-use", 0, []string{`"hookEventName":"PreToolUse"`, `"permissionDecision":"deny"`},
		"denied a write"},
	{"hook post-tool-use", 0, []string{`"decision":"block"`, "half.json.invalid"}, "set an invalid memory aside"},
	{"hook stop", 0, []string{`"hookEventName":"Stop"`, "anything come up that the next session", "never delete a " +
		"topic"},
		"asked to save something"},
	{"memctl mcp", 0, []string{`"serverInfo"`, `"name":"search"`, `"name":"timeline"`, `"name":"get"`,
		`"name":"save"`},
		"answered with the tools search, timeline, get, save"},
}

// trialFiles has the input of each trial, and the files of the project. PROJECT stands
// for the project's path.
//
//go:embed trial
var trialFiles embed.FS

// trialTimeout limits a trial. The client's limit is the same.
const trialTimeout = 10 * time.Second

// checkTrials runs every hook and the server of this program once.
func (e *examination) checkTrials(ctx context.Context) {
	home, remove, err := gate.MakeTemp("memctl-doctor-")
	if err == nil {
		defer remove()
		err = makeTrialProject(home)
	}
	if err != nil {
		e.Fail("trial", "make "+os.TempDir()+" writable, or set TMPDIR", "nothing can be tried: %v", err)
		return
	}
	for _, t := range Trials {
		start := time.Now()
		if err := t.run(ctx, e.self, home); err != nil {
			e.Fail(t.name, "reinstall memctl; if that does not help, report this line", "%v", err)
			if t.name == "hook "+promptHook {
				e.cutOff()
			}
		} else {
			e.OK(t.name, "%s (%d ms)", t.effect, time.Since(start).Milliseconds())
		}
	}
}

// The project is in the home folder because transcripts are read only there.
func trialProject(home string) string { return filepath.Join(home, "project") }
func trialTemp(home string) string    { return filepath.Join(home, "tmp") }

func makeTrialProject(home string) error {
	project := trialProject(home)
	decisions := filepath.Join(project, filepath.FromSlash(files.RootPath), "decisions")
	err := errors.Join(gate.MakeFolder(decisions, 0o755), gate.MakeFolder(trialTemp(home), 0o700))
	for name, target := range map[string]string{
		"memory.json":      filepath.Join(decisions, "trial-queue.json"),
		"half.json":        filepath.Join(decisions, "half.json"),
		"transcript.jsonl": filepath.Join(project, "transcript.jsonl"),
	} {
		data, readErr := trialFiles.ReadFile("trial/" + name)
		err = errors.Join(err, readErr, gate.WriteNew(target, data, 0o600))
	}
	return err
}

// run runs the trial and checks what the program does.
func (t trial) run(ctx context.Context, program, home string) error {
	args := strings.Fields(strings.TrimPrefix(t.name, "memctl "))
	input, err := trialFiles.ReadFile("trial/" + args[len(args)-1] + ".jsonl")
	if err != nil {
		return err
	}
	project, err := json.Marshal(trialProject(home))
	if err != nil {
		return err
	}
	input = bytes.ReplaceAll(input, []byte("PROJECT"), bytes.Trim(project, `"`))
	ctx, cancel := context.WithTimeout(ctx, trialTimeout)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = trialProject(home), trialEnvironment(home), time.Second
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &out, &out
	if err = cmd.Run(); ctx.Err() != nil {
		return fmt.Errorf("it did not end within %v", trialTimeout)
	}
	if exited := new(exec.ExitError); err == nil || errors.As(err, &exited) {
		err = t.check(cmd.ProcessState.ExitCode(), out.String())
	}
	if err != nil && out.Len() > 0 {
		return fmt.Errorf("%w; it said: %s", err, text.Brief(out.String()))
	}
	return err
}

func (t trial) check(exit int, out string) error {
	if exit != t.exit {
		return fmt.Errorf("exit status %d, expected %d", exit, t.exit)
	}
	for _, want := range t.want {
		if !strings.Contains(out, want) {
			return fmt.Errorf("expected %q in its output", want)
		}
	}
	return nil
}

// trialEnvironment is that of this process, with the variables that hooks read replaced:
// trials neither read nor write files of the user.
func trialEnvironment(home string) []string {
	env := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "MEMCTL_") || strings.HasPrefix(variable, "CLAUDE_")
	})
	temp := trialTemp(home)
	return append(env, "CLAUDE_PROJECT_DIR="+trialProject(home), "HOME="+home, "USERPROFILE="+home, "XDG_STATE_HOME=",
		"LOCALAPPDATA=", "TMPDIR="+temp, "TMP="+temp, "TEMP="+temp)
}
