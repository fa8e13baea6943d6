package main

import (
	"os"
	"testing"

	"memctl/retrieve"
)

// The reading tools ask the user's root too and say whose memory each is. Without a root
// of the project the user's alone answers.
func TestMCPReadsTheUsersRoot(t *testing.T) {
	t.Parallel()
	shop, user, bare := parcelProject(t), newProject(t), project{t, t.TempDir()}
	user.check(os.MkdirAll(user.path("preferences"), 0o755))
	user.check(os.MkdirAll(user.path("constraints"), 0o755))
	user.put("preferences/zebra-stripes.json", "Zebra stripes of webhooks")
	user.put("constraints/kafka-message-size.json", "Zebra messages")
	for name, dir := range map[string]string{"with a project": shop.dir, "without": bare.dir} {
		t.Run(name, func(t *testing.T) {
			server := mcpServer(dir)
			server.Env = append(server.Environ(), "MEMCTL_USER_ROOT="+user.path())
			s := openSession(t, newMCPClient(nil), server, "")
			var found struct{ Rows []retrieve.Row }
			s.call("search", map[string]any{"query": "zebra stripes"}, &found)
			rows := found.Rows
			if len(rows) == 0 || rows[0].ID != "zebra-stripes" || rows[0].Scope != "user" {
				t.Fatalf("found %+v", rows)
			}
			for _, row := range rows[1:] {
				if overridden := row.ID == "kafka-message-size" && row.Scope == "user"; overridden && dir == shop.dir {
					t.Errorf("found %+v, in whose place the project's stands", row)
				}
			}
			var got struct{ Details []retrieve.Detail }
			s.call("get", map[string]any{"ids": []string{"zebra-str", "kafka-message-size"}}, &got)
			if d := got.Details; d[0].ID != "zebra-stripes" || d[0].Scope != "user" || (d[1].Scope == "user") != (dir == bare.dir) {
				t.Errorf("got %+v", d)
			}
			var timelines struct{ Timelines []retrieve.Timeline }
			s.call("timeline", map[string]any{"ids": []string{"zebra-stripes"}}, &timelines)
			if tl := timelines.Timelines; tl[0].Scope != "user" || len(tl[0].Events) == 0 {
				t.Errorf("the timeline is %+v", tl)
			}
		})
	}
}
