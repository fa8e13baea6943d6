package hub

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"memctl/features/hub/remote"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/coreos/go-oidc/v3/oidc/oidctest"
	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// issuer is an identity provider with a key of each kind.
type issuer struct {
	url     string
	rsa     *rsa.PrivateKey
	ec      *ecdsa.PrivateKey
	foreign *rsa.PrivateKey // of another provider
	asked   atomic.Int32
	down    atomic.Bool
	devices atomic.Bool // it gives tokens to whoever asks with a code
	hanging atomic.Pointer[chan struct{}]
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	i := &issuer{}
	var err error
	for _, key := range []**rsa.PrivateKey{&i.rsa, &i.foreign} {
		if *key, err = rsa.GenerateKey(rand.Reader, 2048); err != nil {
			t.Fatal(err)
		}
	}
	if i.ec, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		t.Fatal(err)
	}
	provider := &oidctest.Server{
		Algorithms: []string{oidc.RS256, oidc.ES256, "HS256"},
		PublicKeys: []oidctest.PublicKey{
			{PublicKey: i.rsa.Public(), KeyID: "rsa", Algorithm: oidc.RS256},
			{PublicKey: i.ec.Public(), KeyID: "ec", Algorithm: oidc.ES256},
		},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i.asked.Add(1)
		if hanging := i.hanging.Load(); hanging != nil {
			<-*hanging
			panic(http.ErrAbortHandler)
		}
		if i.down.Load() {
			http.Error(w, "down", http.StatusBadGateway)
			return
		}
		if i.devices.Load() {
			w.Header().Set("Content-Type", "application/json")
			switch r.URL.Path {
			case "/.well-known/openid-configuration":
				found := httptest.NewRecorder()
				provider.ServeHTTP(found, r)
				fmt.Fprintf(w, `{"device_authorization_endpoint": "%[1]s/device", "token_endpoint": "%[1]s/devices", %[2]s`, i.url, strings.TrimPrefix(strings.Replace(found.Body.String(), `"token_endpoint"`, `"other"`, 1), "{"))
				return
			case "/device":
				io.WriteString(w, `{"device_code": "d", "user_code": "ABCD", "verification_uri": "https://id.example.com", "interval": 1, "expires_in": 60}`)
				return
			case "/devices":
				fmt.Fprintf(w, `{"access_token": "a", "token_type": "Bearer", "id_token": %q}`, i.sign(nil))
				return
			}
		}
		provider.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	provider.SetIssuer(server.URL)
	i.url = server.URL
	return i
}

const audience = "memctl-hub"

// claims are those of a valid token for anna. With has names and values that replace them;
// nil removes one.
func (i *issuer) claims(with map[string]any) string {
	claims := map[string]any{
		"iss": i.url, "aud": audience, "sub": "anna", "groups": []string{"payments"}, "exp": time.Now().Add(time.Hour).Unix(), "email": "anna@example.com",
	}
	maps.Copy(claims, with)
	for name, value := range claims {
		if value == nil {
			delete(claims, name)
		}
	}
	data, _ := json.Marshal(claims)
	return string(data)
}

func (i *issuer) sign(with map[string]any) string {
	return oidctest.SignIDToken(i.rsa, "rsa", oidc.RS256, i.claims(with))
}

func (i *issuer) options() ServerOptions {
	return ServerOptions{Issuers: []OIDC{{Issuer: i.url, Audience: audience, UserClaim: "sub", GroupsClaim: "groups"}}}
}

