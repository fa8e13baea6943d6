// Command quality evaluates the ranking strategies on testdata/quality: notes and
// prompts of an invented podcast host, English and Korean, with prompts for which
// silence is right. It makes a scratch project of the notes, runs `memctl eval` for
// each strategy, and leaves nothing behind.
//
//	go run ./tools/quality [-memctl bin/memctl] [-testdata testdata/quality]
//
// The set is small: it shows that a change of the ranking breaks nothing, not how
// good the ranking is.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"memctl/schemas"
	"memctl/tools/synth/store"
)

func main() {
	memctl := flag.String("memctl", "bin/memctl", "the `PROGRAM` to evaluate")
	testdata := flag.String("testdata", "testdata/quality", "the `FOLDER` of notes.jsonl and prompts.jsonl")
	flag.Parse()
	if err := run(*memctl, *testdata); err != nil {
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(1)
	}
}

func run(memctl, testdata string) error {
	project, err := os.MkdirTemp("", "memctl-quality-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(project)
	if err := writeNotes(filepath.Join(testdata, "notes.jsonl"), project); err != nil {
		return err
	}
	for _, strategy := range schemas.Strategies {
		cmd := exec.Command(memctl, "eval", "--root", project, "--strategy", strategy, filepath.Join(testdata, "prompts.jsonl"))
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("evaluate %s: %w", strategy, err)
		}
		fmt.Println()
	}
	return nil
}

// note is a memory without the fields that have no part in the ranking.
type note struct {
	Category schemas.Category `json:"category"`
	ID       string           `json:"id"`
	Title    string           `json:"title"`
	Tags     []string         `json:"tags"`
	Text     string           `json:"text"`
}

func writeNotes(list, project string) error {
	data, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(data) {
		var n note
		if err := json.Unmarshal(line, &n); err != nil {
			return fmt.Errorf("read %s: %w", list, err)
		}
		m, err := n.memory()
		if err != nil {
			return err
		}
		if err := store.Put(project, m); err != nil {
			return err
		}
	}
	return nil
}

func (n note) memory() (schemas.Memory, error) {
	const day = "2026-01-05T09:00:00Z"
	content, err := json.Marshal(map[string]string{"text": n.Text})
	return schemas.Memory{
		SchemaVersion: "1.0",
		Category:      n.Category,
		ID:            n.ID,
		Title:         n.Title,
		RecordStatus:  schemas.Active,
		CreatedAt:     day,
		UpdatedAt:     day,
		Tags:          n.Tags,
		Content:       content,
	}, err
}
