package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestSuggestions(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.put("decisions/kafka.json", "Kafka keeps the events")
	p.put("decisions/kafka-lag.json", "Kafka may lag behind")
	tests := map[string]struct {
		words string // the last one is incomplete
		want  string
	}{
		"a command":                   {"sea", "search"},
		"hidden commands are not":     {"de", ""},
		"a subcommand":                {"config un", "unset"},
		"a command to explain":        {"help sea", "search"},
		"a flag":                      {"search --cat", "--category"},
		"a flag after an argument":    {"search kafka --cat", "--category"},
		"a flag of all":               {"--ro", "--root"},
		"help":                        {"stage put --h", "--help"},
		"a value":                     {"search --category d", "decision"},
		"a value after =":             {"search --category=d", "--category=decision"},
		"a value as bash splits it":   {"search --category = d", "decision"},
		"the next after a value":      {"list --category decision --so", "--sort"},
		"a scope":                     {"install --scope ", "project local user"},
		"a shell":                     {"completion z", "zsh"},
		"a key":                       {"config set retrieval.max_i", "retrieval.max_inject"},
		"no key for a value":          {"config set retrieval.max_inject r", ""},
		"an id":                       {"show kafka", "kafka-lag kafka"},
		"an id to retire":             {"retire --target kafka-", "kafka-lag"},
		"an id to edit":               {"edit kafka-", "kafka-lag"},
		"a category to add to":        {"add pre", "preference"},
		"a template":                  {"create --template run", "runbook"},
		"a field of the category":     {"add decision --ra", "--rationale"},
		"a value of a field":          {"add decision --status su", "superseded"},
		"by a short name":             {"add debt --status wont", "wont_fix"},
		"a file is left to the shell": {"update --input ", ""},
		"a root is left to the shell": {"--root ", ""},
		"a command after a root":      {"--root x lis", "list"},
		"an unknown command":          {"nosuch ", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"complete", "--"}, strings.Split(tt.words, " ")...)
			out, _ := memctl(t, p.dir, "", args...)
			var got []string
			for line := range strings.Lines(out) {
				word, _, _ := strings.Cut(line, "\t")
				got = append(got, word)
			}
			if want := strings.Fields(tt.want); !slices.Equal(got, want) {
				t.Errorf("after %q: %q, want %q", tt.words, got, want)
			}
		})
	}
}

// The script works in a real shell. Its first word may be a path.
func TestCompletionInBash(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash on this system")
	}
	p := newProject(t)
	script, _ := memctl(t, p.dir, "", "completion", "bash")
	run, out, _ := process(p.dir, "", "list")
	ask := exec.Command(bash, "-c", script+`COMP_WORDS=("$0" search --category de) COMP_CWORD=3; _memctl; echo "${COMPREPLY[*]}"`, run.Path)
	ask.Env, ask.Dir, ask.Stdout = run.Env, run.Dir, out
	p.check(ask.Run())
	if got := strings.TrimSpace(out.String()); got != "decision" {
		t.Errorf("bash completes %q", got)
	}
}
