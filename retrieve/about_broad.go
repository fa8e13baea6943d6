package retrieve

import (
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"memctl/files/gate"
	"memctl/schemas"
	"memctl/text"
)

const (
	// manyFiles is how many files a folder or a pattern may have that is about each of them.
	manyFiles = 5
	// maxCounted is how many files and folders are looked at to tell.
	maxCounted = 2000
	// enoughAsked is how many words in common are enough for an Action that is Asked.
	enoughAsked = 3
)

// isMeant reports whether a folder or a pattern of a memory means a file that it has: not a test, a copy of other
// people's code or what a program has written, unless it is for these; and where it has many files, only one that the
// title of the memory meets.
func (a act) isMeant(related, file string, m *schemas.Memory) bool {
	related = strings.TrimPrefix(path.Clean(strings.TrimSpace(related)), "./")
	if isAside(file) && !isAside(related) && !isAside(related+"/") {
		return false
	}
	above := related
	if IsPattern(related) {
		above = path.Dir(PatternPrefix(related) + "x")
	}
	known, has := a.broad[related]
	if m.Category == schemas.Runbook { // a step names many files
		known, has = true, true
	}
	if !has {
		known = isBroad(filepath.Join(a.root.Project, filepath.FromSlash(above)), above, related)
		a.broad[related] = known
	}
	return !known || a.meets(file, above, m) || a.Asked && !IsPattern(related) &&
		a.common(path.Base(file), m) >= enoughAsked
}

// aside matches the names of tests, of other people's code and of generated files.
var aside = text.Pattern(`(?:^|/)(?:tests?|__tests__|testdata|specs?|fixtures|__snapshots__|vendor|node_modules|` +
	`third_party|dist|gen|generated)/|(?:[._-](?:test|spec|pb|gen|generated|min)|_pb2)\.\w+$|` +
	`(?:^|/)(?:test_[^/]*\.py|package-lock\.json|pnpm-lock\.yaml|go\.sum|[^/]*\.(?:lock|snap))$`)

func isAside(file string) bool { return aside().MatchString(file) }

// isBroad reports whether a folder, or the files of a pattern in it, are many.
func isBroad(folder, name, related string) bool {
	var matches *regexp.Regexp
	if IsPattern(related) {
		var err error
		if matches, err = Pattern(related); err != nil {
			return true
		}
	}
	found := 0
	all := gate.Below(folder, maxCounted, func(name string) bool { return name == "node_modules" },
		func(below string) bool {
			if matches == nil || matches.MatchString(path.Join(name, below)) {
				found++
			}
			return found <= manyFiles
		})
	return !all
}
