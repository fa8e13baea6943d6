package hub

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"memctl/text"
)

// tokenForm is that of the hub's own bearer tokens: 32 random bytes.
var tokenForm = regexp.MustCompile(`^` + tokenPrefix + `[A-Za-z0-9_-]{43}$`)

const tokenPrefix = "memctl_"

// IsToken reports whether a word has the form of a token.
func IsToken(word string) bool { return tokenForm.MatchString(word) }

// maxGroups is how many groups a person may be in.
const maxGroups = 1000

// errUnauthorized is the answer to every token that is not valid. It does not say why.
var errUnauthorized = refusal(401, "unauthorized", "the token is not valid")

// NewToken is for whom a token is.
type NewToken struct {
	Person  string
	Groups  []string
	Expires time.Time // zero for never
}

// Token describes a token, by tokenColumns. Nothing tells its secret.
type Token struct {
	ID        int32      `json:"id"`
	Person    string     `json:"user"`
	Groups    []string   `json:"groups"`
	CreatedAt time.Time  `json:"created_at"`
	ExpiresAt *time.Time `json:"expires_at"`
	RevokedAt *time.Time `json:"revoked_at"`
}

// State is revoked, expired or valid.
func (t Token) State(now time.Time) string {
	switch {
	case t.RevokedAt != nil:
		return "revoked"
	case t.ExpiresAt != nil && !now.Before(*t.ExpiresAt):
		return "expired"
	}
	return "valid"
}

const tokenColumns = `token_id, person, groups, created_at, expires_at, revoked_at`

// CreateToken makes a token, but not for a person who is denied. Only this call returns its secret.
func (s *Store) CreateToken(ctx context.Context, t NewToken) (secret string, created Token, err error) {
	for _, name := range append([]string{t.Person}, t.Groups...) {
		if err := checkName(name); err != nil {
			return "", created, err
		}
	}
	if len(t.Groups) > maxGroups {
		return "", created, fmt.Errorf("%d groups: expected at most %d", len(t.Groups), maxGroups)
	}
	random := make([]byte, 32)
	_, _ = rand.Read(random) // it never fails
	secret = tokenPrefix + base64.RawURLEncoding.EncodeToString(random)
	groups := append([]string{}, t.Groups...)
	slices.Sort(groups)
	var expires *time.Time
	if !t.Expires.IsZero() {
		expires = &t.Expires
	}
	list, err := own[Token](ctx, s, `
		INSERT INTO tokens (hash, person, groups, expires_at)
		SELECT $1, $2, $3, $4
		WHERE NOT is_denied($2)
		RETURNING `+tokenColumns, hashToken(secret), t.Person, slices.Compact(groups), expires)
	if err == nil && len(list) == 0 {
		err = ErrDenied
	}
	if err != nil {
		return "", Token{}, err
	}
	return secret, list[0], nil
}

func hashToken(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// Tokens lists all tokens, the oldest first.
func (s *Store) Tokens(ctx context.Context) ([]Token, error) {
	return own[Token](ctx, s, `SELECT `+tokenColumns+` FROM tokens ORDER BY token_id`)
}

// RevokeToken revokes the token with an id. It returns what it revoked: nothing if there
// is no such token, or it was revoked before.
func (s *Store) RevokeToken(ctx context.Context, id int32) ([]Token, error) {
	return s.revoke(ctx, `token_id = $1`, id)
}

// RevokeSecret revokes the token with a secret, as RevokeToken.
func (s *Store) RevokeSecret(ctx context.Context, secret string) ([]Token, error) {
	return s.revoke(ctx, `hash = $1`, hashToken(secret))
}

// RevokePerson revokes all tokens of a person, as RevokeToken.
func (s *Store) RevokePerson(ctx context.Context, person string) ([]Token, error) {
	return s.revoke(ctx, `person = $1`, person)
}

// Deny refuses a person from the next request on, whoever signed the token, until Allow.
func (s *Store) Deny(ctx context.Context, person string) error {
	if err := checkName(person); err != nil {
		return err
	}
	_, err := own[struct{}](ctx, s, `INSERT INTO denied (person) VALUES ($1) ON CONFLICT DO NOTHING`, person)
	return err
}

// ErrDenied means that a token would be refused, because its person is.
var ErrDenied = errors.New("this person is denied")

// ErrNotDenied means that a person is not refused.
var ErrNotDenied = errors.New("this person is not denied")

// Allow takes back Deny. Tokens that were revoked stay revoked.
func (s *Store) Allow(ctx context.Context, person string) error {
	gone, err := own[struct{ Person string }](ctx, s, `DELETE FROM denied WHERE person = $1 RETURNING person`, person)
	if err == nil && len(gone) == 0 {
		err = ErrNotDenied
	}
	return err
}

func (s *Store) revoke(ctx context.Context, condition string, value any) ([]Token, error) {
	return own[Token](ctx, s, `
		UPDATE tokens
		SET revoked_at = now()
		WHERE revoked_at IS NULL AND `+condition+`
		RETURNING `+tokenColumns, value)
}

// Authenticate returns whose token a secret is. The index of the hashes finds it, so that
// how long it takes says nothing about a secret that is nearly right.
func (s *Store) Authenticate(ctx context.Context, secret string) (p Principal, err error) {
	if !IsToken(secret) {
		return p, errUnauthorized
	}
	list, err := answer[Principal](ctx, s, Principal{}, nil, nil,
		`SELECT person, groups, '', false FROM authenticate($1)`, hashToken(secret))
	if err == nil && len(list) == 0 {
		err = errUnauthorized
	}
	if err != nil {
		return Principal{}, err
	}
	return list[0], nil
}

// Principal is a person who asks, with the groups that the person is in. The zero
// Principal may see nothing.
type Principal struct {
	Person string
	Groups []string
	// Repository is the one that a CI token names, "" for a token that names none.
	Repository string
	// PullRequest says that the token is of a CI job for a pull request, which may not publish.
	PullRequest bool
}

const (
	// everyone is the principal that each person with a valid token is.
	everyone = "everyone"
	// ownRepository is the principal that a CI token is for the one repository that it names.
	ownRepository = "repository"
)

const (
	userPrefix  = "user:"
	groupPrefix = "group:"
)

// maxName is the length limit of a person's or a group's name in bytes.
const maxName = 200

// names returns the principals of the grants that hold for the person.
func (p Principal) names() []string {
	if p.Person == "" {
		return nil
	}
	names := []string{everyone, userPrefix + p.Person}
	for _, group := range p.Groups {
		names = append(names, groupPrefix+group)
	}
	if p.Repository != "" {
		names = append(names, ownRepository)
	}
	return names
}

// checkName returns an error for a name that no person and no group can have.
func checkName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("a name is empty")
	case len(name) > maxName:
		return fmt.Errorf("a name of %d bytes: expected at most %d", len(name), maxName)
	case name != text.Printable(name) || name != strings.TrimSpace(name):
		return fmt.Errorf("the name %q has characters that do not print, or white space at an end", name)
	}
	return nil
}

// checkPrincipal returns an error unless principal is user:NAME, group:NAME or everyone.
func checkPrincipal(principal string) error {
	if principal == everyone || principal == ownRepository {
		return nil
	}
	for _, prefix := range []string{userPrefix, groupPrefix} {
		if name, found := strings.CutPrefix(principal, prefix); found {
			return checkName(name)
		}
	}
	return fmt.Errorf("expected user:NAME, group:NAME, everyone or repository, got %q", principal)
}
