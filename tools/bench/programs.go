package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"memctl/tools/bench/child"
)

// programs is all that the bench runs, and where.
type programs struct {
	memctl, memctlVersion   string
	sqlite3, sqlite3Version string
	floorEmpty, floorOpen   string
	runner                  *child.Runner
	temp                    string // the temporary folder, for the programs too
	transcripts             transcripts
	// Files of the program that runs: an empty one to read, and what it wrote last.
	stdin, stdout, stderr string
}

func startPrograms(ctx context.Context, dir, memctl string) (*programs, error) {
	p := &programs{
		temp:   dir,
		stdin:  filepath.Join(dir, "empty"),
		stdout: filepath.Join(dir, "stdout"),
		stderr: filepath.Join(dir, "stderr"),
	}
	if err := os.WriteFile(p.stdin, nil, 0o600); err != nil {
		return nil, err
	}
	if err := p.find(memctl); err != nil {
		return nil, err
	}
	server := filepath.Join(filepath.Dir(p.memctl), "memctl-mcp"+filepath.Ext(p.memctl))
	if err := p.useCopy(&server, "memctl-mcp"); err != nil { // memctl looks for it beside itself
		return nil, err
	}
	if err := p.useCopy(&p.memctl, "memctl"); err != nil {
		return nil, err
	}
	progress("building the floors")
	runner, err := p.buildAll(ctx)
	if err != nil {
		return nil, err
	}
	progress("making the transcripts")
	if p.transcripts, err = writeTranscripts(dir); err != nil {
		return nil, err
	}
	p.runner, err = child.Start(ctx, runner, dir, append(plainEnv(os.Environ()), "TMPDIR="+dir, "TMP="+dir))
	return p, err
}

// find looks for the programs that are there already.
func (p *programs) find(memctl string) (err error) {
	if p.memctl, err = filepath.Abs(memctl); err != nil {
		return err
	}
	if p.memctlVersion, err = versionOf(p.memctl); err != nil {
		return fmt.Errorf("%w (build it first, or name it with -memctl)", err)
	}
	if p.sqlite3, err = exec.LookPath("sqlite3"); err != nil {
		return err
	}
	p.sqlite3Version, err = versionOf(p.sqlite3)
	return err
}

func versionOf(program string) (string, error) {
	out, err := exec.Command(program, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("run %s --version: %w", program, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// buildAll builds the floors, and the runner whose path it returns.
func (p *programs) buildAll(ctx context.Context) (runner string, err error) {
	for name, path := range map[string]*string{"floor-empty": &p.floorEmpty, "floor-open": &p.floorOpen, "runner": &runner} {
		*path = filepath.Join(p.temp, name+".built")
		cmd := exec.CommandContext(ctx, "go", "build", "-o", *path, "memctl/tools/bench/"+name)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return "", fmt.Errorf("build %s: %w", name, err)
		}
		if err := p.useCopy(path, name); err != nil {
			return "", err
		}
	}
	return runner, nil
}

// useCopy has a copy of the program run instead. The linker's own file lies in memory in
// single pages, until it is read from the disk one day: a program of 10 MB starts
// a tenth slower from it.
func (p *programs) useCopy(path *string, name string) error {
	data, err := os.ReadFile(*path)
	if err != nil {
		return err
	}
	*path = filepath.Join(p.temp, name)
	if runtime.GOOS == "windows" {
		*path += ".exe"
	}
	return os.WriteFile(*path, data, 0o755)
}

// plainEnv leaves out what would point memctl at another root.
func plainEnv(env []string) []string {
	var plain []string
	for _, v := range env {
		if !strings.HasPrefix(v, "MEMCTL_") && !strings.HasPrefix(v, "CLAUDE_") {
			plain = append(plain, v)
		}
	}
	return plain
}

// run runs one program, which is to exit with 0.
func (p *programs) run(command []string, stdin string) (child.Result, error) {
	return p.runTo(0, command, stdin)
}

// runTo runs one program, which is to exit with that status.
func (p *programs) runTo(exit int, command []string, stdin string) (child.Result, error) {
	if stdin == "" {
		stdin = p.stdin
	}
	r, err := p.runner.Run(child.Job{Args: command, Stdin: stdin, Stdout: p.stdout, Stderr: p.stderr})
	if err == nil && r.Exit != exit {
		err = fmt.Errorf("exit status %d: %s", r.Exit, p.complaint())
	}
	if err != nil {
		return r, fmt.Errorf("run %s: %w", strings.Join(command[:min(3, len(command))], " "), err)
	}
	return r, nil
}

// complaint is what the last program wrote to stderr.
func (p *programs) complaint() string {
	text, _ := os.ReadFile(p.stderr)
	return strings.TrimSpace(string(text))
}
