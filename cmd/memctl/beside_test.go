package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memctl/clients"
)

// In a day of forty prompts, in a project with a CLAUDE.md, a MEMORY.md, memories of what both say and memories of
// its own, no line repeats what the client loads.
func TestDayWithoutRepeats(t *testing.T) {
	p := newProject(t)
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("CLAUDE_CONFIG_DIR", filepath.Join(home, ".claude"))
	t.Setenv("MEMCTL_USER_ROOT", filepath.Join(home, "none"))
	subjects := strings.Fields("invoice parcel courier pallet customs refund voucher ledger warehouse scanner " +
		"label freight driver tariff depot manifest container locker drone bicycle " +
		"kettle lantern marble needle orchid pepper quiver ribbon saddle thimble " +
		"umbrella violin walnut anchor basket candle dagger easel feather goblet")
	// Similar memories are left out, so each sentence has words of its own.
	verbs := strings.Fields("fold seal weigh paint rinse stack tape scan burn chill " +
		"mail drag crush drop heat lift push spin tilt wash bend carve dust grind hang iron " +
		"knit lend melt nail oil peel quote rent sew toss unfold vote wrap yield")
	rule := func(i int) string {
		return fmt.Sprintf("Never %s the %s before %s clearance %d.", verbs[i], subjects[i], verbs[len(verbs)-1-i], 100+i)
	}
	lines := func(from, to int) (text string) {
		for i := from; i < to; i++ {
			text += "- " + rule(i) + "\n"
		}
		return text
	}
	notes := clients.ProjectNotes(p.dir)
	p.check(os.MkdirAll(notes, 0o700))
	for path, text := range map[string]string{
		filepath.Join(p.dir, "CLAUDE.md"): "# Rules\n\n" + lines(0, 10) + "\nSee @more.md\n",
		filepath.Join(p.dir, "more.md"):   "# Rules\n\n" + lines(10, 13),
		filepath.Join(notes, "MEMORY.md"): lines(13, 20),
	} {
		p.check(os.WriteFile(path, []byte(text), 0o600))
	}
	memctl(t, p.dir, "", "init")
	for i := range subjects {
		memctl(t, p.dir, "", "add", "constraint", "--anyway", rule(i))
	}
	day := func(session string) (injected, repeated int) {
		for i, subject := range subjects {
			event, err := json.Marshal(map[string]string{"session_id": fmt.Sprint(session, i), "cwd": p.dir, "prompt": "may I " + verbs[i] + " the " + subject + " now?"})
			p.check(err)
			answer, _ := memctl(t, p.dir, string(event), "hook", "user-prompt-submit")
			for j := range subjects {
				if said := fmt.Sprintf("clearance %d", 100+j); strings.Contains(answer, said) {
					injected++
					if j < 20 {
						repeated++
					}
				}
			}
			if own := strings.Contains(answer, fmt.Sprintf("clearance %d", 100+i)); own != (i >= 20) && session == "quiet" {
				t.Errorf("%s: given: %t\n%s", subject, own, answer)
			}
		}
		t.Logf("%s: %d of %d lines repeat what the client loads", session, repeated, injected)
		return injected, repeated
	}
	if injected, repeated := day("quiet"); repeated > 0 || injected < 20 {
		t.Errorf("%d of %d lines repeat what the client loads", repeated, injected)
	}
	memctl(t, p.dir, "", "config", "set", "retrieval.repeat_loaded", "true")
	if _, repeated := day("repeats"); repeated < 20 {
		t.Errorf("without the rule %d lines repeat what the client loads, want 20", repeated)
	}
}

// Twenty clones whose .claude/memory belongs to another tool: no hook writes a file there or denies a tool.
func TestClonesOfOtherTools(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("MEMCTL_USER_ROOT", filepath.Join(t.TempDir(), "none"))
	const index = "- [Build](build.md): how to build\n"
	for i, files := range []map[string]string{
		{"MEMORY.md": index},
		{"MEMORY.md": index, "build.md": "make"},
		{"MEMORY.md": index, "build.md": "---\nname: build\ntype: project\n---\nmake"},
		{"MEMORY.md": index, "topics/build.md": "make"},
		{"MEMORY.md": index, "decisions/0001-kafka.md": "# Kafka"},
		{"MEMORY.md": index, "decisions/kafka.json": `{"name": "kafka"}`},
		{"MEMORY.md": index, "sessions/2026-01-01.md": "We built it."},
		{"MEMORY.md": index, "README.md": "# Notes"},
		{"MEMORY.md": index, ".gitignore": "*.local.md"},
		{"MEMORY.md": ""},
		{"memory.json": "{}"},
		{"memory.jsonl": `{"type": "entity"}`},
		{"memories.db": "SQLite format 3\x00"},
		{"activeContext.md": "now", "progress.md": "soon", "projectbrief.md": "a shop"},
		{"project.md": "a shop", "user.md": "a person"},
		{"CLAUDE.md": "# Rules"},
		{"agents/reviewer/MEMORY.md": index},
		{"2026/01/01.md": "We built it."},
		{"기억.md": "빌드"},
		{"tasks.yaml": "- build", "config.json": `{"version": 1}`},
	} {
		p := project{t, t.TempDir()}
		for name, data := range files {
			p.check(os.MkdirAll(filepath.Dir(p.path(name)), 0o755))
			p.check(os.WriteFile(p.path(name), []byte(data), 0o644))
		}
		before := filesBelow(p)
		tool := func(hook, path string) string {
			return fmt.Sprintf(`{"session_id": "s", "cwd": %q, "hook_event_name": %q, "tool_name": "Write", "tool_input": {"file_path": %q, "content": "x"}, "tool_response": {}}`, p.dir, hook, path)
		}
		for _, run := range [][2]string{
			{"session-start", fmt.Sprintf(`{"session_id": "s", "cwd": %q, "source": "startup"}`, p.dir)},
			{"user-prompt-submit", fmt.Sprintf(`{"session_id": "s", "cwd": %q, "prompt": "how do we build the shop with kafka?"}`, p.dir)},
			{"pre-tool-use", tool("PreToolUse", p.path("MEMORY.md"))},
			{"pre-tool-use", tool("PreToolUse", p.path("decisions/kafka.json"))},
			{"post-tool-use", tool("PostToolUse", p.path("MEMORY.md"))},
			{"stop", fmt.Sprintf(`{"session_id": "s", "cwd": %q, "last_assistant_message": "We decided on Kafka because it is fast. We chose it over Rabbit due to speed."}`, p.dir)},
			{"session-end", fmt.Sprintf(`{"session_id": "s", "cwd": %q}`, p.dir)},
		} {
			if out, _ := memctl(t, p.dir, run[1], "hook", run[0]); out != "" {
				t.Errorf("clone %d: %s answers %s", i, run[0], out)
			}
		}
		if after := filesBelow(p); !slices.Equal(after, before) {
			t.Errorf("clone %d: %q became %q", i, before, after)
		}
	}
}

func filesBelow(p project) (names []string) {
	p.check(filepath.WalkDir(p.dir, func(path string, _ fs.DirEntry, err error) error {
		names = append(names, path)
		return err
	}))
	return names
}
