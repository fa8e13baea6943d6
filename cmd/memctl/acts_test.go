package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"strings"
	"testing"
)

// actProject is a line of testdata/moments/acts.jsonl: what "memctl add" is told in a project, and calls of tools with
// a part of the text of the memory that is about each, "" for none.
type actProject struct {
	Project  string
	Files    []string
	Memories []struct{ Category, Text string }
	Calls    []struct{ Tool, File, Command, Text, Want, Also string }
}

var memoryPath = regexp.MustCompile(`[a-z_]+/[\p{L}0-9-]+\.json`)

// Typical memories, which name no files but in their texts, reach the calls that they are about, each in a session
// of its own, and no others. "make soak" plays three older blind sets too.
func TestActsHaveTheirRules(t *testing.T) {
	sets := map[string]int{"acts.jsonl": 0, "blind-d.jsonl": 0}
	if soak(0, 1) == 1 {
		maps.Copy(sets, map[string]int{"blind-a.jsonl": 0, "blind-b.jsonl": 1, "blind-c.jsonl": 0})
	}
	for name, most := range sets {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			playActs(t, "../../testdata/moments/"+name, most, name == "acts.jsonl" || name == "blind-d.jsonl")
		})
	}
}

// playActs plays the calls of a file, and fails if fewer than nine of ten planted ones have their rule, or if more than
// most have another one. The sessions of some files had the digest.
func playActs(t *testing.T, name string, most int, starts bool) {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	planted, given, innocuous, wrong := 0, 0, 0, 0
	for line := range bytes.Lines(data) {
		var p actProject
		if err := json.Unmarshal(line, &p); err != nil {
			t.Fatal(err)
		}
		h := newHome(t)
		for _, file := range p.Files {
			h.write("p/"+file, "x\n")
		}
		h.run("p", "", "init")
		textOf := map[string]string{} // by path
		for _, m := range p.Memories {
			textOf[memoryPath.FindString(h.run("p", m.Text, "add", m.Category, "-"))] = m.Text
		}
		for n, call := range p.Calls {
			input := map[string]string{"command": call.Command}
			hook := "pre-tool-use"
			if call.Tool != "Bash" {
				input = map[string]string{"file_path": call.File, "new_string": call.Text}
			}
			if call.Tool == "Read" {
				hook = "post-tool-use"
			}
			session := fmt.Sprint("s-", n)
			if starts {
				h.run("p", `{"session_id": "`+session+`", "source": "startup"}`, "hook", "session-start")
			}
			event, _ := json.Marshal(map[string]any{"session_id": session, "tool_name": call.Tool, "tool_input": input,
				"tool_response": map[string]string{}})
			answer := h.run("p", string(event), "hook", hook)
			has := false
			for _, at := range memoryPath.FindAllString(answer, -1) {
				switch text, isMemory := textOf[at]; {
				case isMemory && call.Want != "" && strings.Contains(text, call.Want):
					has = true
				case isMemory && call.Also != "" && strings.Contains(text, call.Also):
				default:
					wrong++
					t.Logf("%s: %s %s%s: wrong %s", p.Project, call.Tool, call.File, call.Command, at)
				}
			}
			switch {
			case call.Want == "":
				innocuous++
			case has:
				planted, given = planted+1, given+1
			default:
				planted++
				t.Logf("%s: %s %s%s: no %s", p.Project, call.Tool, call.File, call.Command, call.Want)
			}
		}
	}
	t.Logf("%d of %d calls have their rule; %d wrong ones, %d innocuous calls", given, planted, wrong, innocuous)
	if planted < 40 || innocuous < 20 || 10*given < 9*planted || wrong > most {
		t.Errorf("want nine of ten, and %d wrong ones at most", most)
	}
}
