package observe

import "testing"

// A line of a shell comes from outside, of any shape.
func FuzzRunsMemctl(f *testing.F) {
	for _, line := range []string{
		"memctl list", "cd x && A=1 ./bin/memctl show y | head", "memctl create <<EOF\n'\nEOF", "\"memctl", "memctl \\\n|", "memctl>&", "a | memctl || b & memctl",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if runsMemctl(line) && runsMemctl(line+"\nmake all") {
			for _, c := range line {
				if c == '\'' || c == '"' || c == '<' || c == '#' || c == '\\' || c == '>' {
					return // what follows may be in quotes, a document, a comment or the same line
				}
			}
			t.Errorf("%q and another command are memctl's own", line)
		}
	})
}
