package install

import (
	"regexp"
	"slices"
	"strings"
)

// regexpSigns make the client treat a matcher as a regular expression.
const regexpSigns = `.*+?^$()[]{}\`

// Matches reports whether a hook's matcher matches a tool. An empty one and "*" match
// every tool, "A|B" and "A, B" list tools, anything else is a regular expression.
func Matches(matcher, tool string) bool {
	switch {
	case matcher == "" || matcher == "*":
		return true
	case strings.ContainsAny(matcher, regexpSigns):
		pattern, err := regexp.Compile(matcher)
		return err == nil && pattern.MatchString(tool)
	}
	names := strings.FieldsFunc(matcher, func(r rune) bool { return strings.ContainsRune("|, ", r) })
	return slices.Contains(names, tool)
}
