package quality

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"memctl/schemas"
	"memctl/text"
)

// A day of an agent is sessions of real prompts and commands of a repository, and of edits of
// files that its memories name, which is the dearest case: the public sessions do not say
// which files were edited.
const (
	dayPrompts  = 30
	daySessions = 6
	dayEdits    = 80
	dayCommands = 120
)

// moments are what a day is measured with, from what there was before to all.
var moments = []struct {
	title, settings string
}{
	{"titles with prompts", `{"retrieval": {"match_strategy": "hybrid", "start_tokens": 0, "max_tokens": 0}, "moments": {"tools": false}}`},
	{"and the rules' sentences", `{"retrieval": {"match_strategy": "hybrid", "start_tokens": 0}, "moments": {"tools": false}}`},
	{"and before tools", `{"retrieval": {"match_strategy": "hybrid", "start_tokens": 0}}`},
	{"and the digest (the default)", `{"retrieval": {"match_strategy": "hybrid"}}`},
}

// spent counts the tokens of a day by the moment at which they were given, and the memories
// that the prompts need.
type spent struct {
	start, prompts, tools int
	wanted, had           int
}

// evaluateDays prints what a day costs in each repository that has commands.jsonl.
func evaluateDays(memctl, folder string) error {
	repositories, err := filepath.Glob(filepath.Join(folder, "*", "commands.jsonl"))
	if err != nil {
		return err
	}
	for _, commands := range repositories {
		fmt.Printf("%s: %d prompts, %d commands and %d edits in %d sessions\n", filepath.Base(filepath.Dir(commands)),
			dayPrompts, dayCommands, dayEdits, daySessions)
		fmt.Println("| | at starts | with prompts | before tools | tokens of the day | needed memories that the session has |")
		for _, m := range moments {
			s, err := liveDay(memctl, filepath.Dir(commands), m.settings)
			if err != nil {
				return fmt.Errorf("a day in %s: %w", filepath.Dir(commands), err)
			}
			fmt.Printf("| %s | %d | %d | %d | %d | %.2f |\n", m.title, s.start, s.prompts, s.tools, s.start+s.prompts+s.tools,
				float64(s.had)/float64(max(s.wanted, 1)))
		}
	}
	return nil
}

// liveDay runs the real hooks for a day.
func liveDay(memctl, folder, settings string) (s spent, err error) {
	project, memories, err := realProject(folder, settings)
	if err != nil {
		return s, err
	}
	defer os.RemoveAll(project)
	prompts, err := linesOf[realPrompt](filepath.Join(folder, "prompts.jsonl"))
	if err != nil {
		return s, err
	}
	commands, err := linesOf[string](filepath.Join(folder, "commands.jsonl"))
	if err != nil {
		return s, err
	}
	if len(prompts) < dayPrompts || len(commands) < dayCommands {
		return s, errors.New("too few prompts or commands for a day")
	}
	files, err := namedFiles(project, memories)
	if err != nil {
		return s, err
	}
	type object map[string]any
	had := map[string]bool{}
	give := func(session int, hook string, event object) (int, error) {
		event["session_id"], event["cwd"] = fmt.Sprintf("day-%d", session), project
		context, err := given(memctl, project, hook, event)
		for _, id := range named(context, memories) {
			had[id] = true
		}
		for id, m := range memories {
			if said := m.Sentence(); said != "" &&
				strings.Contains(context, text.EscapeMarkup(text.CutSentence(said, 240))) {
				had[id] = true
			}
		}
		return text.CostOf(utf8.RuneCountInString(context)), err
	}
	for session := range daySessions {
		clear(had)
		tokens, err := give(session, "session-start", object{"source": "startup"})
		if err != nil {
			return s, err
		}
		s.start += tokens
		for _, p := range part(prompts[:dayPrompts], session) {
			if tokens, err = give(session, "user-prompt-submit", object{"prompt": p.Prompt}); err != nil {
				return s, err
			}
			s.prompts += tokens
			for id, grade := range p.Relevant {
				if grade == 2 {
					s.wanted++
					if had[id] {
						s.had++
					}
				}
			}
		}
		for _, command := range part(commands[:dayCommands], session) {
			tokens, err := give(session, "pre-tool-use", object{"tool_name": "Bash", "tool_input": object{"command": command}})
			if err != nil {
				return s, err
			}
			s.tools += tokens
		}
		for i := range dayEdits / daySessions {
			file := files[(session*dayEdits/daySessions+i)%len(files)]
			tokens, err := give(session, "pre-tool-use", object{"tool_name": "Edit", "tool_input": object{"file_path": file}})
			if err != nil {
				return s, err
			}
			s.tools += tokens
		}
	}
	return s, nil
}

// part returns the elements of a list that belong to a session.
func part[T any](list []T, session int) []T {
	each := len(list) / daySessions
	return list[session*each : (session+1)*each]
}

// namedFiles makes the files that memories name, so that none counts as gone.
func namedFiles(project string, memories map[string]schemas.Memory) (files []string, err error) {
	for _, m := range memories {
		for _, name := range m.RelatedFiles {
			if strings.ContainsAny(name, "*?[{") || !filepath.IsLocal(name) {
				continue
			}
			at := filepath.Join(project, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				return nil, err
			}
			if err := os.WriteFile(at, nil, 0o644); err != nil && !errors.Is(err, fs.ErrExist) {
				return nil, err
			}
			files = append(files, name)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}
