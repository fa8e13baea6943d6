// Command testtable reads what "go test -json" prints and writes a table of the packages
// with their tests, and why tests were skipped. It shows what failing tests said, and
// then exits with 1.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

func main() {
	failed, err := run(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "testtable:", err)
	}
	if failed || err != nil {
		os.Exit(1)
	}
}

// event is a line of go test -json.
type event struct {
	Action, Package, ImportPath, Test, Output string
}

// test is a test, or what a package says outside of tests.
type test struct {
	outcome string // pass, fail or skip
	said    strings.Builder
}

// key names a test. A package's own outcome has no name.
type key struct{ pkg, name string }

func run(in io.Reader, out io.Writer) (failed bool, err error) {
	tests, err := read(in)
	counts, reasons := map[string]map[string]int{}, map[string]int{}
	for _, k := range sorted(tests) {
		t := tests[k]
		if t.outcome == "fail" {
			failed = true
			fmt.Fprintf(out, "FAIL %s %s\n%s\n", k.pkg, k.name, t.said.String())
		}
		if k.name == "" || hasSubtests(tests, k) {
			continue
		}
		if counts[k.pkg] == nil {
			counts[k.pkg] = map[string]int{}
		}
		counts[k.pkg][t.outcome]++
		if t.outcome == "skip" {
			reasons[reason(t.said.String())]++
		}
	}
	fmt.Fprint(out, "| package | tests | passed | skipped | failed |\n|---|--:|--:|--:|--:|\n")
	total := map[string]int{}
	for _, pkg := range slices.Sorted(maps.Keys(counts)) {
		row(out, "`"+pkg+"`", counts[pkg])
		for outcome, n := range counts[pkg] {
			total[outcome] += n
		}
	}
	row(out, "all", total)
	fmt.Fprint(out, "\n| skipped | because |\n|--:|---|\n")
	for _, why := range slices.SortedFunc(maps.Keys(reasons), func(a, b string) int { return cmp.Or(reasons[b]-reasons[a], cmp.Compare(a, b)) }) {
		fmt.Fprintf(out, "| %d | %s |\n", reasons[why], why)
	}
	if len(tests) == 0 {
		err = errors.Join(err, errors.New("no tests ran"))
	}
	return failed, err
}

func row(out io.Writer, name string, n map[string]int) {
	// A test without an outcome was running when its process ended.
	sum := n["pass"] + n["skip"] + n["fail"] + n[""]
	fmt.Fprintf(out, "| %s | %d | %d | %d | %d |\n", name, sum, n["pass"], n["skip"], n["fail"]+n[""])
}

// read collects the tests. Lines that are no events, as of a compiler, are an error.
func read(in io.Reader) (map[key]*test, error) {
	tests := map[key]*test{}
	for events := json.NewDecoder(in); ; {
		var e event
		if err := events.Decode(&e); err == io.EOF {
			return tests, nil
		} else if err != nil {
			return tests, fmt.Errorf("read the output of go test -json: %w", err)
		}
		k := key{strings.TrimPrefix(cmp.Or(e.Package, e.ImportPath), "memctl/"), e.Test}
		if tests[k] == nil {
			tests[k] = &test{}
		}
		switch e.Action {
		case "pass", "fail", "skip":
			tests[k].outcome = e.Action
		case "build-fail":
			tests[k].outcome = "fail"
		case "output", "build-output":
			tests[k].said.WriteString(e.Output)
		}
	}
}

func sorted(tests map[key]*test) []key {
	return slices.SortedFunc(maps.Keys(tests), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.name, b.name))
	})
}

func hasSubtests(tests map[key]*test, k key) bool {
	for other := range tests {
		if other.pkg == k.pkg && strings.HasPrefix(other.name, k.name+"/") {
			return true
		}
	}
	return false
}

var (
	place  = regexp.MustCompile(`^\s*\w+\.go:\d+: `)
	script = regexp.MustCompile(`^> \[.*\] skip '(.*)'$`) // a line of a script
)

// reason is the last thing that a test said before it was skipped.
func reason(said string) string {
	why := "says nothing"
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "===") && !strings.HasPrefix(line, "---") {
			why = place.ReplaceAllString(line, "")
			why = script.ReplaceAllString(why, "$1")
		}
	}
	return why
}
