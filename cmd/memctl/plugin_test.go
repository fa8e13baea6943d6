package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"memctl/clients"
	"memctl/schemas"
	"memctl/triage"
)

// pluginRoot is the repository, which is the plugin and its marketplace.
const pluginRoot = "../.."

type pluginManifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	Author      map[string]string `json:"author"`
	License     string            `json:"license"`
	Keywords    []string          `json:"keywords"`
	MCPServers  map[string]struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
	} `json:"mcpServers"`
}

type marketplace struct {
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Owner       map[string]string `json:"owner"`
	Plugins     []struct {
		Name        string `json:"name"`
		Version     string `json:"version"`
		Source      string `json:"source"`
		Description string `json:"description"`
		Category    string `json:"category"`
	} `json:"plugins"`
}

// decodeStrict refuses keys that the type does not have. The client silently ignores a
// misspelled key.
func decodeStrict(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(pluginRoot, path))
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func TestPluginManifestsAgree(t *testing.T) {
	t.Parallel()
	var plugin pluginManifest
	decodeStrict(t, ".claude-plugin/plugin.json", &plugin)
	if plugin.Name != "memctl" || plugin.Version != version || plugin.Description == "" || plugin.Author["name"] == "" {
		t.Errorf("plugin.json: %+v; memctl is %s", plugin, version)
	}
	if s := plugin.MCPServers[clients.ServerName]; s.Command != "${CLAUDE_PLUGIN_ROOT}/bin/memctl" ||
		!slices.Equal(s.Args, []string{"mcp"}) {
		t.Errorf("plugin.json: the MCP server is %+v", s)
	}
	var market marketplace
	decodeStrict(t, ".claude-plugin/marketplace.json", &market)
	if market.Name == "" || market.Owner["name"] == "" || len(market.Plugins) != 1 {
		t.Fatalf("marketplace.json: %+v", market)
	}
	listed := market.Plugins[0]
	if listed.Name != plugin.Name || listed.Version != version || listed.Description == "" {
		t.Errorf("marketplace.json lists %+v", listed)
	}
	if !strings.HasPrefix(listed.Source, "./") {
		t.Errorf("the source %q is not a path in the marketplace", listed.Source)
	}
	if _, err := os.Stat(filepath.Join(pluginRoot, listed.Source, ".claude-plugin", "plugin.json")); err != nil {
		t.Error(err)
	}
}

// pluginDoc is a command or a skill: the keys of its front matter and its text.
type pluginDoc struct {
	path, body string
	head       map[string]string
}

func pluginDocs(t *testing.T) []pluginDoc {
	t.Helper()
	var docs []pluginDoc
	for _, pattern := range []string{"commands/*.md", "skills/*/SKILL.md"} {
		paths, err := filepath.Glob(filepath.Join(pluginRoot, pattern))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %v, %v", pattern, paths, err)
		}
		for _, path := range paths {
			docs = append(docs, readPluginDoc(t, path))
		}
	}
	return docs
}

func readPluginDoc(t *testing.T, path string) pluginDoc {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.SplitN(string(data), "---\n", 3)
	if len(parts) != 3 || parts[0] != "" {
		t.Fatalf("%s does not begin with a head between lines of ---", path)
	}
	doc := pluginDoc{path, parts[2], map[string]string{}}
	for line := range strings.Lines(parts[1]) {
		key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if !ok {
			t.Errorf("%s: %q in the front matter is not a key with a value", path, line)
		}
		doc.head[key] = value
	}
	return doc
}

func TestPluginHeads(t *testing.T) {
	t.Parallel()
	for _, doc := range pluginDocs(t) {
		isSkill := filepath.Base(doc.path) == "SKILL.md"
		want := []string{"allowed-tools", "argument-hint", "description"}
		if isSkill {
			// No allowed-tools: a skill with them runs only after the user agrees.
			want = []string{"description", "name"}
		}
		var got []string
		for key := range doc.head {
			got = append(got, key)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the head has %v, want %v", doc.path, got, want)
		}
		if isSkill && doc.head["name"] != filepath.Base(filepath.Dir(doc.path)) {
			t.Errorf("%s: it is named %q", doc.path, doc.head["name"])
		}
	}
}

