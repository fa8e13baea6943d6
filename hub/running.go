package hub

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"memctl/features/hub/remote"

	"github.com/jackc/pgx/v5"
)

const (
	// acceptAfter is how long a client waits for a publication before it is told where to ask.
	acceptAfter = time.Minute
	// beatEvery is how often a service says of such a publication that it is at it; after lostAfter without a word
	// the service is taken to have ended, and the publication with it.
	beatEvery = 5 * time.Second
	lostAfter = time.Minute
	// askAgain is how many seconds clients are asked to wait before they ask again.
	askAgain = "2"
	// readShare is how many percent of a publication are done once it was read.
	readShare = 70
)

// job is a publication that is being written. It belongs to its request until acceptAfter, then to the server.
type job struct {
	by      Principal
	sent    sentBody
	percent atomic.Int32
	ended   chan struct{}
	done    remote.Published // once it has ended
	err     error
}

// publishHandler answers with remote.Published, or with 202 and remote.Progress if it takes long.
func (s *Server) publishHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		done, running, err := s.receive(w, r)
		switch {
		case err != nil:
			s.fail(w, err)
		case running.State != "":
			w.Header().Set("Location", remote.PublicationPath+"?id="+running.ID)
			w.Header().Set("Retry-After", askAgain)
			s.write(w, http.StatusAccepted, running)
		default:
			s.write(w, http.StatusOK, done)
		}
	})
}

// receive takes in a publication. It checks that the person may publish before it reads the body, and
// waits for a turn when the body is there: a slow client keeps nobody waiting. A client that goes before it has an
// answer gives the publication up.
func (s *Server) receive(
	w http.ResponseWriter, r *http.Request,
) (done remote.Published, running remote.Progress, err error) {
	ctx := r.Context()
	by, who := principalOf(ctx), askerOf(ctx).person
	if err := s.store.mayPublish(ctx, by); err != nil {
		return done, running, unread(w, s.keepRefusal(ctx, by, remote.Publication{}, err))
	}
	size := r.ContentLength
	if size < 0 || size > remote.MaxPublication {
		size = remote.MaxPublication
	}
	dropBody, err := s.people.hold(who, size)
	if err != nil {
		return done, running, unread(w, err)
	}
	sent, err := readBody(w, r, remote.MaxPublication)
	if err == nil {
		running, err = s.store.running(ctx, by, sent)
	}
	if err != nil || running.State != "" {
		dropBody()
		return done, running, err
	}
	j, giveUp := s.start(by, who, sent, dropBody)
	stay := context.AfterFunc(ctx, giveUp)
	late := time.NewTimer(s.AcceptAfter)
	defer late.Stop()
	select {
	case <-j.ended:
		return j.done, running, j.err
	case <-late.C:
	}
	if stay() {
		running, err = s.store.addRunning(ctx, by, sent)
	}
	if err != nil || running.State == "" { // or the client has gone
		giveUp()
		<-j.ended
		return j.done, remote.Progress{}, errors.Join(err, j.err)
	}
	s.jobs.Go(func() { s.report(running.ID, j) })
	return done, running, nil
}

// start writes a publication, whatever becomes of its request. Until it has ended, it counts as a request of the
// person.
func (s *Server) start(by Principal, who *person, sent sentBody, dropBody func()) (j *job, giveUp func()) {
	ctx, giveUp := context.WithCancel(s.running)
	leave := s.people.stay(by.Person, who)
	j = &job{by: by, sent: sent, ended: make(chan struct{})}
	s.jobs.Go(func() {
		defer close(j.ended)
		defer giveUp()
		defer dropBody()
		defer leave()
		defer func() {
			if problem := recover(); problem != nil {
				s.Log.Error("panic", "route", remote.PublishPath, "problem", problem, "stack", string(debug.Stack()))
				j.err = errInternal
			}
		}()
		release, err := takeBoth(ctx, who.publishing, s.publishing, publishingTimeout)
		if err != nil {
			j.err = err
			return
		}
		defer release()
		p, err := s.publish(ctx, j)
		j.err = s.published(ctx, by, p, j.done, err)
	})
	return j, giveUp
}

// publish reads and writes a publication.
func (s *Server) publish(ctx context.Context, j *job) (p remote.Publication, err error) {
	sent := bytes.NewReader(j.sent.data)
	unpacked, err := j.sent.unpack(sent, remote.MaxPublication)
	if err != nil {
		return p, err
	}
	releaseLarge, large := func() {}, false
	defer func() { releaseLarge() }()
	var in *incoming
	p, err = decodePublication(unpacked, func(p remote.Publication) (add func(remote.File) error, err error) {
		in, err = s.store.receive(ctx, j.by, p)
		return func(file remote.File) error {
			if !large && in.size+file.Size() >= largePublication {
				release, err := take(ctx, s.large, slotTimeout, errBusy)
				if err != nil {
					return err
				}
				large, releaseLarge = true, release
			}
			j.percent.Store(int32(readShare * (sent.Size() - int64(sent.Len())) / sent.Size()))
			return in.add(ctx, file)
		}, err
	})
	if in != nil {
		defer in.close()
	}
	if err != nil {
		return p, err
	}
	j.sent.data = nil
	in.progress = func(part, all int) { j.percent.Store(int32(readShare + (100-readShare)*part/all)) }
	j.done, err = in.publish(ctx)
	return p, err
}

