package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/memdir"
	"memctl/schemas"
	"memctl/tools/synth/store"
)

// seed makes the same stores each time.
const seed = 1

// settling is longer than an index needs before it trusts a file that was just written
// (memdir.Settled), as when a person edits a file and then asks.
const settling = 150 * time.Millisecond

// project is a folder with a synthetic store.
type project struct {
	dir    string
	prompt string
	target schemas.Memory // the memory that prompt asks for, a decision
	draft  schemas.Memory // what create is given, a constraint
	edits  int
}

func (b *bed) newProject(name string, size int, seed int64, strategy string) (*project, error) {
	p := &project{dir: filepath.Join(b.dir, fmt.Sprintf("%s-%d", name, size))}
	if err := store.Write(p.dir, size, seed); err != nil {
		return nil, err
	}
	config := fmt.Appendf(nil, `{"retrieval": {"match_strategy": %q}}`, strategy)
	if err := os.WriteFile(p.path(memdir.ConfigName), config, 0o644); err != nil {
		return nil, err
	}
	memories := store.Memories(size, seed)
	p.choosePrompt(memories)
	p.chooseDraft(memories)
	time.Sleep(settling)
	if _, err := b.run(process{command: []string{b.memctl, "reindex", "--root", p.dir}}); err != nil {
		return nil, err
	}
	_, err := b.run(process{command: []string{b.memctl, "roots", "add", p.dir}}) // as after a few sessions
	return p, err
}

// path is the path of something in the memory root.
func (p *project) path(below ...string) string {
	return filepath.Join(append([]string{p.dir, filepath.FromSlash(memdir.RootPath)}, below...)...)
}

// choosePrompt asks for the active decision whose title has the three rarest words.
func (p *project) choosePrompt(memories []schemas.Memory) {
	counts := map[string]int{}
	for _, m := range memories {
		for _, word := range append(strings.Fields(m.Title), m.Tags...) {
			counts[word]++
		}
	}
	fewest := 0
	for _, m := range memories {
		words := strings.Fields(m.Title)
		slices.SortFunc(words, func(a, b string) int { return counts[a] - counts[b] })
		words = words[:3]
		touched := counts[words[0]] + counts[words[1]] + counts[words[2]]
		if m.Category == schemas.Decision && m.RecordStatus == schemas.Active && (fewest == 0 || touched < fewest) {
			fewest, p.target = touched, m
			p.prompt = "please help with " + strings.Join(words, " and ")
		}
	}
}

// edit replaces the memory that the prompt asks for, as git and editors do: by renaming
// a new file over it.
func (p *project) edit() error {
	p.edits++
	m := p.target
	m.Title += fmt.Sprintf(" edited%d", p.edits)
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	path := p.path("decisions", m.ID+".json")
	if err := os.WriteFile(path+".tmp", data, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".tmp", path)
}

// chooseDraft takes a constraint. At 10,000 memories its category holds more than it may
// by default, so that each create also retires a memory; that of the prompt stays.
func (p *project) chooseDraft(memories []schemas.Memory) {
	for _, m := range memories {
		if m.Category == schemas.Constraint {
			p.draft = m
		}
	}
}

// removeCreated makes the next create one.
func (p *project) removeCreated() error {
	err := os.Remove(p.path("constraints", "bench.json"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
