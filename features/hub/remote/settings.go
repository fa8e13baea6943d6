package remote

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"memctl/files"
	"memctl/files/git"
	"memctl/schemas"
	"memctl/text"
)

// Settings say which hub the user asks. They are those of the user's own configuration.
type Settings struct {
	URL     string // "" for none
	Timeout time.Duration
}

// UserSettings reads them.
func UserSettings() (Settings, error) {
	cfg, err := files.UserConfig()
	if err == nil {
		err = cfg.CheckVersion()
	}
	if err != nil {
		return Settings{}, fmt.Errorf("the user's configuration: %w", err)
	}
	return Settings{cfg.Hub.URL, time.Duration(cfg.Hub.TimeoutMS) * time.Millisecond}, nil
}

// ErrNoHub means that the user has no hub.
var ErrNoHub = errors.New("no hub is configured")

// Address returns the address of the hub.
func (s Settings) Address(plainHTTP bool) (*url.URL, error) {
	if s.URL == "" {
		return nil, ErrNoHub
	}
	address, err := ParseAddress(s.URL, plainHTTP)
	if err != nil {
		return nil, fmt.Errorf("hub.url: %w", err)
	}
	return address, nil
}

// Ignored returns a warning if a project's configuration names a hub, which counts in the
// user's own alone: else a project could send the user's token anywhere.
func Ignored(root files.Root, cfg schemas.Config) string {
	if cfg.Hub.URL == "" || files.IsUsers(root) {
		return ""
	}
	return "hub.url in the project's configuration is ignored: only your own applies (memctl config set hub.url URL " +
		"--user)"
}

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

// findToken returns the token in the environment, else that of a sign-in, else the one that git's credential
// helpers keep for the hub.
func findToken(ctx context.Context, address *url.URL) (string, error) {
	token := strings.TrimSpace(os.Getenv(tokenVariable))
	if token == "" {
		var err error
		if token, err = signInToken(ctx, address); err != nil {
			return "", err
		}
	}
	if token == "" {
		var err error
		token, err = git.Password(ctx, address.Scheme, address.Host, credentialUser)
		if err != nil && !errors.Is(err, git.ErrNoProgram) {
			return "", fmt.Errorf("the token for the hub %s: %w", address.Host, err)
		}
	}
	if token == "" {
		return "", text.WithHint(errors.New("there is no token for the hub "+address.Host),
			fmt.Sprintf(`sign in with "memctl hub login", set %s, or store the token with git: `+
				`printf 'url=%s://%s\nusername=%s\npassword=TOKEN\n' | git credential approve`,
				tokenVariable, address.Scheme, address.Host, credentialUser))
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("the token for the hub %s is none: it has a space or a character that no token has",
			address.Host)
	}
	return token, nil
}

var (
	errAddress = errors.New("expected the address of a hub, such as https://hub.acme.example")
	errUser    = errors.New("the address of a hub takes no user and no password: give the token as " +
		"MEMCTL_HUB_TOKEN, or store it with git credential approve")
	// ErrPlainHTTP refuses to send a token where others can read it.
	ErrPlainHTTP = errors.New("http would send the token and the memories in clear text: only https, or http " +
		"on this machine")
)

// ParseAddress reads the address of a hub. Plain HTTP leads to this machine only, unless
// plainHTTP is set. The errors do not quote the address, which may have a password.
func ParseAddress(address string, plainHTTP bool) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" ||
		u.Scheme != "https" && u.Scheme != "http":
		return nil, errAddress
	case u.User != nil:
		return nil, errUser
	case u.Scheme == "http" && !plainHTTP && !IsLoopback(u.Hostname()):
		return nil, ErrPlainHTTP
	}
	return u, nil
}

// IsLoopback reports whether a host is this machine.
func IsLoopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}
