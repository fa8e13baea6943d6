package hub

import (
	"fmt"
	"strings"

	"memctl/text"
)

// Principal is a person who asks, with the groups that the person is in. The zero
// Principal may see nothing.
type Principal struct {
	Person string
	Groups []string
}

// everyone is the principal that each person with a valid token is.
const everyone = "everyone"

const (
	userPrefix  = "user:"
	groupPrefix = "group:"
)

// maxName is the length limit of a person's or a group's name in bytes.
const maxName = 200

// names returns the principals of the grants that hold for the person.
func (p Principal) names() []string {
	if p.Person == "" {
		return nil
	}
	names := []string{everyone, userPrefix + p.Person}
	for _, group := range p.Groups {
		names = append(names, groupPrefix+group)
	}
	return names
}

// checkName returns an error for a name that no person and no group can have.
func checkName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("a name is empty")
	case len(name) > maxName:
		return fmt.Errorf("a name of %d bytes: expected at most %d", len(name), maxName)
	case name != text.Printable(name) || name != strings.TrimSpace(name):
		return fmt.Errorf("the name %q has characters that do not print, or white space at an end", name)
	}
	return nil
}

// checkPrincipal returns an error unless principal is user:NAME, group:NAME or everyone.
func checkPrincipal(principal string) error {
	if principal == everyone {
		return nil
	}
	for _, prefix := range []string{userPrefix, groupPrefix} {
		if name, found := strings.CutPrefix(principal, prefix); found {
			return checkName(name)
		}
	}
	return fmt.Errorf("expected user:NAME, group:NAME or everyone, got %q", principal)
}
