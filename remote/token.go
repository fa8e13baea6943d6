package remote

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"memctl/git"
)

const (
	// tokenVariable is an environment variable with the token for a hub.
	tokenVariable = "MEMCTL_HUB_TOKEN"
	// credentialUser is the user under whose name git's helpers keep the token.
	credentialUser = "memctl"
)

// Connect returns a client of the hub at an address, with the user's token for it.
func Connect(ctx context.Context, address *url.URL, version string) (*Client, error) {
	token, err := findToken(ctx, address)
	if err != nil {
		return nil, err
	}
	return NewClient(address, token, version), nil
}

// findToken returns the token in the environment, else the one that git's credential helpers
// keep for the hub.
func findToken(ctx context.Context, address *url.URL) (string, error) {
	token := strings.TrimSpace(os.Getenv(tokenVariable))
	if token == "" {
		var err error
		token, err = git.Password(ctx, address.Scheme, address.Host, credentialUser)
		if err != nil && !errors.Is(err, git.ErrNoProgram) {
			return "", fmt.Errorf("the token for the hub %s: %w", address.Host, err)
		}
	}
	if token == "" {
		return "", &noToken{address}
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("the token for the hub %s is none: it has a space or a character that no token has",
			address.Host)
	}
	return token, nil
}

// noToken is the error for a hub that the user has no token for.
type noToken struct{ address *url.URL }

func (n *noToken) Error() string { return "there is no token for the hub " + n.address.Host }

// Hint says how to give one.
func (n *noToken) Hint() string {
	return fmt.Sprintf(`set %s, or store the token with git: printf 'url=%s://%s\nusername=%s\npassword=TOKEN\n' | git credential approve`,
		tokenVariable, n.address.Scheme, n.address.Host, credentialUser)
}
