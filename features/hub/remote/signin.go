package remote

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"memctl/files"
	"memctl/text"
)

// SignIn says how people sign in to a hub at an identity provider, with a browser on any device (RFC 8628).
type SignIn struct {
	Issuer   string   `json:"issuer"`
	ClientID string   `json:"client_id"` // of memctl at the provider, a public client
	Scopes   []string `json:"scopes"`
	IDToken  bool     `json:"id_token"` // the hub accepts the ID token, else the access token
}

// SignIns are the answer of SignInPath, which needs no token.
type SignIns struct {
	SignIns []SignIn `json:"sign_ins"`
}

// signedIn is the file of the state folder for a sign-in.
type signedIn struct {
	SignIn
	TokenURL string    `json:"token_url"`
	Token    string    `json:"token"` // that the hub accepts
	Refresh  string    `json:"refresh_token,omitempty"`
	Expires  time.Time `json:"expires"`
}

const (
	signInLimit     = 128 << 10        // bytes of what is kept
	providerTimeout = 30 * time.Second // of a request to an identity provider
	maxProvider     = 1 << 20          // bytes of its configuration
	// early is how long before its end a token is refreshed.
	early = 30 * time.Second
	// refreshTimeout is how long memctl waits for another process that refreshes the token.
	refreshTimeout = 10 * time.Second
)

// Login signs a person in to the hub at an address, at the issuer of that name if it is not empty, and keeps the
// token. It calls show with where the person says yes, and waits for that. It returns when the token ends.
func Login(
	ctx context.Context, address *url.URL, issuer, version string, show func(*oauth2.DeviceAuthResponse),
) (ends time.Time, err error) {
	var offered SignIns
	client := NewClient(address, "", version)
	req, err := client.request(ctx, http.MethodGet, SignInPath, nil)
	if err == nil {
		err = client.do(req, &offered)
	}
	if err != nil {
		return ends, err
	}
	list := slices.DeleteFunc(offered.SignIns, func(s SignIn) bool { return issuer != "" && s.Issuer != issuer })
	if len(list) != 1 {
		return ends, wrongIssuer(address, offered.SignIns)
	}
	s := signedIn{SignIn: list[0]}
	ctx = withProviderClient(ctx)
	config, err := s.discover(ctx)
	if err != nil {
		return ends, fmt.Errorf("the identity provider %s: %w", text.Printable(s.Issuer), err)
	}
	device, err := config.DeviceAuth(ctx)
	if err == nil {
		show(device)
		var token *oauth2.Token
		if token, err = config.DeviceAccessToken(ctx, device); err == nil {
			err = s.take(token)
		}
	}
	if err != nil {
		return ends, s.refused(ctx, err)
	}
	return s.Expires, s.keep(address)
}

// withProviderClient has oauth2 ask a provider for a limited time, and nobody that it redirects to.
func withProviderClient(ctx context.Context) context.Context {
	return context.WithValue(ctx, oauth2.HTTPClient, &http.Client{Timeout: providerTimeout, CheckRedirect: noRedirect})
}

func wrongIssuer(address *url.URL, offered []SignIn) error {
	if len(offered) == 0 {
		return text.WithHint(fmt.Errorf("the hub %s names no identity provider to sign in at", address.Host),
			"its operator sets client_id for one, or makes you a token (memctl hub token create)")
	}
	var names []string
	for _, s := range offered {
		names = append(names, text.Brief(s.Issuer))
	}
	return text.WithHint(fmt.Errorf("the hub %s has no one identity provider of that name", address.Host),
		"name one with --issuer: "+strings.Join(names, ", "))
}

// discover reads where the provider is asked (OpenID Connect Discovery).
func (s *signedIn) discover(ctx context.Context) (*oauth2.Config, error) {
	issuer, err := ParseAddress(s.Issuer, false)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet,
		issuer.JoinPath(".well-known/openid-configuration").String(), nil)
	if err != nil {
		return nil, err
	}
	answer, err := ctx.Value(oauth2.HTTPClient).(*http.Client).Do(req)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var provider struct {
		Issuer string `json:"issuer"`
		Device string `json:"device_authorization_endpoint"`
		Token  string `json:"token_endpoint"`
	}
	err = json.NewDecoder(io.LimitReader(answer.Body, maxProvider)).Decode(&provider)
	switch {
	case answer.StatusCode != http.StatusOK:
		return nil, &status{answer.StatusCode}
	case err != nil || provider.Issuer != s.Issuer:
		return nil, errors.New("its configuration is none, or of another provider")
	case provider.Device == "":
		return nil, errors.New("it offers no sign-in with a code (device_authorization_endpoint)")
	}
	for _, endpoint := range []string{provider.Device, provider.Token} {
		if u, err := url.Parse(endpoint); err != nil || u.Scheme != "https" && !IsLoopback(u.Hostname()) {
			return nil, errors.New("it names an address without TLS")
		}
	}
	s.TokenURL = provider.Token
	config := s.config()
	config.Endpoint.DeviceAuthURL = provider.Device
	return config, nil
}

