package quality

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"memctl/files"
	"memctl/schemas"
	"memctl/store/storetest"
)

// realPrompt is a prompt as somebody typed it, with the grades of the memories that matter
// for it: 2 for one that is needed, 1 for one on the subject.
type realPrompt struct {
	Prompt   string         `json:"prompt"`
	Relevant map[string]int `json:"relevant"`
}

// tally counts what the prompts of a repository received.
type tally struct {
	prompts, lines, relevant, needed int // needed: lines of grade 2
	wanted                           int // pairs of a prompt and a memory that it needs
	silent, polluted                 int // prompts without a relevant memory; those that got something
	some, kept                       int // prompts with one; those that got one
	needy, keptNeedy                 int // the same of grade 2
}

var realColumns = []string{
	"precision", "of grade 2", "recall of grade 2", "pollution", "kept", "kept of grade 2", "irrelevant lines a prompt",
}

// figures are the tally in the order of realColumns.
func (t tally) figures() []float64 {
	share := func(n, of int) float64 { return float64(n) / float64(max(of, 1)) }
	return []float64{
		share(t.relevant, t.lines), share(t.needed, t.lines), share(t.needed, t.wanted), share(t.polluted, t.silent),
		share(t.kept, t.some), share(t.keptNeedy, t.needy), share(t.lines-t.relevant, t.prompts),
	}
}

func (t *tally) add(p realPrompt, got []string) {
	t.prompts++
	t.lines += len(got)
	relevant, needed, wanted := 0, 0, 0
	for _, id := range got {
		switch p.Relevant[id] {
		case 2:
			needed++
			relevant++
		case 1:
			relevant++
		}
	}
	for _, grade := range p.Relevant {
		if grade == 2 {
			wanted++
		}
	}
	t.relevant += relevant
	t.needed += needed
	t.wanted += wanted
	count := func(of, hits *int, asked, hit bool) {
		if asked {
			*of++
		}
		if asked && hit {
			*hits++
		}
	}
	count(&t.silent, &t.polluted, len(p.Relevant) == 0, len(got) > 0)
	count(&t.some, &t.kept, len(p.Relevant) > 0, relevant > 0)
	count(&t.needy, &t.keptNeedy, wanted > 0, needed > 0)
}

// evaluateReal prints the mean figures of the repositories in a folder for each strategy.
func evaluateReal(memctl, folder string) error {
	repositories, err := filepath.Glob(filepath.Join(folder, "*", "prompts.jsonl"))
	if err != nil || len(repositories) == 0 {
		return fmt.Errorf("no */prompts.jsonl in %s: %w", folder, err)
	}
	fmt.Printf("%s (mean of %d repositories)\n%-12s %s\n", folder, len(repositories), "", strings.Join(realColumns, " | "))
	for _, strategy := range schemas.Strategies {
		sums := make([]float64, len(realColumns))
		for _, prompts := range repositories {
			t, err := askAll(memctl, filepath.Dir(prompts), strategy)
			if err != nil {
				return fmt.Errorf("evaluate %s: %w", filepath.Dir(prompts), err)
			}
			for i, figure := range t.figures() {
				sums[i] += figure
			}
		}
		fmt.Printf("%-12s", strategy)
		for _, sum := range sums {
			fmt.Printf(" %.2f", sum/float64(len(repositories)))
		}
		fmt.Println()
	}
	return nil
}

// askAll runs the real hook for each prompt of a repository, each as a session of its own.
func askAll(memctl, folder, strategy string) (t tally, err error) {
	project, memories, err := realProject(folder, fmt.Sprintf(`{"retrieval": {"match_strategy": %q}}`, strategy))
	if err != nil {
		return t, err
	}
	defer os.RemoveAll(project)
	prompts, err := linesOf[realPrompt](filepath.Join(folder, "prompts.jsonl"))
	for i, p := range prompts {
		got, err := injected(memctl, project, fmt.Sprintf("session-%d", i), p.Prompt, memories)
		if err != nil {
			return t, err
		}
		t.add(p, got)
	}
	return t, err
}

// realProject makes a scratch project with the memories of a repository, which it returns by
// their ids.
func realProject(folder, settings string) (project string, memories map[string]schemas.Memory, err error) {
	if project, err = os.MkdirTemp("", "memctl-quality-"); err != nil {
		return "", nil, err
	}
	lines, err := linesOf[json.RawMessage](filepath.Join(folder, "memories.jsonl"))
	memories = map[string]schemas.Memory{}
	for _, data := range lines {
		m, decodeErr := schemas.Decode(data)
		err = errors.Join(err, decodeErr)
		if decodeErr == nil {
			err = errors.Join(err, storetest.Put(project, m))
			memories[m.ID] = m
		}
	}
	if err == nil {
		name := filepath.Join(project, filepath.FromSlash(files.RootPath), files.ConfigName)
		err = os.WriteFile(name, []byte(settings), 0o644)
	}
	if err != nil {
		os.RemoveAll(project)
	}
	return project, memories, err
}

// given runs a hook and returns what the agent gets.
func given(memctl, project, hook string, event map[string]any) (string, error) {
	data, err := json.Marshal(event)
	if err != nil {
		return "", err
	}
	cmd := exec.Command(memctl, "hook", hook)
	cmd.Dir, cmd.Stdin = project, bytes.NewReader(data)
	cmd.Env = append(os.Environ(), "HOME="+project, "CLAUDE_PROJECT_DIR="+project)
	out, err := cmd.Output()
	if err != nil || len(out) == 0 {
		return "", err
	}
	var answer struct {
		Output struct {
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	err = json.Unmarshal(out, &answer)
	return answer.Output.Context, err
}

// injected returns the ids of the memories that a prompt receives.
func injected(memctl, project, session, prompt string, memories map[string]schemas.Memory) ([]string, error) {
	context, err := given(memctl, project, "user-prompt-submit", map[string]any{
		"hook_event_name": "UserPromptSubmit", "session_id": session, "cwd": project, "prompt": prompt,
	})
	return named(context, memories), err
}

// named returns the ids of the memories of which a hook says that they may matter: each is a line
// "- CATEGORY BEGINNING-OF-ID: TITLE" or, with title_tags, "- [CATEGORY] TITLE -> FOLDER/ID.json".
func named(context string, memories map[string]schemas.Memory) (ids []string) {
	for line := range strings.Lines(context) {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "-" {
			continue
		}
		if _, path, found := strings.Cut(line, " -> "); found {
			path, _, _ = strings.Cut(path, ".json")
			ids = append(ids, path[strings.LastIndex(path, "/")+1:])
			continue
		}
		for id, m := range memories {
			if words[1] == string(m.Category) && strings.HasPrefix(id, strings.TrimSuffix(words[2], ":")) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

func linesOf[T any](name string) ([]T, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var list []T
	for line := range bytes.Lines(data) {
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		list = append(list, v)
	}
	return list, nil
}
