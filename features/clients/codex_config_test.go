package clients

import (
	"bytes"
	"strings"
	"testing"

	"memctl/clients"
)

var codexServer = clients.Entries{Server: &clients.Server{
	Name: clients.ServerName, Command: "/opt/my tools/memctl", Args: []string{"mcp"},
}}

func TestTOMLServerComesAndGoes(t *testing.T) {
	for name, file := range map[string]string{
		"an empty file":         "",
		"no newline at the end": "model = \"x\"",
		"tables":                "model = \"x\"\n\n[mcp_servers.db]\ncommand = \"db\"\n",
		"an empty line at end":  "a = 1\n\n",
		"CRLF":                  "a = 1\r\n[b]\r\nc = \"\"\"\r\nx\"\"\"\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			before := []byte(file)
			with := mustAddTOML(t, before)
			if again := mustAddTOML(t, with); !bytes.Equal(again, with) {
				t.Errorf("added twice: %q", again)
			}
			after, err := tomlForm{}.Remove(with, before)
			if err != nil || !bytes.Equal(after, before) {
				t.Errorf("removed: %q, %v; want %q", after, err, before)
			}
			// Edits after the installation stay, and so does everything around the block.
			edited := append(with, "[later]\nx = 1\n"...)
			after, err = tomlForm{}.Remove(edited, before)
			if err != nil || !bytes.HasPrefix(after, before) || !bytes.HasSuffix(after, []byte("[later]\nx = 1\n")) || bytes.Contains(after, []byte("memctl")) {
				t.Errorf("removed from the edited file: %q, %v", after, err)
			}
		})
	}
}

func mustAddTOML(t *testing.T, data []byte) []byte {
	t.Helper()
	after, err := tomlForm{}.Add(data, codexServer)
	if err != nil {
		t.Fatal(err)
	}
	e, err := (tomlForm{}).Find(after)
	if err != nil || e.Server == nil || e.Server.Command != codexServer.Server.Command {
		t.Fatalf("found %v, %v in %q", e.Server, err, after)
	}
	return after
}

func TestTOMLThatCannotBeEdited(t *testing.T) {
	for file, want := range map[string]string{
		"a = ":             "line 1, column",
		"mcp_servers = {}": "no server can be added",
		"[mcp_servers.memctl]\ncommand = \"other\"\n": `another "memctl"`,
	} {
		after, err := (tomlForm{}).Add([]byte(file), codexServer)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v; want an error with %q", file, after, err, want)
		}
	}
}

func TestTOMLApprovalSurvivesAnUpdate(t *testing.T) {
	approved := *codexServer.Server
	approved.ApprovalMode = "approve"
	before, err := tomlForm{}.Add(nil, clients.Entries{Server: &approved})
	if err != nil {
		t.Fatal(err)
	}
	if after := mustAddTOML(t, before); !bytes.Equal(after, before) {
		t.Errorf("got %s, want %s", after, before)
	}
}

func TestServerRegisteredByHandStays(t *testing.T) {
	file := []byte("[mcp_servers.memctl]\ncommand = \"/opt/my tools/memctl\"\nargs = [\"mcp\"]\n")
	if after := mustAddTOML(t, file); !bytes.Equal(after, file) {
		t.Errorf("changed to %s", after)
	}
}

// Codex adds tables, some below the server's, and moves comments.
func TestTOMLThatCodexAddedTo(t *testing.T) {
	const (
		before  = "model = \"x\"\n"
		decided = "\n[mcp_servers.memctl.tools.save]\napproval_mode = \"approve\"\n"
		trust   = "\n# trust\n[projects.\"/p\"]\ntrust_level = \"trusted\"\n"
		hooks   = "\n[hooks.state.\"/p/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:0\"\n# the end\n"
	)
	with := string(mustAddTOML(t, []byte(before))) + decided + trust + hooks
	if after := mustAddTOML(t, []byte(with)); string(after) != with {
		t.Errorf("added twice: %s", after)
	}
	other := clients.Entries{Server: &clients.Server{
		Name: clients.ServerName, Command: "memctl", Args: []string{"mcp"},
	}}
	updated, err := tomlForm{}.Add([]byte(with), other)
	if err != nil || !strings.HasSuffix(string(updated), decided+trust+hooks) || strings.Contains(string(updated), "/opt") {
		t.Errorf("updated: %s, %v", updated, err)
	}
	after, err := tomlForm{}.Remove(updated, []byte(before))
	if want := before + trust + hooks; err != nil || strings.ReplaceAll(string(after), "\n\n\n", "\n\n") != want {
		t.Errorf("removed: %q, %v; want %q", after, err, want)
	}
}

// FuzzTOML holds adding and removing to what users are promised of any file.
func FuzzTOML(f *testing.F) {
	for _, seed := range []string{"", "a = 1", "[a]\r\nb = '''\r\n'''\r\n", "[mcp_servers]\n", blockStart + "\n", blockStart + "\n[mcp_servers.memctl]\ncommand=\"memctl\"\nargs=[\"mcp\"]\n[mcp_servers.memctl.tools]\n# x\n[[b]]\n", "mcp_servers.memctl.command = \"memctl\"\nmcp_servers.memctl.args=[\"mcp\"]\n", "\ufeffa=1\n\n\n", "a = '''\n" + blockStart + "\n'''\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, before []byte) {
		with, err := tomlForm{}.Add(before, codexServer)
		if err != nil {
			return
		}
		again, err := tomlForm{}.Add(with, codexServer)
		if err != nil || !bytes.Equal(again, with) {
			t.Fatalf("added twice: %q, %v\nonce: %q", again, err, with)
		}
		(tomlForm{}).Diff("config.toml", before, with) // any file
		if bytes.Equal(with, before) {
			return // it was registered by hand
		}
		if after, err := (tomlForm{}).Remove(with, before); err != nil || !bytes.Equal(after, before) {
			t.Fatalf("removed: %q, %v; want %q", after, err, before)
		}
	})
}
