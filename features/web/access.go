package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// access decides who may see and change something. The first address has a token. It
// becomes a cookie, which only the browser of this user has.
//
// A browser sends a cookie to every port of a host, so that the server of another user on
// this machine could receive it. Therefore all pages lie below a folder with a secret
// name, and the cookie belongs to that folder.
type access struct {
	token   string
	session string // the cookie's value
	cookie  string // its name
	base    string // the folder of all pages, without a slash at its end
	formKey []byte
	hosts   []string // by which the server is addressed
}

func newAccess(port int) access {
	a := access{token: secret(), session: secret(), formKey: []byte(secret()), base: "/" +
		strings.ToLower(secret()[:16])}
	a.cookie = "memctl-" + strconv.Itoa(port)
	for _, host := range []string{"127.0.0.1", "::1", "localhost"} {
		a.hosts = append(a.hosts, net.JoinHostPort(host, strconv.Itoa(port)))
	}
	return a
}

func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// headers of every answer. A page loads nothing from elsewhere and runs no inline script.
var headers = [][2]string{
	{"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
		"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"},
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"Referrer-Policy", "same-origin"}, // "no-referrer" would hide the origin of a form
	{"X-Content-Type-Options", "nosniff"},
	{"X-Frame-Options", "DENY"},
	{"Cache-Control", "no-store"},
}

// check lets a request through only if it comes from a page of this server, or from the
// person who has the first address.
func (a access) check(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, header := range headers {
			w.Header().Set(header[0], header[1])
		}
		switch {
		case !slices.Contains(a.hosts, r.Host): // a name that was made to lead here
			http.Error(w, "memctl is not served under this name", http.StatusMisdirectedRequest)
		case !a.sameOrigin(r):
			http.Error(w, "this request comes from another site", http.StatusForbidden)
		case r.URL.Path == "/" && r.Method == http.MethodGet && equal(r.URL.Query().Get("token"), a.token):
			a.welcome(w)
		case r.URL.Path == "/favicon.ico": // browsers ask for it before they have seen a page
			w.WriteHeader(http.StatusNoContent)
		case !a.known(r):
			http.Error(w, "open the address that memctl ui printed", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// sameOrigin reports whether no other site can have sent the request. Browsers name the
// origin of everything that writes.
func (a access) sameOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin != "" && origin != "http://"+r.Host {
		return false
	}
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	return reads || origin != ""
}

func (a access) known(r *http.Request) bool {
	cookie, err := r.Cookie(a.cookie)
	return err == nil && equal(cookie.Value, a.session)
}

// welcome exchanges the token for the cookie. It is a page that leads on and no redirect: a
// browser does not send a strict cookie after a redirect from another site, such as a chat.
func (a access) welcome(w http.ResponseWriter) {
	http.SetCookie(w, &http.Cookie{
		Name: a.cookie, Value: a.session, Path: a.base + "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><title>memctl</title><meta http-equiv="refresh" content="0;url=%[1]s/">`+
		`<p><a href="%[1]s/">memctl</a>`, a.base)
}

// formToken is a token that only the form with this action has.
func (a access) formToken(action string) string {
	path, _ := url.PathUnescape(action) // of a page's own
	mac := hmac.New(sha256.New, a.formKey)
	mac.Write([]byte(strings.TrimPrefix(path, a.base)))
	return hex.EncodeToString(mac.Sum(nil))
}

// formField is the name of the field with the token of a form.
const formField = "form_token"

func (a access) checkForm(r *http.Request) bool {
	return equal(r.PostFormValue(formField), a.formToken(r.URL.EscapedPath()))
}
