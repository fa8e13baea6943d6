package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"memctl/features/hub/remote"
)

// watch puts a proxy before the hub, which calls before with the path of each request.
func (h *faultyHub) watch(before func(path string)) {
	forward := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: h.address})
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		before(r.URL.Path)
		forward.ServeHTTP(w, r)
	}))
	h.t.Cleanup(proxy.Close)
	h.address = strings.TrimPrefix(proxy.URL, "http://")
}

// asked notes the paths of all requests, and returns those since it was called last.
func (h *faultyHub) asked() (take func() []string) {
	var mu sync.Mutex
	var list []string
	h.watch(func(path string) {
		mu.Lock()
		defer mu.Unlock()
		list = append(list, path)
	})
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		was := list
		list = nil
		return was
	}
}

func (h *faultyHub) publishHead(project string, sequence int, flags ...string) (out, messages string, code int) {
	h.t.Helper()
	args := []string{"hub", "publish", "--hub", "http://" + h.address, "--sequence", fmt.Sprint(sequence)}
	return h.try(project, append(args, flags...)...)
}

// Ctrl-C between two parts leaves some of the memories, and says so. The same command does the rest.
func TestPublishInParts(t *testing.T) {
	t.Parallel()
	h := newFaultyHub(t)
	h.clone("pay", "git@github.com:acme/payments.git")
	value := strings.Repeat("Zebras have stripes. ", 900_000/21)
	for i := range 11 { // of 9.9 MB
		id := fmt.Sprintf("zebra-%d", i)
		h.write("pay/.claude/memory/preferences/"+id+".json", strings.Replace(preferenceFile(id, "Zebra"), "VALUE", value, 1))
	}
	h.commits[1] = h.commit("pay")
	address, second, ended := h.address, make(chan struct{}), make(chan struct{})
	var parts atomic.Int32
	h.watch(func(path string) {
		if path == remote.PartPath && parts.Add(1) == 2 {
			close(second) // the client has the answer to the first one
			<-ended
		}
	})
	publisher := h.publisher(1)
	var messages strings.Builder
	publisher.Stderr = &messages
	if err := publisher.Start(); err != nil {
		t.Fatal(err)
	}
	<-second
	if err := publisher.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = publisher.Wait()
	close(ended)
	if code := publisher.ProcessState.ExitCode(); code != 130 || !strings.Contains(messages.String(), "the hub has some of the memories: the next publication completes them") {
		t.Errorf("%d: %s", code, messages.String())
	}
	if out := h.run("", "hub", "repos"); !strings.Contains(out, " (incomplete)\t") || !strings.Contains(out, "\tci\t0\t") {
		t.Errorf("repos: %s", out)
	}
	h.address = address
	if out, err := h.publisher(1).CombinedOutput(); err != nil || !strings.Contains(string(out), " added, 0 changed, 0 removed") {
		t.Errorf("%v: %s", err, out)
	}
	if out := h.run("", "hub", "repos"); strings.Contains(out, "incomplete") || !strings.Contains(out, "\t11\t") || !strings.Contains(out, "\tci\t1\t") {
		t.Errorf("repos: %s", out)
	}
	h.whole[1] = h.publishedAlone(h.commits[1])
	h.checkWhole("the publication")
}

