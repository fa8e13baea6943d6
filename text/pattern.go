package text

import (
	"regexp"
	"sync"
)

// Pattern returns a regular expression that is compiled when it is first needed: what a package compiles at
// its start, every hook would wait for.
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
