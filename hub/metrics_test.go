package hub

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"memctl/features/hub/remote"
)

// Every metric that the dashboard and the alerts of hub/deploy name is one that a hub has.
func TestDashboard(t *testing.T) {
	h := serveHub(t, ServerOptions{AuditDays: 30})
	h.grant(t, "user:anna", "%", true)
	h.exec(t, `INSERT INTO audit (asked_at, action, results) VALUES (now() - interval '31 days', 'search', 0)`)
	token := h.token(t, "anna")
	h.post(t, remote.PublishPath, token, onlyNote(payments))
	h.post(t, remote.SearchPath, token, remote.Query{Query: "JWT"})
	h.post(t, remote.SearchPath, "nobody", remote.Query{Query: "JWT"})
	h.exec(t, `UPDATE repositories SET published_at = now() - interval '8 days'`)
	ctx, end := context.WithCancel(t.Context())
	h.server.regularly(ctx, "audit", time.Hour, func(context.Context) error {
		defer end()
		return h.server.keepAudit(t.Context())
	})
	metrics := h.request(t, "GET", metricsPath, "", nil).body
	for _, line := range []string{
		`memctl_hub_repositories 1`,
		`memctl_hub_repositories_unpublished{days="1"} 1`,
		`memctl_hub_repositories_unpublished{days="7"} 1`,
		`memctl_hub_repositories_unpublished{days="30"} 0`,
		`memctl_hub_repositories_unpublished{days="90"} 0`,
		`memctl_hub_refusals_total{code="unauthorized",status="401"} 1`,
	} {
		if !strings.Contains(metrics, "\n"+line+"\n") {
			t.Errorf("no %s in %s\n%s", line, metrics, h.log)
		}
	}
	if !strings.Contains(h.log.String(), `"msg":"removed from the audit","rows":1,"days":30`) {
		t.Errorf("the log does not say that a row was removed: %s", h.log)
	}
	for _, file := range []string{"deploy/grafana.json", "deploy/alerts.yaml"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, ".json") && !json.Valid(data) {
			t.Errorf("%s is not JSON", file)
		}
		names := regexp.MustCompile(`memctl_hub_[a-z_]+`).FindAllString(string(data), -1)
		if len(names) < 10 {
			t.Errorf("%s names %q", file, names)
		}
		for _, name := range names {
			if !strings.Contains(metrics, "\n"+name+"{") && !strings.Contains(metrics, "\n"+name+" ") {
				t.Errorf("%s: the hub has no metric %s", file, name)
			}
		}
	}
	if promtool, err := exec.LookPath("promtool"); err == nil {
		if out, err := exec.Command(promtool, "check", "rules", "deploy/alerts.yaml").CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	}
}

// Without the database there are the other metrics, and what was read before is not shown as what is.
func TestMetricsWithoutTheDatabase(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.exec(t, `REVOKE EXECUTE ON FUNCTION figures FROM memctl_hub`)
	got := h.request(t, "GET", metricsPath, "", nil)
	if got.status != 200 || !strings.Contains(got.body, "memctl_hub_connections ") ||
		strings.Contains(got.body, "memctl_hub_repositories") {
		t.Errorf("%d %s", got.status, got.body)
	}
}
