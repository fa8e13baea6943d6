package mcpserver

//lint:file-ignore SA1019 the newest protocol drops roots, but the clients of today use them

import (
	"context"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"memctl/store"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// rootsRequest names the question for the client's roots.
	rootsRequest = "roots"
	// resultAsks is the first version of the protocol in which a server asks the client
	// by the result of the client's own request.
	resultAsks = "2026-07-28"
	// rootsTimeout is how long a client may take to name its roots.
	rootsTimeout = 5 * time.Second
)

// clientRoots are the folders that the client works in. The server asks for them once,
// and again when they have changed.
type clientRoots struct {
	mu      sync.Mutex
	known   bool
	folders []string
}

func (r *clientRoots) get() (folders []string, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.folders, r.known
}

func (r *clientRoots) set(roots []*mcp.Root) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known, r.folders = true, nil
	for _, root := range roots {
		if folder, ok := folderOf(root.URI); ok {
			r.folders = append(r.folders, folder)
		}
	}
}

func (r *clientRoots) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known = false
}

// folderOf returns the folder that a file: URI names.
func folderOf(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return "", false
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/") // of /C:/project
	}
	path = filepath.FromSlash(path)
	return path, filepath.IsAbs(path)
}

// ask finds out the client's roots. With the newest protocol it returns a question for
// the result of the client's request, and the client repeats the request with the answer.
// With older protocols it asks at once. A client that fails to answer has no roots.
func (s *Server) ask(
	ctx context.Context, session *mcp.ServerSession, capabilities *mcp.ClientCapabilities, answers mcp.InputResponseMap,
) mcp.InputRequestMap {
	if s.places.Flag != "" || s.places.Env != "" {
		return nil
	}
	if answer, ok := answers[rootsRequest].(*mcp.ListRootsResult); ok {
		s.roots.set(answer.Roots)
	}
	if _, known := s.roots.get(); known || capabilities == nil || capabilities.RootsV2 == nil {
		return nil
	}
	if params := session.InitializeParams(); params == nil || params.ProtocolVersion >= resultAsks {
		return mcp.InputRequestMap{rootsRequest: &mcp.ListRootsParams{}}
	}
	ctx, cancel := context.WithTimeout(ctx, rootsTimeout)
	defer cancel()
	var roots []*mcp.Root
	if answer, err := session.ListRoots(ctx, nil); err == nil {
		roots = answer.Roots
	}
	s.roots.set(roots)
	return nil
}

// open returns the store for a request. The memory root is the one that was named when the
// server was started, else that of the client's first root that has one. For a client without
// roots it is that of the working folder.
func (s *Server) open() *store.Store {
	folders, _ := s.roots.get()
	return store.Open(store.Options{
		Places: s.places, Folders: folders, Depth: store.Usual, Lasting: true, Agent: true,
		Warn: func(problem error) { s.warn(problem.Error()) },
	})
}
