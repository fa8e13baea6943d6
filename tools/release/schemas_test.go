package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// What others read has the form that they publish.
func TestManifestsFitTheirSchemas(t *testing.T) {
	r := &release{options: options{out: t.TempDir(), Homepage: "https://github.com/OWNER/memctl", Programs: []string{"memctl", "memctl-hub"}},
		Version: "1.2.3", Summary: summary, sums: map[string]string{}}
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, arch := range []string{"amd64", "arm64"} {
			p := platform{OS: system, Arch: arch}
			r.platforms = append(r.platforms, p)
			r.sums[r.archive(p)] = sum([]byte(p.String()))
		}
	}
	if err := r.manifests(); err != nil {
		t.Fatal(err)
	}
	const repository = "../.."
	for _, tt := range []struct{ schema, folder, file string }{
		{"scoop", r.out, "scoop/memctl.json"},
		{"winget.version", r.out, "winget/memctl.memctl.yaml"},
		{"winget.installer", r.out, "winget/memctl.memctl.installer.yaml"},
		{"winget.defaultLocale", r.out, "winget/memctl.memctl.locale.en-US.yaml"},
		{"server", r.out, "mcp-registry/server.json"},
		{"github-action", r.out, "action/action.yml"},
		{"codex-plugin", r.out, "codex/plugins/memctl/.codex-plugin/plugin.json"},
		{"codex-hooks", r.out, "codex/plugins/memctl/hooks/hooks.json"},
		{"compose", repository, "hub/deploy/compose.yaml"},
		{"claude-plugin", repository, ".claude-plugin/plugin.json"},
		{"claude-marketplace", repository, ".claude-plugin/marketplace.json"},
	} {
		t.Run(tt.file, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(tt.folder, filepath.FromSlash(tt.file)))
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(tt.file, "ml") {
				if data, err = yaml.YAMLToJSON(data); err != nil {
					t.Fatal(err)
				}
			}
			document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			schema, err := jsonschema.NewCompiler().Compile("testdata/schemas/" + tt.schema + ".json")
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(document); err != nil {
				t.Errorf("%v\n%s", err, data)
			}
		})
	}
}
