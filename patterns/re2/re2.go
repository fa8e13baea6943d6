// Package re2 gives package patterns the regular expressions of package regexp.
package re2

import (
	"regexp"

	"memctl/patterns"
)

func init() {
	patterns.Provide(func(expr string) (patterns.Pattern, error) {
		re, err := regexp.Compile(expr)
		if err != nil {
			return nil, err
		}
		return re, nil
	})
}
