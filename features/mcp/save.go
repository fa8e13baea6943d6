package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
	"memctl/writer"
)

type saveInput struct {
	Text     string         `json:"text,omitempty" jsonschema:"what to remember and why, in 1 or 2 sentences"`
	Title    string         `json:"title,omitempty"`
	Category string         `json:"category,omitempty" jsonschema:"constraint (a rule, limit or fact), preference, decision (a choice), runbook (a failure and its remedy), tech_debt or session_summary (where the work stands)"`
	Strength string         `json:"strength,omitempty" jsonschema:"strong: the user said so, sessions start with it; default: you found out; soft: a wish"`
	Tags     []string       `json:"tags,omitempty"`
	Files    []string       `json:"files,omitempty" jsonschema:"files it is about; default: those changed in this turn; [] for none"`
	Folder   string         `json:"folder,omitempty" jsonschema:"one part of a monorepo: packages/web"`
	Commands []string       `json:"commands,omitempty" jsonschema:"commands it is about: kubectl apply"`
	ID       string         `json:"id,omitempty" jsonschema:"the memory that this text replaces"`
	New      bool           `json:"new,omitempty" jsonschema:"save even if a memory repeats it"`
	From     int            `json:"from,omitempty" jsonschema:"item of import --next"`
	Scope    string         `json:"scope,omitempty" jsonschema:"project (default) or user"`
	Memory   map[string]any `json:"memory,omitempty" jsonschema:"instead of a text: a whole memory, as get shows it; an update adds {date, summary} to changes"`
	Hash     string         `json:"hash,omitempty" jsonschema:"from get, with id and memory"`
}

type saveOutput struct {
	Status   string           `json:"status"` // created, updated or proposed
	Number   int              `json:"proposal,omitempty"`
	ID       string           `json:"id,omitempty"`
	Title    string           `json:"title,omitempty"`
	Category schemas.Category `json:"category,omitempty"`
	Guessed  bool             `json:"guessed,omitempty"`  // the category
	Standing bool             `json:"standing,omitempty"` // every session gets it
	Scope    string           `json:"scope,omitempty"`    // user if it is one of the user's own
	Check    string           `json:"check,omitempty"`    // the proposed one, and how the user confirms it
	// Similar is a memory that the new one resembles. Both are kept.
	Similar *similar `json:"similar,omitempty"`
	// Notices say what was fixed and what deserves a second look.
	Notices []string `json:"notices,omitempty"`
	// Retired counts the memories that had to make room.
	Retired int `json:"retired,omitempty"`
}

type similar struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	// Hint says how a decision takes the place of the similar one.
	Hint string `json:"hint,omitempty"`
}

// similarOf describes the similar memory of a save, nil for none.
func similarOf(s writer.Saved) *similar {
	if s.Similar == nil {
		return nil
	}
	found := &similar{ID: s.Similar.ID, Text: s.Similar.Text}
	if category, _ := schemas.CategoryOfPath(s.Similar.Path); category == schemas.Decision {
		found.Hint = fmt.Sprintf("if yours takes its place: save your text again, with id %s and \"Supersedes %s.\" "+
			"at its end", s.ID, s.Similar.ID)
	}
	return found
}

// save changes the project's memories, or the user's if the agent says so. It makes no root.
func (s *Server) save(ctx context.Context, st *store.Store, in saveInput) (any, error) {
	if st.Scope = files.Scope(in.Scope); in.Scope == files.ProjectScope.String() {
		st.Scope = files.ProjectScope
	} else if in.Scope != "" && st.Scope != files.UserScope {
		return nil, fmt.Errorf("scope: expected project or user, got %q", in.Scope)
	}
	var notices []string
	st.Notify = func(notice writer.Notice) {
		if notice.Kind != writer.Resembles { // saveOutput.Similar has it
			notices = append(notices, notice.String())
		}
	}
	if _, err := st.Root(); err != nil && st.Scope == files.UserScope && !errors.Is(err, files.ErrNoUserRoot) {
		s.Warn(err.Error())
		return nil, errors.New("the user's own memories cannot be used; run memctl doctor")
	}
	w, err := st.ExistingWriter()
	if err != nil {
		return nil, err
	}
	origin, settle, err := s.workItem(w.Root, in.From)
	if err != nil {
		return nil, err
	}
	var out saveOutput
	switch {
	case in.From != 0 && (in.ID != "" || in.Memory != nil):
		err = errors.New("from: give a text, and neither an id nor a memory")
	case in.Strength != "" && !slices.Contains(schemas.Strengths, in.Strength):
		err = fmt.Errorf("strength: expected %s, got %q", strings.Join(schemas.Strengths, ", "), in.Strength)
	case in.Text != "" && in.Memory != nil:
		err = errors.New("give a text or a memory, not both")
	case in.ID != "":
		out, err = update(ctx, st, w, in)
	case in.Memory != nil:
		out, err = create(ctx, st, in)
	default:
		if out, err = add(ctx, st, in, origin); err == nil {
			err = settle(ctx, writer.Saved{Status: out.Status, Number: out.Number, ID: out.ID}.Name())
		}
	}
	if duplicate := new(store.DuplicateError); errors.As(err, &duplicate) {
		err = fmt.Errorf("nothing was saved: %s already says this: %q; if yours is another fact, save it again with "+
			"new: true",
			duplicate.Other.ID, duplicate.Text)
	}
	if errors.Is(err, writer.ErrNoText) {
		err = errors.New("text: say what to remember")
	}
	out.Notices, out.Scope = notices, string(st.Scope)
	return out, err
}

