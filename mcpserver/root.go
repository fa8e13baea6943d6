package mcpserver

//lint:file-ignore SA1019 the newest protocol gives roots up, the clients of today name theirs

import (
	"context"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"memctl/memdir"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// rootsRequest names the question for the client's roots.
	rootsRequest = "roots"
	// askedByResult is the first version of the protocol in which a server asks by a
	// result that wants input.
	askedByResult = "2026-07-28"
	// rootsTimeout is how long a client may take to name its roots.
	rootsTimeout = 5 * time.Second
)

// clientRoots are the folders that the client works in, asked for once.
type clientRoots struct {
	mu      sync.Mutex
	known   bool
	folders []string
}

func (r *clientRoots) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known = false
}

func (r *clientRoots) list() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.folders
}

// learn takes the client's answer, if a request brings it, and returns what is to
// be asked first; nil for nothing, also for a client that has no roots.
func (r *clientRoots) learn(able *mcp.ClientCapabilities, answers mcp.InputResponseMap) mcp.InputRequestMap {
	r.mu.Lock()
	defer r.mu.Unlock()
	if answer, ok := answers[rootsRequest].(*mcp.ListRootsResult); ok {
		r.take(answer)
	}
	if r.known || able == nil || able.RootsV2 == nil {
		return nil
	}
	return mcp.InputRequestMap{rootsRequest: &mcp.ListRootsParams{}}
}

// take keeps the folders of an answer; the caller holds the lock. None is an answer
// too.
func (r *clientRoots) take(answer *mcp.ListRootsResult) {
	r.known, r.folders = true, nil
	if answer == nil {
		return
	}
	for _, root := range answer.Roots {
		if folder, ok := folderOf(root.URI); ok {
			r.folders = append(r.folders, folder)
		}
	}
}

// folderOf is the folder of a file: URI.
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

// ask returns what the client is to be asked by the result of its request, which
// then comes again with the answer. Clients of the older protocols are asked at once.
func (s *Server) ask(ctx context.Context, session *mcp.ServerSession, able *mcp.ClientCapabilities, answers mcp.InputResponseMap) mcp.InputRequestMap {
	if s.places.Flag != "" || s.places.Env != "" {
		return nil
	}
	wanted := s.roots.learn(able, answers)
	if params := session.InitializeParams(); wanted == nil || params == nil || params.ProtocolVersion >= askedByResult {
		return wanted
	}
	s.roots.request(ctx, session)
	return nil
}

// request asks a client by a request of the server. One that does not answer well
// has named no roots.
func (r *clientRoots) request(ctx context.Context, session *mcp.ServerSession) {
	ctx, cancel := context.WithTimeout(ctx, rootsTimeout)
	defer cancel()
	answer, err := session.ListRoots(ctx, nil)
	if err != nil {
		answer = nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.take(answer)
}

// root finds the memory root: the one that was named when the server was started,
// else that of the client's first root that has one. A client that names none is
// served from the working folder.
func (s *Server) root() (memdir.Root, error) {
	folders := s.roots.list()
	for _, folder := range folders {
		if root, err := memdir.Find(memdir.Places{Cwd: folder}); err == nil {
			return root, nil
		}
	}
	if len(folders) > 0 {
		return memdir.Root{}, errNoRoot
	}
	return memdir.Find(s.places)
}
