package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"memctl/cmd/console"
	"memctl/features/hub/remote"
	"memctl/files"
	"memctl/hub"
	"memctl/hub/hubtest"

	"github.com/google/go-cmp/cmp"
)

const paymentsName = "github.com/acme/payments"

// faultyHub is a hub whose parts are stopped while memctl publishes to it.
type faultyHub struct {
	home
	token   string // of ci, who may publish
	service string // connection string
	address string // of server
	server  *exec.Cmd
	flags   []string    // of server, beside those of all
	commits [2]string   // with different sets of memories
	whole   [2][]string // contents of a hub that has one of them
}

func newFaultyHub(t *testing.T, flags ...string) *faultyHub {
	t.Helper()
	h := &faultyHub{address: "127.0.0.1:0", flags: flags}
	h.home, h.service = newHubHome(t)
	h.run("", "hub", "grant", "add", "--publish", "user:ci", paymentsName)
	h.token = strings.TrimSpace(h.run("", "hub", "token", "create", "--user", "ci"))
	h.env = append(h.env, "MEMCTL_HUB_TOKEN="+h.token)
	h.serve()
	return h
}

// serve starts the hub, at the address that it had before.
func (h *faultyHub) serve() {
	h.t.Helper()
	h.server = exec.Command("memctl-hub", append([]string{"serve", "--listen", h.address, "--merge-every", "100ms"}, h.flags...)...)
	h.server.Env = append(slices.Clone(h.env), dsnVariable+"="+h.service)
	h.address = h.listen(h.server)
}

// kill ends the hub as kill -9 does.
func (h *faultyHub) kill() {
	h.t.Helper()
	if err := h.server.Process.Kill(); err != nil {
		h.t.Fatal(err)
	}
	_ = h.server.Wait()
}

const (
	setSize = 30 // memories of a commit
	newIn   = 10 // of them, those that the other commit does not have
)

// commitSets makes two commits: they share memories, of which each but the first five has
// another text.
func (h *faultyHub) commitSets() {
	h.t.Helper()
	h.clone("pay", "git@"+strings.Replace(paymentsName, "/", ":", 1)+".git")
	for set := range h.commits {
		folder := filepath.Join(h.dir, "pay", ".claude", "memory")
		if err := os.RemoveAll(folder); err != nil {
			h.t.Fatal(err)
		}
		for path, memory := range memoriesOf(set) {
			h.write("pay/.claude/memory/"+path, memory)
		}
		h.commits[set] = h.commit("pay")
		h.whole[set] = h.publishedAlone(h.commits[set])
	}
}

// memoriesOf returns the files of a set by path.
func memoriesOf(set int) map[string]string {
	files := map[string]string{}
	for i := range setSize {
		n := i + set*newIn
		title := fmt.Sprintf("Zebra %d of set%d", n, set)
		if i := n - newIn; i >= 0 && i < 5 {
			title = fmt.Sprintf("Zebra %d of both", n)
		}
		id := fmt.Sprintf("zebra-%d", n)
		files["preferences/"+id+".json"] = preferenceFile(id, title)
	}
	return files
}

// publisher is memctl hub publish of one of the sets.
func (h *faultyHub) publisher(sequence int) *exec.Cmd {
	h.t.Helper()
	return h.command("pay", "hub", "publish", "--hub", "http://"+h.address, "--commit", h.commits[sequence%2], "--sequence", strconv.Itoa(sequence))
}

// checkWhole fails unless the hub has exactly what publishing one of the commits to an empty hub makes.
func (h *faultyHub) checkWhole(when string) {
	h.t.Helper()
	got := contents(h.t, h.service)
	if !slices.ContainsFunc(h.whole[:], func(whole []string) bool { return slices.Equal(got, whole) }) {
		h.t.Fatalf("%s: the hub has neither set: (-second +got)\n%s", when, cmp.Diff(h.whole[1], got))
	}
	if wrong := hubtest.WrongFrequencies(h.t, h.service); wrong != nil {
		h.t.Fatalf("%s: frequencies: %q", when, wrong)
	}
}

