package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"memctl/hub"
)

// newProvider starts an identity provider that signs everyone in as ben: the authorization code flow with PKCE (RFC 7636),
// without a page.
func newProvider(t *testing.T) string {
	t.Helper()
	provider := newIssuer(t)
	var challenge, resource string // of the sign-in
	metadata := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"issuer": %[1]q, "authorization_endpoint": "%[1]s/authorize", "token_endpoint": "%[1]s/token", "jwks_uri": "%[1]s/keys",
			"response_types_supported": ["code"], "grant_types_supported": ["authorization_code"], "code_challenge_methods_supported": ["S256"],
			"token_endpoint_auth_methods_supported": ["none"], "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"]}`,
			provider.url)
	}
	provider.routes.HandleFunc("/.well-known/openid-configuration", metadata)
	provider.routes.HandleFunc("/.well-known/oauth-authorization-server", metadata)
	provider.routes.HandleFunc("/authorize", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		challenge, resource = q.Get("code_challenge"), q.Get("resource")
		back := q.Get("redirect_uri")
		if q.Get("client_id") != "claude-code" || q.Get("response_type") != "code" || !registered.MatchString(back) {
			http.Error(w, "not registered", http.StatusBadRequest)
			return
		}
		http.Redirect(w, r, back+"?"+url.Values{"code": {"c"}, "state": {q.Get("state")}}.Encode(), http.StatusFound)
	})
	provider.routes.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
		sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
		if r.FormValue("code") != "c" || base64.RawURLEncoding.EncodeToString(sum[:]) != challenge {
			http.Error(w, `{"error": "invalid_grant"}`, http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"access_token": %q, "token_type": "Bearer", "expires_in": 3600}`, provider.token(resource, map[string]any{"sub": "ben"}))
	})
	return provider.url
}

var registered = regexp.MustCompile(`^http://localhost:\d+/callback$`)

// freeAddress is one of this machine that nobody listens on.
func freeAddress(t *testing.T) (address, port string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err = net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return l.Addr().String(), port
}

// Claude Code speaks to the hub with a token in a header; and it learns from the hub where to sign in, signs in there, and
// speaks to the hub with that token.
func TestSignInInTheClient(t *testing.T) {
	if os.Getenv("MEMCTL_E2E") == "" {
		t.Skip("runs the real client: make e2e")
	}
	program, err := exec.LookPath(cmp.Or(os.Getenv("CLAUDE_BIN"), "claude"))
	if err != nil {
		t.Skip("SKIPPED: no Claude Code was found; put claude on the PATH, or name it in CLAUDE_BIN")
	}
	if _, err := exec.LookPath("script"); err != nil {
		t.Skip("SKIPPED: script is not installed, which gives the client a terminal")
	}
	address, _ := freeAddress(t)
	_, callback := freeAddress(t)
	h := newHome(t)
	issuers, err := json.Marshal([]hub.OIDC{{Issuer: newProvider(t), Audience: "http://" + address + "/mcp", UserClaim: "sub"}})
	if err != nil {
		t.Fatal(err)
	}
	h.write("issuers.json", string(issuers))
	s := startService(t, "--listen", address, "--url", "http://"+address, "--oidc-issuers", h.dir+"/issuers.json")
	client := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), program, append([]string{"mcp"}, args...)...)
		cmd.Dir, cmd.Env = h.dir, h.env
		return cmd
	}
	run := func(args ...string) string {
		t.Helper()
		out, err := client(args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run("add", "--transport", "http", "hub", "http://"+address+"/mcp", "--client-id", "claude-code", "--callback-port", callback)
	run("add", "--transport", "http", "by-token", "http://"+address+"/mcp", "--header", "Authorization: Bearer "+s.token)
	if got := run("list"); !strings.Contains(got, "Needs authentication") || strings.Count(got, "Connected") != 1 {
		t.Errorf("before the sign-in: %s", got)
	}

	// The person's browser is curl.
	h.writeProgram("xdg-open", "exec curl -sSfL -o /dev/null \"$1\"")
	h.env = append(h.env, "BROWSER="+h.dir+"/bin/xdg-open", "PATH="+h.dir+"/bin:"+os.Getenv("PATH"))
	login := exec.CommandContext(t.Context(), "script", "-qefc", program+" mcp login hub", "/dev/null") // on a terminal
	login.Dir, login.Env = h.dir, h.env
	if out, err := login.CombinedOutput(); err != nil {
		t.Fatalf("login: %v\n%s", err, out)
	}
	if got := run("list"); strings.Count(got, "Connected") != 2 {
		t.Errorf("after the sign-in: %s\nthe hub: %s", got, s.logged())
	}
	if log := s.logged(); !strings.Contains(log, `"person":"ben"`) {
		t.Errorf("the hub's log has no request of ben: %s", log)
	}
}
