package web

import (
	"context"
	"errors"
	"slices"
	"time"

	"memctl/features/review"
	"memctl/store"
	"memctl/writer"
)

// toAll is the answer that gives all files of a group their new names.
const toAll = "all"

// errAnswered is the error of an answer to something that no longer stands on the page.
var errAnswered = errors.New("it was answered already, or the memory has changed since: look again")

// lookAgain looks for what needs a person, which takes a moment.
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
	a, err := answer{goTo: "/today"}, error(nil)
	if reply == "skip" {
		s.needs.skip()
	} else {
		a, err = n.answered(v, s, reply)
	}
	if err == nil {
		s.needs.settle(n.Key)
		a.goTo = with(a.goTo, "day", v.PostFormValue("day")) + next
	}
	return a, err
}

// lookForNeeds finds what needs a person, the worst first; lines wait for a few days only.
func (s *Server) lookForNeeds(ctx context.Context) ([]need, error) {
	report, err := s.diagnose(ctx, time.Now(), true)
	if err != nil {
		return nil, err
	}
	files, err := s.fileNeeds(ctx)
	if err != nil {
		return nil, err
	}
	reviewed, err := s.reviewNeeds(ctx)
	checks, waiting := needsOf(report), s.waitingNeeds(ctx)
	if err == nil {
		err = ctx.Err() // a look that was given up has not seen all
	}
	return slices.Concat(checks[cutsOff], files, checks[failed], waiting, reviewed, checks[harmless]), err
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
	before, err := s.Root.ReadFile(n.path)
	if err != nil || hashOf(before) != n.hash {
		s.needs.settle(n.Key)
		return answer{}, errAnswered
	}
	return s.change(s.Root, func(_ *store.Store, w *writer.Writer) (outcome, error) {
		if err := n.finding.Settle(v.Context(), w, review.Answer(reply)); err != nil {
			return outcome{}, err
		}
		m := outcome{page: "/today", notes: []string{v.t("answered."+reply, n.Title)}, before: "/today"}
		m.undo = s.undoOf(n, before)
		return m, nil
	})
}

// undoOf takes back an answer to a finding that has just been given: the memory says what it said before.
func (s *Server) undoOf(n need, before []byte) func(context.Context, *writer.Writer) error {
	after := hashNow(s.Root, n.path)
	return func(ctx context.Context, w *writer.Writer) error {
		err := w.Undo(ctx, n.path, after, n.path, before)
		if err == nil {
			s.needs.putBack(n)
		}
		return err
	}
}

// renameAll gives the files of a group's memories their new names, where nothing else was found. Memories that have
// changed since are left for another look. If one cannot be written, the page says why, and those before it can be
// undone.
func (s *Server) renameAll(v *visit, group string) (answer, error) {
	return s.change(s.Root, func(_ *store.Store, w *writer.Writer) (outcome, error) {
		var undos []func(context.Context, *writer.Writer) error
		var failed []string
		for _, n := range s.needs.inGroup(group) {
			before, err := s.Root.ReadFile(n.path)
			if !n.ForAll || err != nil || hashOf(before) != n.hash {
				continue
			}
			if err := n.finding.Settle(v.Context(), w, review.Confirm); err != nil && len(undos) == 0 {
				return outcome{}, err
			} else if err != nil {
				failed = append(failed, reason(v.lang, err))
				break
			}
			s.needs.settle(n.Key)
			undos = append(undos, s.undoOf(n, before))
		}
		notes := append([]string{v.t("answered.all", len(undos))}, failed...)
		m := outcome{page: "/today", notes: notes, before: "/today"}
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