// The skill must explain everything that the stop hook prints.
func TestStopHookAndSkillAgree(t *testing.T) {
	t.Parallel()
	doc := readPluginDoc(t, filepath.Join(pluginRoot, "skills", "memory-management", "SKILL.md"))
	item := triage.Proposal{CategoryScore: triage.CategoryScore{Category: schemas.Decision}, Description: "d",
		ContextFile: "c"}
	if triage.SaveTool != "mcp__"+clients.ServerName+"__save" || triage.PluginSaveTool != "mcp__plugin_memctl_"+
		clients.ServerName+"__save" {
		t.Errorf("the stop hook names the tools %s and %s", triage.SaveTool, triage.PluginSaveTool)
	}
	ask := triage.Ask([]triage.Proposal{item}, triage.PluginSaveTool, "triage-data.json", true)
	if !strings.Contains(ask, doc.head["name"]+" skill") {
		t.Errorf("the stop hook does not name the skill %s:\n%s", doc.head["name"], ask)
	}
	if ask := triage.Ask([]triage.Proposal{item}, triage.SaveTool, "triage-data.json", true); strings.Contains(ask,
		"skill") {
		t.Errorf("without the plugin, there is no skill:\n%s", ask)
	}
	data := triage.Data([]triage.Proposal{item}, schemas.DefaultConfig().Triage.Parallel)
	var wire struct {
		Categories []map[string]any `json:"categories"`
		Parallel   map[string]any   `json:"parallel_config"`
	}
	if err := json.Unmarshal([]byte(data), &wire); err != nil || len(wire.Categories) != 1 {
		t.Fatalf("%v: %s", err, data)
	}
	for _, keys := range []map[string]any{wire.Categories[0], wire.Parallel} {
		for key := range keys {
			if !strings.Contains(doc.body, "`"+key+"`") {
				t.Errorf("the skill says nothing of %s", key)
			}
		}
	}
	for _, info := range schemas.Categories {
		if !strings.Contains(doc.body, "\n| "+string(info.Category)+" |") {
			t.Errorf("the skill has no row for %s", info.Category)
		}
	}
}

var (
	bashRule = regexp.MustCompile(`^Bash\(memctl ([a-z-]+)(?: [a-z-]+)*(?::\*)?\)$`)
	toolRule = regexp.MustCompile(`^mcp__(memctl|plugin_memctl_memctl)__([a-z]+)$`)
)

// A command of the plugin allows the commands and tools that it mentions, and no others.
func TestPluginCommandsAreAllowed(t *testing.T) {
	t.Parallel()
	for _, doc := range pluginDocs(t) {
		if doc.head["allowed-tools"] == "" {
			continue
		}
		allowed := map[string]bool{}
		for rule := range strings.SplitSeq(doc.head["allowed-tools"], ", ") {
			if tool := toolRule.FindStringSubmatch(rule); tool != nil {
				if !slices.Contains(clients.ServerTools, tool[2]) || !strings.Contains(doc.body, "`"+rule+"`") {
					t.Errorf("%s: %s is allowed and not used", doc.path, rule)
				}
				continue
			}
			match := bashRule.FindStringSubmatch(rule)
			if match == nil {
				t.Fatalf("%s: %q is not a rule for a command of memctl", doc.path, rule)
			}
			allowed[match[1]] = false
		}
		for _, line := range doc.commandLines(t) {
			if _, ok := allowed[line.args[0]]; !ok {
				t.Errorf("%s: %s is not allowed", doc.path, line.text)
			}
			allowed[line.args[0]] = true
		}
		for name, used := range allowed {
			if !used {
				t.Errorf("%s: memctl %s is allowed and not used", doc.path, name)
			}
		}
	}
}
