package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"memctl/features/hub/remote"
)

// deviceIssuer is an identity provider that gives tokens by code (RFC 8628) and by refresh token, each once.
type deviceIssuer struct {
	*httptest.Server
	mu      sync.Mutex
	name    string // that it calls itself
	refusal string // the error code of every answer of its token endpoint
	holds   int    // seconds
	refresh string // the refresh token that it takes next
	grants  []string
}

func newDeviceIssuer(t *testing.T) *deviceIssuer {
	t.Helper()
	i := &deviceIssuer{holds: 3600}
	i.Server = httptest.NewServer(i)
	t.Cleanup(i.Close)
	i.name = i.URL
	return i
}

func (i *deviceIssuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	answer := func(status int, v map[string]any) {
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(v)
	}
	refresh := r.FormValue("refresh_token")
	switch {
	case r.URL.Path == "/.well-known/openid-configuration":
		answer(200, map[string]any{"issuer": i.name, "device_authorization_endpoint": i.URL + "/device", "token_endpoint": i.URL + "/token"})
	case r.URL.Path == "/device" && r.FormValue("client_id") == "memctl" && r.FormValue("scope") == "openid groups":
		answer(200, map[string]any{"device_code": "secret", "user_code": "ABCD-\u001b[1mEFGH", "verification_uri": i.URL + "/code", "expires_in": 60, "interval": 1})
	case r.URL.Path != "/token" || i.refusal != "" || r.FormValue("device_code") != "secret" && (refresh == "" || refresh != i.refresh):
		answer(400, map[string]any{"error": i.refusal + "invalid_grant"})
	default:
		i.grants = append(i.grants, r.FormValue("grant_type"))
		i.refresh += "r"
		answer(200, map[string]any{"access_token": "no", "token_type": "Bearer", "id_token": "memctl_token", "refresh_token": i.refresh, "expires_in": i.holds})
	}
}

func TestHubLogin(t *testing.T) {
	t.Parallel()
	wire, issuer := newWireHub(t), newDeviceIssuer(t)
	h := newHubUser(t, wire.URL)
	h.env = append(h.env, "MEMCTL_HUB_TOKEN=", "GIT_CONFIG_GLOBAL="+os.DevNull)
	search := func(wanted string) {
		t.Helper()
		if _, messages, code := h.try("", "show", "--hub", "github.com/acme/payments:preferences/none"); code != 1 || !strings.Contains(messages, wanted) {
			t.Errorf("%d: %s; expected %q", code, messages, wanted)
		}
	}
	login := func(wanted string, wantedCode int, args ...string) {
		t.Helper()
		if _, messages, code := h.try("", append([]string{"hub", "login"}, args...)...); code != wantedCode || !strings.Contains(messages, wanted) {
			t.Errorf("%d: %s; expected %q", code, messages, wanted)
		}
	}
	const seen = "there is no memory"
	search("memctl hub login")
	login("names no identity provider", 1)
	wire.signIns = []remote.SignIn{{Issuer: issuer.URL, ClientID: "memctl", Scopes: []string{"openid", "groups"}, IDToken: true}, {Issuer: "https://other.example"}}
	login("name one with --issuer: "+issuer.URL, 1)
	login("enter the code ABCD-[1mEFGH", 0, "--issuer", issuer.URL)
	search(seen)
	files, err := filepath.Glob(filepath.Join(h.dir, "state/memctl/hub-*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("kept: %q, %v", files, err)
	}
	if info, err := os.Stat(files[0]); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("kept: %v, %v", info, err)
	}

	issuer.holds = 1 // less than a token is refreshed before its end
	login("signed in to", 0, "--issuer", issuer.URL)
	search(seen)
	search(seen)
	if got := strings.Join(issuer.grants, " "); strings.Count(got, "refresh_token") != 2 {
		t.Errorf("grants: %s", got)
	}
	issuer.refresh = "another"
	search(`sign in again: "memctl hub login"`)
	h.run("", "", "hub", "logout")
	search("there is no token for the hub")

	wire.signIns[0].IDToken = false // the access token, which this hub does not know
	login("signed in to", 0, "--issuer", issuer.URL)
	search("no such token")

	issuer.refusal = "access_denied or "
	login("access_denied", 1, "--issuer", issuer.URL)
	issuer.name = "https://elsewhere.example"
	login("of another provider", 1, "--issuer", issuer.URL)
}
