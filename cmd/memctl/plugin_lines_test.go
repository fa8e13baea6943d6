package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// commandLine is a command line in a command or a skill of the plugin.
type commandLine struct {
	text  string
	args  []string // after "memctl"
	stdin string   // the text after <<<
}

var inlineCode = regexp.MustCompile("`(memctl [^`]+)`")

// commandLines finds the command lines in code blocks and in inline code.
func (doc pluginDoc) commandLines(t *testing.T) []commandLine {
	t.Helper()
	var found []commandLine
	var block strings.Builder
	inBlock := false
	for line := range strings.Lines(doc.body) {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence:
			inBlock = !inBlock
		case inBlock:
			block.WriteString(strings.TrimPrefix(line, "   ")) // of a numbered list
			if strings.Count(block.String(), "'")%2 == 0 {
				found = append(found, parseLine(t, doc.path, block.String()))
				block.Reset()
			}
		default:
			for _, match := range inlineCode.FindAllStringSubmatch(line, -1) {
				found = append(found, parseLine(t, doc.path, match[1]))
			}
		}
	}
	if inBlock || block.Len() > 0 || len(found) == 0 {
		t.Fatalf("%s: %d command lines, and %q is left", doc.path, len(found), block.String())
	}
	return found
}

// parseLine splits a line into words as a shell does. It knows single quotes and <<<,
// which is all that the client's checks allow.
func parseLine(t *testing.T, path, text string) commandLine {
	t.Helper()
	line := commandLine{text: strings.TrimSpace(text)}
	var words []string
	for i, part := range strings.Split(line.text, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	if words[0] != "memctl" || len(words) < 2 || strings.ContainsAny(strings.Join(words[:2], ""), `"$|;&`) {
		t.Fatalf("%s: %q is not a command line of memctl", path, line.text)
	}
	if at := slices.Index(words, "<<<"); at > 0 {
		line.stdin = words[at+1]
		words = words[:at]
	}
	line.args = words[1:]
	return line
}

// mention reports whether the text only names a command.
func (line commandLine) mention() bool { return len(line.args) == 1 }

// pluginStore is a project with a value for every placeholder.
type pluginStore struct {
	project
	values map[string]string
}

// ids are the values of ID, by a word of the command line. For other commands it is an active memory.
var ids = map[string]string{"restore": "eta-python-sidecar", "--kept": "peak-season-code-freeze-2025"}

func newPluginStore(t *testing.T, line commandLine) pluginStore {
	t.Helper()
	args := line.args
	s := pluginStore{parcelProject(t), map[string]string{
		"ID": "kafka-message-size", "CATEGORY": "constraint", "WORDS": "kafka limit", "TEXT": "Kafka takes 2 MB now", "WHY": "it is gone",
		"KEY": "retrieval.max_inject", "VALUE": "3", "SOURCE": "notes.md", "ITEM": "1",
	}}
	if slices.Contains(args, "SOURCE") || slices.Contains(args, "ITEM") {
		s.check(os.WriteFile(filepath.Join(s.dir, "notes.md"), []byte("Labels are printed twice.\n"), 0o600))
		memctl(t, s.dir, "", "import", "notes.md")
	}
	for _, word := range args {
		s.values["ID"] = cmp.Or(ids[word], s.values["ID"])
	}
	words := append([]string{line.stdin}, args...)
	if !slices.ContainsFunc(words, func(word string) bool { return word == "MD5" || word == "MEMORY" || word == "FILE" }) {
		return s
	}
	whole, said := memctl(t, s.dir, "", "show", "kafka-message-size", "--json")
	_, rest, _ := strings.Cut(said, "md5 ")
	s.values["MD5"], _, _ = strings.Cut(rest, " ")
	var doc map[string]any
	s.check(json.Unmarshal([]byte(whole), &doc))
	changes, _ := doc["changes"].([]any)
	doc["changes"] = append(changes, map[string]any{"date": "2026-01-31T09:00:00Z", "summary": "looked at again"})
	if args[0] == "create" {
		doc["id"], doc["title"] = "kafka-message-count", "Kafka message count"
	}
	draft, err := json.Marshal(doc)
	s.check(err)
	s.values["MEMORY"] = string(draft)
	staged, _ := memctl(t, s.dir, string(draft), "stage", "put", "--category", "constraint", "--input", "-")
	var answer struct{ Path string }
	s.check(json.Unmarshal([]byte(staged), &answer))
	s.values["FILE"] = answer.Path
	return s
}

func (s pluginStore) filled(word string) string {
	if value, ok := s.values[word]; ok {
		return value
	}
	return word
}

// said returns a folder of Claude Code's with a session of the project in which a text was said.
func (s pluginStore) said(text string) string {
	dir := s.t.TempDir()
	line := encoded(s.t, map[string]any{"type": "user", "sessionId": "s", "cwd": s.dir, "message": map[string]any{"content": text}})
	s.check(errors.Join(os.MkdirAll(filepath.Join(dir, "projects", "p"), 0o755),
		os.WriteFile(filepath.Join(dir, "projects", "p", "s.jsonl"), []byte(line+"\n"), 0o600)))
	return dir
}

// Every command line that the plugin gives an agent works as it is written: its flags
// exist, its drafts are valid, it finds what it asks for.
func TestPluginCommandLinesWork(t *testing.T) {
	t.Parallel()
	for _, doc := range pluginDocs(t) {
		for i, line := range doc.commandLines(t) {
			t.Run(fmt.Sprintf("%s/%s/%d", filepath.Base(filepath.Dir(doc.path)), filepath.Base(doc.path), i), func(t *testing.T) {
				t.Parallel()
				if line.mention() {
					if out, messages, ok := (door{project{t, t.TempDir()}}).run(nil, line.args[0], "--help"); !ok || out == "" {
						t.Errorf("%s\n%s%s", line.text, out, messages)
					}
					return
				}
				s := newPluginStore(t, line)
				args := slices.Clone(line.args)
				for i := range args {
					args[i] = s.filled(args[i])
				}
				cmd, out, errOut := process(s.dir, s.filled(line.stdin), args...)
				cmd.Env = append(cmd.Env, "MEMCTL_USER_ROOT="+filepath.Join(t.TempDir(), "user"), typedVariable+"=yes")
				if slices.Contains(args, "--sessions") {
					cmd.Env = append(cmd.Env, "CLAUDE_CONFIG_DIR="+s.said(args[len(args)-1]))
				}
				found := func() bool { return line.args[0] == "doctor" && cmd.ProcessState.ExitCode() == 1 }
				if err := cmd.Run(); err != nil && !found() || out.Len() == 0 {
					t.Errorf("%s\n%v\n%s%s", line.text, err, out, errOut)
				}
			})
		}
	}
}
