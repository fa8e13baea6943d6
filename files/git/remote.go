package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"memctl/text"
)

// onlineTimeout limits a run that asks another machine.
const onlineTimeout = 10 * time.Minute

// online are the settings of such a run: of all protocols those that carry memories, no object that is malformed, and
// nothing in the background. No program that a file of a repository names is run.
var online = []string{
	"-c", "protocol.https.allow=always", "-c", "protocol.http.allow=always", "-c", "protocol.ssh.allow=always",
	"-c", "protocol.file.allow=always", "-c", "protocol.ext.allow=never",
	"-c", "fetch.fsckObjects=true", "-c", "fetch.recurseSubmodules=false", "-c", "push.recurseSubmodules=no",
	"-c", "push.gpgSign=false", "-c", "push.followTags=false",
	"-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=30",
	"-c", "gc.autoDetach=false", "-c", "maintenance.autoDetach=false",
}

// ErrUnreachable means that a remote did not answer.
var ErrUnreachable = errors.New("the remote cannot be reached")

// Online is Run for a command that asks a remote of a repository that is the user's own. The error is ErrUnreachable if
// there is no connection, else it has the last line that says something.
func Online(ctx context.Context, dir string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, onlineTimeout)
	defer cancel()
	cmd := Command(ctx, dir, slices.Concat(online, args)...)
	for _, variable := range os.Environ() { // how the user reaches a server
		if strings.HasPrefix(variable, "GIT_SSH") || strings.HasPrefix(variable, "GIT_SSL_") {
			cmd.Env = append(cmd.Env, variable)
		}
	}
	stdout, stderr := &limited{left: maxOutput}, &limited{left: 1 << 20}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err := failure(ctx, args, stderr, cmd.Run())
	failed := new(Error)
	if !errors.As(err, &failed) {
		return stdout.Bytes(), err
	}
	failed.Message = lastLine(stderr.Bytes())
	lower := strings.ToLower(stderr.String())
	if slices.ContainsFunc(unreachable, func(sign string) bool { return strings.Contains(lower, sign) }) {
		return stdout.Bytes(), fmt.Errorf("%w: %s", ErrUnreachable, failed.Message)
	}
	return stdout.Bytes(), failed
}

// unreachable are signs in the words of git, ssh and curl that there was no connection.
var unreachable = []string{"could not resolve", "name or service not known", "temporary failure in name resolution",
	"connection refused", "connection timed out", "operation timed out", "network is unreachable", "no route to host",
	"failed to connect", "couldn't connect", "connection reset", "timeout was reached", "network is down"}

// advice begins lines at the end of an error of git's or ssh's, whose cause is in a line before.
var advice = []string{"please make sure you have the correct access rights", "and the repository exists.",
	"fatal: could not read from remote repository.", "hint:", "warning:"}

// lastLine returns the last line of an error that says something.
func lastLine(stderr []byte) (last string) {
	for line := range bytes.Lines(stderr) {
		said := strings.TrimSpace(string(line))
		lower := strings.ToLower(said)
		isAdvice := slices.ContainsFunc(advice, func(a string) bool { return strings.HasPrefix(lower, a) })
		if said != "" && (!isAdvice || last == "") {
			last = said
		}
	}
	return text.Brief(strings.TrimPrefix(strings.TrimPrefix(last, "fatal: "), "error: "))
}

// CheckRemote returns an error for an address that git must not get: an option, another program's, or one with a
// password, which would stay in a file.
func CheckRemote(address string) error {
	parsed, err := url.Parse(address)
	program, _, isHelper := strings.Cut(address, "::")
	switch {
	case address == "" || strings.HasPrefix(address, "-") || text.Printable(address) != address:
		return errors.New("expected the address of a git repository, as for git clone")
	case isHelper && !strings.ContainsAny(program, "/["):
		return errors.New("only https, ssh and local folders are supported")
	case err == nil && parsed.User != nil:
		if _, has := parsed.User.Password(); has {
			return text.WithHint(errors.New("the address contains a password, which git would store in plain text"),
				"leave it out; git asks its credential helper")
		}
	}
	return nil
}
