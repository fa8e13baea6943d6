package main

//lint:file-ignore SA1019 the newest protocol drops roots, but the clients of today use them

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// converse sends bytes to a server and returns its answers by id. The server must end by
// itself with exit status 0.
func converse(t *testing.T, dir, input string) map[string]string {
	t.Helper()
	command := mcpServer(dir)
	command.Stdin = strings.NewReader(input)
	out, err := command.Output()
	if err != nil {
		t.Fatalf("the server ended with %v", err)
	}
	answers := map[string]string{}
	for line := range bytes.Lines(out) {
		var answer struct{ ID json.RawMessage }
		if err := json.Unmarshal(line, &answer); err != nil {
			t.Fatalf("%q is not an answer: %v", line, err)
		}
		answers[string(answer.ID)] += string(line)
	}
	return answers
}

func TestProbesBeforeInitializeAreRefused(t *testing.T) {
	t.Parallel()
	answers := converse(t, t.TempDir(), `{"jsonrpc":"2.0","id":7,"method":"server/probe"}
{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"search","arguments":{"query":"x"}}}
`+hello+`{"jsonrpc":"2.0","id":9,"method":"ping"}
`)
	for id, want := range map[string]string{"7": `"code":-32600`, "8": `"code":-32600`, "1": `"serverInfo"`, "9": `"result"`} {
		if !strings.Contains(answers[id], want) {
			t.Errorf("request %s was answered %q, want %s", id, answers[id], want)
		}
	}
}

func TestGarbageDoesNotEndTheServer(t *testing.T) {
	t.Parallel() // the server waits a while for the answer to a request whose id came twice
	answers := converse(t, t.TempDir(), "\x00\xff garbage {\n[]\n[{}]\n\"text\"\n{\"jsonrpc\":\"1.0\"}\n\n"+
		`{"jsonrpc":"2.0","id":5,"method":"x","params":"`+strings.Repeat("x", 5<<20)+"\"}\n"+
		hello+`{"jsonrpc":"2.0","id":77,"result":{}}
{"jsonrpc":"2.0","id":"never asked","error":{"code":1,"message":"x"}}
{"jsonrpc":"2.0","method":"notifications/unknown"}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4711}}
{"jsonrpc":"2.0","id":8,"method":"ping"}{"jsonrpc":"2.0","id":8,"method":"ping"}
{"jsonrpc":"2.0","id":9,"method":"ping"}
{"jsonrpc":"2.0","id":9,"method":"ping"}
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}
{"jsonrpc":"2.0","id":12,"method":"tools/call"}
{"jsonrpc":"2.0","id":13,"method":"tools/call","params":[]}
{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"delete","arguments":{}}}
{"jsonrpc":"2.0","id":14,"method":"resources/read","params":{"uri":"memctl://memory/m0\u007f"}}
{"jsonrpc":"2.0","id":11,"method":"half`)
	if n := strings.Count(answers["null"], "-32700"); n != 5 {
		t.Errorf("%d parse errors, want 5: %s", n, answers["null"])
	}
	if n := strings.Count(answers["null"], "-32600"); n != 3 {
		t.Errorf("%d invalid requests, want 3: %s", n, answers["null"])
	}
	if !strings.Contains(answers["14"], `"message":"Resource not found"`) {
		t.Errorf("a resource with a control character: %q", answers["14"])
	}
	if !strings.Contains(answers["9"], `"result"`) || !strings.Contains(answers["10"], `unknown tool`) {
		t.Errorf("after garbage: %q", answers)
	}
}

// A client may close before it has read an answer. What it saved is whole or not there.
func TestClosingEarlyLeavesNothingHalf(t *testing.T) {
	t.Parallel()
	dir := parcelProject(t).dir
	save, err := json.Marshal(map[string]any{"memory": grapefruit})
	if err != nil {
		t.Fatal(err)
	}
	converse(t, dir, hello+`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"save","arguments":`+string(save)+"}}\n")
	files, err := filepath.Glob(filepath.Join(dir, ".claude", "memory", "*", "*grapefruit*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if data, err := os.ReadFile(file); err != nil || !json.Valid(data) {
			t.Errorf("%s holds %q (%v)", file, data, err)
		}
	}
}

