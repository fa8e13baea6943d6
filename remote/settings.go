package remote

import (
	"errors"
	"fmt"
	"net/url"
	"time"

	"memctl/memdir"
	"memctl/schemas"
)

// Settings say which hub the user asks. They are those of the user's own configuration.
type Settings struct {
	URL     string // "" for none
	Timeout time.Duration
}

// UserSettings reads them.
func UserSettings() (Settings, error) {
	cfg, err := memdir.UserConfig()
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
func Ignored(root memdir.Root, cfg schemas.Config) string {
	if cfg.Hub.URL == "" || root.Scope == memdir.UserScope {
		return ""
	}
	if user, found, err := memdir.UserRoot(); err == nil && found && user.Is(root) {
		return ""
	}
	return "hub.url in the project's configuration is ignored: only yours counts (memctl config set hub.url URL --user)"
}
