// Command demo shows memctl's main job on real input: it makes a scratch project
// from testdata/stores/parcel, gives the prompt hook captured Claude Code events
// with the prompts of testdata/stores/prompts.txt, and prints what each prompt
// receives and how long it took. With -ui it shows the project in the browser instead,
// until Ctrl-C. It leaves nothing behind.
package main

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	memctl := flag.String("memctl", "bin/memctl", "the binary to show")
	testdata := flag.String("testdata", "testdata", "the project's testdata folder")
	ui := flag.Bool("ui", false, "show the project in the browser")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *memctl, *testdata, *ui)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, binary, testdata string, ui bool) error {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "memctl-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	project := filepath.Join(folder, "parcelhub")
	d := demo{ctx, binary, project, testdata}
	if err := d.prepare(); err != nil {
		return err
	}
	if ui {
		return d.browse()
	}
	return d.show()
}

type demo struct {
	ctx                       context.Context
	binary, project, testdata string
}

// command runs memctl in the scratch project, away from the user's settings.
func (d demo) command(stdin []byte, args ...string) (string, time.Duration, error) {
	cmd := exec.CommandContext(d.ctx, d.binary, args...)
	cmd.Dir = d.project
	cmd.Env = d.env()
	cmd.Stdin = bytes.NewReader(stdin)
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	start := time.Now()
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("memctl %s: %w\n%s", strings.Join(args, " "), err, messages.String())
	}
	return strings.TrimRight(out.String()+messages.String(), "\n"), time.Since(start), err
}

// env keeps memctl to the scratch project.
func (d demo) env() []string {
	return append(os.Environ(), "MEMCTL_ROOT=", "CLAUDE_PROJECT_DIR="+d.project,
		"XDG_STATE_HOME="+filepath.Join(d.project, ".state"))
}

// prepare makes the project; copying comes first, as in a fresh clone.
func (d demo) prepare() error {
	root := filepath.Join(d.project, ".claude", "memory")
	if err := os.CopyFS(root, os.DirFS(filepath.Join(d.testdata, "stores", "parcel"))); err != nil {
		return err
	}
	if err := d.makeRelatedFiles(root); err != nil {
		return err
	}
	if _, _, err := d.command(nil, "init"); err != nil {
		return err
	}
	event, err := d.event("SessionStart.json", "")
	if err != nil {
		return err
	}
	answer, took, err := d.hook(event, "session-start")
	if err != nil {
		return err
	}
	heading("A session starts in a fresh clone: the index is built")
	fmt.Printf("%s\n(%s)\n", answer.Person, milliseconds(took))
	return nil
}

// makeRelatedFiles makes the files that the memories name, so that none seems outdated.
func (d demo) makeRelatedFiles(root string) error {
	memories, err := filepath.Glob(filepath.Join(root, "*", "*.json"))
	for _, path := range memories {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var memory struct {
			RelatedFiles []string `json:"related_files"`
		}
		if json.Unmarshal(data, &memory) != nil {
			continue // one of them is broken, as a merge may leave it
		}
		for _, name := range memory.RelatedFiles {
			file := filepath.Join(d.project, filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, nil, 0o644)); err != nil {
				return err
			}
		}
	}
	return err
}

type answer struct {
	Person string `json:"systemMessage"`
	Agent  struct {
		Context string `json:"additionalContext"`
	} `json:"hookSpecificOutput"`
}

// hook runs a hook. If it has nothing to say, the person is shown why.
func (d demo) hook(event []byte, name string) (answer, time.Duration, error) {
	said, took, err := d.command(event, "hook", name)
	if err != nil {
		return answer{}, 0, err
	}
	var a answer
	if line, _, _ := strings.Cut(said, "\n"); json.Unmarshal([]byte(line), &a) != nil {
		a.Person = said
	}
	return a, took, nil
}

func (d demo) show() error {
	prompts, err := d.prompts()
	if err != nil {
		return err
	}
	for _, prompt := range prompts {
		received, took, err := d.ask(prompt)
		if err != nil {
			return err
		}
		heading(fmt.Sprintf("> %s (%s)", prompt, milliseconds(took)))
		for line := range strings.Lines(received.Agent.Context) {
			if !strings.HasPrefix(line, "<") { // the frame of the block
				fmt.Println(short(line))
			}
		}
		if received.Agent.Context == "" {
			fmt.Println("(nothing is relevant, so the agent receives nothing)")
		}
	}
	why, _, err := d.command(nil, "explain", "--left-out", "0", prompts[0])
	if err != nil {
		return err
	}
	heading("Why? memctl explain says it, here of the first prompt")
	fmt.Println(why)
	fmt.Println("\nThe scratch project is gone. In a project of yours: memctl setup")
	return nil
}

func (d demo) prompts() ([]string, error) {
	data, err := os.ReadFile(filepath.Join(d.testdata, "stores", "prompts.txt"))
	return strings.FieldsFunc(string(data), func(r rune) bool { return r == '\n' }), err
}

// ask gives the prompt hook a prompt, in a session of its own.
func (d demo) ask(prompt string) (answer, time.Duration, error) {
	event, err := d.event("UserPromptSubmit.json", prompt)
	if err != nil {
		return answer{}, 0, err
	}
	return d.hook(event, "user-prompt-submit")
}

// browse serves the project to the browser, with what tools did and what prompts received.
func (d demo) browse() error {
	observations := filepath.Join(d.project, ".claude", "memory", "observations")
	if err := os.CopyFS(observations, os.DirFS(filepath.Join(d.testdata, "stores", "observations"))); err != nil {
		return err
	}
	prompts, err := d.prompts()
	if err != nil {
		return err
	}
	for _, prompt := range prompts {
		if _, _, err := d.ask(prompt); err != nil {
			return err
		}
	}
	cmd := exec.Command(d.binary, "ui") // Ctrl-C reaches it too
	cmd.Dir, cmd.Env = d.project, d.env()
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// event is a captured event with the demo's folder and prompt in it.
func (d demo) event(name, prompt string) ([]byte, error) {
	captured, err := os.ReadFile(filepath.Join(d.testdata, "claude-code", name))
	if err != nil {
		return nil, err
	}
	var fields map[string]any
	if err := json.Unmarshal(captured, &fields); err != nil {
		return nil, err
	}
	fields["cwd"] = d.project
	if prompt != "" {
		fields["prompt"], fields["session_id"] = prompt, fmt.Sprintf("demo-%x", md5.Sum([]byte(prompt)))
	}
	return json.Marshal(fields)
}

func heading(text string) { fmt.Printf("\n%s\n", text) }

// short cuts a line at the width of a terminal.
func short(line string) string {
	runes := []rune(strings.TrimRight(line, "\n"))
	if len(runes) > 110 {
		return string(runes[:109]) + "…"
	}
	return string(runes)
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}
