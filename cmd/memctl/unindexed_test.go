package main

import (
	"database/sql"
	"os"
	"strings"
	"testing"
)

// memctl saves and finds a memory whatever is wrong with the index.
func TestWritesWithoutAnIndex(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		prepare func(p project)
		warns   string
	}{
		"none":      {prepare: func(p project) { p.check(os.RemoveAll(p.index())) }},
		"no SQLite": {prepare: func(p project) { p.breakIndex([]byte("broken")) }},
		"a folder": {prepare: func(p project) {
			p.check(os.Remove(p.index()))
			p.check(os.Mkdir(p.index(), 0o755))
		}},
		"locked": {prepare: func(p project) {
			holder, err := sql.Open("sqlite", "file:"+p.index())
			p.check(err)
			p.t.Cleanup(func() { holder.Close() })
			holder.SetMaxOpenConns(1)
			_, err = holder.Exec("BEGIN IMMEDIATE")
			p.check(err)
		}, warns: "[WARN] the memory is saved, but the index was not updated"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			p.put("decisions/first.json", "First")
			memctl(t, p.dir, "", "list")
			tt.prepare(p)
			out, errOut := memctl(t, p.dir, preference("Kafka keeps the events", "v"), "create", "--category", "preference", "--input", "-")
			if !strings.Contains(out, `"id": "kafka-keeps-the-events"`) {
				t.Errorf("stdout %q", out)
			}
			if strings.Contains(errOut, "[WARN]") != (tt.warns != "") || !strings.Contains(errOut, tt.warns) {
				t.Errorf("stderr %q", errOut)
			}
			p.wants("kafka", "Kafka keeps the events")
		})
	}
}