func TestTokensOfAnIdentityProvider(t *testing.T) {
	i := newIssuer(t)
	h := serveHub(t, i.options())
	h.grant(t, "group:payments", payments, false)
	h.grant(t, "user:ci", "%", true)
	if got := h.post(t, remote.PublishPath, i.sign(map[string]any{"sub": "ci"}), onlyNote(payments)); got.status != http.StatusOK {
		t.Fatalf("publishing: %d %s", got.status, got.body)
	}
	hour := int64(3600)
	unsigned := func(header string, with map[string]any) string {
		return encode(header) + "." + encode(i.claims(with)) + "."
	}
	public, _ := json.Marshal(i.rsa.N) // a key that everybody knows, as if it were shared
	tests := map[string]struct {
		token  string
		status int
		sees   bool // payments
	}{
		"valid":                      {token: i.sign(nil), status: 200, sees: true},
		"of another algorithm":       {token: oidctest.SignIDToken(i.ec, "ec", oidc.ES256, i.claims(nil)), status: 200, sees: true},
		"a group as a string":        {token: i.sign(map[string]any{"groups": "payments"}), status: 200, sees: true},
		"one of several audiences":   {token: i.sign(map[string]any{"aud": []string{"other", audience}}), status: 200, sees: true},
		"no groups":                  {token: i.sign(map[string]any{"groups": nil}), status: 200},
		"another group":              {token: i.sign(map[string]any{"groups": []string{"search"}}), status: 200},
		"a group that names a user":  {token: i.sign(map[string]any{"groups": []string{"user:ci", "everyone"}, "sub": "x"}), status: 200},
		"expired":                    {token: i.sign(map[string]any{"exp": time.Now().Unix() - 1}), status: 401},
		"without an end":             {token: i.sign(map[string]any{"exp": nil}), status: 401},
		"not valid yet":              {token: i.sign(map[string]any{"nbf": time.Now().Unix() + hour}), status: 401},
		"for another audience":       {token: i.sign(map[string]any{"aud": "other"}), status: 401},
		"without an audience":        {token: i.sign(map[string]any{"aud": nil}), status: 401},
		"of another issuer":          {token: i.sign(map[string]any{"iss": "https://evil.example"}), status: 401},
		"signed by another provider": {token: oidctest.SignIDToken(i.foreign, "rsa", oidc.RS256, i.claims(nil)), status: 401},
		"of an unknown key":          {token: oidctest.SignIDToken(i.foreign, "other", oidc.RS256, i.claims(nil)), status: 401},
		"without a user":             {token: i.sign(map[string]any{"sub": nil}), status: 401},
		"a user that is no string":   {token: i.sign(map[string]any{"sub": 7}), status: 401},
		"a user with a NUL":          {token: i.sign(map[string]any{"sub": "an\x00na"}), status: 401},
		"groups that are no strings": {token: i.sign(map[string]any{"groups": []any{7}}), status: 401},
		"groups that are an object":  {token: i.sign(map[string]any{"groups": map[string]any{}}), status: 401},
		"too many groups":            {token: i.sign(map[string]any{"groups": slices.Repeat([]string{"g"}, maxGroups+1)}), status: 401},
		"unsigned":                   {token: unsigned(`{"alg":"none"}`, nil), status: 401},
		"unsigned, in other letters": {token: unsigned(`{"alg":"nOnE"}`, nil), status: 401},
		"signed with the public key": {token: signHMAC(public, i.claims(nil)), status: 401},
		"changed":                    {token: change(i.sign(nil), i.claims(map[string]any{"sub": "ci"})), status: 401},
		"cut":                        {token: i.sign(nil)[:100], status: 401},
		"no JWT":                     {token: "a.b.c", status: 401},
		"much too long":              {token: strings.Repeat("a", maxJWT+1), status: 401},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := h.request(t, "GET", remote.RepositoriesPath, tt.token, nil)
			if got.status != tt.status || strings.Contains(got.body, payments) != tt.sees {
				t.Errorf("%d %s", got.status, got.body)
			}
			if tt.status == http.StatusUnauthorized && (got.body != `{"error":{"code":"unauthorized","message":"the token is not valid","request":"test"}}`+"\n" || got.header.Get("WWW-Authenticate") != `Bearer realm="memctl", error="invalid_token"`) {
				t.Errorf("the answer says more than that the token is not valid: %s %v", got.body, got.header)
			}
		})
	}
}

func encode(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

// signHMAC signs claims with an algorithm of a shared key.
func signHMAC(key []byte, claims string) string {
	signed := encode(`{"alg":"HS256","kid":"rsa"}`) + "." + encode(claims)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(signed))
	return signed + "." + encode(string(mac.Sum(nil)))
}

// change puts other claims between the header and the signature of a token.
func change(token, claims string) string {
	parts := strings.Split(token, ".")
	return parts[0] + "." + encode(claims) + "." + parts[2]
}

