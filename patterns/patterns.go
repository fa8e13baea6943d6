// Package patterns stands between the packages that the hooks use and package
// regexp. Regular expressions are rare there, a user's own or a schema's, and Go
// sets up regexp, and what comes before it, in a tenth of the time of a hook that
// needs no index (docs/decisions/0005-hooks-before-the-rest.md). A program imports
// patterns/re2 to have them.
package patterns

import "errors"

// Pattern is a compiled regular expression (RE2).
type Pattern interface {
	MatchString(s string) bool
	FindAllStringIndex(s string, n int) [][]int
}

// ErrNone says that the program has no regular expressions, or not yet.
var ErrNone = errors.New("regular expressions are not set up")

var compile func(string) (Pattern, error)

// Provide is how patterns/re2 makes itself known.
func Provide(compiler func(string) (Pattern, error)) { compile = compiler }

// Ready tells whether Compile works.
func Ready() bool { return compile != nil }

// Compile compiles a regular expression.
func Compile(expr string) (Pattern, error) {
	if compile == nil {
		return nil, ErrNone
	}
	return compile(expr)
}
