package mcpserver

//lint:file-ignore SA1019 the newest protocol gives roots up, the clients of today name theirs

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"memctl/memdir"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// rootsRequest names the question for the client's roots.
const rootsRequest = "roots"

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
// be asked first; nil for nothing, also for a client that has no roots. The SDK
// asks older clients by a request of the server and newer ones by a result that
// wants input: either way the request comes again with the answer.
func (r *clientRoots) learn(able *mcp.ClientCapabilities, answers mcp.InputResponseMap) mcp.InputRequestMap {
	r.mu.Lock()
	defer r.mu.Unlock()
	if answer, ok := answers[rootsRequest].(*mcp.ListRootsResult); ok {
		r.known, r.folders = true, nil
		for _, root := range answer.Roots {
			if folder, ok := folderOf(root.URI); ok {
				r.folders = append(r.folders, folder)
			}
		}
	}
	if r.known || able == nil || able.RootsV2 == nil {
		return nil
	}
	return mcp.InputRequestMap{rootsRequest: &mcp.ListRootsParams{}}
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

// ask returns what the client is to be asked before its request is answered.
func (s *Server) ask(able *mcp.ClientCapabilities, answers mcp.InputResponseMap) mcp.InputRequestMap {
	if s.places.Flag != "" || s.places.Env != "" {
		return nil
	}
	return s.roots.learn(able, answers)
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
