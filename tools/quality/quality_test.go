package quality

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"memctl/schemas"
	"memctl/store/storetest"
)

// memctl is the program to evaluate, and testdata the folder of the stores.
var (
	memctl   = flag.String("memctl", "../../bin/memctl", "the `PROGRAM` to evaluate")
	testdata = flag.String("testdata", "../../testdata/quality", "the `FOLDER` of the stores")
)

// BenchmarkQuality prints the figures of each store.
func BenchmarkQuality(b *testing.B) {
	program, err := filepath.Abs(*memctl)
	if err == nil {
		err = run(program, *testdata)
	}
	if err != nil {
		b.Fatal(err)
	}
}

const notesName = "notes.jsonl"

func run(memctl, testdata string) error {
	memctl, err := filepath.Abs(memctl) // it runs in other folders
	if err != nil {
		return err
	}
	stores, err := filepath.Glob(filepath.Join(testdata, "*", notesName))
	if err != nil {
		return err
	}
	if len(stores) == 0 {
		return fmt.Errorf("no */%s in %s", notesName, testdata)
	}
	for _, notes := range stores {
		if err := evaluate(memctl, filepath.Dir(notes)); err != nil {
			return fmt.Errorf("evaluate %s: %w", filepath.Dir(notes), err)
		}
	}
	if err := evaluateReal(memctl, filepath.Join(testdata, "real")); err != nil {
		return err
	}
	return evaluateDays(memctl, filepath.Join(testdata, "real"))
}

// evaluate prints the figures of each strategy for each list of prompts of a store.
func evaluate(memctl, folder string) error {
	project, err := os.MkdirTemp("", "memctl-quality-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(project)
	if err := writeNotes(filepath.Join(folder, notesName), project); err != nil {
		return err
	}
	lists, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil {
		return err
	}
	for _, list := range lists {
		if filepath.Base(list) == notesName {
			continue
		}
		for _, strategy := range schemas.Strategies {
			fmt.Println(list)
			cmd := exec.Command(memctl, "eval", "--root", project, "--strategy", strategy, list)
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
			if err := cmd.Run(); err != nil {
				return err
			}
			fmt.Println()
		}
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
		if err := storetest.Put(project, n.memory()); err != nil {
			return err
		}
	}
	return nil
}

func (n note) memory() schemas.Memory {
	const day = "2026-01-05T09:00:00Z"
	return schemas.Memory{
		SchemaVersion: "1.0",
		Category:      n.Category,
		ID:            n.ID,
		Title:         n.Title,
		RecordStatus:  schemas.Active,
		CreatedAt:     day,
		UpdatedAt:     day,
		Tags:          n.Tags,
		Content:       &schemas.OtherContent{Rest: schemas.Rest{"text": n.Text}},
	}
}
