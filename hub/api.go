package hub

import (
	"context"
	"net/http"

	"memctl/remote"
)

// answering answers a request with what ask returns, or with its error.
func (s *Server) answering(ask func(http.ResponseWriter, *http.Request) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, err := ask(w, r)
		if err != nil {
			s.fail(w, err)
			return
		}
		s.write(w, http.StatusOK, answer)
	})
}

// question answers a POST with a small body.
func question[Q, A any](s *Server, ask func(context.Context, Principal, Q) (A, error)) http.Handler {
	return s.answering(func(w http.ResponseWriter, r *http.Request) (any, error) {
		limitReading(w, requestTimeout)
		var q Q
		if err := decode(w, r, remote.MaxRequest, &q); err != nil {
			return nil, err
		}
		return inTurn(s, r, q, ask)
	})
}

// repositoriesHandler answers a GET, which asks for all of them.
func (s *Server) repositoriesHandler() http.Handler {
	return s.answering(func(_ http.ResponseWriter, r *http.Request) (any, error) {
		return inTurn(s, r, struct{}{}, s.repositories)
	})
}

// inTurn asks a question once it is the person's turn.
func inTurn[Q, A any](
	s *Server, r *http.Request, q Q, ask func(context.Context, Principal, Q) (A, error),
) (answer A, err error) {
	release, err := s.turn(r.Context())
	if err != nil {
		return answer, err
	}
	defer release()
	return ask(r.Context(), principalOf(r.Context()), q)
}

// receive takes in a publication. It checks that the person may publish before it reads the body, and
// waits for a turn when the body is there: a slow client keeps nobody waiting.
func (s *Server) receive(w http.ResponseWriter, r *http.Request) (any, error) {
	ctx := r.Context()
	by, who := principalOf(ctx), askerOf(ctx).person
	if err := s.store.mayPublish(ctx, by); err != nil {
		return nil, unread(w, s.keepRefusal(ctx, by, remote.Publication{}, err))
	}
	size := r.ContentLength
	if size < 0 || size > remote.MaxPublication {
		size = remote.MaxPublication
	}
	dropBody, err := s.people.hold(who, size)
	if err != nil {
		return nil, unread(w, err)
	}
	defer dropBody()
	sent, err := readBody(w, r, remote.MaxPublication)
	if err != nil {
		return nil, err
	}
	release, err := takeBoth(ctx, who.publishing, s.publishing, publishingTimeout)
	if err != nil {
		return nil, err
	}
	defer release()
	unpacked, err := sent.unpack(remote.MaxPublication)
	if err != nil {
		return nil, err
	}
	p, err := decodePublication(unpacked, func(p remote.Publication) error { return s.store.checkTurn(ctx, by, p) })
	if err != nil {
		return nil, s.keepRefusal(ctx, by, p, err)
	}
	sent.data = nil
	if p.Size() >= largePublication {
		release, err := take(ctx, s.large, slotTimeout, errBusy)
		if err != nil {
			return nil, err
		}
		defer release()
	}
	return s.publish(ctx, by, p)
}
