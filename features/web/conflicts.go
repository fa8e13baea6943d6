package web

import (
	"bytes"
	"context"
	"errors"
	"net/http"

	"memctl/features/git/versions"
	"memctl/files/git"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
	"memctl/writer"
)

// sides are the fields in conflict of a memory, each with two values to choose from.
type sides struct {
	Address  string // of the memory, below the base
	Hash     string
	Open     []schemas.Conflict
	Command  string // that does the same
	ReadOnly bool
}

func sidesOf(at place, path string, data []byte, open []schemas.Conflict) *sides {
	return &sides{at.address(path), hashOf(data), open, at.ResolveCommand(path), at.ReadOnly()}
}

// markedPage shows a file in which git left markers.
type markedPage struct {
	*sides
	Path, File string
}

// marked is the page of a file in which git left markers, or the error that it is no memory if its sides cannot be
// merged.
func (s *Server) marked(v *visit, broken *unreadable) (answer, error) {
	if broken.at.ReadOnly() || schemas.ConflictLine(broken.data) == 0 {
		return answer{}, broken
	}
	w, err := store.At(broken.at.Root, store.Options{}).Writer()
	if err != nil {
		return answer{}, err
	}
	found, err := versions.Resolve(v.Context(), w, broken.path, versions.Answer{Look: true})
	if err != nil {
		return answer{}, broken
	}
	p := markedPage{sidesOf(broken.at, broken.below, broken.data, found.Conflicts), broken.path,
		text.Truncate(string(broken.data), maxFile)}
	return answer{page: "marked", title: v.t("merge.open"), data: p, status: http.StatusUnprocessableEntity}, nil
}

// resolve takes one side of a field in conflict. Without a side it merges the two that git left in the file.
func (s *Server) resolve(v *visit) (answer, error) {
	var m stored
	err := s.find(v, func(found stored, _ retrieve.Source) error {
		m = found
		return nil
	})
	at, path, before := m.Place, m.Ref.Path, []byte(m.Detail.Stored)
	if broken := new(unreadable); errors.As(err, &broken) {
		at, path, before, err = broken.at, broken.below, broken.data, nil
	}
	field, choice := v.PostFormValue("field"), versions.Choice(v.PostFormValue("side"))
	switch {
	case err != nil:
		return answer{}, err
	case at.ReadOnly():
		return answer{}, errReadOnly
	case v.PostFormValue("hash") != hashOf(before):
		return answer{}, errAnswered
	case (field == "") != (choice == versions.Undecided) || choice == versions.TakeValue:
		return answer{}, errNoPage
	}
	a := versions.Answer{Choice: choice}
	if field != "" {
		a.Fields = []string{field}
	}
	var open []schemas.Conflict // in the record
	if schemas.ConflictLine(before) == 0 {
		open = at.ConflictsOf(path, before)
	}
	return s.change(at.Root, func(_ *store.Store, w *writer.Writer) (outcome, error) {
		resolved, err := versions.Resolve(v.Context(), w, at.ShownPath(path), a)
		if err != nil {
			return outcome{}, err
		}
		o := outcome{page: at.address(path), before: at.address(path), notes: []string{v.t("merge.taken")}}
		if len(resolved.Conflicts) == 0 {
			o.notes = append(resolved.Notices, v.t("merge.done"))
			s.needs.settle(keyOf("conflict", at.ShownPath(path)))
			unmerged, err := git.Run(v.Context(), at.Path, "ls-files", "--unmerged", "--", path)
			if err == nil && len(unmerged) > 0 {
				o.notes = append(o.notes, v.t("merge.add", "git add "+text.ShellWord(at.ShownPath(path))))
			}
		}
		after, err := at.ReadFile(path)
		o.undo = func(ctx context.Context, w *writer.Writer) error {
			if !bytes.Equal(after, before) {
				if err := w.Undo(ctx, path, hashOf(after), path, before); err != nil {
					return err
				}
			}
			return versions.RecordConflict(ctx, at.Root, path, open)
		}
		return o, err
	})
}
