package main

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/coreos/go-oidc/v3/oidc/oidctest"
)

// issuer signs tokens, and serves its keys and what a test adds to its routes.
type issuer struct {
	url    string
	routes *http.ServeMux
	key    *rsa.PrivateKey
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	i := &issuer{routes: http.NewServeMux(), key: key}
	server := httptest.NewServer(i.routes)
	t.Cleanup(server.Close)
	i.url = server.URL
	keys := &oidctest.Server{PublicKeys: []oidctest.PublicKey{{PublicKey: key.Public(), KeyID: "one", Algorithm: oidc.RS256}}}
	keys.SetIssuer(i.url)
	i.routes.Handle("/", keys)
	return i
}

// token is valid for an hour.
func (i *issuer) token(audience string, claims map[string]any) string {
	of := map[string]any{"iss": i.url, "aud": audience, "exp": time.Now().Add(time.Hour).Unix()}
	maps.Copy(of, claims)
	data, _ := json.Marshal(of)
	return oidctest.SignIDToken(i.key, "one", oidc.RS256, string(data))
}
