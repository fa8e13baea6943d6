package hub

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"memctl/text"

	"github.com/jackc/pgx/v5"
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
	Person  string     `json:"user"`
	Groups  []string   `json:"groups"`
	Expires *time.Time `json:"expires_at,omitempty"` // nil for never
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
func (s *Store) CreateToken(ctx context.Context, t NewToken) (made CreatedToken, err error) {
	for _, name := range append([]string{t.Person}, t.Groups...) {
		if err := checkName(name); err != nil {
			return made, err
		}
	}
	if len(t.Groups) > maxGroups {
		return made, badRequest("groups", "expected at most %d, got %d", maxGroups, len(t.Groups))
	}
	random := make([]byte, 32)
	_, _ = rand.Read(random) // it never fails
	made.Secret = tokenPrefix + base64.RawURLEncoding.EncodeToString(random)
	groups := append([]string{}, t.Groups...)
	slices.Sort(groups)
	list, err := own[Token](ctx, s, `
		INSERT INTO tokens (hash, person, groups, expires_at)
		SELECT $1, $2, $3, $4
		WHERE NOT is_denied($2)
		RETURNING `+tokenColumns, hashToken(made.Secret), t.Person, slices.Compact(groups), t.Expires)
	if err == nil && len(list) == 0 {
		err = refusal(http.StatusConflict, "denied", "this person is denied")
	}
	if err == nil {
		made.Token = list[0]
	}
	return made, err
}

func hashToken(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// ListTokens lists all tokens, the oldest first.
var ListTokens = listing[Token]("tokens", `SELECT `+tokenColumns+` FROM tokens ORDER BY token_id`)

// Revocation names a token by its id or secret, or a person: all the person's tokens.
type Revocation struct {
	ID     int32  `json:"id,omitempty"`
	Secret string `json:"token,omitempty"`
	Person string `json:"user,omitempty"`
}

// Revoked is the answer to a Revocation.
type Revoked struct {
	Tokens []Token `json:"revoked"`
	Denied string  `json:"denied,omitempty"` // who is refused from now on
}

// RevokeTokens revokes tokens. A person is refused from the next request on, whoever signed the token, until Allow.
func (s *Store) RevokeTokens(ctx context.Context, r Revocation) (done Revoked, err error) {
	err = s.asOwner(ctx, func(tx pgx.Tx) (err error) {
		if r.Person != "" {
			if err := checkName(r.Person); err != nil {
				return err
			}
			_, err = tx.Exec(ctx, `INSERT INTO denied (person) VALUES ($1) ON CONFLICT DO NOTHING`, r.Person)
			if err != nil {
				return err
			}
			done.Denied = r.Person
		}
		done.Tokens, err = collect[Token](ctx, tx, `
			UPDATE tokens
			SET revoked_at = now()
			WHERE revoked_at IS NULL AND (token_id = $1 OR hash = $2 OR person = $3)
			RETURNING `+tokenColumns, r.ID, hashToken(r.Secret), r.Person)
		if err == nil && len(done.Tokens) == 0 && done.Denied == "" {
			err = refusal(http.StatusNotFound, "no_token", "no such token, or it is revoked already")
		}
		return err
	})
	return done, err
}

// Person names one.
type Person struct {
	Name string `json:"user"`
}

// Allow takes back that a person is denied. Tokens that were revoked stay revoked.
func (s *Store) Allow(ctx context.Context, p Person) (gone []Person, err error) {
	if err := checkText("user", p.Name); err != nil {
		return nil, err
	}
	gone, err = own[Person](ctx, s, `DELETE FROM denied WHERE person = $1 RETURNING person`, p.Name)
	if err == nil && len(gone) == 0 {
		err = refusal(http.StatusNotFound, "not_denied", "this person is not denied")
	}
	return gone, err
}

// Denied is a person who is refused, whatever the token.
type Denied struct {
	Person
	At time.Time `json:"denied_at"`
}

// ListDenied lists them, in the order in which they were denied.
var ListDenied = listing[Denied]("denied", `SELECT person, denied_at FROM denied ORDER BY denied_at, person`)

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

// Principal is a person who asks, with the groups that the person is in. The zero Principal may see nothing.
type Principal struct {
	Person string
	Groups []string
	// Repository is the one that a CI token names, "" for a token that names none.
	Repository string
	// PullRequest says that the token is of a CI job for a pull request, which may not publish.
	PullRequest bool
	Request     string `db:"-"` // the ID of what is asked, for the audit
}

const (
	// everyone is the principal that each person with a valid token is.
	everyone = "everyone"
	// ownRepository is the principal that a CI token is for the one repository that it names.
	ownRepository = "repository"
	userPrefix    = "user:"
	groupPrefix   = "group:"
	// maxName is the length limit of a person's or a group's name in bytes.
	maxName = 200
)

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
		return badRequest("", "a name is empty")
	case len(name) > maxName:
		return badRequest("", "a name of %d bytes: expected at most %d", len(name), maxName)
	case name != text.Printable(name) || name != strings.TrimSpace(name):
		return badRequest("", "the name %q has characters that do not print, or white space at an end", name)
	}
	return nil
}

// checkPrincipal returns an error unless principal is user:NAME, group:NAME, everyone or repository.
func checkPrincipal(principal string) error {
	if principal == everyone || principal == ownRepository {
		return nil
	}
	for _, prefix := range []string{userPrefix, groupPrefix} {
		if name, found := strings.CutPrefix(principal, prefix); found {
			return checkName(name)
		}
	}
	return badRequest("principal", "expected user:NAME, group:NAME, everyone or repository, got %q", principal)
}
