package web

import (
	"net/http"
	"net/url"

	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/writer"
)

// moves are the changes of status by the last part of their address.
var moves = map[string]writer.Transition{
	"retire":    writer.Retire,
	"restore":   writer.Restore,
	"archive":   writer.Archive,
	"unarchive": writer.Unarchive,
}

// movesFrom returns the changes of a status that are offered.
func movesFrom(status schemas.Status) []string {
	switch status {
	case schemas.Retired:
		return []string{"restore"}
	case schemas.Archived:
		return []string{"unarchive"}
	}
	return []string{"retire", "archive"}
}

// move changes the status of a memory that is still as it was shown.
func (s *Server) move(v *visit) (answer, error) {
	move, known := moves[v.PathValue("move")]
	hash := v.PostFormValue("hash")
	if !known || hash == "" {
		return answer{}, errNoPage
	}
	m, _, err := s.open(v)
	if err != nil {
		return answer{}, err
	}
	a, err := s.change(m.Place.Root, func(_ *store.Store, w *writer.Writer) (outcome, error) {
		w.Hash = hash
		moved, err := w.Move(v.Context(), move, m.Ref.Shown(), v.PostFormValue("reason"))
		return s.saved(v, m.Place, &m, m.Memory.Category, writer.Saved{Status: moved.Status, ID: m.Ref.ID}), err
	})
	if err == nil {
		a = v.back(a)
	}
	return s.orConflict(v, hash, a, err)
}

// adopt makes a memory of a note of Claude Code.
func (s *Server) adopt(v *visit) (answer, error) {
	var note stored
	err := s.find(v, func(memory stored, _ retrieve.Source) error {
		note = memory
		return nil
	})
	if err != nil {
		return answer{}, err
	}
	if note.Place.Scope != files.NotesScope {
		return answer{}, errNoPage
	}
	at := place{Root: s.Root}
	if scope := store.AdoptingScope(&note.Memory); scope != at.Scope {
		if own, err := s.placeFor(string(scope)); err == nil { // else Adopt says what is missing
			at = own
		}
	}
	return s.change(at.Root, func(st *store.Store, _ *writer.Writer) (outcome, error) {
		saved, err := st.Adopt(v.Context(), store.Refuse, note.Place.Root, note.Ref.Path)
		return s.saved(v, at, nil, note.Memory.Category, saved), err
	})
}

// orConflict is the answer of a change, or the memory's page with what has changed since the
// person saw the file with a hash.
func (s *Server) orConflict(v *visit, hash string, a answer, err error) (answer, error) {
	if !isConflict(err) {
		return a, err
	}
	_, now, err := s.open(v)
	if err != nil {
		return answer{}, err
	}
	a, err = s.memoryAnswer(v, s.conflictSince(hash, now))
	a.status = http.StatusConflict
	return a, err
}

// moved leads to the memory, for a person who reloads the address of a change.
func (s *Server) moved(v *visit) (answer, error) {
	if _, known := moves[v.PathValue("move")]; !known {
		return answer{}, errNoPage
	}
	path := "/memories/" + url.PathEscape(v.PathValue("folder")) + "/" + url.PathEscape(v.PathValue("id"))
	return answer{goTo: path}, nil
}
