package hub

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"

	"memctl/features/hub/remote"
	"memctl/hub/hubtest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A matrix of 6 principals and 20 repositories, asked in every way that there is: each sees
// exactly what the grants say, and what is hidden answers as what does not exist.
func TestPermissions(t *testing.T) { testPermissions(t, serveHub(t, ServerOptions{})) }

// The same through a pooler that gives each transaction another of four connections, all at once, beside
// publications.
func TestPermissionsThroughAPooler(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.Store.pool.Close()
	h.Store.pool = open(t, hubtest.Pooler(t, h.dsn), Options{MaxConns: 32}).pool
	if got := h.request(t, "GET", readyPath, "", nil); got.status != http.StatusOK {
		t.Fatalf("%d %s\n%s", got.status, got.body, h.log)
	}
	testPermissions(t, h)
}

func testPermissions(t *testing.T, h servedHub) {
	const repositories = 20
	name := func(n int) string { return fmt.Sprintf("github.com/team%d/repo%02d", n%4, n) }
	id := func(n int) string { return name(n) + ":decisions/" + fmt.Sprintf("own-%02d", n) }
	if _, err := h.owner.Grant(t.Context(), Grant{Principal: "user:ci", Repositories: "*", Publish: true}); err != nil {
		t.Fatal(err)
	}
	for n := range repositories {
		p := publication(1, note(fmt.Sprintf("own-%02d", n), fmt.Sprintf("shared word%02d", n)), note("second", "shared twice"))
		p.Repository = name(n)
		mustPublish(t, h.testHub, Principal{Person: "ci"}, p)
	}
	principals := []Principal{
		{Person: "nobody"},
		{Person: "anna"},
		{Person: "ben", Groups: []string{"red"}},
		{Person: "carla", Groups: []string{"red", "blue"}},
		{Person: "dan", Groups: []string{"user:anna", "anna", "everyone", "group:red"}}, // a group is no person
		{Person: "eve", Groups: []string{"CN=Platform Team,OU=Groups"}},
	}
	grants := []Grant{
		{Principal: "user:anna", Repositories: "github.com/team1/*"},
		{Principal: "user:anna", Repositories: name(8)},
		{Principal: "group:red", Repositories: "github.com/team2/*"},
		{Principal: "group:blue", Repositories: "*/repo1*"},
		{Principal: "user:carla", Repositories: name(5), Publish: true},
		{Principal: "everyone", Repositories: name(19)},
		{Principal: "group:nobody", Repositories: "*"},
		{Principal: "group:CN=Platform Team,OU=Groups", Repositories: "github.com/Team3/*"},
	}
	for _, g := range grants {
		if _, err := h.owner.Grant(t.Context(), g); err != nil {
			t.Fatal(err)
		}
	}
	may := func(p Principal, n int) bool {
		names := []string{"everyone", "user:" + p.Person}
		for _, group := range p.Groups {
			names = append(names, "group:"+group)
		}
		return slices.ContainsFunc(grants, func(g Grant) bool {
			// A pattern of path.Match does not go over slashes.
			matches, _ := path.Match(strings.ToLower(strings.ReplaceAll(g.Repositories, "/", "-")), strings.ReplaceAll(name(n), "/", "-"))
			return matches && slices.Contains(names, g.Principal)
		})
	}
	t.Run("publisher", func(t *testing.T) {
		t.Parallel()
		for sequence := range int64(60) {
			p := publication(sequence+1, note("second", fmt.Sprintf("hidden %d", sequence)))
			p.Repository = "github.com/other/repo"
			mustPublish(t, h.testHub, Principal{Person: "ci"}, p)
		}
	})
	for _, p := range principals {
		t.Run(p.Person, func(t *testing.T) {
			t.Parallel()
			token := h.token(t, p.Person, p.Groups...)
			session := h.connect(t, token)
			var visible []string
			for n := range repositories {
				if may(p, n) {
					visible = append(visible, name(n))
				}
			}
			slices.Sort(visible)
			if got := h.repositoriesSeen(t, token); !slices.Equal(got, visible) {
				t.Errorf("repositories: %v, want %v", got, visible)
			}
			if got := h.repositoriesFound(t, token, "shared"); !slices.Equal(got, visible) {
				t.Errorf("search: %v, want %v", got, visible)
			}
			const missing = "github.com/team0/no-such-repository"
			unknown := h.ways(t, token, session, missing+":decisions/own", "nosuchword")
			for n := range repositories {
				ways := h.ways(t, token, session, id(n), fmt.Sprintf("word%02d", n))
				for way, said := range ways {
					sees := strings.Contains(said, fmt.Sprintf("shared word%02d", n))
					if sees != may(p, n) {
						t.Errorf("%s of repository %d: sees %v: %s", way, n, sees, said)
					}
					if hidden := strings.ReplaceAll(unknown[way], missing+":decisions/own", id(n)); !sees && said != hidden {
						t.Errorf("%s of repository %d tells that it exists: %q, not %q", way, n, said, hidden)
					}
				}
			}
		})
	}
}

