package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
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

// candidate is a memory that may already say what the draft says.
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
	var out saveOutput
	w := &writer.Writer{Root: root, Config: cfg, Now: time.Now, Lasting: true, Notify: func(n writer.Notice) {
		out.Notices = append(out.Notices, text.Printable(n.String()))
	}}
	if in.ID != "" {
		err = s.update(ctx, w, in, draft, &out)
	} else {
		err = s.create(ctx, w, in, draft, &out)
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
func (s *Server) update(ctx context.Context, w *writer.Writer, in saveInput, draft writer.Input, out *saveOutput) error {
	var target retrieve.Ref
	err := s.each(ctx, w.Root, []string{in.ID}, func(_ retrieve.Source, ref retrieve.Ref) error {
		target = ref
		return nil
	})
	switch {
	case err != nil:
		return err
	case target.Type != retrieve.MemoryType:
		return fmt.Errorf("id: %s is an observation, and observations do not change", in.ID)
	case target.ID != in.ID && target.Qualified() != in.ID:
		return fmt.Errorf("id: a change takes the whole id, %s", target.ID)
	}
	done, err := w.Update(ctx, memdir.RootPath+"/"+target.Path, draft, in.Hash)
	out.Status, out.ID, out.Title = done.Status, done.ID, done.Title
	return err
}

func (s *Server) create(ctx context.Context, w *writer.Writer, in saveInput, draft writer.Input, out *saveOutput) error {
	name, _ := in.Memory["category"].(string)
	category, err := categoryNamed(name)
	if err != nil {
		return fmt.Errorf("memory: %w", err)
	}
	if !in.New {
		found, err := s.candidate(ctx, w.Root, category, draft, out)
		if err != nil || found {
			return err
		}
	}
	done, err := w.Create(ctx, category, "", draft)
	out.Status, out.ID, out.Title, out.Retired = done.Status, done.ID, done.Title, len(done.Retired)
	return err
}

// candidate looks for a memory about the same thing as the draft.
func (s *Server) candidate(ctx context.Context, root memdir.Root, category schemas.Category, draft writer.Input, out *saveOutput) (found bool, err error) {
	m, err := schemas.Decode(draft.Data)
	if err != nil {
		return false, nil // the writer says what is wrong with it
	}
	err = s.use(ctx, root, func(source retrieve.Source) error {
		results, err := source.Fresh(ctx, retrieve.NewCandidateQuery(category, m.Title))
		r := retrieve.Candidate(results)
		if err != nil || r == nil {
			return err
		}
		data, err := source.Root.ReadFile(r.Path)
		if err != nil {
			return err
		}
		old, err := schemas.Decode(data)
		if err != nil {
			return err
		}
		found = true
		out.Status, out.ID, out.Title = "candidate", r.ID, r.Title
		out.Candidate = &candidate{retrieve.NewExcerpt(old, category), retrieve.Judge(category, "", r)}
		return nil
	})
	return found, err
}
