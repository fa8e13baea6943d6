package install

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
)

// Clients ask a person before they run what a project brings. memctl never answers for
// the person. It reads what the clients keep of the answers.

const untrusted = "the folder is not trusted"

// Unapproved says what a person still has to approve before the client runs the hooks of
// the target, as far as the client's files tell; "" if they name nothing.
func (t Target) Unapproved() string {
	folder, err := t.Client.UserFolder()
	if err != nil {
		return ""
	}
	trusted := true
	switch t.Client.Name {
	case "codex":
		return t.unreviewed(filepath.Join(folder, "config.toml"))
	case "gemini":
		trusted = os.Getenv("GEMINI_CLI_TRUST_WORKSPACE") == "true" || t.isTrusted(folder, os.Getenv("GEMINI_CLI_TRUSTED_FOLDERS_PATH"), true)
	case "qwen":
		trusted = t.isTrusted(folder, os.Getenv("QWEN_CODE_TRUSTED_FOLDERS_PATH"), false)
	case "copilot":
		trusted = t.isTrustedByCopilot(filepath.Join(folder, "config.json"))
	}
	if trusted || t.Scope != ProjectScope {
		return ""
	}
	return untrusted
}

// unreviewed reads Codex's configuration. It does not see that a line has changed since
// a person approved it.
func (t Target) unreviewed(config string) string {
	var file struct {
		Projects map[string]struct {
			Trust string `toml:"trust_level"`
		} `toml:"projects"`
		Hooks struct {
			State map[string]any `toml:"state"`
		} `toml:"hooks"`
	}
	data, err := ReadFile(config)
	if err != nil || toml.Unmarshal(data, &file) != nil {
		return "" // Codex itself reports it
	}
	trusted := func(project string) bool { return file.Projects[project].Trust == "trusted" }
	if t.Scope == ProjectScope && !trusted(t.Project) && !trusted(resolved(t.Project)) {
		return untrusted
	}
	var missing []string
	for _, h := range t.Client.Hooks("memctl") {
		key := ":" + snakeCase(h.Event) + ":"
		if !hasPrefix(file.Hooks.State, t.Settings+key) && !hasPrefix(file.Hooks.State, resolved(t.Settings)+key) {
			missing = append(missing, h.Event)
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return fmt.Sprintf("hooks that no one has reviewed: %s", strings.Join(missing, ", "))
}

func hasPrefix(set map[string]any, prefix string) bool {
	for key := range set {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

// snakeCase turns UserPromptSubmit into user_prompt_submit.
func snakeCase(name string) string {
	var out strings.Builder
	for i, r := range name {
		if i > 0 && 'A' <= r && r <= 'Z' {
			out.WriteByte('_')
		}
		out.WriteRune(r)
	}
	return strings.ToLower(out.String())
}

// isTrusted reads the files of Gemini CLI and Qwen Code. Their settings switch the
// question of trust on or off, and the longest rule for the folder decides.
func (t Target) isTrusted(folder, rulesFile string, asksByDefault bool) bool {
	var settings struct {
		Security struct {
			FolderTrust struct {
				Enabled *bool `json:"enabled"`
			} `json:"folderTrust"`
		} `json:"security"`
	}
	_ = readJSON(filepath.Join(folder, "settings.json"), &settings) // the client itself reports it
	asks := asksByDefault
	if enabled := settings.Security.FolderTrust.Enabled; enabled != nil {
		asks = *enabled
	}
	var rules map[string]string
	_ = readJSON(cmp.Or(rulesFile, filepath.Join(folder, "trustedFolders.json")), &rules)
	longest := ""
	for rule, decision := range rules {
		path := rule
		if decision == "TRUST_PARENT" {
			path = filepath.Dir(rule)
		}
		if contains(path, t.Project) && len(rule) > len(longest) {
			longest = rule
		}
	}
	return !asks || longest != "" && rules[longest] != "DO_NOT_TRUST"
}

// isTrustedByCopilot reads Copilot CLI's trusted folders.
func (t Target) isTrustedByCopilot(path string) bool {
	var config struct {
		Trusted []string `json:"trustedFolders"`
	}
	_ = readJSON(path, &config)
	return slices.ContainsFunc(config.Trusted, func(folder string) bool { return contains(folder, t.Project) })
}

// readJSON decodes a file of a client, which may have comments.
func readJSON(path string, into any) error {
	data, err := ReadFile(path)
	if err != nil || data == nil {
		return err
	}
	if data, err = hujson.Standardize(bytes.TrimPrefix(data, byteOrderMark)); err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

// contains reports whether a path is a folder or lies in it.
func contains(folder, path string) bool {
	rel, err := filepath.Rel(resolved(folder), resolved(path))
	return err == nil && filepath.IsLocal(rel)
}

// resolved follows the links in a path, as the clients do, if something is there.
func resolved(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}
