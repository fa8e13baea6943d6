package writer

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"memctl/privacy"
	"memctl/schemas"
)

// Moved is the answer of Retire, Archive, Unarchive and Restore.
type Moved struct {
	Status  string    `json:"status"`
	Target  string    `json:"target"`
	Reason  string    `json:"reason,omitempty"`
	Privacy *Withheld `json:"privacy,omitempty"`
}

// move takes a memory from one status to another.
type move struct {
	code Code
	from []schemas.Status // none: from any other
	to   schemas.Status
	// barred cannot be left by this move, whatever from says.
	barred schemas.Status
	done   string // what the answer says
	again  string // what it says of a memory that is there already; "" refuses
	word   string // how the history's summary begins
	said   string // what stands there for a reason that is not given
	way    string // what to do where the move is refused
}

var errChanges = errors.New("changes: expected a list")

const noReason = "No reason provided"

// The table of moves. A memory without a record_status is active.
var (
	retire = move{code: RetireError, to: schemas.Retired, barred: schemas.Archived,
		done: "retired", again: "already_retired", word: "Retired: ", said: noReason, way: "unarchive it first"}
	archive = move{code: ArchiveError, from: []schemas.Status{schemas.Active}, to: schemas.Archived,
		done: "archived", again: "already_archived", word: "Archived: ", said: noReason, way: "only an active memory is archived; restore a retired one first"}
	unarchive = move{code: UnarchiveError, from: []schemas.Status{schemas.Archived}, to: schemas.Active,
		done: "unarchived", word: "Unarchived: ", said: "restored to active", way: "only an archived memory is unarchived"}
	restore = move{code: RestoreError, from: []schemas.Status{schemas.Retired}, to: schemas.Active,
		done: "restored", again: "already_active", word: "Restored: ", said: "returned to active from retired", way: "only a retired memory is restored; unarchive an archived one"}
)

// Retire takes a memory out of use. Until it is collected it can be restored.
func (w *Writer) Retire(ctx context.Context, target, reason string) (Moved, error) {
	return w.move(ctx, retire, target, reason)
}

// Archive takes an active memory out of use and keeps it for good.
func (w *Writer) Archive(ctx context.Context, target, reason string) (Moved, error) {
	return w.move(ctx, archive, target, reason)
}

// Unarchive makes an archived memory active again.
func (w *Writer) Unarchive(ctx context.Context, target, reason string) (Moved, error) {
	return w.move(ctx, unarchive, target, reason)
}

// Restore makes a retired memory active again.
func (w *Writer) Restore(ctx context.Context, target, reason string) (Moved, error) {
	return w.move(ctx, restore, target, reason)
}

func (w *Writer) move(ctx context.Context, mv move, target, reason string) (Moved, error) {
	var done Moved
	reason, report := w.Filter().Text(reason)
	err := w.lockedMemory(ctx, target, mv.code, func(m *memory) ([]string, error) {
		doc, err := m.document()
		if err != nil {
			return nil, err
		}
		done.Target = m.shown
		status := statusOf(doc)
		if status == string(mv.to) && mv.again != "" {
			done.Status = mv.again
			return nil, nil
		}
		if !mv.leaves(schemas.Status(status)) {
			return nil, mv.refused(m.place, status)
		}
		done.Status = mv.done
		done.Privacy = w.withheld(m.path()+": ", append([]privacy.Field{{Path: "reason", Report: report}}, w.protect(doc)...))
		if mv.to != schemas.Active {
			done.Reason = cut(cmp.Or(reason, mv.said))
		}
		return w.moved(m, mv, doc, cut(cmp.Or(reason, mv.said)))
	})
	return done, err
}

func (mv move) leaves(status schemas.Status) bool {
	return status != mv.barred && (len(mv.from) == 0 || slices.Contains(mv.from, status))
}

func (mv move) refused(p place, status string) *Error {
	e := failed(mv.code, Detail{"target", p.shown})
	if mv.barred == "" {
		e.Details = append(e.Details, Detail{"record_status", status})
	}
	e.Details = append(e.Details, Detail{"error", "its status is " + status}, Detail{"fix", mv.way})
	return e
}

// moved writes the memory in its new status. It is not held to its schema: what
// somebody wrote by hand must be possible to retire.
func (w *Writer) moved(m *memory, mv move, doc schemas.Document, reason string) ([]string, error) {
	changes, isList := doc["changes"].([]any)
	if !isList && doc["changes"] != nil {
		return nil, unreadable(m.place, errChanges)
	}
	now := w.now()
	entry := change(now, mv.word+reason, "record_status", statusOf(doc), string(mv.to))
	doc["changes"] = latest(append(changes, entry))
	doc["record_status"] = string(mv.to)
	doc["updated_at"] = now
	for _, field := range lifecycleFields {
		delete(doc, field)
	}
	if mv.to != schemas.Active {
		doc[string(mv.to)+"_at"], doc[string(mv.to)+"_reason"] = now, reason
	}
	data, err := encode(doc)
	if err != nil {
		return nil, err
	}
	return m.replace(data, m.place)
}