// report keeps a publication's row up to date until the publication has ended.
func (s *Server) report(id string, j *job) {
	ctx := context.WithoutCancel(s.running)
	ticker := time.NewTicker(beatEvery)
	defer ticker.Stop()
	keep := func(ended *remote.Progress) {
		ctx, stop := context.WithTimeout(ctx, endTimeout)
		defer stop()
		if err := s.store.keepRunning(ctx, j.by, id, j.percent.Load(), ended); err != nil {
			s.Log.Warn("what has become of a publication is not kept", "id", id, "error", err.Error())
		}
	}
	for {
		select {
		case <-ticker.C:
			keep(nil)
			continue
		case <-j.ended:
		}
		ended := remote.Progress{ID: id, State: remote.StateDone, Percent: 100, Published: &j.done}
		if j.err != nil {
			failed := s.shown(j.by.Request, j.err)
			ended = remote.Progress{ID: id, State: remote.StateFailed, Percent: int(j.percent.Load()), Error: failed,
				Status: failed.Status}
		}
		keep(&ended)
		s.Log.Info("publication ended", "id", id, "person", j.by.Person, "state", ended.State,
			"request", j.by.Request)
		return
	}
}

// end ends the publications that are still written a while after the context.
func (s *Server) end(ctx context.Context) {
	late := time.AfterFunc(endTimeout, s.stop)
	defer late.Stop()
	if ctx.Err() == nil { // it does not even listen
		s.stop()
	}
	s.jobs.Wait()
}

// progress answers what has become of a publication, to the person whose it is.
func (s *Server) progress(_ http.ResponseWriter, r *http.Request) (any, error) {
	return inTurn(s, r, r.URL.Query().Get("id"), func(ctx context.Context, by Principal, id string) (remote.Progress,
		error) {
		if err := checkText("id", id); err != nil {
			return remote.Progress{}, err
		}
		found, err := s.store.findRunning(ctx, by, `id = $2`, id)
		if err == nil && found.State == "" {
			err = refusal(http.StatusNotFound, "not_found", "the hub has no publication of yours with this id; it "+
				"forgets them after a day")
		}
		return found, err
	})
}

// errNamed ends the decoding of a publication when all but its memories is known.
var errNamed = errors.New("all but the memories is known")

// head returns a publication without its memories, as far as it can be read.
func (s sentBody) head() (p remote.Publication) {
	if unpacked, err := s.unpack(bytes.NewReader(s.data), remote.MaxPublication); err == nil {
		p, _ = decodePublication(unpacked, func(remote.Publication) (func(remote.File) error, error) {
			return nil, errNamed
		})
		p.Repository = strings.ToLower(p.Repository)
	}
	return p
}

// running returns the publication that is sent again while the hub is at it, the zero Progress if there is none.
func (s *Store) running(ctx context.Context, by Principal, sent sentBody) (found remote.Progress, err error) {
	p := sent.head()
	if checkPublication(p) != nil {
		return found, nil
	}
	found, err = s.findRunning(ctx, by, `repository = $2 AND commit_sha = $3 AND sequence = $4 AND ended IS NULL`,
		p.Repository, p.Commit, p.Sequence)
	if found.State != remote.StateRunning {
		return remote.Progress{}, err
	}
	return found, nil
}

// errLost is of a publication whose service has ended.
var errLost = refusal(http.StatusServiceUnavailable, "busy", "the hub's program ended before the publication did: "+
	"publish it again")

// findRunning returns the newest of a person's publications for which a condition holds.
func (s *Store) findRunning(
	ctx context.Context, by Principal, condition string, args ...any,
) (found remote.Progress, err error) {
	err = s.as(ctx, by, "", func(tx pgx.Tx) error {
		var ended []byte
		var lost bool
		err := tx.QueryRow(ctx, `
			SELECT id, percent, ended, seen_at < now() - $1::interval
			FROM publications
			WHERE `+condition+`
			ORDER BY seen_at DESC
			LIMIT 1`, append([]any{lostAfter}, args...)...).Scan(&found.ID, &found.Percent, &ended, &lost)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return nil
		case err != nil:
			return err
		case ended != nil:
			return json.Unmarshal(ended, &found)
		case lost:
			found.State, found.Error, found.Status = remote.StateFailed, errLost, errLost.Status
			return nil
		}
		found.State = remote.StateRunning
		return nil
	})
	return found, err
}

// addRunning adds the row of a publication.
func (s *Store) addRunning(ctx context.Context, by Principal, sent sentBody) (remote.Progress, error) {
	p := sent.head()
	added := remote.Progress{ID: rand.Text(), State: remote.StateRunning}
	return added, s.as(ctx, by, "", func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `
			INSERT INTO publications (id, person, repository, commit_sha, sequence)
			VALUES ($1, $2, $3, $4, $5)`, added.ID, by.Person, p.Repository, p.Commit, p.Sequence)
		return err
	})
}

// keepRunning says that a service is at a publication, or how it ended.
func (s *Store) keepRunning(ctx context.Context, by Principal, id string, percent int32, ended *remote.Progress) error {
	var encoded *string
	if ended != nil {
		data, err := json.Marshal(ended)
		if err != nil {
			return err
		}
		text := string(data)
		encoded = &text
	}
	return s.as(ctx, by, "", func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `
			UPDATE publications
			SET percent = $2, ended = $3, seen_at = now()
			WHERE id = $1`, id, percent, encoded)
		return err
	})
}
