package hub

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestAuthenticate(t *testing.T) {
	h := newHub(t)
	create := func(expires *time.Time) (secret string, token Token) {
		made, err := h.owner.CreateToken(t.Context(), NewToken{Person: "anna", Groups: []string{"b", "a", "b"}, Expires: expires})
		if err != nil {
			t.Fatal(err)
		}
		return made.Secret, made.Token
	}
	lasting, _ := create(nil)
	ending, _ := create(new(time.Now().Add(time.Hour)))
	expired, _ := create(new(time.Now().Add(-time.Second)))
	revoked, token := create(nil)
	for _, secret := range []string{lasting, ending, revoked} {
		p, err := h.Authenticate(t.Context(), secret)
		if err != nil || p.Person != "anna" || !slices.Equal(p.Groups, []string{"a", "b"}) {
			t.Errorf("a valid token is for %v: %v", p, err)
		}
	}
	if done, err := h.owner.RevokeTokens(t.Context(), Revocation{ID: token.ID}); err != nil || len(done.Tokens) != 1 {
		t.Fatalf("revoked %v: %v", done, err)
	}
	for name, secret := range map[string]string{
		"expired": expired, "revoked": revoked, "foreign": tokenPrefix + strings.Repeat("a", 43), "empty": "",
		"cut": lasting[:len(lasting)-1], "with more": lasting + "a", "in upper case": strings.ToUpper(lasting),
		"SQL": tokenPrefix + "' OR true --", "with a NUL": lasting[:49] + "\x00", "the hash": string(hashToken(lasting)),
	} {
		if p, err := h.Authenticate(t.Context(), secret); err != errUnauthorized || p.Person != "" {
			t.Errorf("a token that is %s is for %v: %v", name, p, err)
		}
	}
}

// What is stored does not let its reader in.
func TestTokensAreStoredAsHashes(t *testing.T) {
	h := newHub(t)
	made, err := h.owner.CreateToken(t.Context(), NewToken{Person: "anna"})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[string](t, h, `SELECT tokens::text FROM tokens`) {
		if strings.Contains(row, strings.TrimPrefix(made.Secret, tokenPrefix)) {
			t.Errorf("the row has the token: %s", row)
		}
	}
}

func TestRevoke(t *testing.T) {
	h := newHub(t)
	var secrets []string
	for _, person := range []string{"anna", "anna", "ben"} {
		made, err := h.owner.CreateToken(t.Context(), NewToken{Person: person})
		if err != nil {
			t.Fatal(err)
		}
		secrets = append(secrets, made.Secret)
	}
	for i, tt := range []struct {
		Revocation
		want int
		code string
	}{
		{Revocation{Secret: secrets[2]}, 1, ""}, {Revocation{Person: "anna"}, 2, ""},
		{Revocation{Person: "anna"}, 0, ""}, {Revocation{ID: 99}, 0, "no_token"}, {Revocation{}, 0, "no_token"},
	} {
		done, err := h.owner.RevokeTokens(t.Context(), tt.Revocation)
		if len(done.Tokens) != tt.want || done.Denied != tt.Person {
			t.Errorf("%d: revoked %v: %v", i, done, err)
		}
		if tt.code != "" || err != nil {
			wantCode(t, err, tt.code)
		}
	}
	tokens, err := ListTokens.Do(h.owner, t.Context(), struct{}{})
	if err != nil || len(tokens) != 3 {
		t.Fatalf("tokens %v: %v", tokens, err)
	}
	for _, token := range tokens {
		if token.State(time.Now()) != "revoked" {
			t.Errorf("token %d is %s", token.ID, token.State(time.Now()))
		}
	}
}

func TestNamesOfATokenAreChecked(t *testing.T) {
	h := newHub(t)
	for _, bad := range []NewToken{
		{}, {Person: " anna"}, {Person: "an\x00na"}, {Person: "an\u202ena"}, {Person: strings.Repeat("a", maxName+1)},
		{Person: "anna", Groups: []string{""}}, {Person: "anna", Groups: make([]string, maxGroups+1)},
	} {
		if _, err := h.owner.CreateToken(t.Context(), bad); err == nil {
			t.Errorf("a token for %q in %d groups", bad.Person, len(bad.Groups))
		}
	}
}
