package remote

import (
	"errors"
	"net"
	"net/url"
)

var (
	errAddress = errors.New("expected the address of a hub, such as https://hub.acme.example")
	errUser    = errors.New("the address of a hub takes no user and no password: give the token as " +
		"MEMCTL_HUB_TOKEN, or store it with git credential approve")
	// ErrPlainHTTP refuses to send a token where others can read it.
	ErrPlainHTTP = errors.New("http would send the token and the memories in clear text: only https, or http " +
		"on this machine")
)

// ParseAddress reads the address of a hub. Plain HTTP leads to this machine only, unless
// plainHTTP is set. The errors quote nothing of the address, which may have a password.
func ParseAddress(address string, plainHTTP bool) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" ||
		u.Scheme != "https" && u.Scheme != "http":
		return nil, errAddress
	case u.User != nil:
		return nil, errUser
	case u.Scheme == "http" && !plainHTTP && !isLoopback(u.Hostname()):
		return nil, ErrPlainHTTP
	}
	return u, nil
}

func isLoopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}
