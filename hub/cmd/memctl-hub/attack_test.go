//go:build attack && linux

package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"memctl/features/hub/remote"
)

// peak returns the most memory that the hub has had, in bytes.
func (h *faultyHub) peak() int {
	h.t.Helper()
	process, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", h.server.Process.Pid))
	if err != nil {
		h.t.Fatal(err)
	}
	kB, err := strconv.Atoi(string(regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(process)[1]))
	if err != nil {
		h.t.Fatal(err)
	}
	return kB << 10
}

// post sends a body and returns the status of the answer, 0 for none.
func (h *faultyHub) post(ctx context.Context, token, path string, body []byte, encoding string) (int, string) {
	r, err := http.NewRequestWithContext(ctx, "POST", "http://"+h.address+path, bytes.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Encoding", encoding)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	data, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, string(data)
}

func gzipped(t *testing.T, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	for _, part := range parts {
		_, _ = io.WriteString(w, part)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// head begins a publication.
const head = `{"memories":[`

const crowdSize = 16_000_000

// crowd is a publication of 16 MB of memories of a size, of random words: half a million different words of four
// letters, millions of longer ones.
func crowd(size, letters int) string {
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString(head)
	for i := 0; b.Len() < crowdSize; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		var words strings.Builder
		for words.Len() < size {
			for range letters {
				words.WriteByte(byte('a' + random.IntN(26)))
			}
			words.WriteByte(' ')
		}
		id := fmt.Sprintf("m-%d", i)
		fmt.Fprintf(&b, `{"path":"preferences/%s.json","memory":%s}`, id,
			strings.Replace(preferenceFile(id, "Many words"), "VALUE", words.String(), 1))
	}
	return b.String() + "]}"
}

// lists is a publication of memories with as many strings as fit.
func lists() string {
	var b strings.Builder
	b.WriteString(head)
	for i := range 45 {
		if i > 0 {
			b.WriteByte(',')
		}
		id := fmt.Sprintf("m-%d", i)
		fmt.Fprintf(&b, `{"path":"preferences/%s.json","memory":%s}`, id, strings.Replace(preferenceFile(id, "Lists"),
			`"prefer": []`, `"prefer": ["a"`+strings.Repeat(`,"a"`, 80_000)+"]", 1))
	}
	return b.String() + "]}"
}

// No request takes more memory than the hub has been given, whatever it says.
func TestAttackOnMemory(t *testing.T) {
	elements := strings.Repeat(",{}", remote.MaxBody/3-100)
	for name, tt := range map[string]struct {
		person string // ci may publish
		path   string
		body   func() string
		limit  int // MB
	}{
		"elements without a grant":    {"eve", publishPath(), func() string { return head + "{}" + elements + "]}" }, 300},
		"spaces without a grant":      {"eve", publishPath(), func() string { return strings.Repeat(" ", remote.MaxBody) }, 300},
		"a search of 64 kB":           {"eve", remote.SearchPath, func() string { return `{"query":"` + strings.Repeat("ab ", 21_000) + `"}` }, 300},
		"a search of one letter":      {"eve", remote.SearchPath, func() string { return `{"query":"` + strings.Repeat("한글 ", 9_000) + `"}` }, 300},
		"ids":                         {"eve", remote.GetPath, func() string { return `{"ids":[""` + strings.Repeat(`,""`, 21_000) + `]}` }, 300},
		"brackets":                    {"eve", "/mcp", func() string { return strings.Repeat("[", 64_000) }, 300},
		"members":                     {"eve", "/mcp", func() string { return `{"a":` + strings.Repeat(`{"a":`, 12_000) }, 300},
		"elements for a grant":        {"ci", publishPath(), func() string { return head + "{}" + elements + "]}" }, 1000},
		"elements for another grant":  {"bob", publishPath(), func() string { return head + "{}" + elements + "]}" }, 300},
		"one long memory":             {"ci", publishPath(), func() string { return head + `{"memory":"` + strings.Repeat("x", 15<<20) + `"}]}` }, 1000},
		"many words in many memories": {"ci", publishPath(), func() string { return crowd(1_000, 4) }, 1000},
		"millions of different words": {"ci", publishPath(), func() string { return crowd(10_000, 8) }, 1000},
		"lists":                       {"ci", publishPath(), lists, 1000},
	} {
		t.Run(name, func(t *testing.T) {
			h := newFaultyHub(t)
			h.run("", "hub", "grant", "add", "--publish", "user:bob", "github.com/acme/other")
			token := h.token
			if tt.person != "ci" {
				token = strings.TrimSpace(h.run("", "hub", "token", "create", "--user", tt.person))
			}
			began := time.Now()
			status, body := h.post(t.Context(), token, tt.path, gzipped(t, tt.body()), "gzip")
			t.Logf("%d MB, %v, %d %.200s", h.peak()>>20, time.Since(began).Round(time.Millisecond), status, body)
			if h.peak() > tt.limit<<20 {
				t.Errorf("the hub took %d MB", h.peak()>>20)
			}
			if tt.person == "eve" && tt.path == publishPath() && status != http.StatusForbidden {
				t.Errorf("%d %s", status, body)
			}
		})
	}
}

// A token with 200 slow requests that also publishes without end does not slow down another person.
func TestAttackOnOthers(t *testing.T) {
	h := newFaultyHub(t)
	h.run("", "hub", "grant", "add", "everyone", "*")
	other := strings.TrimSpace(h.run("", "hub", "token", "create", "--user", "anna"))
	h.run("", "hub", "grant", "add", "--publish", "user:second", "*") // whose requests the slow ones do not take up
	second := strings.TrimSpace(h.run("", "hub", "token", "create", "--user", "second"))
	question := []byte(`{"query":"zebra stripes of set1"}`)
	median := func() time.Duration {
		var took []time.Duration
		for range 60 {
			began := time.Now()
			if status, body := h.post(t.Context(), other, remote.SearchPath, question, ""); status != http.StatusOK {
				t.Fatalf("another person: %d %s", status, body)
			}
			took = append(took, time.Since(began))
		}
		slices.Sort(took)
		return took[len(took)/2]
	}
	before := median()
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	for i := range 200 {
		path := []string{publishPath(), remote.SearchPath, "/mcp"}[i%3]
		all.Go(func() {
			for ctx.Err() == nil { // a request that ends, or waits too long, is followed by another one
				conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", h.address)
				if err != nil {
					return
				}
				end := context.AfterFunc(ctx, func() { conn.Close() })
				fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: hub\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{", path, h.token)
				_ = conn.SetReadDeadline(time.Now().Add(4 * time.Second)) // less than the hub waits
				_, _ = conn.Read(make([]byte, 1))
				end()
				conn.Close()
				select { // as a client that is in no hurry
				case <-time.After(100 * time.Millisecond):
				case <-ctx.Done():
				}
			}
		})
	}
	var published, refused int
	var mu sync.Mutex
	bodies := []string{crowdOf(500, 0), crowdOf(500, 1)}
	for range 8 {
		all.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				path := strings.Replace(publishPath(), "sequence=1", fmt.Sprintf("sequence=%d", time.Now().UnixMilli()), 1)
				status, _ := h.post(ctx, second, path, []byte(bodies[n%2]), "")
				mu.Lock()
				if status == http.StatusOK {
					published++
				} else {
					refused++
				}
				mu.Unlock()
			}
		})
	}
	time.Sleep(3 * time.Second) // until it is in full swing
	during := median()
	mu.Lock()
	t.Logf("median %v before, %v during %d publications and %d refused ones", before, during, published, refused)
	mu.Unlock()
	if during > 100*time.Millisecond {
		t.Errorf("another person waits %v", during)
	}
}

// crowdOf is a publication of so many memories, with other texts for each seed.
func crowdOf(count, seed int) string {
	var b strings.Builder
	b.WriteString(head)
	for i := range count {
		if i > 0 {
			b.WriteByte(',')
		}
		id := fmt.Sprintf("zebra-%d", i)
		fmt.Fprintf(&b, `{"path":"preferences/%s.json","memory":%s}`, id, preferenceFile(id, fmt.Sprintf("Zebra %d of set%d", i, seed+i)))
	}
	return b.String() + "]}"
}
