package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Clients ask a person before they run what a project brings. memctl never answers for
// the person. It reads what two clients keep of the answers.

// Unapproved says what a person still has to approve before the client runs the hooks of
// the target, as far as the client's files tell; "" if they name nothing.
func (t Target) Unapproved() string {
	folder, err := t.Client.UserFolder()
	if err != nil {
		return ""
	}
	switch t.Client.Name {
	case "codex":
		return t.unreviewed(filepath.Join(folder, "config.toml"))
	case "gemini":
		if t.Scope == ProjectScope && !trustsFolder(filepath.Join(folder, "trustedFolders.json"), t.Project) {
			return "the folder is not trusted"
		}
	}
	return ""
}

// unreviewed reads Codex's configuration. A hook that was approved and whose line has
// changed since cannot be told from an approved one.
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
	if t.Scope == ProjectScope && file.Projects[t.Project].Trust != "trusted" {
		return "the folder is not trusted"
	}
	var missing []string
	for _, h := range t.Client.Hooks("memctl") {
		prefix := t.Settings + ":" + snakeCase(h.Event) + ":"
		if !hasPrefix(file.Hooks.State, prefix) {
			missing = append(missing, h.Event)
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return fmt.Sprintf("hooks that nobody has reviewed: %s", strings.Join(missing, ", "))
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

// trustsFolder reads Gemini CLI's trusted folders. The entry for the nearest folder
// decides.
func trustsFolder(path, project string) bool {
	folders := map[string]string{}
	data, err := ReadFile(path)
	if err != nil || json.Unmarshal(bytes.TrimPrefix(data, byteOrderMark), &folders) != nil {
		return false
	}
	for folder := project; ; folder = filepath.Dir(folder) {
		if decision, ok := folders[folder]; ok {
			return decision != "DO_NOT_TRUST"
		}
		if folder == filepath.Dir(folder) {
			return false
		}
	}
}
