package main

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// maxInit is how much memory the packages of memctl take before main, in bytes. What is needed by few runs, such as
// expressions and lists of words, is made when it is asked for (sync.OnceValue).
const maxInit = 36_000

// https://pkg.go.dev/runtime#hdr-Environment_Variables, inittrace
var initLine = regexp.MustCompile(`(?m)^init (\S+) @\S+ ms, \S+ ms clock, (\d+) bytes, \d+ allocs$`)

func TestPackagesDoLittleBeforeMain(t *testing.T) {
	t.Setenv("GODEBUG", "inittrace=1")
	_, trace := memctl(t, t.TempDir(), "", "version")
	sum := 0
	for _, m := range initLine.FindAllStringSubmatch(trace, -1) {
		n, err := strconv.Atoi(m[2])
		isTests := m[1] == "memctl/cmd/memctl" // with the tests' variables
		if err == nil && strings.HasPrefix(m[1], "memctl/") && !isTests {
			sum += n
		}
	}
	if sum == 0 || sum > maxInit {
		t.Errorf("%d bytes, of %d:\n%s", sum, maxInit, trace)
	}
}
