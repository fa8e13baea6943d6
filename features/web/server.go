// Package web serves the memories of a root to the browser of the person who started it:
// to browse, understand and change them. What a page shows comes from the packages below,
// and every change goes through package writer. It owns the pages, the access to them and
// their texts; of files that a request names it reads those of memories only.
package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"hash/fnv"
	"log"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"memctl/features/doctor"
	"memctl/files"
	"memctl/retrieve"
)

const (
	// maxAtOnce is how many requests are answered at the same time. The others wait.
	maxAtOnce = 8
	// maxHeader is the size limit of a request's header in bytes.
	maxHeader = 64 << 10
	// headerTimeout and requestTimeout bound how long a browser takes to send a request.
	headerTimeout  = 10 * time.Second
	requestTimeout = time.Minute
	// answerTime is how long a page may take to be made.
	answerTime = 2 * time.Minute
	// endTimeout is how long running answers may take once the server ends.
	endTimeout = 500 * time.Millisecond
)

// Options say what to serve.
type Options struct {
	Root      files.Root         // the project's, or the user's without one
	Places    files.Places       // where the root was looked for
	Version   string             // of this binary
	Port      int                // 0: a free one
	Idle      time.Duration      // without a request, after which the server ends
	UserModel retrieve.UserModel // of store.Options
	Checks    []files.Check      // of doctor.Options
	// Warn receives what goes wrong while no page can show it.
	Warn func(message string)
}

// Server is a server that listens on the loopback addresses only.
type Server struct {
	Options
	listeners []net.Listener
	port      int
	access    access
	pages     pages
	slots     chan struct{}
	idle      *time.Timer // an open page counts as a request
	events    *broadcast
	compared  compared
	shown     cache[[]byte]         // files as they were last shown, by their hash, for a conflict
	notices   cache[[]string]       // what a change has to tell until the next page shows it
	verdicts  cache[doctor.Verdict] // by how often files had changed
	needs     needs
	savers    cache[*saversOf] // by the path of the root
	undos     cache[undo]      // the last changes, by the keys of their notices
}

// usualPort is where the pages of a root are if no one else uses the port, so that the tabs of an
// earlier server find the next one. Systems choose the ports of connections above it.
func usualPort(root files.Root) int {
	sum := fnv.New32a()
	sum.Write([]byte(root.Path))
	return 20_000 + int(sum.Sum32()%10_000)
}

// Listen starts to listen on 127.0.0.1 and, if the machine has it, on ::1.
func Listen(o Options) (*Server, error) {
	listen := func(port int) (net.Listener, error) {
		return net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	}
	v4, err := listen(cmp.Or(o.Port, usualPort(o.Root)))
	if err != nil && o.Port == 0 {
		v4, err = listen(0)
	}
	if err != nil {
		return nil, err
	}
	s := &Server{
		Options:   o,
		listeners: []net.Listener{v4},
		port:      v4.Addr().(*net.TCPAddr).Port,
		slots:     make(chan struct{}, maxAtOnce),
		events:    newBroadcast(),
	}
	if v6, err := net.Listen("tcp6", net.JoinHostPort("::1", strconv.Itoa(s.port))); err == nil {
		s.listeners = append(s.listeners, v6)
	}
	s.access = newAccess(s.port)
	s.pages = newPages(s.access, o.Root)
	return s, nil
}

// Address is the first address to visit. It lets its reader in: keep it secret.
func (s *Server) Address() string {
	return fmt.Sprintf("http://127.0.0.1:%d/?token=%s", s.port, s.access.token)
}

