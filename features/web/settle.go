package web

import (
	"context"
	"errors"
	"slices"
	"strings"

	"memctl/features/review"
	"memctl/store"
	"memctl/writer"
)

// toAll is the answer that gives all files of a group their new names.
const toAll = "all"

// errAnswered is the error of an answer to something that no longer stands on the page.
var errAnswered = errors.New("it was answered already, or the memory has changed since: look again")

// findings looks for what needs a person, which takes a moment.
func (s *Server) lookAgain(v *visit) (answer, error) {
	if s.needs.snapshot() == nil || v.URL.Query().Has("again") {
		list, err := s.lookForNeeds(v.Context())
		if err != nil {
			return answer{}, err
		}
		s.needs.replace(list)
	}
	return s.today(v)
}

// settle takes an answer to something on the start page, and goes on to the next.
func (s *Server) settle(v *visit) (answer, error) {
	n, next, known := s.needs.at(v.PathValue("need"))
	if !known {
		return answer{}, errAnswered
	}
	reply := v.PathValue("answer")
	if reply == "skip" {
		s.needs.skip(n.Key)
		return answer{goTo: "/today" + next}, nil
	}
	a, err := n.answered(v, s, reply)
	if err == nil {
		s.needs.settle(n.Key)
		a.goTo = strings.Replace(a.goTo, "?", "?day="+v.PostFormValue("day")+"&", 1) + next
	}
	return a, err
}

// lookForNeeds finds what needs a person, the worst first; lines wait for a few days only.
func (s *Server) lookForNeeds(ctx context.Context) ([]need, error) {
	checks, err := s.checkNeeds(ctx)
	if err != nil {
		return nil, err
	}
	files, err := s.fileNeeds(ctx)
	if err != nil {
		return nil, err
	}
	reviewed, err := s.reviewNeeds(ctx)
	return slices.Concat(checks.broken, files, checks.failed, s.waitingNeeds(ctx), reviewed, checks.warned), err
}

// answered does what a person answered.
func (n need) answered(v *visit, s *Server, reply string) (answer, error) {
	again := func() { s.needs.putBack(n) }
	switch {
	case n.line != nil && reply == string(review.Confirm):
		return s.settleLine(v, *n.line, true, again)
	case n.line != nil && reply == string(review.Retire):
		return s.settleLine(v, *n.line, false, again)
	case n.finding == nil:
		return answer{}, errNoPage
	case reply == toAll:
		return s.renameAll(v, n.Group)
	}
	path := strings.TrimPrefix(n.finding.Path, s.Root.Shown+"/")
	before, err := s.Root.ReadFile(path)
	if err != nil || hashOf(before) != n.hash {
		s.needs.settle(n.Key)
		return answer{}, errAnswered
	}
	return s.change(s.Root, func(_ *store.Store, w *writer.Writer) (outcome, error) {
		if err := n.finding.Settle(v.Context(), w, review.Answer(reply)); err != nil {
			return outcome{}, err
		}
		m := outcome{page: "/today", notes: []string{v.t("answered."+reply, n.Title)}, before: "/today"}
		hash := s.hashNow(path)
		m.undo = func(ctx context.Context, w *writer.Writer) error { return w.Undo(ctx, path, hash, path, before) }
		return m.undoing(func() error {
			again()
			return nil
		}), nil
	})
}

// renameAll gives the files of a group's memories their new names, where nothing else was found. Memories that have
// changed since are left for another look.
func (s *Server) renameAll(v *visit, group string) (answer, error) {
	return s.change(s.Root, func(_ *store.Store, w *writer.Writer) (outcome, error) {
		var undos []func(context.Context, *writer.Writer) error
		for _, n := range s.needs.inGroup(group) {
			path := strings.TrimPrefix(n.finding.Path, s.Root.Shown+"/")
			before, err := s.Root.ReadFile(path)
			if !n.ForAll || err != nil || hashOf(before) != n.hash {
				continue
			}
			if err := n.finding.Settle(v.Context(), w, review.Confirm); err != nil {
				return outcome{}, err
			}
			s.needs.settle(n.Key)
			after := s.hashNow(path)
			undos = append(undos, func(ctx context.Context, w *writer.Writer) error {
				err := w.Undo(ctx, path, after, path, before)
				if err == nil {
					s.needs.putBack(n)
				}
				return err
			})
		}
		m := outcome{page: "/today", notes: []string{v.t("answered.all", len(undos))}, before: "/today"}
		m.undo = func(ctx context.Context, w *writer.Writer) error {
			var errs []error
			for _, undo := range slices.Backward(undos) {
				errs = append(errs, undo(ctx, w))
			}
			return errors.Join(errs...)
		}
		return m, nil
	})
}
