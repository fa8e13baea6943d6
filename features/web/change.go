package web

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"time"

	"memctl/features/git/versions"
	"memctl/files"
	"memctl/files/git"
	"memctl/schemas"
	"memctl/store"
	"memctl/writer"
)

// undoTime is how long a change can be undone.
const undoTime = time.Minute

// outcome describes a change.
type outcome struct {
	page   string   // below the base, that shows it
	notes  []string // in words
	before string   // the page to go to when it is undone
	undo   func(context.Context, *writer.Writer) error
}

// change makes one change of a root. It leads to a page that says what was done and what the
// writer notifies of, and that can undo it.
func (s *Server) change(root files.Root, change func(*store.Store, *writer.Writer) (outcome, error)) (answer, error) {
	var notices []string
	st := store.At(root, store.Options{Lasting: true, UserModel: s.UserModel, Notify: func(notice writer.Notice) {
		if notice.Kind != writer.Resembles { // saved says it
			notices = append(notices, notice.Text())
		}
	}})
	w, err := st.Writer()
	if err != nil {
		return answer{}, err
	}
	m, err := change(st, w)
	if err != nil {
		return answer{}, err
	}
	key := s.notice(append(m.notes, notices...)...)
	if m.undo != nil {
		s.undos.put(key, undo{root: root, page: m.before, run: m.undo, until: time.Now().Add(undoTime)})
	}
	return answer{goTo: with(m.page, "note", key)}, nil
}

// notice keeps what the next page has to tell, and returns the key for its address.
func (s *Server) notice(notes ...string) string {
	key := secret()
	s.notices.put(key, notes)
	return key
}

// with is an address of a page with a value.
func with(page, name, value string) string {
	address, err := url.Parse(page)
	if err != nil { // a form names it
		return "/today"
	}
	query := address.Query()
	query.Set(name, value)
	address.RawQuery = query.Encode()
	return address.String()
}

// undo takes a change back.
type undo struct {
	root  files.Root
	page  string
	run   func(context.Context, *writer.Writer) error
	until time.Time
}

// saved says what became of a memory, new if before is nil.
func (s *Server) saved(
	v *visit, at place, before *stored, category schemas.Category, saved writer.Saved,
) outcome {
	info, _ := category.Info()
	path := info.Folder + "/" + saved.ID + ".json"
	m := outcome{page: at.address(path), notes: []string{v.t("saved." + saved.Status)}, before: "/memories"}
	if n := len(saved.Retired); n > 0 {
		m.notes = append(m.notes, v.t("saved.room", n))
	}
	if saved.Similar != nil {
		m.notes = append(m.notes, v.t("saved.similar", saved.Similar.Text))
	}
	data, err := at.ReadFile(path)
	if err != nil {
		return m
	}
	hash, path0, data0 := hashOf(data), "", []byte(nil)
	if before != nil {
		m.before, path0, data0 = before.Address(), before.Ref.Path, before.Detail.Stored
		if hash == before.Detail.Hash {
			return m // nothing has changed
		}
	}
	m.undo = func(ctx context.Context, w *writer.Writer) error { return w.Undo(ctx, path, hash, path0, data0) }
	return m
}

// undoing is m with more to do when it is undone.
func (m outcome) undoing(more func(context.Context, *writer.Writer) error) outcome {
	first := m.undo
	m.undo = func(ctx context.Context, w *writer.Writer) error {
		if first != nil {
			if err := first(ctx, w); err != nil {
				return err
			}
		}
		return more(ctx, w)
	}
	return m
}

// undoable reports whether the change of a notice can still be undone.
func (s *Server) undoable(key string) bool { return time.Now().Before(s.undos.get(key).until) }

var errUndo = errors.New("a change can be undone for a minute, once")

// undo takes back a change that was made a moment ago, if nothing has changed since.
func (s *Server) undo(v *visit) (answer, error) {
	u := s.undos.take(v.PathValue("change"))
	if time.Now().After(u.until) {
		return answer{}, errUndo
	}
	return s.change(u.root, func(_ *store.Store, w *writer.Writer) (outcome, error) {
		return outcome{page: u.page, notes: []string{v.t("undo.done")}}, u.run(v.Context(), w)
	})
}

// bringBack makes a memory say what it said in a commit, or before an entry of its history.
func (s *Server) bringBack(v *visit) (answer, error) {
	hash := v.PostFormValue("hash")
	m, doc, err := s.open(v)
	if err != nil {
		return answer{}, err
	}
	version, since, err := earlier(v, m, doc)
	if err != nil {
		return answer{}, err
	}
	a, err := s.change(m.Place.Root, func(_ *store.Store, w *writer.Writer) (outcome, error) {
		saved, err := w.BringBack(v.Context(), m.Ref.Shown(), hash, version, "Brought back what it said "+since)
		return s.saved(v, m.Place, &m, m.Memory.Category, saved), err
	})
	return s.orConflict(v, hash, a, err)
}

// earlier returns the version that a person has chosen, and since when, or until when, it was.
func earlier(v *visit, m stored, doc *schemas.Memory) (version *schemas.Memory, since string, err error) {
	commit := v.PostFormValue("commit")
	if commit == "" {
		i, err := strconv.Atoi(v.PostFormValue("change"))
		if err != nil || i < 0 || i >= len(doc.Changes) {
			return nil, "", errNoPage
		}
		return doc.Before(i), "before " + doc.Changes[i].Date, nil
	}
	revisions, err := versions.Revisions(v.Context(), m.Place.Root, m.Ref.Path, maxCommits)
	i := slices.IndexFunc(revisions, func(r versions.Revision) bool { return r.ID == commit })
	if i < 0 {
		return nil, "", errNoPage
	}
	if err == nil {
		err = git.Blobs(v.Context(), m.Place.Root.Path, []string{revisions[i].Blob}, schemas.MaxFileBytes,
			func(_ string, data []byte) (err error) {
				version, err = schemas.DecodeExact(data)
				return err
			})
	}
	if err == nil && version == nil {
		err = errNoPage
	}
	return version, "in commit " + commit[:min(len(commit), 12)], err
}
