package hub

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"memctl/features/hub/remote"
)

// asked returns what the hub says of a publication.
func (h servedHub) asked(t *testing.T, location, token string) (p remote.Progress) {
	t.Helper()
	got := h.request(t, "GET", location, token, nil)
	if err := json.Unmarshal([]byte(got.body), &p); got.status != http.StatusOK || err != nil {
		t.Fatalf("%d %s: %v", got.status, got.body, err)
	}
	return p
}

// holdPublications keeps all publications waiting for their turn until release is called.
func (h servedHub) holdPublications() (release func()) {
	for range maxPublications {
		h.server.publishing <- struct{}{}
	}
	return func() {
		for range maxPublications {
			<-h.server.publishing
		}
	}
}

func acceptingHub(t *testing.T) (h servedHub, token string) {
	h = serveHub(t, ServerOptions{AcceptAfter: time.Nanosecond})
	h.grant(t, "everyone", "%", true)
	return h, h.token(t, "anna")
}

// A publication that takes long is answered with a place to ask, and goes on.
func TestAPublicationThatTakesLong(t *testing.T) {
	h, token := acceptingHub(t)
	release := h.holdPublications()
	got := h.request(t, "POST", remote.PublishPath, token, publicationBody(t, "github.com/Acme/Payments"))
	location := got.header.Get("Location")
	if got.status != http.StatusAccepted || !strings.HasPrefix(location, remote.PublicationPath+"?id=") || got.header.Get("Retry-After") == "" {
		t.Fatalf("%d %s %v", got.status, got.body, got.header)
	}
	if p := h.asked(t, location, token); p.State != remote.StateRunning || !strings.HasSuffix(location, p.ID) {
		t.Errorf("while it is written: %+v", p)
	}
	h.server.people.mu.Lock()
	if who := h.server.people.byName["anna"]; who == nil || len(who.publishing) != 1 {
		t.Error("the publication has not its person's turn any more")
	}
	h.server.people.mu.Unlock()
	for name, other := range map[string]string{"another person": h.token(t, "ben", "anna"), "no one": ""} {
		if got := h.request(t, "GET", location, other, nil); got.status != http.StatusNotFound && got.status != http.StatusUnauthorized {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	for _, id := range []string{"", "x", "%00", "' OR true --"} {
		if got := h.request(t, "GET", remote.PublicationPath+"?id="+strings.ReplaceAll(id, " ", "+"), token, nil); got.status != http.StatusNotFound && got.status != http.StatusBadRequest {
			t.Errorf("%q: %d %s", id, got.status, got.body)
		}
	}
	again := h.request(t, "POST", remote.PublishPath, token, publicationBody(t, payments))
	if again.status != http.StatusAccepted || again.header.Get("Location") != location {
		t.Errorf("sent again: %d %s", again.status, again.body)
	}
	release()
	h.server.jobs.Wait()
	if p := h.asked(t, location, token); p.State != remote.StateDone || p.Percent != 100 || p.Published.Added != 1 || p.Published.Repository != payments {
		t.Errorf("at the end: %+v", p)
	}
	if got := rows[string](t, h.testHub, `SELECT detail FROM audit WHERE action = 'publish' AND refused IS NULL`); !slices.Equal(got, []string{payments + " " + commitOf(1) + " 1"}) {
		t.Errorf("the audit has %q", got)
	}
	h.wantIdle(t)
}

// What the publisher would have been answered is kept.
func TestALongPublicationFails(t *testing.T) {
	h, token := acceptingHub(t)
	mustPublish(t, h.testHub, anna, publication(7, note("jwt", "JWT")))
	release := h.holdPublications()
	got := h.request(t, "POST", remote.PublishPath, token, publicationBody(t, payments))
	release()
	h.server.jobs.Wait()
	if p := h.asked(t, got.header.Get("Location"), token); p.State != remote.StateFailed || p.Status != http.StatusConflict || p.Error == nil || p.Error.Code != "stale_sequence" {
		t.Errorf("%d %s, then %+v", got.status, got.body, p)
	}
	h.exec(t, `UPDATE publications SET seen_at = now() - interval '25 hours'`)
	got = h.request(t, "POST", remote.PublishPath, token, publicationBody(t, payments))
	h.server.jobs.Wait()
	if n := rows[int](t, h.testHub, `SELECT count(*) FROM publications`)[0]; n != 1 {
		t.Errorf("%d rows of publications: old ones stay", n)
	}
	h.wantIdle(t)
}

// A service that ends writes all of a publication or nothing, and who asks learns of it.
func TestTheServiceEndsDuringAPublication(t *testing.T) {
	for name, end := range map[string]func(servedHub){
		"it is told to": func(h servedHub) { h.server.stop() },
		"it is killed": func(h servedHub) {
			h.exec(t, `UPDATE publications SET seen_at = now() - $1::interval`, 2*lostAfter)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, token := acceptingHub(t)
			release := h.holdPublications()
			location := h.request(t, "POST", remote.PublishPath, token, publicationBody(t, payments)).header.Get("Location")
			end(h)
			if name == "it is told to" {
				h.server.jobs.Wait()
			}
			if p := h.asked(t, location, token); p.State != remote.StateFailed || p.Status != http.StatusServiceUnavailable || p.Error == nil || p.Error.Message == "" {
				t.Errorf("%+v", p)
			}
			if n := rows[int](t, h.testHub, `SELECT count(*) FROM repositories`)[0]; n > 0 {
				t.Errorf("%d repositories", n)
			}
			h.server.stop()
			release()
			h.server.jobs.Wait()
			h.wantIdle(t)
		})
	}
}

// A client that goes before it has an answer gives its publication up.
func TestAClientLeaves(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.grant(t, "everyone", "%", true)
	release := h.holdPublications()
	ctx, leave := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "POST", h.url+remote.PublishPath, publicationBody(t, payments))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+h.token(t, "anna"))
	sent := make(chan error)
	go func() {
		_, err := http.DefaultClient.Do(r)
		sent <- err
	}()
	for waiting := false; !waiting; { // until it waits for its turn
		h.server.people.mu.Lock()
		who := h.server.people.byName["anna"]
		waiting = who != nil && len(who.publishing) > 0
		h.server.people.mu.Unlock()
	}
	leave()
	if err := <-sent; err == nil {
		t.Error("the client has an answer")
	}
	h.server.jobs.Wait()
	release()
	if n := rows[int](t, h.testHub, `SELECT count(*) FROM repositories`)[0]; n > 0 {
		t.Errorf("%d repositories", n)
	}
	h.wantIdle(t)
}

// The progress of a publication grows to the end.
func TestProgressOfAPublication(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.grant(t, "everyone", "%", true)
	var sent bytes.Buffer
	p := publication(1)
	for i := range 1200 {
		p.Memories = append(p.Memories, note(strings.Repeat("a", i%20+1)+strings.Repeat("b", i/20+1), "A note"))
	}
	sent.Write(rawJSON(t, p))
	j := &job{by: anna, sent: sentBody{data: sent.Bytes()}}
	if _, err := h.server.publish(t.Context(), j); err != nil || j.done.Added != 1200 {
		t.Fatalf("%+v %v", j.done, err)
	}
	if got := j.percent.Load(); got <= readShare || got > 100 {
		t.Errorf("%d percent at the end", got)
	}
}
