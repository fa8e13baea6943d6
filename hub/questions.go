package hub

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/jackc/pgx/v5"

	"memctl/features/hub/remote"
	"memctl/text"
)

// The actions of the audit.
const (
	searchAction       = "search"
	getAction          = "get"
	timelineAction     = "timeline"
	repositoriesAction = "repositories"
	publishAction      = "publish"
	signInAction       = "sign-in" // refused ones; results counts them
)

// entry is the row of the audit for a request.
type entry struct {
	action  string
	results int
	detail  string   // what was published; the query only if the hub is told to keep queries
	shown   []string // ids of memories
	refused string   // the code of an error, "" for an answer
	missing error    // what is answered if nothing was found, without a code in the audit
}

// maxDetail is how many characters of a query the audit keeps.
const maxDetail = 2000

// queue adds the statement that keeps an entry.
func (e entry) queue(b *pgx.Batch, person string) {
	b.Queue(`
		INSERT INTO audit (person, action, results, detail, shown, refused)
		VALUES ($1, $2, $3, nullif($4, ''), $5, nullif($6, ''))`, person, e.action, e.results,
		text.Truncate(text.Printable(e.detail), maxDetail), e.shown, e.refused)
}

// audit keeps an entry about a person in a transaction of its own.
func (s *Store) audit(ctx context.Context, by Principal, e entry) error {
	return s.as(ctx, by, "", func(tx pgx.Tx) error {
		var b pgx.Batch
		e.queue(&b, by.Person)
		return tx.SendBatch(ctx, &b).Close()
	})
}

// search is the question of the API and of MCP. As with all questions, the store keeps it in the audit before the
// asking person sees the answer.
func (s *Server) search(ctx context.Context, by Principal, q remote.Query) (remote.Results, error) {
	if err := checkText("query", q.Query); err != nil { // a category and an id have a form
		return remote.Results{}, err
	}
	return s.store.Search(ctx, by, q)
}

// published keeps in the audit what a publication changed.
func (s *Server) published(ctx context.Context, by Principal, p remote.Publication, done remote.Published) error {
	if len(done.Missing) > 0 || done.Unknown {
		return nil // more follows
	}
	s.metrics.published(done)
	e := publicationEntry(p, done)
	s.metrics.answered(e)
	return s.store.audit(ctx, by, e)
}

func publicationEntry(p remote.Publication, done remote.Published) entry {
	return entry{action: publishAction, results: done.Added + done.Changed + done.Removed,
		detail: fmt.Sprintf("%s %s %d", p.Repository, p.Commit, p.Sequence)}
}

// keepRefusal keeps in the audit that a publication was refused, unless the hub was only busy.
func (s *Server) keepRefusal(ctx context.Context, by Principal, p remote.Publication, err error) error {
	var refused *remote.Error
	if !errors.As(err, &refused) || refused.Status >= http.StatusInternalServerError ||
		refused.Status == http.StatusTooManyRequests {
		return err
	}
	e := publicationEntry(p, remote.Published{})
	e.refused = refused.Code
	return errors.Join(err, s.store.audit(ctx, by, e))
}

// checkText returns an error for text that PostgreSQL cannot hold.
func checkText(field, value string) error {
	if strings.ContainsRune(value, 0) {
		return badRequest(field, "it has a NUL character")
	}
	return nil
}

// question answers a POST with a small body, or a GET, once it is the person's turn.
func question[Q, A any](s *Server, ask func(context.Context, Principal, Q) (A, error)) handler {
	return func(w http.ResponseWriter, r *http.Request) (any, error) {
		var q Q
		if r.Method == http.MethodPost {
			limitReading(w, requestTimeout)
			if err := decode(w, r, remote.MaxRequest, &q); err != nil {
				return nil, err
			}
		}
		release, err := s.turn(r.Context())
		if err != nil {
			return nil, err
		}
		defer release()
		return ask(r.Context(), principalOf(r.Context()), q)
	}
}

// publishing answers a request that publishes. Its address says what of which repository: who may not publish that is
// refused before the body is read. It waits for its turn when the body is there: a slow client keeps nobody waiting.
func (s *Server) publishing(do func(context.Context, Principal, remote.Publication) (remote.Published, error)) handler {
	return func(w http.ResponseWriter, r *http.Request) (any, error) {
		ctx := r.Context()
		by, who := principalOf(ctx), askerOf(ctx).person
		p, err := publicationOf(r.URL)
		if err == nil {
			err = s.store.mayPublish(ctx, by, p)
		}
		if err != nil {
			return nil, unread(w, s.keepRefusal(ctx, by, p, err))
		}
		size := r.ContentLength
		if size < 0 || size > remote.MaxBody {
			size = remote.MaxBody
		}
		dropBody, err := s.people.hold(who, size)
		if err != nil {
			return nil, unread(w, err)
		}
		defer dropBody()
		sent, err := readBody(w, r, remote.MaxBody)
		if err != nil {
			return nil, s.keepRefusal(ctx, by, p, err)
		}
		release, err := takeBoth(ctx, who.publishing, s.writing, publishingTimeout)
		if err != nil {
			return nil, err
		}
		defer release()
		var done remote.Published
		var body struct {
			Memories sentMemories `json:"memories"`
		}
		if err = sent.decode(remote.MaxBody, &body); err == nil && body.Memories.list == nil {
			err = badRequest("memories", "expected a list, [] for none")
		}
		if err == nil {
			whole := p
			whole.Memories = body.Memories.list
			sent.data, body.Memories.list = nil, nil // which take memory
			done, err = do(ctx, by, whole)
		}
		if err != nil {
			return nil, s.keepRefusal(ctx, by, p, err)
		}
		return done, s.published(ctx, by, p, done)
	}
}
