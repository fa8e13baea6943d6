package hub

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"memctl/features/hub/remote"
)

// A full server refuses what it cannot begin soon, and says so.
func TestSlots(t *testing.T) {
	slots := make(chan struct{}, 1)
	release, err := take(t.Context(), slots, time.Minute, errBusy)
	if err != nil {
		t.Fatal(err)
	}
	given, stop := context.WithCancel(t.Context())
	stop() // as the time does
	if _, err := take(given, slots, time.Minute, errBusy); err != errBusy {
		t.Errorf("a slot is taken twice: %v", err)
	}
	own := make(chan struct{}, 1)
	if _, err := takeBoth(given, own, slots, time.Minute); err != errBusy || len(own) > 0 {
		t.Errorf("who waits for all keeps a slot of their own: %v", err)
	}
	release()
	if _, err := takeBoth(t.Context(), own, slots, time.Minute); err != nil {
		t.Error(err)
	}
	if _, err := takeBoth(given, own, make(chan struct{}, 1), time.Minute); err != errTooMany {
		t.Errorf("a turn is taken twice: %v", err)
	}
}

func TestBodiesAreCounted(t *testing.T) {
	p := people{byName: map[string]*person{}, byToken: map[tokenHash]*person{}}
	for i := range maxBodies / bodiesOfPerson {
		who, leave, err := p.enter(fmt.Sprint(i), tokenHash{byte(i)})
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
		release, err := p.hold(who, bodiesOfPerson)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.hold(who, 1); err != errTooMany {
			t.Errorf("%d: one byte more of the same person: %v", i, err)
		}
		defer release()
	}
	last, leave, err := p.enter("last", tokenHash{255})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.hold(last, 1); err != errBusy {
		t.Errorf("one byte more of all: %v", err)
	}
	leave()
	if n := maxBodies / bodiesOfPerson; len(p.byName) != n || len(p.byToken) != n {
		t.Error("who has left is not forgotten")
	}
}

// One token with more slow requests than there are slots keeps nobody else waiting, and learns
// that it has too many.
func TestSlowRequestsOfOnePerson(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.grant(t, "user:ci", "%", true)
	slow, other := h.token(t, "ci"), h.token(t, "anna")
	answers := make(chan string, maxAtOnce+maxOfPerson)
	for i := range cap(answers) {
		conn, err := net.Dial("tcp", strings.TrimPrefix(h.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		path := []string{addressed(remote.PublishPath, onlyNote(payments)), remote.SearchPath, mcpPath}[i%3]
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: hub\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{", path, slow)
		go func() {
			first := make([]byte, len("HTTP/1.1 429"))
			_, _ = io.ReadFull(conn, first)
			answers <- string(first)
		}()
	}
	for range maxAtOnce { // the others send their bodies still
		if answer := <-answers; answer != "HTTP/1.1 429" {
			t.Fatalf("one request too many: %s", answer)
		}
	}
	if got := h.request(t, "POST", remote.SearchPath, other, strings.NewReader(`{"query":"jwt"}`)); got.status != http.StatusOK {
		t.Errorf("another person: %d %s", got.status, got.body)
	}
	if got := h.request(t, "GET", remote.RepositoriesPath, slow, nil); got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" {
		t.Errorf("the same person: %d %s", got.status, got.body)
	}
}