// contents returns what a hub has, without the sequences of the publications.
func contents(t *testing.T, dsn string) []string {
	t.Helper()
	return slices.DeleteFunc(hubtest.Dump(t, dsn), func(line string) bool { return strings.HasPrefix(line, "sequence ") })
}

// publishedAlone returns the contents of a hub that has only ever had one commit.
func (h *faultyHub) publishedAlone(commit string) []string {
	h.t.Helper()
	owner, service := hubtest.Database(h.t, hub.Migrate)
	store, err := hub.Open(h.t.Context(), owner, hub.Options{Version: console.Version})
	if err != nil {
		h.t.Fatal(err)
	}
	defer store.Close()
	ci := hub.Principal{Person: "ci"}
	_, err = store.Grant(h.t.Context(), hub.Grant{Principal: "user:ci", Repositories: paymentsName, Publish: true})
	if err != nil {
		h.t.Fatal(err)
	}
	root, err := files.At(filepath.Join(h.dir, "pay"))
	if err != nil {
		h.t.Fatal(err)
	}
	cfg, _, err := root.Config()
	if err != nil {
		h.t.Fatal(err)
	}
	p, err := remote.ReadPublication(h.t.Context(), root, cfg, commit)
	if err != nil {
		h.t.Fatal(err)
	}
	p.Repository, p.Sequence = paymentsName, 1
	if _, err := store.Publish(h.t.Context(), ci, p.Publication); err != nil {
		h.t.Fatal(err)
	}
	return contents(h.t, service)
}

// stored returns the commit that the hub has.
func (h *faultyHub) stored() string {
	h.t.Helper()
	var list []struct {
		Commit string `json:"commit"`
	}
	decode(h.t, h.run("", "hub", "repos", "--json"), &list)
	if len(list) != 1 {
		h.t.Fatalf("%d repositories", len(list))
	}
	return list[0].Commit
}

// A publisher that is killed at a random moment leaves the old set or the new one.
func TestKilledPublishers(t *testing.T) {
	t.Parallel()
	h := newFaultyHub(t)
	h.commitSets()
	began := time.Now()
	if out, err := h.publisher(1).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	usual := time.Since(began)
	sequence, landed := 1, 0
	for range soak(3, 100) {
		sequence++
		publisher := h.publisher(sequence)
		if err := publisher.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(rand.N(usual))    // a random moment
		_ = publisher.Process.Kill() // it may be done
		_ = publisher.Wait()
		h.checkWhole(fmt.Sprintf("publisher %d", sequence))
		if h.stored() == h.commits[sequence%2] {
			landed++
		}
	}
	t.Logf("%d of %d publications of killed publishers landed", landed, sequence-1)
	sequence++
	if out, err := h.publisher(sequence).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	h.checkWhole("the last publication")
	if h.stored() != h.commits[sequence%2] {
		t.Error("the hub does not have the last publication")
	}
}

// A hub that is killed at a random moment of a publication has the old set or the new one.
// Once it runs again, the publisher, which still tries, is done.
func TestKilledHubs(t *testing.T) {
	t.Parallel()
	h := newFaultyHub(t)
	h.commitSets()
	began := time.Now()
	if out, err := h.publisher(1).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	usual := time.Since(began)
	landed := 0
	rounds := soak(2, 100)
	for i := range rounds {
		sequence := i + 2
		publisher := h.publisher(sequence)
		var said bytes.Buffer
		publisher.Stdout, publisher.Stderr = &said, &said
		if err := publisher.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(rand.N(usual)) // a random moment
		h.kill()
		h.checkWhole(fmt.Sprintf("hub killed in publication %d", sequence))
		if h.stored() == h.commits[sequence%2] {
			landed++
		}
		h.serve()
		if err := publisher.Wait(); err != nil {
			t.Errorf("publication %d: %v: %s", sequence, err, &said)
		}
		h.checkWhole(fmt.Sprintf("hub started again in publication %d", sequence))
		if h.stored() != h.commits[sequence%2] {
			t.Errorf("the hub does not have publication %d", sequence)
		}
	}
	t.Logf("%d of %d publications had landed when the hub was killed", landed, rounds)
}

