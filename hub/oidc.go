package hub

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"memctl/features/hub/remote"

	"github.com/coreos/go-oidc/v3/oidc"
)

// OIDC names an identity provider whose signed tokens the hub accepts.
type OIDC struct {
	Issuer      string `json:"issuer"`       // its URL, as in the tokens
	Audience    string `json:"audience"`     // of tokens for this hub
	UserClaim   string `json:"user_claim"`   // the claim with the person's name, sub if empty
	GroupsClaim string `json:"groups_claim"` // the claim with the list of groups, groups if empty
	// Prefix begins the names of its users and groups, so that no provider names those of another.
	Prefix string `json:"prefix"`
	// ClientID is memctl's at the provider, for "memctl hub login"; "" for none. If it is the audience, people
	// send ID tokens, else access tokens. Scopes are openid and offline_access if empty.
	ClientID string   `json:"client_id"`
	Scopes   []string `json:"scopes"`
	// RepositoryClaim is the claim with the path of the repository whose CI has the token, such as
	// repository; "" for none. Host is the host of that repository, and Refs lists the git refs
	// whose jobs may publish it, as the claim ref names them; all but those of pull requests if empty.
	RepositoryClaim string   `json:"repository_claim"`
	Host            string   `json:"host"`
	Refs            []string `json:"refs"`
}

// DecodeIssuers decodes a JSON list of identity providers.
func DecodeIssuers(data []byte) (list []OIDC, err error) {
	err = decodeStrictly(data, &list)
	return list, err
}

const (
	// providerTimeout bounds a request to the provider, providerPause is the time between
	// two of the same kind: a stranger's token with an unknown key causes one.
	providerTimeout = 5 * time.Second
	providerPause   = 5 * time.Second
	// maxProviderWaits is how many tokens are checked at the same time: each may wait for the provider.
	maxProviderWaits = 64
	// maxProviderAnswer is the size limit of the provider's documents in bytes.
	maxProviderAnswer = 1 << 20
	// maxJWT is the length limit of a token in bytes.
	maxJWT = 32 << 10
)

// signatures are the algorithms that need the provider's private key. A token chooses its
// algorithm itself: "none" and those with a shared key are refused.
var signatures = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.ES256, oidc.ES384, oidc.ES512,
	oidc.EdDSA,
}

// provider checks the tokens of an identity provider. It is asked for its keys at the first token.
type provider struct {
	OIDC
	client *http.Client
	checks chan struct{}

	asking   chan struct{}         // taken while the provider is asked for its configuration, and verifier is used
	verifier *oidc.IDTokenVerifier // nil until the provider has answered
}

func newProvider(o OIDC) (*provider, error) {
	issuer, err := url.Parse(o.Issuer)
	switch {
	case err != nil || issuer.Host == "" || issuer.RawQuery != "" || issuer.Fragment != "":
		return nil, fmt.Errorf("the issuer %q is not a URL such as https://id.example.com", o.Issuer)
	case issuer.Scheme != "https" && !(issuer.Scheme == "http" && remote.IsLoopback(issuer.Hostname())):
		return nil, fmt.Errorf("the issuer %q: expected https", o.Issuer)
	case o.Audience == "":
		return nil, errors.New("an issuer needs an audience: tokens for other services would be accepted")
	case o.RepositoryClaim != "" && remote.CheckRepository(o.Host+"/x") != nil:
		return nil, fmt.Errorf("the issuer %q: expected the host of its repositories such as github.com, got %q",
			o.Issuer, o.Host)
	}
	o.UserClaim, o.GroupsClaim = cmp.Or(o.UserClaim, "sub"), cmp.Or(o.GroupsClaim, "groups")
	client := &http.Client{Timeout: providerTimeout, Transport: &spaced{asked: map[string]time.Time{}}}
	return &provider{OIDC: o, client: client, checks: make(chan struct{}, maxProviderWaits),
		asking: make(chan struct{}, 1)}, nil
}

// errTooSoon ends a request to the provider that follows too soon on another one.
var errTooSoon = errors.New("the identity provider was asked a moment ago")

// spaced sends no two requests for the same URL within providerPause, and refuses long answers.
type spaced struct {
	mu    sync.Mutex
	asked map[string]time.Time
}

func (s *spaced) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	address, now := r.URL.String(), time.Now()
	last, before := s.asked[address]
	if before && now.Sub(last) < providerPause {
		s.mu.Unlock()
		return nil, errTooSoon
	}
	s.asked[address] = now
	s.mu.Unlock()
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		answer.Body = http.MaxBytesReader(nil, answer.Body, maxProviderAnswer)
	}
	return answer, err
}

// ready returns the verifier. It asks the provider for its configuration once.
func (p *provider) ready(ctx context.Context) (*oidc.IDTokenVerifier, error) {
	release, err := take(ctx, p.asking, providerTimeout, errTooSoon)
	if err != nil {
		return nil, err
	}
	defer release()
	if p.verifier != nil {
		return p.verifier, nil
	}
	found, err := oidc.NewProvider(oidc.ClientContext(ctx, p.client), p.Issuer)
	if err != nil {
		return nil, err
	}
	p.verifier = found.VerifierContext(oidc.ClientContext(context.Background(), p.client), &oidc.Config{
		ClientID:             p.Audience,
		SupportedSigningAlgs: signatures,
	})
	return p.verifier, nil
}

