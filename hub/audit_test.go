package hub

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"memctl/features/hub/remote"
)

func TestAudit(t *testing.T) {
	const secret = "what anna\tthinks of"
	for _, queries := range []bool{false, true} {
		h := serveHub(t, ServerOptions{})
		h.options.AuditQueries = queries
		h.grant(t, "user:anna", "%", true)
		token := h.token(t, "anna")
		id := payments + ":decisions/jwt"
		mustAnswer := func(got reply, status int) {
			t.Helper()
			if got.status != status {
				t.Fatalf("%d %s\n%s", got.status, got.body, h.log)
			}
		}
		mustAnswer(h.post(t, remote.PublishPath, token, onlyNote(payments)), 200)
		mustAnswer(h.post(t, remote.SearchPath, token, remote.Query{Query: secret + " JWT"}), 200)
		mustAnswer(h.post(t, remote.GetPath, token, remote.Selection{IDs: []string{id}}), 200)
		mustAnswer(h.post(t, remote.GetPath, token, remote.Selection{IDs: []string{payments + ":decisions/" + "guess"}}), 404)
		mustAnswer(h.post(t, remote.TimelinePath, token, remote.Moment{ID: id}), 200)
		mustAnswer(h.request(t, "GET", remote.RepositoriesPath, token, nil), 200)
		mustAnswer(h.post(t, remote.SearchPath, token, remote.Query{}), 400)
		call(t, h.connect(t, token), "search", map[string]any{"query": secret})

		mustAnswer(h.post(t, remote.PublishPath, token, remote.Publication{Repository: payments, Commit: commitOf(0), Sequence: 1}), 409)
		mustAnswer(h.post(t, remote.SearchPath, tokenPrefix+strings.Repeat("x", 43), remote.Query{Query: "JWT"}), 401)

		first, second := "", ""
		if queries {
			first, second = "what anna thinks of JWT", "what anna thinks of"
		}
		want := []string{
			"role:hub_owner grant 1 insert user:anna % publish  ",
			"role:hub_owner token 1 1 anna  ",
			"anna publish 1 " + payments + " " + commitOf(1) + " 1  ",
			"anna search 1 " + first + " {" + id + "} ",
			"anna get 1  {" + id + "} ",
			"anna get 0   ",
			"anna timeline 1  {" + id + "} ",
			"anna repositories 1   ",
			"anna search 0 " + second + "  ",
			"anna publish 0 " + payments + " " + commitOf(0) + " 1  stale_sequence",
			" sign-in 1   unauthorized",
		}
		got := rows[string](t, h.testHub, `
			SELECT concat_ws(' ', person, action, results, coalesce(detail, ''), coalesce(shown::text, ''), coalesce(refused, ''))
			FROM audit
			ORDER BY asked_at`)
		if !slices.Equal(got, want) {
			t.Errorf("the audit is %q, want %q", got, want)
		}
		if strings.Contains(h.log.String(), "thinks") {
			t.Errorf("the log has a query: %s", h.log)
		}
	}
}

// What cannot be audited is not answered.
func TestWithoutAuditThereIsNoAnswer(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.grant(t, "user:anna", "%", true)
	token := h.token(t, "anna")
	mustPublish(t, h.testHub, anna, publication(1, note("jwt", "JWT keys rotate")))
	h.exec(t, `REVOKE INSERT ON audit FROM memctl_hub`)
	got := h.post(t, remote.SearchPath, token, remote.Query{Query: "JWT"})
	if got.status == http.StatusOK || strings.Contains(got.body, payments) {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := h.request(t, "GET", readyPath, "", nil); got.status != http.StatusServiceUnavailable {
		t.Errorf("ready: %d %s", got.status, got.body)
	}
}