// publishPath is the path of a publication with its address.
func publishPath() string {
	p := remote.Publication{Repository: paymentsName, Commit: strings.Repeat("0", 40), Sequence: 1}
	return remote.PublishPath + "?" + p.Values().Encode()
}

// send sends a request to the hub and returns the status and the body of its answer. A hub that refuses a body ends the
// connection, perhaps before the client has read why: then it is sent again.
func (h *faultyHub) send(method, path string, body io.Reader, header ...string) (status int, answer string) {
	r, err := http.NewRequestWithContext(h.t.Context(), method, "http://"+h.address+path, body)
	if err != nil {
		h.t.Error(err)
		return 0, ""
	}
	r.Header.Set("Authorization", "Bearer "+h.token)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	for n := 0; n < 5 && r.GetBody != nil && (errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET)); n++ {
		r.Body, _ = r.GetBody()
		response, err = http.DefaultClient.Do(r)
	}
	if err != nil {
		h.t.Error(err)
		return 0, ""
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		h.t.Error(err)
	}
	return response.StatusCode, string(data)
}

func (h *faultyHub) search(query string) (status int, answer string) {
	return h.send("POST", remote.SearchPath, strings.NewReader(`{"limit":50,"query":`+strconv.Quote(query)+`}`))
}

// publish sends a publication of one of the sets.
func (h *faultyHub) publish(sequence int) (status int, answer string) {
	p := remote.Publication{Repository: paymentsName, Commit: fmt.Sprintf("%040x", sequence), Sequence: int64(sequence)}
	for path, memory := range memoriesOf(sequence % 2) {
		p.Memories = append(p.Memories, remote.File{Path: path, Memory: json.RawMessage(memory)})
	}
	data, err := json.Marshal(p)
	if err != nil {
		h.t.Error(err)
	}
	return h.send("POST", remote.PublishPath+"?"+p.Values().Encode(), bytes.NewReader(data))
}

