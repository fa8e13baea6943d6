// Package git runs the git program on repositories that strangers made: nothing that a
// repository configures is run, nothing is fetched, and time and output are limited. It
// reads logs, trees and blobs, and when memories changed. It writes nothing but the commits of CommitFiles.
package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"memctl/files/gate"
	"memctl/text"
)

const (
	// timeout limits each run.
	timeout = time.Minute
	// maxOutput limits what is read of a run, in bytes.
	maxOutput = 256 << 20
)

// Reasons for which there is nothing to ask git.
var (
	ErrNoProgram    = errors.New("the program git is not installed")
	ErrNoRepository = errors.New("there is no git repository here")
	ErrBare         = errors.New("a bare repository has no working tree, and so no memories: clone it")
	ErrNoCommits    = errors.New("the git repository has no commits yet")
)

// settings replace those by which a repository could run a program.
var settings = []string{
	"--no-pager",
	"-c", "core.fsmonitor=",
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "log.showSignature=false", // runs gpg.program
	"-c", "protocol.allow=never", // a partial clone would fetch what it lacks
	"-c", "safe.bareRepository=explicit", // a clone may have the files of one in any folder
}

// Command returns a command of git in a folder. It has no variable of the environment that
// begins with GIT_, because that may belong to the git that called memctl.
func Command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append(append([]string{}, settings...), args...)...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // git then removes its locks
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(strings.ToUpper(variable), "GIT_") {
			cmd.Env = append(cmd.Env, variable)
		}
	}
	cmd.Env = append(cmd.Env, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "LC_ALL=C")
	return cmd
}

// Error is a run of git that failed.
type Error struct {
	Command string // git's own, such as "log"
	Message string // the first line that git wrote to stderr, after warnings
	Status  int    // the exit status, -1 if a signal ended it
}

func (e *Error) Error() string { return fmt.Sprintf("git %s: %s", e.Command, e.Message) }

// Run runs git in a folder and returns what it prints.
func Run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return RunWith(ctx, dir, nil, args...)
}

// RunWith is Run with a stdin.
func RunWith(ctx context.Context, dir string, stdin io.Reader, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := Command(ctx, dir, args...)
	stdout, stderr := &limited{left: maxOutput}, &limited{left: 1 << 16}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	err := failure(ctx, args, stderr, cmd.Run())
	return stdout.Bytes(), err
}

// failure returns the error of a run that ended with err.
func failure(ctx context.Context, args []string, stderr *limited, err error) error {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, exec.ErrNotFound):
		return ErrNoProgram
	case ctx.Err() != nil:
		return fmt.Errorf("git %s: %w", commandOf(args), ctx.Err())
	case errors.As(err, &exit):
		line, more, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		for strings.HasPrefix(line, "warning: ") && more != "" {
			line, more, _ = strings.Cut(more, "\n")
		}
		return &Error{commandOf(args), text.Brief(strings.TrimPrefix(line, "fatal: ")), exit.ExitCode()}
	}
	return fmt.Errorf("git %s: %w", commandOf(args), err)
}

// commandOf is the command among the arguments of git.
func commandOf(args []string) string {
	for len(args) > 2 && strings.HasPrefix(args[0], "-") {
		if args[0] == "-c" {
			args = args[1:]
		}
		args = args[1:]
	}
	return args[0]
}

// limited is a buffer that refuses more than a number of bytes.
type limited struct {
	bytes.Buffer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, errors.New("git prints too much")
	}
	return l.Buffer.Write(p)
}

// InRepository reports whether a folder is in a repository, as far as can be seen without
// starting git.
func InRepository(dir string) bool {
	dir, err := filepath.EvalSymlinks(dir)
	for top := ""; err == nil && top != dir; dir = filepath.Dir(dir) {
		if _, err := gate.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		top = dir
	}
	return false
}

// CheckWorkTree returns an error unless a folder lies in a git working tree. The error
// says why.
func CheckWorkTree(ctx context.Context, dir string) error {
	out, err := Run(ctx, dir, "rev-parse", "--is-bare-repository", "--is-inside-work-tree")
	var failed *Error
	switch {
	case errors.As(err, &failed) && strings.Contains(failed.Message, "not a git repository"):
		return ErrNoRepository
	case errors.As(err, &failed) && strings.Contains(failed.Message, "safe.bareRepository"):
		return ErrBare
	case err != nil:
		return err
	}
	bare, inside, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	switch {
	case inside == "true":
		return nil
	case bare == "true":
		return ErrBare
	}
	return ErrNoRepository
}

