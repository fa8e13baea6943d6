package writer

import (
	"cmp"
	"context"

	"memctl/privacy"
	"memctl/schemas"
)

// Moved is the answer of Move.
type Moved struct {
	Status  string    `json:"status"`
	Number  int       `json:"proposal,omitempty"` // of what is only proposed
	Target  string    `json:"target"`
	Reason  string    `json:"reason,omitempty"`
	Privacy *Withheld `json:"privacy,omitempty"`
}

// Transition takes a memory from one status to another.
type Transition struct {
	code          Code
	from          schemas.Status // "": any but archived
	to            schemas.Status
	status        string // the answer's status
	already       string // the answer's status if the memory has the new one; "" refuses that
	summary       string // how the entry of the history begins
	defaultReason string
	fix           string // what to do instead if the transition is refused
}

const noReason = "No reason provided"

// The table of transitions. A memory without a record_status is active.
var (
	// Retire takes a memory out of use. It can be restored until it is collected.
	Retire = Transition{code: RetireError, to: schemas.Retired,
		status: "retired", already: "already_retired", summary: "Retired: ", defaultReason: noReason,
		fix: "memctl restore --kept makes it active first"}
	// Archive takes an active memory out of use and keeps it for good.
	Archive = Transition{code: ArchiveError, from: schemas.Active, to: schemas.Archived,
		status: "archived", already: "already_archived", summary: "Archived: ", defaultReason: noReason,
		fix: "only an active memory is archived; memctl restore makes a retired one active"}
	// Unarchive makes an archived memory active again.
	Unarchive = Transition{code: UnarchiveError, from: schemas.Archived, to: schemas.Active,
		status: "unarchived", summary: "Unarchived: ", defaultReason: "restored to active",
		fix: "it was not archived; memctl restore makes a retired memory active"}
	// Restore makes a retired memory active again.
	Restore = Transition{code: RestoreError, from: schemas.Retired, to: schemas.Active,
		status: "restored", already: "already_active", summary: "Restored: ",
		defaultReason: "returned to active from retired",
		fix:           "this one was archived; memctl restore --kept makes it active"}
	// collect archives a retired memory whose grace period is over.
	collect = Transition{code: ArchiveError, to: schemas.Archived, summary: "Archived: "}
)

// Move takes a memory to another status. The reason may be "".
func (w *Writer) Move(ctx context.Context, t Transition, target, reason string) (Moved, error) {
	var moved Moved
	reason, report := w.Filter().Text(reason)
	err := w.lockedMemory(ctx, target, t.code, func(m *memory) ([]string, error) {
		if w.Hash != "" {
			if err := w.checkHash(m, w.Hash); err != nil {
				return nil, err
			}
		}
		doc, err := m.decode()
		if err != nil {
			return nil, err
		}
		moved.Target = m.shown
		status := statusOf(doc)
		if status == string(t.to) && t.already != "" {
			moved.Status = t.already
			return nil, nil
		}
		if !t.allowed(schemas.Status(status)) {
			return nil, t.refused(m.place, status)
		}
		moved.Status = t.status
		moved.Privacy = w.withheld(m.path()+": ", append([]privacy.Field{{Path: "reason", Report: report}},
			w.redact(doc)...))
		if w.Propose != nil {
			moved.Status = Proposed
			moved.Number, err = w.proposeChange(ctx, m, doc.Title, Proposal{Action: t.status, Reason: cut(reason)})
			return nil, err
		}
		reason := cut(cmp.Or(reason, t.defaultReason))
		if t.to != schemas.Active {
			moved.Reason = reason
		}
		return w.setStatus(m, doc, t, reason)
	})
	return moved, err
}

func (t Transition) allowed(from schemas.Status) bool {
	return from == t.from || t.from == "" && from != schemas.Archived
}

func (t Transition) refused(p place, status string) *Error {
	e := refuse(t.code, p.shown, "its status is "+status, t.fix)
	if t.from != "" {
		e.Problems[0].Facts = []Detail{{"record_status", status}}
	}
	return e
}

// setStatus writes the memory in its new status. It does not validate it, because
// it must be possible to retire a file that was written by hand.
func (w *Writer) setStatus(m *memory, doc *schemas.Memory, t Transition, reason string) ([]string, error) {
	now := w.now()
	if !w.Config.Git.History {
		entry := change(now, t.summary+reason, "record_status", statusOf(doc), string(t.to))
		if err := m.addChange(doc, entry); err != nil {
			return nil, err
		}
		doc.UpdatedAt = now
	}
	doc.RecordStatus = t.to
	clearLifecycle(doc)
	switch t.to {
	case schemas.Retired:
		doc.RetiredAt, doc.RetiredReason = now, reason
	case schemas.Archived:
		doc.ArchivedAt, doc.ArchivedReason = now, reason
	}
	data, err := encode(doc)
	if err != nil {
		return nil, err
	}
	return m.replace(data, m.place)
}
