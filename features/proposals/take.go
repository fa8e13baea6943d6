package proposals

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/files/gate"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
	"memctl/writer"
)

// moves are the changes of status, by the action of a proposal.
var moves = map[string]writer.Transition{
	"retired":    writer.Retire,
	"archived":   writer.Archive,
	"restored":   writer.Restore,
	"unarchived": writer.Unarchive,
}

// origin says who proposed a change.
func (p *Proposal) origin() string {
	by, _, _ := strings.Cut(p.Date, "T")
	if p.Client != "" {
		return fmt.Sprintf("by an agent (%s) on %s, taken by a person", text.Printable(p.Client), by)
	}
	return fmt.Sprintf("by an agent on %s, taken by a person", by)
}

// Take makes a change that waits, checks it again and removes it from the list. Edited, unless it is nil, is the
// memory as the person has edited it.
func Take(
	ctx context.Context, st *store.Store, root files.Root, number int, policy store.Policy, edited []byte,
) (writer.Saved, error) {
	l, err := Read(root)
	if err != nil {
		return writer.Saved{}, err
	}
	p, err := l.Find(number)
	if err != nil {
		return writer.Saved{}, err
	}
	if edited != nil {
		p.Memory = edited
	}
	saved, err := p.make(ctx, st, policy)
	if err != nil {
		return saved, err
	}
	return saved, listOf(root).Change(ctx, func(l *List) error {
		l.remove(number)
		return nil
	})
}

func (p *Proposal) make(ctx context.Context, st *store.Store, policy store.Policy) (writer.Saved, error) {
	w, err := st.Writer()
	if err != nil {
		return writer.Saved{}, err
	}
	entry := schemas.Change{Date: schemas.FormatTime(time.Now()), Summary: "Proposed " + p.origin(),
		Field: writer.TakenField}
	switch {
	case p.Action == "created":
		return p.create(ctx, st, w, policy, entry)
	case p.Action == "updated":
		return w.Take(ctx, p.Proposal, entry)
	}
	move, known := moves[p.Action]
	if !known {
		return writer.Saved{}, fmt.Errorf("a later memctl made this proposal: %s", p.Action)
	}
	w.Hash = p.Hash
	defer func() { w.Hash = "" }()
	moved, err := w.Move(ctx, move, p.Path, strings.TrimSpace(p.Reason+" (proposed "+p.origin()+")"))
	return writer.Saved{Status: moved.Status, Target: w.Root.ShownPath(p.Path), Title: p.Title, Privacy: moved.Privacy,
		ID: strings.TrimSuffix(path.Base(p.Path), ".json")}, err
}

// create makes a new memory. If another one has its name by now, and the name was that of its title, it gets a number.
func (p *Proposal) create(
	ctx context.Context, st *store.Store, w *writer.Writer, policy store.Policy, entry schemas.Change,
) (writer.Saved, error) {
	doc, err := schemas.DecodeExact(p.Memory)
	if err != nil {
		return writer.Saved{}, fmt.Errorf("read proposal %d: %w", p.Number, err)
	}
	byTitle := text.Name(string(p.Category()), doc.Title)
	if _, err := gate.Lstat(w.Root.Join(p.Path)); err == nil && strings.HasPrefix(doc.ID, byTitle) {
		doc.ID = byTitle
	}
	doc.Changes = append(doc.Changes, entry)
	data, err := doc.Encode()
	if err != nil {
		return writer.Saved{}, err
	}
	if p.Again {
		policy = cmp.Or(policy, store.Anyway)
	}
	return st.Save(ctx, policy, func(w *writer.Writer) (writer.Saved, error) {
		return w.Create(ctx, p.Category(), "", writer.Input{Name: fmt.Sprintf("proposal %d", p.Number), Data: data})
	})
}

// Drop removes proposals, or none of them. The reason is for agents that propose them again.
func Drop(ctx context.Context, root files.Root, numbers []int, reason string) error {
	reason = cmp.Or(text.OneLine(text.Printable(reason), 300), "it is not worth a memory")
	return listOf(root).Change(ctx, func(l *List) error {
		for _, number := range numbers {
			p, err := l.Find(number)
			if err != nil {
				return err
			}
			p.Dropped = reason
			l.remove(number)
			l.Dropped = append(l.Dropped, p)
		}
		l.Dropped = l.Dropped[max(0, len(l.Dropped)-maxDropped):]
		return nil
	})
}

// PutBack puts a dropped or taken proposal back to where it waited.
func PutBack(ctx context.Context, root files.Root, p *Proposal) error {
	return listOf(root).Change(ctx, func(l *List) error {
		l.remove(p.Number)
		back := *p
		back.Dropped = ""
		at := slices.IndexFunc(l.Waiting, func(later *Proposal) bool { return later.Number > p.Number })
		if at < 0 {
			at = len(l.Waiting)
		}
		l.Waiting = slices.Insert(l.Waiting, at, &back)
		l.Dropped = slices.DeleteFunc(l.Dropped, func(d *Proposal) bool { return d.Number == p.Number })
		return nil
	})
}

// Differences compares a change with the memory as it is now. It fails if one of the two cannot be read.
func (p *Proposal) Differences(root files.Root) ([]schemas.Difference, error) {
	data, err := root.ReadFile(p.Path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Path, gate.Reason(err))
	}
	old, err := schemas.DecodeExact(data)
	if err != nil {
		return nil, err
	}
	now, err := schemas.DecodeExact(p.Memory)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(schemas.Differences(old, now), schemas.Difference.Routine), nil
}