func (s *signedIn) config() *oauth2.Config {
	return &oauth2.Config{ClientID: s.ClientID, Scopes: s.Scopes,
		Endpoint: oauth2.Endpoint{TokenURL: s.TokenURL, AuthStyle: oauth2.AuthStyleInParams}}
}

// take takes over what the provider gave.
func (s *signedIn) take(token *oauth2.Token) error {
	s.Token, s.Refresh, s.Expires = token.AccessToken, token.RefreshToken, token.Expiry
	if s.IDToken {
		s.Token, _ = token.Extra("id_token").(string)
	}
	if s.Token == "" {
		return errors.New("it gave no ID token, which this hub needs: the scopes of the hub's operator lack openid")
	}
	var claims struct {
		Expires int64 `json:"exp"`
	}
	_, rest, _ := strings.Cut(s.Token, ".")
	payload, _, _ := strings.Cut(rest, ".")
	data, err := base64.RawURLEncoding.DecodeString(payload)
	if err == nil && json.Unmarshal(data, &claims) == nil && claims.Expires > 0 {
		s.Expires = time.Unix(claims.Expires, 0)
	}
	return nil
}

// refused says why the provider gave no token.
func (s *signedIn) refused(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if answer := new(oauth2.RetrieveError); errors.As(err, &answer) {
		err = errors.New(text.Brief(cmp.Or(answer.ErrorDescription, answer.ErrorCode, answer.Response.Status)))
	}
	return text.WithHint(fmt.Errorf("the identity provider %s: %w", text.Brief(s.Issuer), err),
		`sign in again: "memctl hub login"`)
}

func signInName(address *url.URL) string {
	return fmt.Sprintf("hub-%.16x", sha256.Sum256([]byte(strings.TrimSuffix(address.String(), "/"))))
}

func (s *signedIn) keep(address *url.URL) error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return files.WriteStateFile(signInName(address), string(data))
}

func readSignIn(address *url.URL) (s *signedIn, err error) {
	data, err := files.ReadStateFile(signInName(address), signInLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	return s, err
}

// Logout forgets the sign-in at a hub, and reports whether there was one. The provider's token stays valid until it
// ends.
func Logout(address *url.URL) (was bool, err error) { return files.RemoveState(signInName(address)) }

// signInToken returns the token of a sign-in, refreshed if it is about to end; "" if there was none.
func signInToken(ctx context.Context, address *url.URL) (string, error) {
	s, err := readSignIn(address)
	if s == nil || err != nil || s.holds() {
		return s.token(), err
	}
	folder, err := files.State()
	if err != nil {
		return "", err
	}
	lock, err := files.LockFolder(ctx, folder, refreshTimeout)
	if err != nil {
		return "", err
	}
	defer lock.Unlock()
	// Another process may have refreshed it: many providers take a refresh token once.
	if s, err = readSignIn(address); s == nil || err != nil || s.holds() {
		return s.token(), err
	}
	if s.Refresh == "" {
		return "", text.WithHint(fmt.Errorf("your sign-in at the hub %s has ended", address.Host),
			`sign in again: "memctl hub login"`)
	}
	ctx = withProviderClient(ctx)
	token, err := s.config().TokenSource(ctx, &oauth2.Token{RefreshToken: s.Refresh}).Token()
	if err == nil {
		err = s.take(token)
	}
	if err != nil {
		return "", s.refused(ctx, err)
	}
	return s.Token, s.keep(address)
}

func (s *signedIn) holds() bool { return s.Expires.IsZero() || time.Until(s.Expires) > early }

func (s *signedIn) token() string {
	if s == nil {
		return ""
	}
	return s.Token
}