func (in saveInput) memory() *schemas.Memory {
	return &schemas.Memory{Title: in.Title, Tags: in.Tags, RelatedFiles: in.Files, Folder: in.Folder}
}

// policy says how to treat a duplicate.
func (in saveInput) policy() store.Policy {
	if in.New {
		return store.Anyway
	}
	return store.Refuse
}

// workItem returns where an item of the work list stands, as the history of a memory, and what settles it; nothing
// for 0.
func (s *Server) workItem(
	root files.Root, number int,
) (history []schemas.Change, settle func(context.Context, string) error, err error) {
	if number == 0 {
		return nil, func(context.Context, string) error { return nil }, nil
	}
	if s.WorkItem == nil {
		return nil, nil, errors.New("from: this memctl has no work list")
	}
	origin, settle, err := s.WorkItem(root, number)
	return []schemas.Change{origin}, settle, err
}

func add(ctx context.Context, st *store.Store, in saveInput, history []schemas.Change) (out saveOutput, err error) {
	n := store.Note{Text: in.Text, Strength: in.Strength, Commands: in.Commands, Given: in.memory()}
	n.Given.Changes = history
	if in.Category != "" {
		if n.Category, err = categoryNamed(in.Category); err != nil {
			return out, err
		}
	}
	added, err := st.Add(ctx, in.policy(), n)
	return saveOutput{
		Status: added.Status, Number: added.Number, ID: added.ID, Title: added.Title, Category: added.Category,
		Guessed: added.Guessed, Standing: added.Standing, Retired: len(added.Retired), Similar: similarOf(added.Saved),
		Check: added.Proposal(st.Scope),
	}, err
}

func draftOf(memory map[string]any) (writer.Input, error) {
	data, err := json.Marshal(memory)
	if err != nil {
		return writer.Input{}, err
	}
	data, err = writer.ReadAtMost(bytes.NewReader(data))
	return writer.Input{Name: "memory", Data: data}, err
}

// update changes the memory with the id: to a text, or to what get has shown with changes.
func update(ctx context.Context, st *store.Store, w *writer.Writer, in saveInput) (saveOutput, error) {
	draft, err := draftOf(in.Memory)
	if err != nil {
		return saveOutput{}, err
	}
	var target retrieve.Ref
	err = st.Look(ctx, w.Root, func(source retrieve.Source) (err error) {
		target, err = source.Alone().Lookup(ctx, in.ID)
		return err
	})
	switch {
	case err != nil:
		return saveOutput{}, inOther(w, in.ID, err)
	case target.Type != retrieve.MemoryType:
		return saveOutput{}, fmt.Errorf("id: %s is an observation, and observations do not change", in.ID)
	case target.ID != in.ID && target.Qualified() != in.ID:
		return saveOutput{}, fmt.Errorf("id: give the full id, %s", target.ID)
	}
	if data, err := w.Root.ReadFile(target.Path); err == nil {
		if m, err := schemas.Decode(data); err == nil && m.RecordStatus != schemas.Active {
			return saveOutput{}, fmt.Errorf("id: %s is %s; save the text as a new memory, or ask the user to restore "+
				"that one", target.ID, m.RecordStatus)
		}
	}
	var saved writer.Saved
	if path := w.Root.Shown + "/" + target.Path; in.Memory == nil {
		n := store.Note{Text: text.Quoted(in.Text, in.Commands), Strength: in.Strength, Given: in.memory()}
		if in.Strength != "" {
			n.Complete(schemas.Category(target.Category))
		}
		saved, err = w.Restate(ctx, path, n.Text, n.Given)
	} else {
		saved, err = w.Update(ctx, path, draft, in.Hash)
	}
	return saveOutput{Status: saved.Status, Number: saved.Number, ID: saved.ID, Title: saved.Title,
		Check: saved.Proposal(st.Scope)}, err
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
	if w.Other.Scope == files.UserScope {
		name = "the user's own memories"
	}
	return fmt.Errorf("id: %s is among %s; to change it there, save with scope %s", id, name, w.Other.Scope)
}

func create(ctx context.Context, st *store.Store, in saveInput) (saveOutput, error) {
	name, _ := in.Memory["category"].(string)
	category, err := categoryNamed(name)
	if err != nil {
		return saveOutput{}, fmt.Errorf("memory: %w", err)
	}
	draft, err := draftOf(in.Memory)
	if err != nil {
		return saveOutput{}, err
	}
	saved, err := st.Save(ctx, in.policy(), func(w *writer.Writer) (writer.Saved, error) {
		return w.Create(ctx, category, "", draft)
	})
	return saveOutput{Status: saved.Status, Number: saved.Number, ID: saved.ID, Title: saved.Title,
		Retired: len(saved.Retired), Similar: similarOf(saved)}, err
}