// What has not changed is not read: it is not even there. SHA-256 and a shallow clone are no exception.
func TestUnchangedMemoriesAreNotRead(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			h := newFaultyHub(t)
			asked := h.asked()
			h.git("pay", "init", "-q", "-b", "main", "--object-format", format)
			h.git("pay", "remote", "add", "origin", "git@github.com:acme/payments.git")
			for _, id := range []string{"a", "b"} {
				h.write("pay/.claude/memory/preferences/"+id+".json", preferenceFile(id, "Zebra"))
			}
			want := func(project string, sequence int, says string, paths ...string) {
				t.Helper()
				out, messages, code := h.publishHead(project, sequence)
				if code != 0 || !strings.Contains(out, says) || messages != "" {
					t.Errorf("publication %d: %d: %s%s", sequence, code, out, messages)
				}
				if got := asked(); !slices.Equal(got, paths) {
					t.Errorf("publication %d: %v", sequence, got)
				}
			}
			h.commit("pay")
			want("pay", 1, "2 added, 0 changed, 0 removed, 0 unchanged", remote.TreePath, remote.PublishPath, remote.PublishPath)
			h.write("pay/.claude/memory/preferences/a.json", preferenceFile("a", "Another zebra"))
			h.commit("pay")
			want("pay", 2, "0 added, 1 changed, 0 removed, 1 unchanged", remote.TreePath, remote.PublishPath, remote.PublishPath)
			h.write("pay/main.go", "package main")
			last := h.commit("pay")
			h.git(".", "clone", "-q", "--depth", "1", "file://"+filepath.Join(h.dir, "pay"), "shallow")
			h.git("shallow", "remote", "set-url", "origin", "https://github.com/acme/payments.git")
			blob := h.git("pay", "rev-parse", "HEAD:.claude/memory/preferences/b.json")
			if err := os.Remove(filepath.Join(h.dir, "pay/.git/objects", blob[:2], blob[2:])); err != nil {
				t.Fatal(err)
			}
			want("pay", 3, "0 added, 0 changed, 0 removed, 2 unchanged", remote.TreePath)
			want("shallow", 4, "0 added, 0 changed, 0 removed, 2 unchanged", remote.TreePath)
			if got := h.stored(); got != last {
				t.Errorf("the hub has commit %s", got)
			}
		})
	}
}

// Of a file with a secret, the hub keeps nothing by which the secret could be guessed, and so it is read each time.
func TestASecretLeavesNoDigest(t *testing.T) {
	t.Parallel()
	h := newFaultyHub(t)
	asked := h.asked()
	h.clone("pay", "git@github.com:acme/payments.git")
	h.write("pay/.claude/memory/preferences/a.json", preferenceFile("a", "Zebra"))
	h.write("pay/.claude/memory/preferences/b.json", strings.Replace(preferenceFile("b", "Zebra"), "VALUE", privateNote, 1))
	h.commit("pay")
	for sequence, says := range []string{"2 added, 0 changed", "0 added, 0 changed, 0 removed, 2 unchanged"} {
		out, messages, code := h.publishHead("pay", sequence+1)
		if code != 0 || !strings.Contains(out, says) || !strings.Contains(messages, "removed before sending: ") {
			t.Errorf("%d: %s%s", code, out, messages)
		}
		if got := asked(); !slices.Equal(got, []string{remote.TreePath, remote.PublishPath, remote.PublishPath}) {
			t.Errorf("publication %d: %v", sequence+1, got)
		}
	}
}

// One file that is not a valid memory stops all of it, and all such files are named.
func TestInvalidFilesAreNotPublished(t *testing.T) {
	t.Parallel()
	h := newFaultyHub(t)
	h.commitSets()
	if out, messages, code := h.publishHead("pay", 1); code != 0 {
		t.Fatalf("%d: %s%s", code, out, messages)
	}
	h.write("pay/.claude/memory/preferences/new.json", preferenceFile("new", "A new one"))
	h.write("pay/.claude/memory/preferences/broken.json", "{}")
	h.commit("pay")
	refused := func(sequence int, names ...string) {
		t.Helper()
		out, messages, code := h.publishHead("pay", sequence)
		if code != 1 || out != "" || !strings.Contains(messages, "no memory was sent") {
			t.Errorf("%d: %s%s", code, out, messages)
		}
		for _, name := range names {
			if !strings.Contains(messages, "preferences/"+name+".json: ") {
				t.Errorf("it does not name %s: %s", name, messages)
			}
		}
		if h.stored() != h.commits[1] {
			t.Error("the hub has another commit")
		}
	}
	refused(2, "broken")
	if err := os.Symlink("new.json", filepath.Join(h.dir, "pay/.claude/memory/preferences/link.json")); err != nil {
		t.Fatal(err)
	}
	h.commit("pay")
	refused(2, "broken", "link")
}

// A sequence that is no number from 1 to 2^63-1 is refused by its name.
func TestSequencesOutOfRange(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	for _, sequence := range []string{"0", "-1", "1e30", "1.5", "9223372036854775808", ""} {
		for _, flag := range [][]string{nil, {"--dry-run"}} {
			out, messages, code := h.try("pay", append([]string{"hub", "publish", "--sequence=" + sequence}, flag...)...)
			if code != 2 || out != "" || !strings.Contains(messages, "publish needs --sequence, a number from 1 to 9223372036854775807 that grows with each run") {
				t.Errorf("%s: %d: %s%s", sequence, code, out, messages)
			}
		}
	}
}
