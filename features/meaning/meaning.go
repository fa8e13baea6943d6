// Package meaning finds texts that are near in meaning, by the vectors of a model that the
// user runs (docs/agents.md). It owns the client of that server, the work on texts that have
// no vector yet, and the question which texts are near. It does not rank: retrieve.Query puts
// the nearest and those that words find in one order.
package meaning

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// Settings say which server is asked, and for what. They are those of the user's own
// configuration; a project's would send memories anywhere.
type Settings struct {
	schemas.MeaningConfig
	endpoint, rerank *url.URL // rerank is nil for none
}

// UserModel implements retrieve.UserModel.
func UserModel(cfg *schemas.Config) (retrieve.Model, error) {
	s, err := userSettings(cfg)
	if s == nil || err != nil {
		return nil, err // a nil *Settings would be a model
	}
	return s, nil
}

// userSettings reads the settings from the user's configuration, which may have been read. They are nil if
// the user has named no server. The error says what is wrong with them.
func userSettings(config *schemas.Config) (*Settings, error) {
	if config == nil {
		cfg, err := files.UserConfig()
		if err != nil {
			return nil, fmt.Errorf("the user's configuration: %w", err)
		}
		config = &cfg
	}
	cfg := config.Meaning
	if cfg.Endpoint == "" {
		return nil, nil
	}
	s, err := &Settings{MeaningConfig: cfg}, error(nil)
	if s.endpoint, err = parseAddress("meaning.endpoint", cfg.Endpoint); err == nil && cfg.Rerank != "" {
		s.rerank, err = parseAddress("meaning.rerank", cfg.Rerank)
	}
	switch {
	case err != nil:
		return nil, err
	case cfg.Model == "":
		return nil, text.WithHint(errors.New("meaning.model is not set"), "name the model: memctl config set "+
			"meaning.model NAME --user")
	case !Confirmed(cfg):
		return nil, text.WithHint(fmt.Errorf("meaning.endpoint, %s, is not confirmed", s.hosts()),
			"memctl config confirm meaning.endpoint says what would be sent there")
	}
	return s, nil
}

// parseAddress reads the address of a server. The errors do not quote it, because it may have
// a password.
func parseAddress(setting, address string) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" &&
		u.Scheme != "http":
		return nil, fmt.Errorf("%s: expected the address of a server, such as http://localhost:11434", setting)
	case u.User != nil:
		return nil, fmt.Errorf("%s: an address takes no user and no password: give a token as %s", setting,
			tokenVariable)
	case u.Scheme == "http" && !isLoopback(u):
		return nil, fmt.Errorf("%s: http would send memories in clear text: only https, or http on this machine",
			setting)
	}
	return u, nil
}

func isLoopback(u *url.URL) bool {
	return u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()
}

func (s Settings) hosts() string {
	if s.rerank != nil && s.rerank.Host != s.endpoint.Host {
		return s.endpoint.Host + " and " + s.rerank.Host
	}
	return s.endpoint.Host
}

func (s Settings) budget() time.Duration { return time.Duration(s.BudgetMS) * time.Millisecond }

// The user confirms a server by its address, also one on this machine, where any program may listen: a file of the
// state folder has the addresses that are confirmed. Setting one on a terminal confirms it.

const (
	confirmationName = "meaning-confirmed"
	failuresName     = "meaning-failures"
	maxState         = 16 << 10 // bytes
)

// confirmationOf ends with what was added last to what is sent: who confirmed less is asked again.
func confirmationOf(cfg schemas.MeaningConfig) string {
	return strings.Join([]string{cfg.Endpoint, cfg.Rerank, "sessions", ""}, "\n")
}

// Confirm notes that the user lets memctl send texts to the servers of the configuration.
func Confirm(cfg schemas.MeaningConfig) error {
	return files.WriteStateFile(confirmationName, confirmationOf(cfg))
}

// Withdraw takes that back and reports whether there was a confirmation.
func Withdraw() (bool, error) { return files.RemoveState(confirmationName) }

// Confirmed reports whether the user has confirmed the servers of the configuration. What
// cannot be read confirms nothing.
func Confirmed(cfg schemas.MeaningConfig) bool {
	data, err := files.ReadStateFile(confirmationName, maxState)
	return err == nil && string(data) == confirmationOf(cfg)
}

// Disclosure says what goes where, for the person who confirms it.
func Disclosure(cfg schemas.MeaningConfig) string {
	what := "the titles and texts of your memories, lines on the tools that agents ran, what was said in past " +
		"sessions, " +
		"and each prompt as you type it"
	to := cfg.Endpoint
	if cfg.Rerank != "" {
		to += " and " + cfg.Rerank
	}
	return "memctl sends to " + text.Printable(to) + " " + what +
		"; sections marked private and known secrets are removed before"
}

// ignored returns a warning if a project's configuration names a server.
func ignored(root files.Root, cfg schemas.Config) string {
	if cfg.Meaning.Endpoint == "" && cfg.Meaning.Rerank == "" || files.IsUsers(root) {
		return ""
	}
	return "meaning in the project's configuration is ignored: only your own applies (memctl config set " +
		"meaning.endpoint " +
		"URL --user)"
}

// After so many failures in a row the server is left alone for a while.
const (
	mostFailures = 3
	restTime     = 5 * time.Minute
)

// failures are those of a server since its last answer.
type failures struct {
	Endpoint string    `json:"endpoint"`
	Count    int       `json:"count"`
	Last     time.Time `json:"last"`
}

func (s Settings) failures() (f failures) {
	if data, err := files.ReadStateFile(failuresName, maxState); err == nil {
		_ = json.Unmarshal(data, &f) // a broken file is none
	}
	if f.Endpoint != s.Endpoint {
		f = failures{Endpoint: s.Endpoint}
	}
	return f
}

// resting returns how long the server is left alone, 0 if it is asked.
func (s Settings) resting(now time.Time) time.Duration {
	if f := s.failures(); f.Count >= mostFailures && now.After(f.Last) {
		return max(0, restTime-now.Sub(f.Last))
	}
	return 0
}

// note counts a failure, or forgets those before a success. What it cannot note it leaves.
func (s Settings) note(failed bool, now time.Time) {
	f := s.failures()
	if !failed {
		if f.Count > 0 {
			_, _ = files.RemoveState(failuresName)
		}
		return
	}
	f.Count, f.Last = f.Count+1, now
	if data, err := schemas.EncodeJSON(f); err == nil {
		_ = files.WriteStateFile(failuresName, string(data))
	}
}

// Recover implements retrieve.Model.
func (s Settings) Recover() { s.note(false, time.Now()) }
