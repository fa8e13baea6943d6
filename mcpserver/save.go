package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"memctl/memdir"
	"memctl/retrieve"
	"memctl/store"
	"memctl/writer"
)

type saveInput struct {
	Memory map[string]any `json:"memory" jsonschema:"category, title, tags, content, related_files, as get shows one"`
	ID     string         `json:"id,omitempty" jsonschema:"the memory to update"`
	Hash   string         `json:"hash,omitempty" jsonschema:"from get, with id"`
	New    bool           `json:"new,omitempty" jsonschema:"the candidate says something else"`
	Scope  string         `json:"scope,omitempty" jsonschema:"project, the default, or user"`
}

type saveOutput struct {
	Status    string     `json:"status"` // created, updated or candidate
	ID        string     `json:"id"`
	Title     string     `json:"title"`
	Scope     string     `json:"scope,omitempty"` // user if it is one of the user's own
	Candidate *candidate `json:"candidate,omitempty"`
	// Notices say what was fixed and what deserves a second look.
	Notices []string `json:"notices,omitempty"`
	// Retired counts the memories that had to make room.
	Retired int `json:"retired,omitempty"`
}

// candidate describes a memory that says what the draft says, or that the draft changes.
type candidate struct {
	Excerpt retrieve.Excerpt  `json:"excerpt"`
	Verdict retrieve.Standing `json:"verdict"`
}

// save changes the project's memories, or the user's if the agent says so. It makes no root.
func (s *Server) save(ctx context.Context, st *store.Store, in saveInput) (any, error) {
	if st.Scope = memdir.Scope(in.Scope); in.Scope == memdir.ProjectScope.String() {
		st.Scope = memdir.ProjectScope
	} else if in.Scope != "" && st.Scope != memdir.UserScope {
		return nil, fmt.Errorf("scope: expected project or user, got %q", in.Scope)
	}
	var notices []string
	st.Notify = func(notice writer.Notice) { notices = append(notices, notice.String()) }
	if _, err := st.Root(); err != nil && st.Scope == memdir.UserScope && !errors.Is(err, memdir.ErrNoUserRoot) {
		s.warn(err.Error())
		return nil, errors.New("the user's own memories cannot be used; memctl doctor says why")
	}
	w, err := st.ExistingWriter()
	if err != nil {
		return nil, err
	}
	draft, err := draftOf(in.Memory)
	if err != nil {
		return nil, err
	}
	var out saveOutput
	if in.ID != "" {
		out, err = update(ctx, st, w, in, draft)
	} else {
		out, err = create(ctx, st, in, draft)
	}
	out.Notices, out.Scope = notices, string(st.Scope)
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
func update(
	ctx context.Context, st *store.Store, w *writer.Writer, in saveInput, draft writer.Input,
) (saveOutput, error) {
	var target retrieve.Ref
	err := st.Look(ctx, w.Root, func(source retrieve.Source) (err error) {
		target, err = source.Alone().Lookup(ctx, in.ID)
		return err
	})
	switch {
	case err != nil:
		return saveOutput{}, inOther(w, in.ID, err)
	case target.Type != retrieve.MemoryType:
		return saveOutput{}, fmt.Errorf("id: %s is an observation, and observations do not change", in.ID)
	case target.ID != in.ID && target.Qualified() != in.ID:
		return saveOutput{}, fmt.Errorf("id: a change takes the whole id, %s", target.ID)
	}
	done, err := w.Update(ctx, w.Root.Shown+"/"+target.Path, draft, in.Hash)
	return saveOutput{Status: done.Status, ID: done.ID, Title: done.Title}, err
}

// inOther is the error for an id that is not in the root that the agent names: it says if
// the memory is in the other one, where it stays as it is.
func inOther(w *writer.Writer, id string, err error) error {
	if w.Other.Path == "" {
		return err
	}
	if paths, _ := w.Other.Named(id); len(paths) == 0 {
		return err
	}
	name := "the project's memories"
	if w.Other.Scope == memdir.UserScope {
		name = "the user's own memories"
	}
	return fmt.Errorf("id: %s is among %s; to change it there, save with scope %s", id, name, w.Other.Scope)
}

// create writes a new memory, unless one of the category says the same already.
func create(ctx context.Context, st *store.Store, in saveInput, draft writer.Input) (saveOutput, error) {
	name, _ := in.Memory["category"].(string)
	category, err := categoryNamed(name)
	if err != nil {
		return saveOutput{}, fmt.Errorf("memory: %w", err)
	}
	policy := store.Refuse
	if in.New {
		policy = store.Anyway
	}
	done, err := st.Save(ctx, policy, func(w *writer.Writer) (writer.Saved, error) {
		return w.Create(ctx, category, "", draft)
	})
	if already := new(store.Already); errors.As(err, &already) {
		other := &candidate{already.Excerpt, already.Standing}
		return saveOutput{Status: "candidate", ID: already.Other.ID, Title: already.Other.Title, Candidate: other}, nil
	}
	return saveOutput{Status: done.Status, ID: done.ID, Title: done.Title, Retired: len(done.Retired)}, err
}
