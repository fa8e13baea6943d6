//go:build linux

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shownPages are the pages whose commands are played.
var shownPages = []string{"README.md", "docs/guide.md", "docs/how-it-finds.md", "docs/agents.md"}

// The commands of the pages for users are played in their order, in a new project. Each must give the
// answer below it, if there is one; "..." stands for anything. The answers that come from
// the sample store are those of a second new project with that store, on a terminal.
func TestReadmeShowsRealOutput(t *testing.T) {
	t.Parallel()
	readme := ""
	for _, page := range shownPages {
		data, err := os.ReadFile(filepath.Join("../..", page))
		if err != nil {
			t.Fatal(err)
		}
		readme += string(data)
	}
	ownProject, sample := newReader(t), newReader(t)
	ownProject.write("draft.json", fenced(t, readme, "json", `"schema_version"`))
	sample.memctl("init")
	sample.check(os.CopyFS(sample.path(), os.DirFS("../../testdata/stores/parcel")))
	for _, related := range []string{"cmd/relay/main.go", "internal/eventlog/split.go"} {
		file := filepath.Join(sample.dir, filepath.FromSlash(related))
		sample.check(errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, nil, 0o644)))
	}

	examples := examplesIn(readme)
	if len(examples) < 14 {
		t.Fatalf("found only %d examples", len(examples))
	}
	prompt := ""
	for _, e := range examples {
		answer := ""
		if e.sample {
			answer = sample.onTerminal(e.command)
		} else {
			answer = ownProject.run("sh", "-c", e.command)
		}
		if e.answer != "" && !matches(e.answer, answer) {
			t.Errorf("$ %s\nanswers\n%s\nthe page has\n%s", e.command, answer, e.answer)
		}
		if found := regexp.MustCompile(`^memctl explain .*"(.*)"$`).FindStringSubmatch(e.command); found != nil {
			prompt = found[1]
		}
	}
	block := fenced(t, readme, "xml", "<memory-context")
	if context := sample.hook(prompt); !matches(block, context) {
		t.Errorf("the prompt %q receives\n%s\nthe page has\n%s", prompt, context, block)
	}
}

// example is a command of README.md and the answer that follows it, "" for none.
type example struct {
	command, answer string
	sample          bool // it is about the sample store
}

func examplesIn(readme string) []example {
	var list []example
	end := 0
	for _, at := range regexp.MustCompile("(?ms)^```console\n(.*?)^```$").FindAllStringSubmatchIndex(readme, -1) {
		sample := strings.Contains(readme[end:at[0]], "sample store")
		end = at[1]
		for line := range strings.Lines(readme[at[2]:at[3]]) {
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				list = append(list, example{command: strings.TrimSpace(command), sample: sample})
			} else {
				list[len(list)-1].answer += line
			}
		}
	}
	return list
}

// fenced returns the block of a language that contains a text.
func fenced(t *testing.T, readme, language, text string) string {
	t.Helper()
	for _, found := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(readme, -1) {
		if strings.Contains(found[1], text) {
			return found[1]
		}
	}
	t.Fatalf("README.md has no %s block with %s", language, text)
	return ""
}

func matches(pattern, answer string) bool {
	quoted := regexp.QuoteMeta(strings.TrimSpace(pattern))
	return regexp.MustCompile(`^(?s:` + strings.ReplaceAll(quoted, `\.\.\.`, `.*`) + `)$`).MatchString(strings.TrimSpace(answer))
}

// reader is a person who follows README.md in a project.
type reader struct {
	project
	home string
	md5  string // the last that was shown
}

func newReader(t *testing.T) *reader {
	home := t.TempDir()
	r := &reader{project: project{t, filepath.Join(home, "parcelhub")}, home: home}
	r.check(os.Mkdir(r.dir, 0o755))
	return r
}

func (r *reader) write(name, content string) {
	r.check(os.WriteFile(filepath.Join(r.dir, name), []byte(content), 0o644))
}

func (r *reader) memctl(args ...string) string { return r.run("memctl", args...) }

// run runs a program and returns all that it prints. The project and the home folder are in
// the same places as those of README.md, and MD5 stands for the last one that was shown.
func (r *reader) run(name string, args ...string) string {
	r.t.Helper()
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "--hash MD5", "--hash "+r.md5)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "HOME="+r.home, "MEMCTL_ROOT=", "MEMCTL_USER_ROOT=", "CLAUDE_PROJECT_DIR=", "NO_COLOR=1", "PAGER=", "EDITOR=sed -i s/high/low/")
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Errorf("%s %q: %v\n%s", name, args, err, out)
	}
	if shown := regexp.MustCompile(`md5 ([0-9a-f]{32})`).FindSubmatch(out); shown != nil {
		r.md5 = string(shown[1])
	}
	return strings.ReplaceAll(string(out), r.home, "/home/dev")
}

// onTerminal runs a command on a terminal of 110 columns.
func (r *reader) onTerminal(command string) string {
	r.t.Helper()
	out := r.run("script", "-qec", "stty cols 110 rows 50; "+command, "/dev/null")
	return strings.ReplaceAll(atWork.ReplaceAllString(out, ""), "\r", "")
}

// atWork is what a command on a slow machine shows until its answer takes the place of it.
var atWork = regexp.MustCompile(`\r\x1b\[Kmemctl: at work, \d+s|\r\x1b\[K`)
