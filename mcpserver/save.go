package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"memctl/catalogue"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/text"
	"memctl/writer"
)

type saveInput struct {
	Memory map[string]any `json:"memory" jsonschema:"category, title, tags, content, related_files, as get shows one"`
	ID     string         `json:"id,omitempty" jsonschema:"the memory to update"`
	Hash   string         `json:"hash,omitempty" jsonschema:"from get, with id"`
	New    bool           `json:"new,omitempty" jsonschema:"the candidate says something else"`
}

type saveOutput struct {
	Status    string     `json:"status"` // created, updated or candidate
	ID        string     `json:"id"`
	Title     string     `json:"title"`
	Candidate *candidate `json:"candidate,omitempty"`
	// Notices say what was fixed and what deserves a second look.
	Notices []string `json:"notices,omitempty"`
	// Retired counts the memories that had to make room.
	Retired int `json:"retired,omitempty"`
}

// candidate describes a memory that may already say what the draft says.
type candidate struct {
	Excerpt retrieve.Excerpt `json:"excerpt"`
	Verdict retrieve.Verdict `json:"verdict"`
}

func (s *Server) save(ctx context.Context, root memdir.Root, in saveInput) (any, error) {
	cfg, err := s.config(root)
	if err != nil {
		return nil, err
	}
	draft, err := draftOf(in.Memory)
	if err != nil {
		return nil, err
	}
	var notices []string
	w := &writer.Writer{Root: root, Config: cfg, Now: time.Now, Lasting: true, Notify: func(notice string) {
		notices = append(notices, text.Printable(notice))
	}}
	var out saveOutput
	if in.ID != "" {
		out, err = s.update(ctx, w, in, draft)
	} else {
		out, err = s.create(ctx, w, in, draft)
	}
	out.Notices = notices
	if err == nil && out.Status != "candidate" {
		_ = catalogue.List(ctx, root) // the next session there lists it too
	}
	return out, err
}

func draftOf(memory map[string]any) (writer.Input, error) {
	data, err := json.Marshal(memory)
	if err != nil {
		return writer.Input{}, err
	}
	data, err = writer.ReadAtMost(bytes.NewReader(data))
	return writer.Input{Name: "memory", Data: data}, err
}

// update changes the memory with the id that get has shown.
func (s *Server) update(ctx context.Context, w *writer.Writer, in saveInput, draft writer.Input) (saveOutput, error) {
	var target retrieve.Ref
	err := s.use(ctx, w.Root, func(source retrieve.Source) (err error) {
		target, err = source.Lookup(ctx, in.ID)
		return err
	})
	switch {
	case err != nil:
		return saveOutput{}, err
	case target.Type != retrieve.MemoryType:
		return saveOutput{}, fmt.Errorf("id: %s is an observation, and observations do not change", in.ID)
	case target.ID != in.ID && target.Qualified() != in.ID:
		return saveOutput{}, fmt.Errorf("id: a change takes the whole id, %s", target.ID)
	}
	done, err := w.Update(ctx, memdir.RootPath+"/"+target.Path, draft, in.Hash)
	return saveOutput{Status: done.Status, ID: done.ID, Title: done.Title}, err
}

// create writes a new memory, unless a memory of the category may say the same already.
func (s *Server) create(ctx context.Context, w *writer.Writer, in saveInput, draft writer.Input) (saveOutput, error) {
	name, _ := in.Memory["category"].(string)
	category, err := categoryNamed(name)
	if err != nil {
		return saveOutput{}, fmt.Errorf("memory: %w", err)
	}
	if title, _ := in.Memory["title"].(string); !in.New {
		var proposal retrieve.Proposal
		searcher, _ := retrieve.NewSearcher(w.Root, w.Config) // without synonyms that cannot be read
		err := s.use(ctx, w.Root, func(source retrieve.Source) (err error) {
			proposal, err = source.Propose(ctx, searcher, category, title, "")
			return err
		})
		if err != nil {
			return saveOutput{}, err
		}
		if found := proposal.Candidate; found != nil {
			return saveOutput{Status: "candidate", ID: found.ID, Title: found.Title, Candidate: &candidate{found.Excerpt, proposal.Verdict}}, nil
		}
	}
	done, err := w.Create(ctx, category, "", draft)
	return saveOutput{Status: done.Status, ID: done.ID, Title: done.Title, Retired: len(done.Retired)}, err
}
