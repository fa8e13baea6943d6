// Package mcp serves memories to MCP clients. The three layers of disclosure and
// the writer are its tools, each memory is a resource, and the commands and the skill of the
// plugin are prompts. It keeps nothing between two
// requests: each opens an index that is up to date and closes it.
package mcp

//lint:file-ignore SA1019 the newest protocol drops roots, but the clients of today use them

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"memctl/cmd/command"
	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/writer"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// instructions is the text that a client shows a model before the model has loaded any tool.
const instructions = `The project's memory: decisions, constraints, preferences, runbooks, tech debt. ` +
	`Check it before you make a decision or debug. ` +
	`Use search, then timeline, then get; each costs more than the last. Pass ids, not paths. ` +
	`Save what the next session should know.`

// Server serves one client.
type Server struct {
	Options
	roots clientRoots
}

// Options say which memories a server serves.
type Options struct {
	// Places name the memory root, else it is the one in the client's roots or the working folder.
	Places files.Places
	// Warn receives messages for a person.
	Warn func(string)
	// Notes and UserModel are those of store.Options.
	Notes     func(project string, wanted bool, cfg schemas.Config) (files.Root, error)
	UserModel retrieve.UserModel
	// Hub is nil for none: then no tool speaks of it.
	Hub command.Hub
	// OpenSessions opens the past sessions of a project. It is nil for none, likewise.
	OpenSessions func(ctx context.Context, project string) (command.Sessions, error)
	// Why finds the decisions behind a place of the project. It is nil for none: then there is no such tool.
	Why func(ctx context.Context, st *store.Store, place string) (any, error)
	// Propose keeps what the agent saves for a person, where a setting says so. It is nil if nothing does.
	Propose command.Propose
	// WorkItem finds an item of an import's work list. It is nil for none.
	WorkItem command.WorkItem
}

// New returns a server.
func New(o Options) *Server { return &Server{Options: o} }

// Run serves a client until it closes its end or the context is done.
func (s *Server) Run(ctx context.Context, version string, in io.Reader, out io.Writer) error {
	server := sdk.NewServer(&sdk.Implementation{Name: "memctl", Version: version}, &sdk.ServerOptions{
		Instructions: instructions,
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{},
			Prompts: &sdk.PromptCapabilities{}},
		RootsListChangedHandler: func(context.Context, *sdk.RootsListChangedRequest) { s.roots.forget() },
	})
	s.addTools(server)
	s.addResources(server)
	addPrompts(server)
	server.AddReceivingMiddleware(contain)
	client := newConnection(out)
	go client.receive(in)
	err := server.Run(ctx, client)
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// contain bounds how many requests run at once, and makes an error of a panic.
func contain(next sdk.MethodHandler) sdk.MethodHandler {
	running := make(chan struct{}, maxRunning)
	return func(ctx context.Context, method string, req sdk.Request) (result sdk.Result, err error) {
		running <- struct{}{}
		defer func() {
			<-running
			if problem := recover(); problem != nil {
				result, err = nil, fmt.Errorf("%s: internal error: %v", method, problem)
			}
		}()
		return next(ctx, method, req)
	}
}

// errNoRoot tells an agent to ask the user: the server runs in every project that is
// opened, and none gets a memory root unasked.
var errNoRoot = fmt.Errorf(`%w: nothing to search, nowhere to save; `+
	`ask the user to run "memctl setup" in this project`, files.ErrNoRoot)

var errNoUserRoot = errors.New(`the user has no memories of their own yet; ` +
	`ask the user to run "memctl init --user", or save it in the project`)

// pathless rewrites an error for a client, which sees ids and never paths. It adds the
// hint that the command line prints.
func pathless(err error) error {
	unclear, refused, file := new(retrieve.Unclear), new(writer.Error), new(fs.PathError)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, files.ErrNoRoot):
		return errNoRoot
	case errors.Is(err, files.ErrNoUserRoot):
		return errNoUserRoot
	case errors.As(err, new(*store.ConfigError)):
		return errors.New(files.ConfigName + " cannot be read")
	case errors.As(err, &unclear):
		if hint := unclear.Hint(); hint != "" {
			return errors.New(unclear.Error() + "; " + hint)
		}
		return unclear
	case errors.As(err, &refused):
		return errors.New(refusal(refused))
	case errors.As(err, &file):
		return file.Err
	}
	return err
}

// resourceError is the failure of a request for resources: with an error that has a code.
func resourceError(err error) error {
	if err == nil {
		return nil
	}
	code := int64(jsonrpc.CodeInternalError)
	if errors.As(err, new(*retrieve.Unclear)) || errors.Is(err, retrieve.ErrNotAnID) ||
		errors.Is(err, files.ErrNoRoot) {
		code = jsonrpc.CodeInvalidParams // so the newest protocol has it
	}
	return &jsonrpc.Error{Code: code, Message: pathless(err).Error()}
}

// refusal is the text of an error of the writer, without its paths.
func refusal(e *writer.Error) string {
	return e.Words(func(d writer.Detail) bool {
		return d.Key != "target" && d.Key != "path" && !strings.Contains(d.Value, "memctl ")
	})
}

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

func (r *clientRoots) set(roots []*sdk.Root) {
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
	ctx context.Context, session *sdk.ServerSession, capabilities *sdk.ClientCapabilities, answers sdk.InputResponseMap,
) sdk.InputRequestMap {
	if s.Places.Flag != "" || s.Places.Env != "" {
		return nil
	}
	if answer, ok := answers[rootsRequest].(*sdk.ListRootsResult); ok {
		s.roots.set(answer.Roots)
	}
	if _, known := s.roots.get(); known || capabilities == nil || capabilities.RootsV2 == nil {
		return nil
	}
	if params := session.InitializeParams(); params == nil || params.ProtocolVersion >= resultAsks {
		return sdk.InputRequestMap{rootsRequest: &sdk.ListRootsParams{}}
	}
	ctx, cancel := context.WithTimeout(ctx, rootsTimeout)
	defer cancel()
	var roots []*sdk.Root
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
		Places: s.Places, Folders: folders, Depth: store.Usual, Lasting: true, Agent: true, Notes: s.Notes,
		UserModel: s.UserModel, Propose: s.Propose,
		Warn: func(problem error) { s.Warn(problem.Error()) },
	})
}