// repositoriesSeen returns the repositories of the list, whose counts it checks.
func (h servedHub) repositoriesSeen(t *testing.T, token string) (names []string) {
	t.Helper()
	var list remote.Repositories
	decodeReply(t, h.request(t, "GET", remote.RepositoriesPath, token, nil), &list)
	for _, r := range list.Repositories {
		if r.Memories != 2 {
			t.Errorf("%s has %d memories", r.Repository, r.Memories)
		}
		names = append(names, r.Repository)
	}
	return names
}

// repositoriesFound returns the repositories of the results of a search, by name.
func (h servedHub) repositoriesFound(t *testing.T, token, query string) (names []string) {
	t.Helper()
	var found remote.Results
	decodeReply(t, h.post(t, remote.SearchPath, token, remote.Query{Query: query, Limit: remote.MaxResults}), &found)
	for _, r := range found.Results {
		names = append(names, r.Repository)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func decodeReply(t *testing.T, r reply, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.body), into); r.status != http.StatusOK || err != nil {
		t.Fatalf("%d %s: %v", r.status, r.body, err)
	}
}

// ways returns what the hub says of a memory in each way to ask for it.
func (h servedHub) ways(t *testing.T, token string, session *mcp.ClientSession, id, word string) map[string]string {
	t.Helper()
	ids := []string{id}
	said := map[string]string{
		"search":   h.post(t, remote.SearchPath, token, remote.Query{Query: word}).body,
		"get":      h.post(t, remote.GetPath, token, remote.Selection{IDs: ids}).body,
		"timeline": h.post(t, remote.TimelinePath, token, remote.Moment{ID: id}).body,
	}
	said["MCP search"], _ = call(t, session, "search", map[string]any{"query": word})
	said["MCP get"], _ = call(t, session, "get", map[string]any{"ids": ids})
	said["MCP timeline"], _ = call(t, session, "timeline", map[string]any{"id": id})
	resource, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: resourceScheme + id})
	if err != nil {
		said["resource"] = err.Error()
	} else {
		said["resource"] = resource.Contents[0].Text
	}
	return said
}

// A grant to read is none to publish, and who may not publish learns nothing.
func TestPublishingNeedsAGrant(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.grant(t, "user:ci", "%", true)
	h.grant(t, "user:anna", payments, false)
	mustPublish(t, h.testHub, Principal{Person: "ci"}, publication(7, note("jwt", "JWT keys rotate")))
	before := h.dump(t)
	said := map[string]bool{}
	for _, person := range []string{"anna", "ben"} {
		for _, repository := range []string{payments, "github.com/acme/no-such"} {
			p := publication(1) // an old one, of no memories
			p.Repository = repository
			got := h.post(t, remote.PublishPath, h.token(t, person), p)
			if got.status != http.StatusForbidden || got.error(t).Code != "forbidden" {
				t.Errorf("%s publishes %s: %d %s", person, repository, got.status, got.body)
			}
			said[strings.ReplaceAll(got.body, repository, "")] = true
		}
	}
	if len(said) != 1 {
		t.Errorf("the answers differ: %v", said)
	}
	if after := h.dump(t); !slices.Equal(before, after) {
		t.Error("something was changed")
	}
}

// Tokens, grants and principals that a random mix of groups gives: what row security shows
// is what the names say.
func TestRandomGroups(t *testing.T) {
	h := newHub(t)
	h.grant(t, "user:ci", "%", true)
	random := rand.New(rand.NewPCG(1, 2))
	groups := []string{"a", "b", "c", `d"`, `e\`, "f,g", "{h}", "NULL", "i j", "ü"}
	owners := map[string]string{} // repository: group
	for i, group := range groups {
		p := publication(1, note("jwt", "shared word"))
		p.Repository = fmt.Sprintf("github.com/acme/r%d", i)
		owners[p.Repository] = group
		mustPublish(t, h, Principal{Person: "ci"}, p)
		if _, err := h.owner.Grant(t.Context(), Grant{Principal: groupPrefix + group, Repositories: p.Repository}); err != nil {
			t.Fatal(err)
		}
	}
	for range 40 {
		p := Principal{Person: "anna"}
		for _, group := range groups {
			if random.IntN(2) == 0 {
				p.Groups = append(p.Groups, group)
			}
		}
		list, err := h.Repositories(t.Context(), p, struct{}{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list.Repositories {
			if !slices.Contains(p.Groups, owners[r.Repository]) {
				t.Errorf("%q sees %s", p.Groups, r.Repository)
			}
		}
		if len(list.Repositories) != len(p.Groups) {
			t.Errorf("%q sees %d repositories", p.Groups, len(list.Repositories))
		}
	}
}