// CheckCommits is CheckWorkTree that also wants a commit.
func CheckCommits(ctx context.Context, dir string) error {
	if err := CheckWorkTree(ctx, dir); err != nil {
		return err
	}
	if Head(ctx, dir) == "" {
		return ErrNoCommits
	}
	return nil
}

// Setting returns a setting of a repository's own configuration.
func Setting(ctx context.Context, dir, key string) (value string, found bool, err error) {
	out, err := Run(ctx, dir, "config", "--local", "--get", key)
	if failed := new(Error); errors.As(err, &failed) && failed.Status == 1 {
		return "", false, nil
	}
	return strings.TrimSuffix(string(out), "\n"), err == nil, err
}

// Prefix returns the path of a folder in its working tree, "" or with a slash at its
// end.
func Prefix(ctx context.Context, dir string) (string, error) {
	out, err := Run(ctx, dir, "rev-parse", "--show-prefix")
	return strings.TrimSuffix(string(out), "\n"), err
}

// maxField limits the length of one string of fields, in bytes.
const maxField = 8 << 20

// fields runs git for a limited time and calls use with the strings of its output, each
// ended by a NUL, while git runs. If use does not take all of them, git is stopped.
func fields(ctx context.Context, dir string, stdin io.Reader, limit time.Duration, use func(iter.Seq[string]) error,
	args ...string) error {
	return stream(ctx, dir, stdin, limit, splitNUL, func(fields iter.Seq[[]byte]) error {
		return use(func(yield func(string) bool) {
			for field := range fields {
				if !yield(string(field)) {
					return
				}
			}
		})
	}, args...)
}

// stream runs git for a limited time and calls use with the parts of its output, each valid until the next.
func stream(ctx context.Context, dir string, stdin io.Reader, limit time.Duration, split bufio.SplitFunc,
	use func(iter.Seq[[]byte]) error, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := Command(ctx, dir, args...)
	stderr := &limited{left: 1 << 16}
	cmd.Stdin, cmd.Stderr = stdin, stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return failure(ctx, args, stderr, err)
	}
	parts := bufio.NewScanner(out)
	parts.Buffer(nil, maxField)
	parts.Split(split)
	all := true
	err = use(func(yield func([]byte) bool) {
		for parts.Scan() {
			if !yield(parts.Bytes()) {
				all = false
				return
			}
		}
	})
	if err == nil && ctx.Err() == nil {
		err = parts.Err()
	}
	if err != nil || !all {
		cancel()
		_ = cmd.Wait() // it was stopped
		return err
	}
	return failure(ctx, args, stderr, cmd.Wait())
}

// splitNUL is a bufio.SplitFunc.
func splitNUL(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// credentialTimeout limits how long a credential helper may take.
const credentialTimeout = 10 * time.Second

// Password asks the credential helpers of the user's git configuration for the password of
// a user at a host. It returns "" if they have none. No repository's configuration is read,
// and nothing asks a person.
func Password(ctx context.Context, protocol, host, user string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, credentialTimeout)
	defer cancel()
	args := []string{"-c", "core.askPass=", "-c", "credential.interactive=false", "credential", "fill"}
	cmd := Command(ctx, "", args...)
	cmd.Env = append(cmd.Env, "GIT_DIR="+os.DevNull, "GCM_INTERACTIVE=never") // of no repository
	cmd.Stdin = strings.NewReader("protocol=" + protocol + "\nhost=" + host + "\nusername=" + user + "\n\n")
	stdout, stderr := &limited{left: 1 << 16}, &limited{left: 1 << 16}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if err := cmd.Run(); err != nil {
		if _, ended := err.(*exec.ExitError); ended && ctx.Err() == nil {
			return "", nil // it would ask now
		}
		return "", failure(ctx, args, stderr, err)
	}
	for line := range strings.Lines(stdout.String()) {
		if password, found := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "password="); found {
			return password, nil
		}
	}
	return "", nil
}
