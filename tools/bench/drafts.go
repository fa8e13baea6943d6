package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"memctl/memdir"
	"memctl/schemas"
)

// drafts are what the commands that write are given, and where they write: in the
// busy project.
type drafts struct {
	created, updated string // paths below the project
	createInput      string
	updateInput      string
	scratch          string // what the floor writes
	project          string
	memory           schemas.Memory
	updates          int
}

func newDrafts(dir, project string) (*drafts, error) {
	root := filepath.FromSlash(memdir.RootPath)
	d := &drafts{
		project:     project,
		created:     filepath.Join(root, "decisions", "bench-created.json"),
		createInput: filepath.Join(dir, "create.json"),
		updateInput: filepath.Join(dir, "update.json"),
		scratch:     filepath.Join(dir, "scratch"),
	}
	found, err := filepath.Glob(filepath.Join(project, root, "decisions", "*.json"))
	if err != nil || len(found) == 0 {
		return nil, fmt.Errorf("no decision to update in %s (%v)", project, err)
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &d.memory); err != nil {
		return nil, err
	}
	if d.updated, err = filepath.Rel(project, found[0]); err != nil {
		return nil, err
	}
	return d, os.WriteFile(d.createInput, data, 0o600)
}

// removeCreated lets the next create be one.
func (d *drafts) removeCreated() error {
	path := filepath.Join(d.project, d.created)
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return err
	}
	return flushFolder(filepath.Dir(path))
}

// changeInput makes the next update one: what the file says, and a little more.
func (d *drafts) changeInput() error {
	data, err := os.ReadFile(filepath.Join(d.project, d.updated))
	if err != nil {
		return err
	}
	var m schemas.Memory
	var content map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	if err := json.Unmarshal(m.Content, &content); err != nil {
		return err
	}
	d.updates++
	content["context"] = fmt.Sprintf("version %d of the context", d.updates)
	m.Changes = append(m.Changes, schemas.Change{Date: schemas.FormatTime(time.Now()), Summary: "another context"})
	if m.Content, err = json.Marshal(content); err != nil {
		return err
	}
	if data, err = json.Marshal(m); err != nil {
		return err
	}
	return os.WriteFile(d.updateInput, data, 0o600)
}

// answered wants a status in the answer of a command that writes.
func answered(status string) func(string) error {
	return func(stdout string) error {
		if !strings.Contains(stdout, `"`+status+`"`) {
			return fmt.Errorf("expected %q, got %s", status, stdout)
		}
		return nil
	}
}
