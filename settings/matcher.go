package settings

import (
	"regexp"
	"slices"
	"strings"
)

// regexpSigns make the client take a matcher for a regular expression.
const regexpSigns = `.*+?^$()[]{}\`

// Matches tells whether a hook's matcher lets a tool through: an empty one and "*"
// do, "A|B" and "A, B" name tools, anything else is a regular expression.
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
