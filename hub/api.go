package hub

import (
	"context"
	"net/http"

	"memctl/remote"
)

// questionHandler answers a POST with a small body.
func questionHandler[Q, A any](s *Server, ask func(context.Context, Principal, Q) (A, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		limitReading(w, requestTimeout)
		var q Q
		if err := decode(w, r, remote.MaxRequest, &q); err != nil {
			s.fail(w, err)
			return
		}
		release, err := s.turn(r.Context())
		if err != nil {
			s.fail(w, err)
			return
		}
		defer release()
		s.answer(w)(ask(r.Context(), principalOf(r.Context()), q))
	})
}

// answer returns a function that writes an answer, or the error in its place.
func (s *Server) answer(w http.ResponseWriter) func(any, error) {
	return func(answer any, err error) {
		if err != nil {
			s.fail(w, err)
			return
		}
		s.write(w, http.StatusOK, answer)
	}
}

func (s *Server) repositoriesHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		release, err := s.turn(r.Context())
		if err != nil {
			s.fail(w, err)
			return
		}
		defer release()
		s.answer(w)(s.repositories(r.Context(), principalOf(r.Context())))
	})
}

// publishHandler checks that the person may publish before it reads the body, and waits for a turn
// when the body is there: a slow client keeps nobody waiting.
func (s *Server) publishHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		done, err := s.receive(w, r)
		s.answer(w)(done, err)
	})
}

func (s *Server) receive(w http.ResponseWriter, r *http.Request) (done remote.Published, err error) {
	ctx := r.Context()
	by, who := principalOf(ctx), askerOf(ctx).person
	if err := s.store.mayPublish(ctx, by); err != nil {
		return done, unread(w, err)
	}
	size := r.ContentLength
	if size < 0 || size > remote.MaxPublication {
		size = remote.MaxPublication
	}
	dropBody, err := s.people.hold(who, size)
	if err != nil {
		return done, unread(w, err)
	}
	defer dropBody()
	sent, err := readBody(w, r, remote.MaxPublication)
	if err != nil {
		return done, err
	}
	release, err := takeBoth(ctx, who.publishing, s.publishing, publishingTimeout)
	if err != nil {
		return done, err
	}
	defer release()
	unpacked, err := sent.unpack(remote.MaxPublication)
	if err != nil {
		return done, err
	}
	p, err := decodePublication(unpacked, func(p remote.Publication) error { return s.store.checkTurn(ctx, by, p) })
	if err != nil {
		return done, err
	}
	sent.data = nil
	if p.Size() >= largePublication {
		release, err := take(ctx, s.large, slotTimeout, errBusy)
		if err != nil {
			return done, err
		}
		defer release()
	}
	return s.publish(ctx, by, p)
}
