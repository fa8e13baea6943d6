package writer

import (
	"context"
	"crypto/md5"
	"encoding/json"
	"fmt"

	"memctl/schemas"
)

// Proposed is the status of a change that waits for a person. Nothing was saved.
const Proposed = "proposed"

// Proposal is a change of a memory that was checked and not made.
type Proposal struct {
	Action string          `json:"action"` // the status of the answer once it is made: created, updated, retired ...
	Path   string          `json:"path"`   // of the memory, below the root
	Title  string          `json:"title"`
	Hash   string          `json:"hash,omitempty"`   // the MD5 of the file that it changes
	Reason string          `json:"reason,omitempty"` // of a change of status
	Again  bool            `json:"again,omitempty"`  // it may repeat another memory
	Memory json.RawMessage `json:"memory,omitempty"` // as it would be, without private text

	// Client and Session are those of the agent, as far as they are known.
	Client  string `json:"client,omitempty"`
	Session string `json:"session,omitempty"`
}

// proposeNew proposes a new memory instead of writing it.
func (w *Writer) proposeNew(
	ctx context.Context, p place, doc *schemas.Memory, data []byte, withheld *Withheld,
) (Saved, error) {
	folder, err := w.open(p, w.Root.OpenFolder)
	if err != nil {
		return Saved{}, w.refusal(CreateError, err)
	}
	if folder != nil {
		defer folder.Close()
		if _, err := w.vacant(folder, p); err != nil {
			return Saved{}, w.refusal(CreateError, err)
		}
	}
	n, err := w.Propose(ctx, Proposal{Action: "created", Path: p.path(), Title: doc.Title, Again: w.Again,
		Memory: data})
	return Saved{Status: Proposed, Number: n, Target: p.shown, ID: p.stem, Title: doc.Title, Privacy: withheld},
		w.refusal(CreateError, err)
}

// proposeChange proposes a change of a memory, and returns its number.
func (w *Writer) proposeChange(ctx context.Context, m *memory, title string, p Proposal) (int, error) {
	p.Path, p.Title, p.Hash = m.path(), title, m.hash()
	return w.Propose(ctx, p)
}

// hash is the MD5 of the file, in lower-case hex.
func (m *memory) hash() string { return fmt.Sprintf("%x", md5.Sum(m.data)) }

// onlyPropose refuses a change that cannot be proposed, where changes have to be.
func (w *Writer) onlyPropose(code Code) error {
	if w.Propose == nil {
		return nil
	}
	return refuse(code, "", "agents may only propose memories here: capture.review is true",
		"save what is worth it one by one, or ask the user to run this command")
}

// Take makes a proposal of a change of a memory, with an entry in its history. A file that has changed since is
// refused.
func (w *Writer) Take(ctx context.Context, p Proposal, entry schemas.Change) (Saved, error) {
	draft, err := schemas.DecodeExact(p.Memory)
	if err != nil {
		return Saved{}, refuse(InputError, p.Path, err.Error(), "drop the proposal")
	}
	taken := func(m *memory, draft *schemas.Memory) (*schemas.Memory, place, error) {
		old, err := m.decode()
		if err != nil {
			return nil, place{}, err
		}
		if err := w.checkHash(m, p.Hash); err != nil {
			return nil, place{}, err
		}
		draft.Changes = latest(append(draft.Changes, entry))
		to, err := w.newName(m, old, draft)
		draft.ID = to.stem
		return draft, to, err
	}
	return w.replaceWith(ctx, p.Path, draft, w.redact(draft), taken)
}
