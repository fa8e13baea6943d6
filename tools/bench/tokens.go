package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"memctl/text"
)

// smartTarget is the part of what everything costs that the smart form may cost.
const smartTarget = 0.2

// tokenRow is what the prompts of the sample store cost together, in tokens, with
// so many results at most.
type tokenRow struct {
	Results    int     `json:"results"`
	Everything int     `json:"everything"` // all of every result
	Index      int     `json:"index"`      // layer 1
	Timeline   int     `json:"timeline"`   // layer 1, and layer 2 of the best
	Smart      int     `json:"smart"`
	Ratio      float64 `json:"ratio"` // of smart to everything
	Met        bool    `json:"met"`
}

// sample puts the sample store into a project of its own.
func (p *programs) sample() (project string, err error) {
	project = filepath.Join(p.temp, "sample")
	if _, err := os.Stat(project); err == nil {
		return project, nil
	}
	return project, os.CopyFS(filepath.Join(project, ".claude", "memory"), os.DirFS("testdata/stores/parcel"))
}

func countTokens(p *programs) ([]tokenRow, error) {
	project, err := p.sample()
	if err != nil {
		return nil, err
	}
	prompts, err := os.ReadFile("testdata/stores/prompts.txt")
	if err != nil {
		return nil, err
	}
	var rows []tokenRow
	for _, n := range []int{5, 10, 20} {
		row := tokenRow{Results: n}
		for prompt := range strings.Lines(string(prompts)) {
			if err := row.count(p, project, strings.TrimSpace(prompt)); err != nil {
				return nil, err
			}
		}
		row.Ratio = float64(row.Smart) / float64(row.Everything)
		row.Met = row.Ratio <= smartTarget
		rows = append(rows, row)
	}
	return rows, nil
}

// count adds what one prompt costs.
func (r *tokenRow) count(p *programs, project, prompt string) error {
	say := func(args ...string) (string, error) {
		command := exec.Command(p.memctl, args...)
		command.Dir, command.Env = project, plainEnv(os.Environ())
		out, err := command.Output()
		if err != nil {
			err = fmt.Errorf("run memctl %s: %w", args[0], err)
		}
		return string(out), err
	}
	search := func(flags ...string) (string, error) {
		return say(append(append([]string{"search", "--limit", strconv.Itoa(r.Results)}, flags...), "--", prompt)...)
	}
	listed, err := search("--json")
	if err != nil {
		return err
	}
	var found []struct{ ID string }
	if err := json.Unmarshal([]byte(listed), &found); err != nil || len(found) == 0 {
		return err
	}
	ids := make([]string, len(found))
	for i, f := range found {
		ids[i] = f.ID
	}
	var said [4]string
	for i, ask := range []func() (string, error){
		func() (string, error) { return say(append([]string{"show", "--json"}, ids...)...) },
		func() (string, error) { return search() },
		func() (string, error) { return say("timeline", ids[0]) },
		func() (string, error) { return search("--smart") },
	} {
		if said[i], err = ask(); err != nil {
			return err
		}
	}
	r.Everything += text.Cost(said[0])
	r.Index += text.Cost(said[1])
	r.Timeline += text.Cost(said[1] + said[2])
	r.Smart += text.Cost(said[3])
	return nil
}

func printTokens(w io.Writer, rows []tokenRow) {
	fmt.Fprint(w, "\n### Tokens for the prompts of the sample store\n\n")
	fmt.Fprintln(w, "| results | everything | layer 1 | layers 1 and 2 | smart | smart of everything | target | |")
	fmt.Fprintln(w, "|--:|--:|--:|--:|--:|--:|--:|---|")
	for _, r := range rows {
		printRow(w, []string{
			strconv.Itoa(r.Results), strconv.Itoa(r.Everything), strconv.Itoa(r.Index), strconv.Itoa(r.Timeline), strconv.Itoa(r.Smart),
			fmt.Sprintf("%.2f x", r.Ratio), fmt.Sprintf("≤ %.2f x", smartTarget), verdict(r.Met),
		})
	}
}
