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
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"memctl/memdir"
	"memctl/schemas"
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
	file, err := os.Open(list)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var n note
		if err := json.Unmarshal(lines.Bytes(), &n); err != nil {
			return fmt.Errorf("read %s: %w", list, err)
		}
		if err := n.write(filepath.Join(project, filepath.FromSlash(memdir.RootPath))); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (n note) write(root string) error {
	info, ok := n.Category.Info()
	if !ok {
		return fmt.Errorf("%s: no category %q", n.ID, n.Category)
	}
	const day = "2026-01-05T09:00:00Z"
	data, err := json.MarshalIndent(map[string]any{
		"schema_version": "1.0", "category": n.Category, "id": n.ID, "title": n.Title, "tags": n.Tags,
		"record_status": "active", "created_at": day, "updated_at": day, "times_updated": 0,
		"content": map[string]string{"text": n.Text},
	}, "", "  ")
	if err != nil {
		return err
	}
	folder := filepath.Join(root, info.Folder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, n.ID+".json"), append(data, '\n'), 0o644)
}
