package git

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"time"
)

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
