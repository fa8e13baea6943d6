// Package first answers a hook that needs no index before the rest of the program
// is set up, and ends the program then. Go initialises packages in the order of
// their import paths, each as soon as those that it imports are: this one comes
// before SQLite, goose and the command line's library, which take a third of the
// time of such a hook (docs/decisions/0005-hooks-before-the-rest.md).
package first

import (
	"os"

	"memctl/answers"
)

// Hook is the run of a hook that is left to the rest of the program.
var Hook = answers.Start(os.Args, answers.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})

func init() {
	if code, done := Hook.Alone(); done {
		os.Exit(code)
	}
}
