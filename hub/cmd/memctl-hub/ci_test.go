package main

import (
	"cmp"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The lines of the CI jobs of hub/README.md publish, with a stored token and with one that an issuer signs for the job,
// and with the grants, the flags and the issuers' file of that page. The runner is a shell here.
func TestJobsOfCI(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	// one returns what a pattern finds after some words.
	one := func(after, pattern string) string {
		t.Helper()
		_, text, _ := strings.Cut(page, after)
		found := regexp.MustCompile(pattern).FindStringSubmatch(text)
		if found == nil {
			t.Fatalf("hub/README.md has nothing like %s after %s", pattern, after)
		}
		return found[1]
	}
	const sign = "### Without a stored secret"
	stored := struct{ github, gitlab string }{
		one("### GitHub Actions", `- run: (memctl hub publish .*)`), one("### GitLab CI", `- (memctl hub publish .*)`),
	}
	signed := one(sign, `- run: \|\n((?: {10}.*\n)+)`)
	for name, tt := range map[string]struct {
		grant, serve, job, remote string
		variables                 []string
		claims                    map[string]any // nil for a stored token
	}{
		"GitHub": {job: stored.github, variables: []string{"GITHUB_RUN_NUMBER=7"}},
		"GitLab": {job: stored.gitlab, variables: []string{"CI_PIPELINE_IID=7"}},
		"GitHub's issuer, by the repository": {
			grant: one(sign, `(memctl hub grant add --publish repository .*)`), serve: one(sign, `memctl hub (serve --oidc-issuers issuers.json)`),
			job: signed, variables: []string{"GITHUB_RUN_NUMBER=7"},
			claims: map[string]any{"sub": "someone", "repository": "acme/payments", "ref": "refs/heads/main"},
		},
		"GitHub's issuer, by the subject": {
			grant: one("# GitHub; memctl hub", `# (memctl hub grant add .*)`), serve: one(sign, `# GitHub; memctl hub (serve .*)`),
			job: signed, variables: []string{"GITHUB_RUN_NUMBER=7"},
			claims: map[string]any{"sub": "repo:acme/payments:ref:refs/heads/main"},
		},
		"an issuer with claims of other names": {
			grant: "memctl hub grant add --publish group:deployers github.com/acme/payments",
			serve: one(sign, `# GitHub; memctl hub (serve .*)`) + " --oidc-user-claim login --oidc-groups-claim roles",
			job:   signed, variables: []string{"GITHUB_RUN_NUMBER=7"},
			claims: map[string]any{"login": "anna", "roles": []string{"deployers"}},
		},
		"GitLab's issuer": {
			grant: one("# GitLab; memctl hub", `# (memctl hub grant add .*)`), serve: one(sign, `# GitLab; memctl hub (serve .*)`),
			job:       `MEMCTL_HUB_TOKEN=$(curl -sSf "$JOB_TOKEN") && export MEMCTL_HUB_TOKEN && ` + stored.gitlab,
			variables: []string{"CI_PIPELINE_IID=7"}, remote: "git@gitlab.acme.example:acme/payments.git",
			claims: map[string]any{"sub": "project_path:acme/payments:ref_type:branch:ref:main"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, service := newHubHome(t)
			issuer := newJobIssuer(t, tt.claims)
			words := strings.NewReplacer("https://token.actions.githubusercontent.com", issuer, "https://gitlab.acme.example", issuer)
			h.write("issuers.json", words.Replace(one(sign, "```json\n((?s:.*?))```")))
			program, err := memctl()
			if err != nil {
				t.Fatal(err)
			}
			h.writeProgram("memctl", "exec "+program+" \"$@\"")
			h.env = append(h.env, "PATH="+h.dir+"/bin:"+os.Getenv("PATH"), "JOB_TOKEN="+issuer+"/raw",
				"ACTIONS_ID_TOKEN_REQUEST_URL="+issuer+"/jobs?api-version=2", "ACTIONS_ID_TOKEN_REQUEST_TOKEN=of the runner")
			h.env = append(h.env, tt.variables...)
			serve := tt.serve
			if tt.claims == nil {
				tt.grant, serve = "memctl hub grant add --publish user:ci github.com/acme/payments", "serve"
				h.env = append(h.env, "MEMCTL_HUB_TOKEN="+strings.TrimSpace(h.run("", "hub", "token", "create", "--user", "ci")))
			}
			h.clone("pay", cmp.Or(tt.remote, "git@github.com:acme/payments.git"))
			h.write("pay/.claude/memory/preferences/rotation.json", preferenceFile("rotation", "Key rotation waits for the cache"))
			h.commit("pay")
			shell := h.shell("set -e")
			shell(tt.grant)
			server := exec.Command("sh", "-c", "exec memctl-hub "+words.Replace(serve)+" --listen 127.0.0.1:0 --dsn '"+service+"'")
			server.Dir, server.Env = h.dir, h.env
			address := "http://" + h.listen(server)
			out := shell("cd pay\n" + strings.ReplaceAll(tt.job, "https://hub.acme.example", address))
			if !strings.Contains(out, "1 added") {
				t.Errorf("published: %s", out)
			}
		})
	}
}

// newJobIssuer is an issuer of tokens for CI jobs, which a runner asks for one at /jobs.
func newJobIssuer(t *testing.T, claims map[string]any) string {
	t.Helper()
	issuer := newIssuer(t)
	issuer.routes.HandleFunc("/raw", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(issuer.token("memctl-hub", claims))) })
	issuer.routes.HandleFunc("/jobs", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "bearer of the runner" {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		json.NewEncoder(w).Encode(map[string]string{"value": issuer.token(r.URL.Query().Get("audience"), claims)})
	})
	return issuer.url
}