func TestRootIsTheClients(t *testing.T) {
	t.Parallel()
	with, without := parcelProject(t).dir, t.TempDir()
	query := map[string]any{"query": "kafka"}
	for name, session := range map[string]mcpSession{
		"the working folder": connect(t, with),
		"the client's root":  connect(t, without, with),
		"its second root":    connect(t, without, without, filepath.Join(with, ".claude")),
	} {
		if rows := session.search(query); len(rows) == 0 {
			t.Errorf("nothing is found by %s", name)
		}
	}
	for name, session := range map[string]mcpSession{
		"no root anywhere":                      connect(t, without),
		"a root of the client without memories": connect(t, with, without),
	} {
		result := session.try("search", query)
		if !result.IsError || !strings.Contains(said(result), "memctl setup") {
			t.Errorf("%s: %s", name, said(result))
		}
	}
}

func TestRootsOfAnyKindOfURI(t *testing.T) {
	t.Parallel()
	with := parcelProject(t).dir
	client := newMCPClient(nil)
	client.AddRoots(&mcp.Root{URI: "https://example.org/project"}, &mcp.Root{URI: "file://server/share"}, &mcp.Root{URI: "file://localhost" + slashed(with)})
	session := openSession(t, client, mcpServer(t.TempDir()), "")
	if rows := session.search(map[string]any{"query": "kafka"}); len(rows) == 0 {
		t.Error("nothing is found")
	}
}

// A client of the newest protocol names its roots when it reads a resource, too.
func TestResourceIsReadFromTheClientsRoot(t *testing.T) {
	t.Parallel()
	client := newMCPClient(nil)
	client.AddRoots(rootAt(parcelProject(t).dir))
	session := openSession(t, client, mcpServer(t.TempDir()), "")
	read, err := session.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: "memctl://memory/kafka-message-size"})
	if err != nil || !strings.Contains(read.Contents[0].Text, "Kafka refuses") {
		t.Errorf("the resource is %v, %v", read, err)
	}
}

// A notification has no answer, so the test asks until the server has taken it in.
func TestServerFollowsAChangeOfTheClientsRoots(t *testing.T) {
	t.Parallel()
	with, without := parcelProject(t).dir, t.TempDir()
	client := newMCPClient(nil)
	client.AddRoots(rootAt(without))
	session := openSession(t, client, mcpServer(without), "2025-06-18")
	query := map[string]any{"query": "kafka"}
	if result := session.try("search", query); !result.IsError {
		t.Fatalf("without memories: %s", said(result))
	}
	client.AddRoots(rootAt(with))
	for range 1000 {
		if !session.try("search", query).IsError {
			return
		}
	}
	t.Error("the new root is never asked for")
}

func TestServerWarnsOnStderr(t *testing.T) {
	t.Parallel()
	for config, want := range map[string]string{
		`{"retrieval": {"max_inject": "many"}}`: "memctl: warning: memory-config.json: retrieval.max_inject: expected a number, got a string; using 5\n",
		`{"retrieval": `:                        "memctl: warning: ",
	} {
		p := parcelProject(t)
		p.check(os.WriteFile(p.path("memory-config.json"), []byte(config), 0o644))
		server := mcpServer(p.dir)
		var errOut bytes.Buffer
		server.Stderr = &errOut
		session := openSession(t, newMCPClient(nil), server, "")
		session.try("search", map[string]any{"query": "kafka"})
		p.check(session.Close())
		if !strings.HasPrefix(errOut.String(), want) {
			t.Errorf("%s: stderr %q, want %q", config, errOut.String(), want)
		}
	}
}

