package hub

import (
	"context"
	"crypto/sha256"
	"net/http"
	"sync"
	"time"

	"memctl/features/hub/remote"
)

// Limits are those of a person, however many tokens they have: who exceeds one keeps nobody else waiting.
const (
	// maxOfPerson is how many requests of a person are read and answered at the same time. One more is refused.
	maxOfPerson = 32
	// turnsOfPerson is how many of them are answered. The others wait, for at most slotTimeout.
	turnsOfPerson = 2
	// bodiesOfPerson is the size in bytes of the publications that are read and written, as they
	// were sent; maxBodies is that of all people.
	bodiesOfPerson = 4 * remote.MaxBody
	maxBodies      = 4 * bodiesOfPerson
)

// people are those whose requests are read or answered.
type people struct {
	mu      sync.Mutex
	byName  map[string]*person
	byToken map[tokenHash]*person
	bodies  int64 // bytes of publications
}

// tokenHash is that of a header with a token.
type tokenHash [sha256.Size]byte

// person is one of them.
type person struct {
	requests   int
	tokens     []tokenHash // in people.byToken
	bodies     int64
	turns      chan struct{}
	publishing chan struct{} // a turn to write a publication
}

// check refuses a request with a token of a person who has too many already: so that one more costs no
// look-up of the token.
func (p *people) check(token tokenHash) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if who := p.byToken[token]; who != nil && who.requests >= maxOfPerson {
		return errTooMany
	}
	return nil
}

// enter counts a request of a person until leave is called.
func (p *people) enter(name string, token tokenHash) (who *person, leave func(), err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if who = p.byName[name]; who == nil {
		who = &person{turns: make(chan struct{}, turnsOfPerson), publishing: make(chan struct{}, 1)}
		p.byName[name] = who
	}
	if who.requests >= maxOfPerson {
		return nil, nil, errTooMany
	}
	who.requests++
	if p.byToken[token] == nil && len(who.tokens) < maxOfPerson {
		p.byToken[token] = who
		who.tokens = append(who.tokens, token)
	}
	return who, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if who.requests--; who.requests == 0 {
			delete(p.byName, name)
			for _, token := range who.tokens {
				delete(p.byToken, token)
			}
		}
	}, nil
}

// hold counts the body of a publication until release is called.
func (p *people) hold(who *person, size int64) (release func(), err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case who.bodies+size > bodiesOfPerson:
		return nil, errTooMany
	case p.bodies+size > maxBodies:
		return nil, errBusy
	}
	who.bodies += size
	p.bodies += size
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		who.bodies -= size
		p.bodies -= size
	}, nil
}

var (
	errBusy    = refusal(http.StatusServiceUnavailable, "busy", "too many requests at once: try again")
	errTooMany = refusal(http.StatusTooManyRequests, "busy", "too many requests of yours at once: try again")
)

// take takes a slot, and returns what gives it back. It gives up after a time.
func take(ctx context.Context, slots chan struct{}, limit time.Duration, full error) (release func(), err error) {
	release = func() { <-slots }
	select {
	case slots <- struct{}{}:
		return release, nil
	default:
	}
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	select {
	case slots <- struct{}{}:
		return release, nil
	case <-ctx.Done():
		return nil, full
	}
}

// takeBoth takes a slot of a person's, then one of all people's: so what waits takes none of those.
func takeBoth(ctx context.Context, own, all chan struct{}, limit time.Duration) (release func(), err error) {
	releaseOwn, err := take(ctx, own, limit, errTooMany)
	if err != nil {
		return nil, err
	}
	releaseAll, err := take(ctx, all, limit, errBusy)
	if err != nil {
		releaseOwn()
		return nil, err
	}
	return func() { releaseAll(); releaseOwn() }, nil
}

// turn waits until a question whose body was read may be answered.
func (s *Server) turn(ctx context.Context) (release func(), err error) {
	return takeBoth(ctx, askerOf(ctx).person.turns, s.slots, slotTimeout)
}
