package web

import (
	"fmt"
	"hash/fnv"
	"io/fs"
	"net/http"
	"slices"
	"strings"
)

// themes are the colour schemes that a person may choose; "" is that of the system.
var themes = []string{"", "light", "dark"}

// The cookies of what a person chose. They hold no secret, so they last longer than a server.
const (
	langCookie  = "memctl-lang"
	themeCookie = "memctl-theme"
	lookMaxAge  = 365 * 24 * 60 * 60 // seconds
)

// choiceOf returns the choice of a person from a list, "" for none.
func choiceOf(r *http.Request, cookie string, list []string) string {
	if c, err := r.Cookie(cookie); err == nil && slices.Contains(list, c.Value) {
		return c.Value
	}
	return ""
}

// look keeps the language or the colours that a person chooses, and goes back to the page.
func (s *Server) look(w http.ResponseWriter, r *http.Request) {
	values := r.URL.Query()
	set := func(name, cookie string, list []string) {
		value, maxAge := values.Get(name), lookMaxAge
		if value == "" {
			maxAge = -1 // removes it
		}
		if values.Has(name) && slices.Contains(list, value) {
			http.SetCookie(w, &http.Cookie{
				Name: cookie, Value: value, Path: "/", MaxAge: maxAge, HttpOnly: true,
				SameSite: http.SameSiteStrictMode,
			})
		}
	}
	set("lang", langCookie, languages)
	set("theme", themeCookie, themes)
	back := values.Get("back")
	if !strings.HasPrefix(back, "/") || strings.HasPrefix(back, "//") || strings.Contains(back, `\`) {
		back = "/today"
	}
	http.Redirect(w, r, s.access.base+back, http.StatusSeeOther)
}

// staticVersion is a part of the addresses of the static files, which browsers keep.
func staticVersion() string {
	sum := fnv.New64a()
	_ = fs.WalkDir(static, ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			data, _ := static.ReadFile(path) // is embedded
			sum.Write(data)
		}
		return err
	})
	return fmt.Sprintf("%x", sum.Sum64())
}

// serveStatic serves the static files of this version.
func serveStatic(version string) http.Handler {
	files, _ := fs.Sub(static, "static") // the folder is embedded
	served := http.StripPrefix("/static/"+version+"/", http.FileServerFS(files))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
		served.ServeHTTP(w, r)
	})
}

// shortcut is a key with what it does, the end of a text's key.
type shortcut struct{ Keys, Does string }

// shortcuts are the keys of the pages, in the order in which they are listed.
var shortcuts = []shortcut{
	{"Ctrl K", "palette"},
	{"/", "search"}, {"j", "next"}, {"k", "previous"}, {"Enter", "open"}, {"e", "edit"},
	{"c", "confirm"}, {"r", "retire"}, {"m", "merge"}, {"a", "all"}, {"s", "skip"}, {"u", "undo"},
	{"t", "today"}, {"l", "memories"}, {"w", "why"}, {"h", "health"}, {"n", "new"},
	{"[", "before"}, {"]", "after"}, {"Ctrl Enter", "save"}, {"Esc", "clear"}, {"?", "keys"},
}
