package child

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// Runner is a running runner process.
type Runner struct {
	cmd     *exec.Cmd
	in      io.Closer
	jobs    *json.Encoder
	results *json.Decoder
}

// Start starts the runner program at path. Its working folder and environment
// are those of the programs it will run.
func Start(ctx context.Context, path, dir string, env []string) (*Runner, error) {
	cmd := exec.CommandContext(ctx, path)
	cmd.Dir, cmd.Env, cmd.Stderr = dir, env, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the runner: %w", err)
	}
	return &Runner{cmd, in, json.NewEncoder(in), json.NewDecoder(out)}, nil
}

// Run runs one job. A program that fails is no error: see Result.Exit.
func (r *Runner) Run(job Job) (Result, error) {
	if err := r.jobs.Encode(job); err != nil {
		return Result{}, fmt.Errorf("ask the runner: %w", err)
	}
	var result Result
	if err := r.results.Decode(&result); err != nil {
		return result, fmt.Errorf("hear from the runner: %w", err)
	}
	if result.Problem != "" {
		return result, errors.New(result.Problem)
	}
	return result, nil
}

// Close ends the runner.
func (r *Runner) Close() error {
	return errors.Join(r.in.Close(), r.cmd.Wait())
}