// providedPrincipal returns whom the identity provider says a token is for.
func (s *Server) providedPrincipal(ctx context.Context, token string) (Principal, error) {
	provider := s.providers[issuerOf(token)]
	if provider == nil || len(token) > maxJWT {
		return Principal{}, errUnauthorized
	}
	away := refusal(http.StatusServiceUnavailable, "busy", "the identity provider does not answer: try again")
	release, err := take(ctx, provider.checks, 0, away)
	if err != nil {
		return Principal{}, err
	}
	defer release()
	verifier, err := provider.ready(ctx)
	if err != nil {
		s.Log.Warn("the identity provider does not answer", "error", err.Error())
		return Principal{}, away
	}
	verified, err := verifier.Verify(ctx, token)
	if err != nil {
		s.Log.Debug("a token of the identity provider is refused", "error", err.Error())
		return Principal{}, errUnauthorized
	}
	var claims map[string]any
	if err := verified.Claims(&claims); err != nil {
		return Principal{}, errUnauthorized
	}
	principal, err := provider.principal(claims)
	if err != nil {
		s.Log.Warn("a token of the identity provider is refused", "error", err.Error())
		return Principal{}, errUnauthorized
	}
	denied, err := answer[struct{ Denied bool }](ctx, s.store, Principal{}, nil, nil, `SELECT is_denied($1)`,
		principal.Person)
	if err == nil && denied[0].Denied {
		err = errUnauthorized
	}
	return principal, err
}

// issuerOf returns the issuer that a token names, which only says whose keys to check it with.
func issuerOf(token string) string {
	_, rest, _ := strings.Cut(token, ".")
	payload, _, _ := strings.Cut(rest, ".")
	var claims struct {
		Issuer string `json:"iss"`
	}
	if data, err := base64.RawURLEncoding.DecodeString(payload); err != nil || json.Unmarshal(data, &claims) != nil {
		return ""
	}
	return claims.Issuer
}

// principal reads the claims of a token.
func (p *provider) principal(claims map[string]any) (Principal, error) {
	person, _ := claims[p.UserClaim].(string)
	if err := checkName(p.Prefix + person); err != nil || person == "" {
		return Principal{}, fmt.Errorf("claim %s: %w", p.UserClaim, cmp.Or(err, errors.New("it is empty")))
	}
	if p.UserClaim == "email" && claims["email_verified"] != true {
		return Principal{}, errors.New("claim email: the provider has not verified it")
	}
	list, isList := claims[p.GroupsClaim].([]any)
	if claim := claims[p.GroupsClaim]; claim != nil && !isList {
		list = []any{claim} // one group
	}
	if len(list) > maxGroups {
		return Principal{}, fmt.Errorf("claim %s: %d groups, expected at most %d", p.GroupsClaim, len(list), maxGroups)
	}
	var groups []string
	for _, element := range list {
		group, ok := element.(string)
		if !ok {
			return Principal{}, fmt.Errorf("claim %s: expected a list of strings", p.GroupsClaim)
		}
		if checkName(p.Prefix+group) == nil { // what no grant can name gives nothing
			groups = append(groups, p.Prefix+group)
		}
	}
	return Principal{Person: p.Prefix + person, Groups: groups, Repository: p.repository(claims),
		PullRequest: ofPullRequest(claims)}, nil
}

// ofPullRequest reports whether a token is of a CI job for a pull request of GitHub or a merge request of GitLab:
// anybody can open one.
// https://docs.github.com/en/actions/reference/security/oidc
// https://docs.gitlab.com/ci/secrets/id_token_authentication/
func ofPullRequest(claims map[string]any) bool {
	event, _ := claims["event_name"].(string) // pull_request, pull_request_target and more
	source, _ := claims["pipeline_source"].(string)
	if strings.HasPrefix(event, "pull_request") || source == "merge_request_event" ||
		source == "external_pull_request_event" {
		return true
	}
	for _, name := range []string{"ref", "ref_path"} {
		ref, _ := claims[name].(string)
		if strings.HasPrefix(ref, "refs/pull/") || strings.HasPrefix(ref, "refs/merge-requests/") {
			return true
		}
	}
	return false
}

// repository returns the repository whose CI has a token, if one of its refs that may publish has it.
func (p *provider) repository(claims map[string]any) string {
	path, _ := claims[p.RepositoryClaim].(string)
	ref, _ := claims["ref"].(string)
	name := p.Host + "/" + strings.ToLower(path)
	if p.RepositoryClaim == "" || len(p.Refs) > 0 && !slices.Contains(p.Refs, ref) ||
		remote.CheckRepository(name) != nil {
		return ""
	}
	return name
}
