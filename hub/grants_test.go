package hub

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestDecodeGrants(t *testing.T) {
	tests := map[string]struct {
		data string
		says string // "" for valid
	}{
		"none":                  {data: `[]`},
		"one":                   {data: `[{"principal":"user:anna","repositories":"github.com/acme/*","publish":true}]`},
		"everyone":              {data: `[{"principal":"everyone","repositories":"*"}]`},
		"an unknown field":      {data: `[{"principal":"everyone","repository":"*"}]`, says: `unknown field "repository"`},
		"a mere name":           {data: `[{"principal":"anna","repositories":"*"}]`, says: "grant 1: principal: expected user:NAME"},
		"no name":               {data: `[{"principal":"user:","repositories":"*"}]`, says: "empty"},
		"a name with a NUL":     {data: `[{"principal":"user:a\u0000","repositories":"*"}]`, says: "do not print"},
		"no repositories":       {data: `[{"principal":"everyone"}]`, says: "repositories: expected"},
		"SQL":                   {data: `[{"principal":"everyone","repositories":"'; DROP TABLE grants --"}]`, says: "repositories: expected"},
		"LIKE's own characters": {data: `[{"principal":"everyone","repositories":"%"}]`, says: "repositories: expected"},
		"a host in upper case":  {data: `[{"principal":"everyone","repositories":"GitHub.com/acme/x"}]`},
		"a long name":           {data: `[{"principal":"everyone","repositories":"` + strings.Repeat("a", 201) + `"}]`, says: "repositories: expected"},
		"twice":                 {data: `[{"principal":"everyone","repositories":"*"},{"principal":"everyone","repositories":"*","publish":true}]`, says: "grant 2: everyone has * already"},
		"something after":       {data: `[] []`, says: "something follows"},
		"no list":               {data: `{}`, says: "cannot unmarshal"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := DecodeGrants([]byte(tt.data))
			if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v, want %q", err, tt.says)
			}
		})
	}
}

func FuzzDecodeGrants(f *testing.F) {
	f.Add([]byte(`[{"principal":"user:anna","repositories":"github.com/acme/*","publish":true}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		grants, err := DecodeGrants(data)
		for _, g := range grants {
			if err := g.Check(); err != nil {
				t.Errorf("%v was decoded: %v", g, err)
			}
		}
		if err != nil && grants != nil {
			t.Errorf("%v with %v", err, grants)
		}
	})
}

// A pattern matches what it says and no more, whatever is special to LIKE.
func TestPatterns(t *testing.T) {
	h := newHub(t)
	h.grant(t, "user:ci", "%", true)
	names := []string{"github.com/acme/a_b", "github.com/acme/axb", "github.com/acme/sub/c", "git.acme.com:8443/acme/d"}
	for _, name := range names {
		p := publication(1)
		p.Repository = name
		mustPublish(t, h, Principal{Person: "ci"}, p)
	}
	tests := map[string][]string{
		"github.com/acme/a_b": {names[0]},
		"github.com/acme/a*":  {names[0], names[1]},
		"github.com/acme/*":   {names[0], names[1], names[2]},
		"*/acme/d":            {names[3]},
		"git.acme.com:8443/*": {names[3]},
		"github.com/acme":     nil,
		"*":                   {names[3], names[0], names[1], names[2]},
	}
	for pattern, want := range tests {
		g := Grant{Principal: "user:anna", Repositories: pattern}
		if _, err := h.owner.Grant(t.Context(), g); err != nil {
			t.Fatal(err)
		}
		got := rows[string](t, h, `SELECT r.name FROM access a JOIN repositories r USING (repo_id) WHERE a.principal = 'user:anna' ORDER BY 1`)
		if !slices.Equal(got, want) {
			t.Errorf("%s matches %v, want %v", pattern, got, want)
		}
		if _, err := h.owner.Revoke(t.Context(), g); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSetGrants(t *testing.T) {
	h := newHub(t)
	a := Grant{Principal: "user:a", Repositories: "github.com/acme/*"}
	b := Grant{Principal: "user:b", Repositories: "github.com/acme/*"}
	publishing := b
	publishing.Publish = true
	c := Grant{Principal: "everyone", Repositories: "*"}
	steps := []struct {
		grants []Grant
		want   GrantChanges
	}{
		{[]Grant{a, b}, GrantChanges{Added: 2}},
		{[]Grant{publishing, c}, GrantChanges{Added: 1, Changed: 1, Removed: 1}},
		{[]Grant{publishing, c}, GrantChanges{Unchanged: 2}},
		{[]Grant{}, GrantChanges{Removed: 2}},
	}
	for i, step := range steps {
		done, err := h.owner.SetGrants(t.Context(), step.grants)
		if err != nil || done != step.want {
			t.Errorf("step %d: %+v, want %+v: %v", i+1, done, step.want, err)
		}
	}
	if _, err := h.owner.SetGrants(t.Context(), []Grant{a, {Principal: "anna", Repositories: "*"}}); err == nil {
		t.Error("an invalid grant is stored")
	}
	if grants, err := ListGrants.Do(h.owner, t.Context(), struct{}{}); err != nil || len(grants) != 0 {
		t.Errorf("of an invalid list %v is stored: %v", grants, err)
	}
}

// Grants that come at once, for one principal, all hold; and each repository that is
// published at the same time is seen.
func TestGrantsAndPublicationsAtOnce(t *testing.T) {
	h := newHub(t)
	h.grant(t, "user:ci", "%", true)
	const n = 8
	var running sync.WaitGroup
	for i := range n {
		name := fmt.Sprintf("github.com/acme/r%d", i)
		running.Go(func() {
			if _, err := h.owner.Grant(t.Context(), Grant{Principal: "user:anna", Repositories: name + "*"}); err != nil {
				t.Error(err)
			}
		})
		running.Go(func() {
			p := publication(1, note("jwt", "JWT keys rotate"))
			p.Repository = name
			if _, err := h.Publish(t.Context(), Principal{Person: "ci"}, p); err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	if got := rows[int](t, h, `SELECT count(*) FROM access WHERE principal = 'user:anna'`)[0]; got != n {
		t.Errorf("%d of %d repositories are seen", got, n)
	}
}

// Grants of one principal that come at once may match the same repositories.
func TestGrantsForTheSameRepositoryAtOnce(t *testing.T) {
	h := newHub(t)
	h.grant(t, "user:ci", "%", true)
	mustPublish(t, h, Principal{Person: "ci"}, publication(1, note("jwt", "JWT keys rotate")))
	var running sync.WaitGroup
	for i := range len("payments") {
		running.Go(func() {
			if _, err := h.owner.Grant(t.Context(), Grant{Principal: "user:anna", Repositories: payments[:len(payments)-i] + "*", Publish: i == 3}); err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	if got := rows[bool](t, h, `SELECT publish FROM access WHERE principal = 'user:anna'`); !slices.Equal(got, []bool{true}) {
		t.Errorf("anna may publish: %v", got)
	}
}

// The service cannot give itself rights.
func TestTheServiceGrantsNothing(t *testing.T) {
	h := newHub(t)
	if _, err := h.Grant(t.Context(), Grant{Principal: "everyone", Repositories: "*"}); err == nil {
		t.Error("the service grants")
	}
	if _, err := h.CreateToken(t.Context(), NewToken{Person: "root"}); err == nil {
		t.Error("the service creates a token")
	}
	if _, err := ListRepositories.Do(h.Store, t.Context(), struct{}{}); err == nil {
		t.Error("the service lists all repositories")
	}
}