// PostgreSQL crashes in the midst of searches and publications. The hub answers that it is
// busy, and nothing else, until PostgreSQL is back, and has wholly one publication.
func TestPostgreSQLCrashes(t *testing.T) {
	h := newFaultyHub(t)
	type answer struct{ worker, status int }
	answers, ended := make(chan answer), make(chan struct{})
	sequence := 0
	var all sync.WaitGroup
	for worker, ask := range []func() (int, string){
		func() (int, string) { return h.search("zebra") },
		func() (int, string) { return h.send("GET", remote.RepositoriesPath, nil) },
		func() (int, string) {
			sequence++
			return h.publish(sequence)
		},
	} {
		all.Go(func() {
			for {
				status, body := ask()
				if status != http.StatusOK && (status != http.StatusServiceUnavailable || !strings.Contains(body, `"busy"`)) {
					t.Errorf("worker %d: %d %s", worker, status, body)
				}
				select {
				case answers <- answer{worker, status}:
				case <-ended:
					return
				}
			}
		})
	}
	// await returns when each worker has twice got a status from now on.
	await := func(status int) {
		t.Helper()
		got := [3]int{}
		for slices.Min(got[:]) < 2 {
			if a := <-answers; a.status == status {
				got[a.worker]++
			}
		}
	}
	for range soak(1, 20) {
		await(http.StatusOK)
		hubtest.Stop(t)
		await(http.StatusServiceUnavailable)
		if status, _ := h.send("GET", "/readyz", nil); status != http.StatusServiceUnavailable {
			t.Errorf("ready without PostgreSQL: %d", status)
		}
		if status, _ := h.send("GET", "/healthz", nil); status != http.StatusOK {
			t.Errorf("ill without PostgreSQL: %d", status)
		}
		hubtest.Start(t)
		await(http.StatusOK)
		if status, _ := h.send("GET", "/readyz", nil); status != http.StatusOK {
			t.Errorf("not ready with PostgreSQL: %d", status)
		}
	}
	close(ended)
	all.Wait()
	if wrong := hubtest.WrongFrequencies(t, h.service); wrong != nil {
		t.Errorf("frequencies: %q", wrong)
	}
	_, body := h.search("zebra")
	var found remote.Results
	decode(t, body, &found)
	if len(found.Results) != setSize {
		t.Errorf("the hub has %d memories", len(found.Results))
	}
	for _, r := range found.Results {
		last, err := strconv.ParseInt(r.Commit, 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(r.Title, fmt.Sprintf("of set%d", last%2)) && !strings.HasSuffix(r.Title, "of both") {
			t.Errorf("publication %d has %s", last, r.Title)
		}
	}
}

// Hubs of two versions answer with the terms that there are, and migrate makes those of its version.
func TestTwoAnalysers(t *testing.T) {
	t.Parallel()
	h := newFaultyHub(t)
	if status, body := h.publish(1); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	before := contents(t, h.service)
	answers := func(when string) {
		t.Helper()
		if status, body := h.search("zebra"); status != http.StatusOK || !strings.Contains(body, paymentsName) {
			t.Errorf("%s: %d %s", when, status, body)
		}
		if status, body := h.send("GET", "/readyz", nil); status != http.StatusOK {
			t.Errorf("%s: %d %s", when, status, body)
		}
	}
	h.sql(`UPDATE repositories SET analysed_by = 0; UPDATE memories SET positions = ''`)
	answers("before migrate")
	if out := h.run("", "hub", "migrate"); !strings.Contains(out, "the terms of 1 repository were made for this version") {
		t.Errorf("migrate says %s", out)
	}
	answers("after migrate")
	if out := h.run("", "hub", "migrate"); strings.Contains(out, "were made") {
		t.Errorf("migrate again says %s", out)
	}
	h.sql(`UPDATE repositories SET analysed_by = 0; UPDATE memories SET positions = ''`)
	if status, body := h.publish(1); status != http.StatusOK {
		t.Errorf("the same publication: %d %s", status, body)
	}
	if diff := cmp.Diff(before, contents(t, h.service)); diff != "" {
		t.Error(diff)
	}
}

// sql runs statements as the superuser.
func (h *faultyHub) sql(statements string) {
	h.t.Helper()
	if err := hubtest.Exec(h.t.Context(), h.service, statements); err != nil {
		h.t.Fatal(err)
	}
}

// Bodies that grow to 100 MB are refused, and do not fill the memory.
func TestBombs(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux says how much memory a process had")
	}
	h := newFaultyHub(t)
	var bomb bytes.Buffer
	packed := gzip.NewWriter(&bomb)
	if _, err := io.CopyN(packed, spaces{}, 100<<20); err != nil {
		t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range soak(1, 8) {
		for _, path := range []string{publishPath(), remote.SearchPath} {
			all.Go(func() {
				status, body := h.send("POST", path, bytes.NewReader(bomb.Bytes()), "Content-Encoding", "gzip")
				if status != http.StatusRequestEntityTooLarge && status != http.StatusServiceUnavailable {
					t.Errorf("%s: %d %s", path, status, body)
				}
			})
		}
	}
	all.Wait()
	process, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", h.server.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	peak := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(process)
	if peak == nil {
		t.Fatalf("no peak in %s", process)
	}
	kB, err := strconv.Atoi(string(peak[1]))
	if limit := soak(256, 1024) << 10; err != nil || kB > limit {
		t.Errorf("the hub took %d kB of memory, more than %d", kB, limit)
	}
	t.Logf("the hub took at most %d kB of memory", kB)
	if status, _ := h.search("zebra"); status != http.StatusOK {
		t.Errorf("a search afterwards: %d", status)
	}
}