// A client may list resources before it calls a tool. Only in the newest protocol can the
// server not ask for the roots then.
func TestResourcesAreOfTheClientsRoot(t *testing.T) {
	t.Parallel()
	with, without := parcelProject(t).dir, t.TempDir()
	for _, test := range []struct {
		name, version string
		listed        int
	}{
		{"an older client is asked at once", "2025-06-18", 39},
		{"a new one is served from the working folder", "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			client := newMCPClient(nil)
			client.AddRoots(rootAt(with))
			session := openSession(t, client, mcpServer(without), test.version)
			if n := countResources(t, session); n != test.listed {
				t.Errorf("%d resources, want %d", n, test.listed)
			}
			if rows := session.search(map[string]any{"query": "kafka"}); len(rows) == 0 {
				t.Error("nothing is found")
			}
			if n := countResources(t, session); n != 39 {
				t.Errorf("%d resources after a tool", n)
			}
		})
	}
}

func countResources(t *testing.T, session mcpSession) int {
	t.Helper()
	n := 0
	for _, err := range session.Resources(context.Background(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

func TestClientThatDoesNotNameItsRootsIsServedFromTheWorkingFolder(t *testing.T) {
	t.Parallel()
	client := newMCPClient(nil)
	client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "roots/list" {
				return nil, errors.New("not today")
			}
			return next(ctx, method, req)
		}
	})
	session := openSession(t, client, mcpServer(parcelProject(t).dir), "2025-06-18")
	if rows := session.search(map[string]any{"query": "kafka"}); len(rows) == 0 {
		t.Error("nothing is found")
	}
}

// noteFiles is how many files the server has open at most while it brings the catalogue up
// to date, which it does after its answer.
const noteFiles = 15

// The server sees changes by others, leaves no files open and lets no log grow.
func TestLongLivedServerSeesAndClosesAll(t *testing.T) {
	t.Parallel()
	dir := parcelProject(t).dir
	command := mcpServer(dir)
	client := newMCPClient(nil)
	session := openSession(t, client, command, "")
	file := filepath.Join(dir, ".claude", "memory", "constraints", "kafka-message-size.json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	opened := 0
	for i := range 30 {
		word := fmt.Sprintf("zebra%d", i)
		edited := bytes.Replace(data, []byte("Kafka refuses"), []byte(word+" refuses"), 1)
		if err := os.WriteFile(file, edited, 0o644); err != nil {
			t.Fatal(err)
		}
		if rows := session.search(map[string]any{"query": word}); len(rows) != 1 {
			t.Fatalf("the edit %d is not seen: %v", i, rows)
		}
		memory := map[string]any{}
		for key, value := range grapefruit {
			memory[key] = value
		}
		memory["title"] = fmt.Sprintf("Grapefruit %d", i)
		var out mcpSaved
		session.call("save", map[string]any{"memory": memory, "new": true}, &out)
		fds, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", command.Process.Pid))
		if err != nil {
			continue // no such folder on this system
		}
		if opened == 0 {
			opened = len(fds)
		}
		if len(fds) > opened+noteFiles {
			t.Fatalf("after %d saves %d files are open, at first %d", i+1, len(fds), opened)
		}
	}
	log, err := os.Stat(filepath.Join(dir, ".claude", "memory", "index.db-wal"))
	if err == nil && log.Size() > 0 {
		t.Errorf("the log of the index has %d bytes", log.Size())
	}
}

func TestTwoClientsWhileOthersWrite(t *testing.T) {
	t.Parallel()
	dir := parcelProject(t).dir
	sessions := []mcpSession{connect(t, dir), connect(t, dir)}
	var all sync.WaitGroup
	for number, session := range sessions {
		all.Go(func() {
			for i := range 8 {
				memory := map[string]any{}
				for key, value := range grapefruit {
					memory[key] = value
				}
				memory["title"] = fmt.Sprintf("Client %d writes number %d", number, i)
				var out mcpSaved
				session.call("save", map[string]any{"memory": memory, "new": true}, &out)
				if rows := session.search(map[string]any{"query": "kafka"}); len(rows) == 0 {
					t.Error("kafka is not found")
				}
			}
		})
	}
	all.Wait()
	if rows := sessions[0].search(map[string]any{"query": "client writes", "limit": 50}); len(rows) != 16 {
		t.Errorf("%d memories of 16", len(rows))
	}
}
