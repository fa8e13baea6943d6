package observe

import (
	"fmt"
	"strings"
	"testing"

	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

func TestFixes(t *testing.T) {
	fail := func(session, command string) schemas.Run {
		return schemas.Run{Session: session, Tool: "Bash", Command: command, Error: "no"}
	}
	pass := func(session, command string) schemas.Run {
		return schemas.Run{Session: session, Tool: "Bash", Command: command, Success: true}
	}
	edit := func(file string, success bool) schemas.Run {
		return schemas.Run{Session: "s", Tool: "Edit", File: file, Success: success}
	}
	read := schemas.Run{Session: "s", Tool: "Read", File: "a.go"}
	reread := read
	reread.Success = true
	tests := map[string]struct {
		runs []schemas.Run
		want []string // subject, failures, what was done between
	}{
		"nothing":                     {nil, nil},
		"only failures":               {[]schemas.Run{fail("s", "make"), fail("s", "make")}, nil},
		"only successes":              {[]schemas.Run{pass("s", "make"), pass("s", "make")}, nil},
		"a success before":            {[]schemas.Run{pass("s", "make"), fail("s", "make")}, nil},
		"of a command":                {[]schemas.Run{fail("s", "make"), pass("s", "make")}, []string{"make 1 []"}},
		"of another command":          {[]schemas.Run{fail("s", "make"), pass("s", "make all")}, nil},
		"of another session":          {[]schemas.Run{fail("s", "make"), pass("t", "make")}, nil},
		"spaces do not matter":        {[]schemas.Run{fail("s", "make  all"), pass("s", "make all\n")}, []string{"make all 1 []"}},
		"several failures":            {[]schemas.Run{fail("s", "make"), fail("s", "make"), pass("s", "make")}, []string{"make 2 []"}},
		"twice":                       {[]schemas.Run{fail("s", "make"), pass("s", "make"), fail("s", "make"), pass("s", "make")}, []string{"make 1 []", "make 1 []"}},
		"with what was done between":  {[]schemas.Run{fail("s", "make"), edit("a.go", true), edit("a.go", true), edit("b.go", false), pass("s", "go mod tidy"), pass("s", "make")}, []string{"make 1 [Edit a.go Bash go mod tidy]"}},
		"the last things done":        {[]schemas.Run{fail("s", "make"), pass("s", "1"), pass("s", "2"), pass("s", "3"), pass("s", "4"), pass("s", "5"), pass("s", "6"), pass("s", "make")}, []string{"make 1 [Bash 2 Bash 3 Bash 4 Bash 5 Bash 6]"}},
		"of a file":                   {[]schemas.Run{edit("a.go", false), edit("a.go", true)}, []string{"a.go 1 []"}},
		"of a file by another tool":   {[]schemas.Run{edit("a.go", false), {Session: "s", Tool: "Write", File: "a.go", Success: true}}, []string{"a.go 1 []"}},
		"looking at a file is no fix": {[]schemas.Run{read, reread}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range Fixes(tt.runs) {
				got = append(got, fmt.Sprintf("%s %d [%s]", f.Subject, f.Failures, strings.Join(f.Between, " ")))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
