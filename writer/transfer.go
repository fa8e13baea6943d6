package writer

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"strings"

	"memctl/files"
	"memctl/files/trust"
	"memctl/privacy"
	"memctl/schemas"
)

// Transferred is the answer of Transfer.
type Transferred struct {
	Status  string    `json:"status"` // moved, or already_there
	Target  string    `json:"target"` // where the memory is now
	Scope   string    `json:"scope"`
	ID      string    `json:"id"`
	From    string    `json:"from,omitempty"`
	Retired []string  `json:"retired,omitempty"` // paths of memories that made room
	Privacy *Withheld `json:"privacy,omitempty"`
}

// Transfer moves a memory to the root of another writer, under the same name and with its
// history. It replaces no memory there. If the process dies, the memory may be in both roots;
// the next Transfer completes the move.
func (w *Writer) Transfer(ctx context.Context, target string, to *Writer) (Transferred, error) {
	res := Transferred{Status: "moved", Scope: to.Root.Scope.String()}
	if w.Root.Is(to.Root) {
		return res, refuse(MoveError, target, "the home folder is the project here: its memories are your own already",
			"nothing is to be done; run memctl move in another project to move a memory there")
	}
	if err := cmp.Or(w.onlyPropose(MoveError), to.onlyPropose(MoveError)); err != nil {
		return res, err
	}
	here, err := isThere(w.Root, target)
	there := false
	if err == nil && !here {
		there, err = isThere(to.Root, target)
	}
	switch {
	case err != nil:
		return res, refuse(MoveError, target, err.Error(), "")
	case there:
		return to.alreadyThere(res, target)
	case !here:
		return res, w.notFound(target, MoveError)
	}
	if err := to.Root.Make(); err != nil {
		return res, refuse(MoveError, target, err.Error(), "")
	}
	var path, title string
	var active bool
	_, err = w.underLock(ctx, func() ([]string, error) {
		m, err := w.openMemory(target, MoveError)
		if err != nil {
			return nil, err
		}
		defer m.folder.Close()
		doc, err := m.decode()
		if err != nil {
			return nil, err
		}
		there := to.placeOfID(m.category, m.stem)
		res.From, res.Target, res.ID = m.shown, there.shown, m.stem
		path, title, active = m.path(), doc.Title, statusOf(doc) == string(schemas.Active)
		res.Privacy, err = w.transfer(m, doc, there, to)
		return nil, err
	}, to.Root)
	if err != nil {
		return res, w.refusal(MoveError, err)
	}
	w.index(ctx, []string{path})
	to.index(ctx, []string{path})
	w.changed(ctx, []string{path})
	to.changed(ctx, []string{path})
	if active {
		there, _ := to.placeOfPath(res.Target)
		res.Retired = to.settle(ctx, there, title)
	}
	return res, nil
}

// alreadyThere is the answer for a memory that has been moved before.
func (w *Writer) alreadyThere(res Transferred, target string) (Transferred, error) {
	p, err := w.existing(target, MoveError)
	res.Status, res.Target, res.ID = "already_there", p.shown, p.stem
	return res, err
}

// transfer moves a memory that is read. The caller has locked both roots.
//
// The new file is on disk before the old one goes. A file in the target that is what the
// move makes, but for the time, was left by a move that was interrupted.
func (w *Writer) transfer(m *memory, doc *schemas.Memory, there place, to *Writer) (*Withheld, error) {
	if err := m.checkMovable(there, to); err != nil {
		return nil, err
	}
	folder, err := to.open(there, to.Root.MakeFolder)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	placed, _, err := folder.Read(there.file())
	missing := errors.Is(err, fs.ErrNotExist)
	if !missing && err != nil {
		return nil, nameTaken(there, err.Error())
	}
	now := w.now()
	if !missing {
		old, _ := schemas.Decode(placed) // any other file has no time
		now = old.UpdatedAt
		if _, isTime := schemas.ParseTime(now); !isTime {
			return nil, nameTaken(there, standing(placed))
		}
	}
	data, removed, err := w.moved(m, doc, to, now)
	if err != nil {
		return nil, err
	}
	if !missing && !bytes.Equal(placed, data) {
		return nil, nameTaken(there, standing(placed))
	}
	withheld := to.withheld("", removed)
	if doc.Folder != "" && to.Root.Scope == files.UserScope {
		w.warnOf("folder", "%s is in this project; there, every session gets the memory", doc.Folder)
	}
	if paths := doc.RelatedFiles; len(paths) > 0 && to.Root.Scope == files.UserScope {
		w.warnOf("related_files", "%s is in this project, other projects do not have it", strings.Join(paths, ", "))
	}
	trust.Rewrote(data, m.data)
	if missing {
		err = folder.WriteNew(there.file(), data)
	}
	if why := inTheWay(err); why != "" {
		return withheld, nameTaken(there, why)
	}
	if err != nil {
		return withheld, there.unwritten(err)
	}
	return withheld, m.unwritten(m.folder.Remove(m.file()))
}

// moved returns the file of a memory that moves to another root at a time, and what was
// removed from it on the way.
func (w *Writer) moved(m *memory, doc *schemas.Memory, to *Writer, now string) ([]byte, []privacy.Field, error) {
	summary := "Moved from " + nameOf(w.Root.Scope) + " to " + nameOf(to.Root.Scope)
	if err := m.addChange(doc, change(now, summary, "scope", w.Root.Scope.String(),
		to.Root.Scope.String())); err != nil {
		return nil, nil, err
	}
	doc.UpdatedAt = now
	removed := to.redact(doc)
	data, err := encodeValid(doc)
	return data, removed, err
}

// standing describes a file that already has the name of a new memory.
func standing(data []byte) string {
	old, err := schemas.DecodeExact(data)
	if err != nil {
		return "a file with this name exists, and is not a valid memory"
	}
	return "a memory with this name exists, with status " + statusOf(old)
}

// nameOf names a root's memories in a history.
func nameOf(scope files.Scope) string {
	if scope == files.UserScope {
		return "the user's memories"
	}
	return "a project's memories"
}

// checkMovable refuses to move a memory that has no place in the other root, or that a
// merge left in conflict.
func (m *memory) checkMovable(there place, to *Writer) error {
	if _, err := m.folder.Stat(m.stem + files.ConflictSuffix); err == nil {
		return refuse(MoveError, m.shown, "a merge left it in conflict",
			"end the conflict first: memctl resolve "+m.stem)
	}
	if !to.Config.Categories[m.category].Enabled {
		return refuse(MoveError, there.shown, "the category "+string(m.category)+" is switched off there",
			"leave the memory where it is, or switch the category on there")
	}
	return nil
}

func nameTaken(there place, why string) *Error {
	return refuse(MoveError, there.shown, why,
		"compare the two; if you change the title of one with memctl edit, its file gets another name")
}
