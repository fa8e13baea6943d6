package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"memctl/remote"

	"github.com/coreos/go-oidc/v3/oidc"
)

// OIDC names an identity provider whose signed tokens the hub accepts.
type OIDC struct {
	Issuer      string // its URL, as in the tokens
	Audience    string // of tokens for this hub
	UserClaim   string // the claim with the person's name
	GroupsClaim string // the claim with the list of groups
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

// provider checks the tokens of an identity provider. It is asked for its keys at the
// first token.
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
		return nil, fmt.Errorf("the issuer %q is no URL such as https://id.example.com", o.Issuer)
	case issuer.Scheme != "https" && !(issuer.Scheme == "http" && remote.IsLoopback(issuer.Hostname())):
		return nil, fmt.Errorf("the issuer %q: expected https", o.Issuer)
	case o.Audience == "":
		return nil, errors.New("an issuer needs an audience: tokens for other services would be accepted")
	}
	client := &http.Client{Timeout: providerTimeout, Transport: &spaced{asked: map[string]time.Time{}}}
	return &provider{OIDC: o, client: client, checks: make(chan struct{}, maxProviderWaits),
		asking: make(chan struct{}, 1)}, nil
}

// errTooSoon ends a request to the provider that follows too soon on another one.
var errTooSoon = errors.New("the identity provider was asked a moment ago")

// spaced sends no two requests for the same URL within providerPause, and cuts off long
// answers.
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
		answer.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(answer.Body, maxProviderAnswer), answer.Body}
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
	if len(token) > maxJWT {
		return Principal{}, errUnauthorized
	}
	away := refusal(http.StatusServiceUnavailable, "busy", "the identity provider does not answer: try again")
	select {
	case s.provider.checks <- struct{}{}:
		defer func() { <-s.provider.checks }()
	default:
		return Principal{}, away
	}
	verifier, err := s.provider.ready(ctx)
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
	principal, err := s.provider.principal(claims)
	if err != nil {
		s.Log.Warn("a token of the identity provider is refused", "error", err.Error())
		return Principal{}, errUnauthorized
	}
	return principal, nil
}

// principal reads the claims of a token.
func (p *provider) principal(claims map[string]any) (Principal, error) {
	person, _ := claims[p.UserClaim].(string)
	if err := checkName(person); err != nil {
		return Principal{}, fmt.Errorf("claim %s: %w", p.UserClaim, err)
	}
	if p.UserClaim == "email" && claims["email_verified"] != true {
		return Principal{}, errors.New("claim email: the provider has not verified it")
	}
	var groups []string
	switch claim := claims[p.GroupsClaim].(type) {
	case nil:
	case string:
		groups = []string{claim}
	case []any:
		for _, element := range claim {
			group, ok := element.(string)
			if !ok {
				return Principal{}, fmt.Errorf("claim %s: expected a list of strings", p.GroupsClaim)
			}
			groups = append(groups, group)
		}
	default:
		return Principal{}, fmt.Errorf("claim %s: expected a list of strings", p.GroupsClaim)
	}
	if len(groups) > maxGroups {
		return Principal{}, fmt.Errorf("claim %s: %d groups, expected at most %d", p.GroupsClaim, len(groups),
			maxGroups)
	}
	for _, group := range groups {
		if err := checkName(group); err != nil {
			return Principal{}, fmt.Errorf("claim %s: %w", p.GroupsClaim, err)
		}
	}
	return Principal{person, groups}, nil
}
