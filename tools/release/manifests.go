package main

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"text/template"
	"time"

	"memctl/clients"
	otherclients "memctl/features/clients"
)

//go:embed templates
var templates embed.FS

func fill(name string, data any) ([]byte, error) {
	t, err := template.New(name).ParseFS(templates, "templates/"+name)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, data)
	return out.Bytes(), err
}

// manifests are the files that say where a release is, and the templates of which they are made.
var manifests = map[string]string{
	"install.sh":                                     "install.sh",
	"homebrew/memctl.rb":                             "homebrew.rb",
	"scoop/memctl.json":                              "scoop.json",
	"winget/memctl.memctl.yaml":                      "winget.yaml",
	"winget/memctl.memctl.installer.yaml":            "winget.installer.yaml",
	"winget/memctl.memctl.locale.en-US.yaml":         "winget.locale.en-US.yaml",
	"mcp-registry/server.json":                       "server.json",
	"action/action.yml":                              "action.yml",
	"codex/.agents/plugins/marketplace.json":         "codex-marketplace.json",
	"codex/plugins/memctl/.codex-plugin/plugin.json": "codex-plugin.json",
	"codex/plugins/memctl/.mcp.json":                 "mcp.json",
	"copilot/.github/plugin/marketplace.json":        "copilot-marketplace.json",
	"copilot/plugins/memctl/plugin.json":             "copilot-plugin.json",
	"copilot/plugins/memctl/.mcp.json":               "mcp.json",
	"gemini/gemini-extension.json":                   "extension.json",
	"qwen/qwen-extension.json":                       "extension.json",
}

// hookFiles are the hooks of the extensions of clients, which run the memctl on the PATH.
var hookFiles = map[*clients.Client]string{
	otherclients.Codex:   "codex/plugins/memctl/hooks/hooks.json",
	otherclients.Copilot: "copilot/plugins/memctl/hooks.json",
	otherclients.Gemini:  "gemini/hooks/hooks.json",
	otherclients.Qwen:    "qwen/hooks/hooks.json",
}

// listed is an archive in a manifest.
type listed struct {
	OS, Arch                  string
	Name, Folder, URL, SHA256 string
}

// Archives are those of all platforms.
func (r *release) Archives() []listed {
	var list []listed
	for _, p := range r.platforms {
		name := r.archive(p)
		list = append(list, listed{p.OS, p.Arch, name, r.folder(p), r.Downloads() + "/" + name, r.sums[name]})
	}
	return list
}

// Systems are the systems of the platforms, each once.
func (r *release) Systems() []string {
	var list []string
	for _, p := range r.platforms {
		if !slices.Contains(list, p.OS) {
			list = append(list, p.OS)
		}
	}
	return list
}

// For returns the archives of a system.
func (r *release) For(system string) []listed {
	return slices.DeleteFunc(r.Archives(), func(a listed) bool { return a.OS != system })
}

// Downloads is the folder of the release's files, as GitHub has it.
func (r *release) Downloads() string { return r.Homepage + "/releases/download/v" + r.Version }

// RegistryName is the name of the MCP server in a registry: GitHub's owner, turned around.
func (r *release) RegistryName() string {
	owner := path.Base(path.Dir(strings.TrimPrefix(r.Homepage, "https://")))
	return "io.github." + owner + "/memctl"
}

// Date is the day of the release.
func (r *release) Date() string { return r.date.Format(time.DateOnly) }

func (r *release) manifests() error {
	for target, name := range manifests {
		data, err := fill(name, r)
		if err != nil {
			return err
		}
		if err := r.write(target, data); err != nil {
			return err
		}
	}
	for client, target := range hookFiles {
		data, err := client.HooksFile("memctl")
		if err != nil {
			return err
		}
		if err := r.write(target, data); err != nil {
			return err
		}
	}
	return nil
}

// notes writes the version's section of CHANGELOG.md.
func (r *release) notes() error {
	section, err := sectionOf(string(r.sharedFile("CHANGELOG.md").data), r.Version)
	if err != nil {
		return err
	}
	return r.write("release-notes.md", []byte(section))
}

// sectionOf returns the section of a version in the changelog, without its heading. A version
// that is not released yet has the section Unreleased.
func sectionOf(changelog, version string) (string, error) {
	unreleased := ""
	for section := range strings.SplitSeq("\n"+changelog, "\n## [") {
		name, _, found := strings.Cut(section, "]")
		_, body, _ := strings.Cut(section, "\n")
		switch {
		case found && name == version:
			return strings.TrimSpace(body) + "\n", nil
		case found && name == "Unreleased":
			unreleased = strings.TrimSpace(body) + "\n"
		}
	}
	if unreleased == "" {
		return "", fmt.Errorf("CHANGELOG.md has no section for %s", version)
	}
	return unreleased, nil
}

// checksums lists every file of the release, as sha256sum prints it.
func (r *release) checksums() error {
	var lines strings.Builder
	files := os.DirFS(r.out)
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		fmt.Fprintf(&lines, "%s  %s\n", sum(data), name)
		return err
	})
	if err != nil {
		return err
	}
	return r.write("checksums.txt", []byte(lines.String()))
}
