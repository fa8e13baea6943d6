package web

import (
	"embed"
	"io/fs"
	"net/http"
)

//go:embed static
var static embed.FS

// maxBody is the size limit of what a form sends. maxTranscript is that of a transcript.
const (
	maxBody       = 2 << 20
	maxTranscript = 8 << 20
)

// handler answers every request.
func (s *Server) handler() http.Handler {
	files, _ := fs.Sub(static, "static") // the folder is embedded
	mux := http.NewServeMux()
	get := func(path string, answer pageFunc) { mux.Handle("GET "+path, s.page(answer)) }
	post := func(path string, answer pageFunc) { mux.Handle("POST "+path, s.form(maxBody, answer)) }

	mux.Handle("GET /{$}", http.RedirectHandler(s.access.base+"/memories", http.StatusSeeOther))
	mux.Handle("GET /static/", http.StripPrefix("/static/", http.FileServerFS(files)))
	mux.HandleFunc("GET /events", s.serveEvents)

	get("/memories", s.memories)
	get("/memories/{folder}/{id}", s.memory)
	get("/memories/{folder}/{id}/edit", s.editForm)
	post("/memories/{folder}/{id}/edit", s.edit)
	get("/memories/{folder}/{id}/{move}", s.moved)
	post("/memories/{folder}/{id}/{move}", s.move)
	get("/new", s.newForm)
	post("/new", s.create)
	get("/why", s.why)
	get("/sessions", s.sessions)
	get("/sessions/{id}", s.session)
	get("/triage", s.triageForm)
	mux.Handle("POST /triage", s.form(maxTranscript, s.triage))
	get("/health", s.health)
	get("/health/checks", s.checks)
	get("/settings", s.settings)
	post("/settings", s.configure)
	get("/charts", s.charts)
	get("/", s.notFound)

	return s.access.check(s.awake(http.StripPrefix(s.access.base, mux)))
}

// awake keeps the server from ending for lack of requests.
func (s *Server) awake(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.idle.Reset(s.Idle)
		next.ServeHTTP(w, r)
	})
}