// Serve answers requests until the context ends, or until there was none for a while.
func (s *Server) Serve(ctx context.Context) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	s.idle = time.AfterFunc(s.Idle, end)
	defer s.idle.Stop()
	server := &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       requestTimeout,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          log.New(warnings{s.Warn}, "", 0),
	}
	go s.watch(ctx)
	failed := make(chan error, len(s.listeners))
	for _, listener := range s.listeners {
		go func() { failed <- server.Serve(listener) }()
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
		end()
	}
	stopping, stop := context.WithTimeout(context.Background(), endTimeout)
	defer stop()
	if server.Shutdown(stopping) != nil {
		server.Close()
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// warnings makes a log of a function.
type warnings struct{ warn func(string) }

func (w warnings) Write(line []byte) (int, error) {
	w.warn(string(line))
	return len(line), nil
}

// secret returns 128 random bits or more, as letters and digits.
func secret() string { return rand.Text() }

//go:embed static
var static embed.FS

// maxBody is the size limit of what a form sends. maxTranscript is that of a transcript.
const (
	maxBody       = 2 << 20
	maxTranscript = 8 << 20
)

// handler answers every request.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	get := func(path string, answer pageFunc) { mux.Handle("GET "+path, s.page(answer)) }
	post := func(path string, answer pageFunc) { mux.Handle("POST "+path, s.form(maxBody, answer)) }

	mux.Handle("GET /{$}", http.RedirectHandler(s.access.base+"/today", http.StatusSeeOther))
	mux.Handle("GET /static/"+s.pages.version+"/", serveStatic(s.pages.version))
	mux.HandleFunc("GET /look", s.look)
	mux.HandleFunc("GET /events", s.serveEvents)
	mux.HandleFunc("GET /alive", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	post("/undo/{change}", s.undo)

	get("/palette", s.palette)
	get("/today", s.today)
	get("/today/needs", s.lookAgain)
	post("/today/{need}/{answer}", s.settle)
	get("/waiting", s.waiting)
	post("/waiting/{place}/{number}/take", s.take)
	post("/waiting/{place}/{number}/drop", s.drop)
	post("/waiting/work/{item}", s.settleItem)
	get("/trust", s.trustPage)
	get("/trust/private", s.private)
	post("/trust/seen", s.trust)
	get("/memories", s.memories)
	get("/memories/{folder}/{id}", s.memory)
	get("/memories/{folder}/{id}/around", s.around)
	get("/memories/{folder}/{id}/edit", s.editForm)
	post("/memories/{folder}/{id}/edit", s.edit)
	post("/memories/{folder}/{id}/version", s.bringBack)
	post("/memories/{folder}/{id}/adopt", s.adopt)
	post("/memories/{folder}/{id}/resolve", s.resolve)
	get("/memories/{folder}/{id}/{move}", s.moved)
	post("/memories/{folder}/{id}/{move}", s.move)
	get("/new", s.newForm)
	post("/new", s.create)
	post("/new/sentence", s.addSentence)
	get("/why", s.why)
	get("/sessions", s.sessions)
	get("/sessions/{id}", s.session)
	get("/sessions/{id}/{turn}/save", s.keepForm)
	post("/sessions/{id}/{turn}/save", s.saveTurn)
	get("/triage", s.triageForm)
	mux.Handle("POST /triage", s.form(maxTranscript, s.triage))
	get("/health", s.health)
	get("/health/checks", s.checks)
	get("/health/verdict", s.verdict)
	get("/settings", s.settings)
	post("/settings", s.configure)
	get("/charts", s.charts)
	get("/", func(*visit) (answer, error) { return answer{}, errNoPage })

	pages := http.StripPrefix(s.access.base, mux)
	return s.access.check(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.idle.Reset(s.Idle)
		pages.ServeHTTP(w, r)
	}))
}

// maxKept is how many values are kept at most.
const maxKept = 32

// cache is a map of the values that were put last.
type cache[V any] struct {
	mu     sync.Mutex
	keys   []string // oldest first
	values map[string]V
}

func (k *cache[V]) put(key string, value V) { k.update(key, func(V) V { return value }) }

// update puts what fn makes of the value of a key, the zero value for one that is not kept.
func (k *cache[V]) update(key string, fn func(V) V) V {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.values == nil {
		k.values = map[string]V{}
	}
	value := fn(k.values[key])
	k.drop(key)
	k.keys, k.values[key] = append(k.keys, key), value
	if len(k.keys) > maxKept {
		k.drop(k.keys[0])
	}
	return value
}

func (k *cache[V]) drop(key string) {
	k.keys = slices.DeleteFunc(k.keys, func(other string) bool { return other == key })
	delete(k.values, key)
}

// get returns the zero value for a key that is not kept.
func (k *cache[V]) get(key string) V {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.values[key]
}

// take is get for the last time.
func (k *cache[V]) take(key string) V {
	k.mu.Lock()
	defer k.mu.Unlock()
	defer k.drop(key)
	return k.values[key]
}
