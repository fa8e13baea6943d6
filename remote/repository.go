package remote

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// CheckRepository returns an error unless a name is that of a repository: a host in lower
// case and a path, such as github.com/acme/payments.
func CheckRepository(name string) error {
	host, path, found := strings.Cut(name, "/")
	switch {
	case len(name) > MaxRepository:
		return fmt.Errorf("the name of a repository has at most %d bytes, got %d", MaxRepository, len(name))
	case !found || !isHost(host):
		return fmt.Errorf("expected the name of a repository such as github.com/acme/payments, got %q", name)
	}
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "" || strings.Trim(segment, ".") == "" || strings.Trim(segment, upper+lower+"._-") != "" {
			return fmt.Errorf("expected the name of a repository such as github.com/acme/payments, got %q", name)
		}
	}
	return nil
}

// isHost accepts the lower-case name of a host, which a port may follow.
func isHost(host string) bool {
	name, port, hasPort := strings.Cut(host, ":")
	return name != "" && name[0] != '.' && name[0] != '-' && strings.Trim(name, lower+".-") == "" &&
		(!hasPort || port != "" && strings.Trim(port, "0123456789") == "")
}

// The letters and digits of names.
const (
	upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	lower = "abcdefghijklmnopqrstuvwxyz0123456789"
)

// defaultPorts are those that a name leaves out.
var defaultPorts = map[string]string{"https": "443", "http": "80", "ssh": "22", "git": "9418"}

// ErrUnnamed means that the address of a remote is no name for a repository.
var ErrUnnamed = errors.New("the address of the git remote gives the repository no name")

// RepositoryOf returns the name of the repository at the address of a git remote: its host
// and path, without user, password and ".git". The error quotes nothing of the address,
// which may have a password.
func RepositoryOf(address string) (string, error) {
	host, path, ok := splitAddress(strings.TrimSpace(address))
	name := strings.ToLower(host) + "/" + strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	if !ok || CheckRepository(name) != nil {
		return "", ErrUnnamed
	}
	return name, nil
}

// splitAddress takes a URL, and ssh's [USER@]HOST:PATH.
func splitAddress(address string) (host, path string, ok bool) {
	if !strings.Contains(address, "://") {
		host, path, ok = strings.Cut(address, ":")
		host = host[strings.LastIndex(host, "@")+1:]
		// A host of one letter is a drive of Windows.
		return host, path, ok && len(host) > 1 && !strings.Contains(host, "/")
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "file" {
		return "", "", false
	}
	host = u.Hostname()
	if port := u.Port(); port != "" && port != defaultPorts[u.Scheme] {
		host += ":" + port
	}
	return host, u.Path, true
}

// IsID reports whether a name has the form of Row.ID. No id of a local memory has.
func IsID(name string) bool {
	repository, path, found := strings.Cut(name, ":")
	if port, rest, more := strings.Cut(path, ":"); more { // of a host with a port
		repository, path = repository+":"+port, rest
	}
	return found && CheckRepository(repository) == nil && strings.Count(path, "/") == 1
}