func TestTheEmailAsUser(t *testing.T) {
	i := newIssuer(t)
	o := i.options()
	o.Issuers[0].UserClaim = "email"
	h := serveHub(t, o)
	for name, tt := range map[string]struct {
		verified any
		status   int
	}{"verified": {true, 200}, "not said": {nil, 401}, "not verified": {false, 401}, "a word": {"true", 401}, "a number": {1, 401}} {
		if got := h.request(t, "GET", remote.RepositoriesPath, i.sign(map[string]any{"email_verified": tt.verified}), nil); got.status != tt.status {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	if audited := rows[string](t, h.testHub, `SELECT DISTINCT person FROM audit WHERE action <> 'sign-in'`); !slices.Equal(audited, []string{"anna@example.com"}) {
		t.Errorf("the audit names %v", audited)
	}
}

// CI jobs of any repository publish that repository alone, and see none; people sign in elsewhere.
func TestSeveralIssuers(t *testing.T) {
	ci, id := newIssuer(t), newIssuer(t)
	o := id.options()
	o.Issuers = append(o.Issuers, OIDC{Issuer: ci.url, Audience: audience, Prefix: "ci:", RepositoryClaim: "repository", Host: "github.com", Refs: []string{"refs/heads/main"}})
	h := serveHub(t, o)
	if _, err := h.owner.Grant(t.Context(), Grant{Principal: ownRepository, Repositories: "github.com/ACME/*", Publish: true}); err != nil {
		t.Fatal(err)
	}
	h.grant(t, "group:payments", payments, false)
	job := func(repository, ref string) string {
		return ci.sign(map[string]any{"sub": "anna", "groups": []string{"payments"}, "repository": repository, "ref": ref})
	}
	for name, tt := range map[string]struct {
		token, repository string
		status            int
	}{
		"its own":              {job("acme/payments", "refs/heads/main"), payments, 200},
		"its own, in capitals": {job("Acme/Payments", "refs/heads/main"), "github.com/ACME/payments", 200},
		"another":              {job("acme/ledger", "refs/heads/main"), payments, 403},
		"of another branch":    {job("acme/payments", "refs/pull/1/merge"), payments, 403},
		"of a stranger":        {job("evil/payments", "refs/heads/main"), "github.com/evil/payments", 403},
		"with a path in it":    {job("../acme/payments", "refs/heads/main"), payments, 403},
		"a person's claim":     {id.sign(map[string]any{"repository": "acme/payments", "ref": "refs/heads/main"}), payments, 403},
	} {
		if got := h.post(t, remote.PublishPath, tt.token, onlyNote(tt.repository)); got.status != tt.status {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	seen := h.request(t, "GET", remote.RepositoriesPath, job("acme/payments", "refs/heads/main"), nil)
	if seen.status != http.StatusOK || strings.Contains(seen.body, payments) {
		t.Errorf("a job sees %d %s", seen.status, seen.body)
	}
	if seen := h.request(t, "GET", remote.RepositoriesPath, id.sign(nil), nil); !strings.Contains(seen.body, payments) {
		t.Errorf("a person sees %s", seen.body)
	}
}

// Jobs of pull requests publish nothing: neither their repository, nor what a grant to their subject names.
func TestPullRequestsDoNotPublish(t *testing.T) {
	ci, other := newIssuer(t), newIssuer(t)
	o := other.options()
	o.Issuers = append(o.Issuers, OIDC{Issuer: ci.url, Audience: audience, Prefix: "ci:", RepositoryClaim: "repository", Host: "github.com"})
	h := serveHub(t, o)
	h.grant(t, ownRepository, payments, true)
	h.grant(t, "user:job", payments, true)
	for name, tt := range map[string]struct {
		claims map[string]any
		status int
	}{
		"GitHub, a branch":                      {map[string]any{"event_name": "push", "ref": "refs/heads/feature"}, 200},
		"GitHub, a schedule":                    {map[string]any{"event_name": "schedule", "ref": "refs/heads/main"}, 200},
		"GitHub, a pull request":                {map[string]any{"event_name": "pull_request", "ref": "refs/pull/1/merge"}, 403},
		"GitHub, a pull request of main's file": {map[string]any{"event_name": "pull_request_target", "ref": "refs/heads/main"}, 403},
		"GitHub, a review":                      {map[string]any{"event_name": "issue_comment", "ref": "refs/pull/1/merge"}, 403},
		"GitLab, a branch":                      {map[string]any{"pipeline_source": "push", "ref": "main", "ref_path": "refs/heads/main"}, 200},
		"GitLab, a merge request":               {map[string]any{"pipeline_source": "merge_request_event", "ref": "feature"}, 403},
		"GitLab, its ref":                       {map[string]any{"ref": "feature", "ref_path": "refs/merge-requests/1/head"}, 403},
		"GitLab, its ref alone":                 {map[string]any{"ref": "refs/merge-requests/1/merge"}, 403},
	} {
		for of, token := range map[string]string{
			"its repository": ci.sign(with(tt.claims, map[string]any{"sub": "x", "repository": "acme/payments"})),
			"its subject":    other.sign(with(tt.claims, map[string]any{"sub": "job"})),
		} {
			got := h.post(t, remote.PublishPath, token, onlyNote(payments))
			if got.status != tt.status || tt.status == 403 && !strings.Contains(got.body, "pull request may not publish") {
				t.Errorf("%s by %s: %d %s", name, of, got.status, got.body)
			}
		}
	}
}

func with(claims, more map[string]any) map[string]any {
	claims = maps.Clone(claims)
	maps.Copy(claims, more)
	return claims
}

// An MCP client learns from the refusal where its person signs in.
func TestWhereToSignIn(t *testing.T) {
	ci, id := newIssuer(t), newIssuer(t)
	o := id.options()
	o.Issuers = append(o.Issuers, OIDC{Issuer: ci.url, Audience: audience, RepositoryClaim: "repository", Host: "github.com"})
	h := serveHub(t, o)
	h.server.URL = h.url
	h.server.routes = h.server.newRoutes()
	refused := h.request(t, "POST", mcpPath, "", strings.NewReader("{}"))
	challenges, err := oauthex.ParseWWWAuthenticate(refused.header["Www-Authenticate"])
	if err != nil || len(challenges) != 1 {
		t.Fatalf("%v: %v", err, refused.header)
	}
	found, err := oauthex.GetProtectedResourceMetadata(t.Context(), challenges[0].Params["resource_metadata"], h.url+mcpPath, http.DefaultClient)
	if err != nil || !slices.Equal(found.AuthorizationServers, []string{id.url}) {
		t.Errorf("%v, %+v", err, found)
	}
}

// A person who is denied is refused with the next request, whoever signed the token.
func TestADeniedPerson(t *testing.T) {
	i := newIssuer(t)
	h := serveHub(t, i.options())
	provided, own := i.sign(map[string]any{"sub": "bob"}), h.token(t, "bob")
	status := func(want int) {
		t.Helper()
		for _, token := range []string{provided, own} {
			if got := h.request(t, "GET", remote.RepositoriesPath, token, nil); got.status != want {
				t.Errorf("%d %s, want %d", got.status, got.body, want)
			}
		}
	}
	status(http.StatusOK)
	h.exec(t, `INSERT INTO denied (person) VALUES ('bob')`) // without revoking tokens
	status(http.StatusUnauthorized)
	if _, err := h.owner.Allow(t.Context(), Person{"bob"}); err != nil {
		t.Fatal(err)
	}
	status(http.StatusOK)
}

// A provider that is away is asked again later, and tokens of the hub work meanwhile.
func TestAnIdentityProviderThatIsAway(t *testing.T) {
	i := newIssuer(t)
	i.down.Store(true)
	h := serveHub(t, i.options())
	if i.asked.Load() != 0 {
		t.Error("the provider is asked before the first token")
	}
	for range 3 {
		if got := h.request(t, "GET", remote.RepositoriesPath, i.sign(nil), nil); got.status != http.StatusServiceUnavailable {
			t.Errorf("%d %s", got.status, got.body)
		}
	}
	if n := i.asked.Load(); n != 1 {
		t.Errorf("the provider was asked %d times in a row", n)
	}
	if got := h.request(t, "GET", remote.RepositoriesPath, h.token(t, "anna"), nil); got.status != http.StatusOK {
		t.Errorf("a token of the hub: %d %s", got.status, got.body)
	}
}

// A provider that keeps its keys to itself delays those who have its tokens, and nobody else.
func TestAnIdentityProviderThatHangs(t *testing.T) {
	i := newIssuer(t)
	hanging := make(chan struct{})
	i.hanging.Store(&hanging)
	h := serveHub(t, i.options())
	token := h.token(t, "anna")
	var all sync.WaitGroup
	for range maxAtOnce + maxProviderWaits {
		all.Go(func() {
			if got := h.request(t, "GET", remote.RepositoriesPath, i.sign(nil), nil); got.status != http.StatusServiceUnavailable {
				t.Errorf("%d %s", got.status, got.body)
			}
		})
	}
	for len(h.server.providers[i.url].checks) < maxProviderWaits {
		runtime.Gosched()
	}
	if got := h.request(t, "GET", remote.RepositoriesPath, token, nil); got.status != http.StatusOK {
		t.Errorf("a token of the hub: %d %s", got.status, got.body)
	}
	if len(h.server.providers[i.url].checks) == 0 {
		t.Error("the provider did not hang so long")
	}
	close(hanging)
	all.Wait()
}

// Tokens with unknown keys do not make the hub ask the provider each time.
func TestStrangersDoNotCauseRequestsToTheProvider(t *testing.T) {
	i := newIssuer(t)
	h := serveHub(t, i.options())
	for range 20 {
		h.request(t, "GET", remote.RepositoriesPath, oidctest.SignIDToken(i.foreign, rand.Text(), oidc.RS256, i.claims(nil)), nil)
	}
	if n := i.asked.Load(); n > 2 { // its configuration and its keys
		t.Errorf("20 strangers caused %d requests", n)
	}
}

func TestNewProvider(t *testing.T) {
	for name, tt := range map[string]struct {
		issuer, audience string
		valid            bool
	}{
		"HTTPS":              {"https://id.example.com/realms/acme", audience, true},
		"HTTP on loopback":   {"http://127.0.0.1:8080", audience, true},
		"HTTP elsewhere":     {"http://id.example.com", audience, false},
		"no audience":        {"https://id.example.com", "", false},
		"no URL":             {"id.example.com", audience, false},
		"a query":            {"https://id.example.com?x=y", audience, false},
		"another file":       {"file:///etc/passwd", audience, false},
		"a broken character": {"https://id\x7f.example.com", audience, false},
	} {
		if _, err := newProvider(OIDC{Issuer: tt.issuer, Audience: tt.audience}); (err == nil) != tt.valid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Where people sign in with memctl, what it asks for there, and whether it sends the ID token.
func TestSignIns(t *testing.T) {
	const first, second = "https://id.example.com", "https://other.example.com"
	h := serveHub(t, ServerOptions{Issuers: []OIDC{{Issuer: first, Audience: audience, ClientID: audience},
		{Issuer: second, Audience: audience, ClientID: "memctl", Scopes: []string{"openid"}}, {Issuer: "https://ci.example.com", Audience: audience}}})
	var got remote.SignIns
	answer := h.request(t, "GET", remote.SignInPath, "", nil)
	if err := json.Unmarshal([]byte(answer.body), &got); err != nil {
		t.Fatalf("%d %s: %v", answer.status, answer.body, err)
	}
	want := []remote.SignIn{{Issuer: first, ClientID: audience, Scopes: []string{"openid", "offline_access"}, IDToken: true},
		{Issuer: second, ClientID: "memctl", Scopes: []string{"openid"}}}
	if diff := cmp.Diff(want, got.SignIns); diff != "" {
		t.Error(diff)
	}
}

// A person who signs in by a code has a token that the hub knows, and sees what it grants.
func TestSignInWithACode(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("MEMCTL_HUB_TOKEN", "")
	i := newIssuer(t)
	i.devices.Store(true)
	o := i.options()
	o.Issuers[0].ClientID = audience
	h := serveHub(t, o)
	h.grant(t, "group:payments", payments, false)
	h.grant(t, "user:ci", "%", true)
	if got := h.post(t, remote.PublishPath, i.sign(map[string]any{"sub": "ci"}), onlyNote(payments)); got.status != http.StatusOK {
		t.Fatalf("publishing: %d %s", got.status, got.body)
	}
	address, err := url.Parse(h.url)
	if err != nil {
		t.Fatal(err)
	}
	code := ""
	ends, err := remote.Login(t.Context(), address, "", "test", func(d *oauth2.DeviceAuthResponse) { code = d.UserCode })
	if err != nil || code != "ABCD" || time.Until(ends) < 50*time.Minute {
		t.Fatalf("code %q, until %s: %v", code, ends, err)
	}
	client, err := remote.Connect(t.Context(), address, "test")
	if err != nil {
		t.Fatal(err)
	}
	list, err := client.Repositories(t.Context())
	if err != nil || len(list.Repositories) != 1 {
		t.Errorf("anna sees %v: %v", list, err)
	}
}
