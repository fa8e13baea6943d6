package settings

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Switches are the settings, besides hooks, that decide whether hooks run.
type Switches struct {
	DisableAllHooks bool
	// EnabledPlugins says of plugins, named NAME@MARKETPLACE, whether they are on.
	EnabledPlugins map[string]bool
}

// ReadSwitches reads them from a settings file. A value of another type than
// expected counts as absent.
func ReadSwitches(settings []byte) (Switches, error) {
	var file struct {
		DisableAllHooks json.RawMessage            `json:"disableAllHooks"`
		EnabledPlugins  map[string]json.RawMessage `json:"enabledPlugins"`
	}
	if err := json.Unmarshal(settings, &file); err != nil {
		return Switches{}, fmt.Errorf("decode settings: %w", err)
	}
	s := Switches{string(file.DisableAllHooks) == "true", map[string]bool{}}
	for name, value := range file.EnabledPlugins {
		s.EnabledPlugins[name] = string(value) == "true"
	}
	return s, nil
}

// Plugins returns the full names of the plugins of a name, with whether the
// settings have them on. Narrower settings overrule wider ones.
func (s Switches) Plugins(name string) map[string]bool {
	found := map[string]bool{}
	for full, on := range s.EnabledPlugins {
		if strings.HasPrefix(full, name+"@") {
			found[full] = on
		}
	}
	return found
}
