// Package settings reads what the agent's client is told in its settings.json.
// Bytes in, values out.
package settings

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Hook is one command hook registered in a settings file.
type Hook struct {
	Event   string
	Matcher string
	Command string
	Args    []string // with any, no shell stands between
	Timeout int      // seconds; 0 where none is given
}

// Hooks returns every command hook registered in a settings file, by event.
func Hooks(settings []byte) ([]Hook, error) {
	var file struct {
		Hooks map[string][]struct {
			Matcher string
			Hooks   []struct {
				Type    string
				Command string
				Args    []string
				Timeout int
			}
		}
	}
	if err := json.Unmarshal(settings, &file); err != nil {
		return nil, fmt.Errorf("decode settings: %w", err)
	}
	var list []Hook
	for event, groups := range file.Hooks {
		for _, group := range groups {
			for _, hook := range group.Hooks {
				if hook.Type == "command" {
					list = append(list, Hook{event, group.Matcher, hook.Command, hook.Args, hook.Timeout})
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Hook) int { return strings.Compare(a.Event, b.Event) })
	return list, nil
}
