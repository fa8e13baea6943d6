package install

import (
	"fmt"

	"memctl/hooks"

	"github.com/tailscale/hujson"
)

// Hook is a command that the client runs at an event.
type Hook struct {
	Event         string
	Matcher       string // of tool names or sources; "" matches all
	Command       string
	Args          []string // nil if a shell reads the command
	Timeout       int      // in seconds; 0 is the client's default
	StatusMessage string
}

// RegisteredHooks lists the hooks that the plugin registers, with another command.
func RegisteredHooks(command string) ([]Hook, error) {
	registered, err := Hooks(hooks.Registration)
	if err != nil {
		return nil, fmt.Errorf("read the plugin's hooks: %w", err)
	}
	for i := range registered {
		registered[i].Command = command
	}
	return registered, nil
}

// Hooks lists the command hooks of a settings file in its order. The hooks.json of a
// plugin has the same format.
func Hooks(settings []byte) ([]Hook, error) {
	d, err := parse(settings)
	if err != nil {
		return nil, err
	}
	entries, err := d.hookEntries()
	var found []Hook
	for _, e := range entries {
		if e.Command != "" {
			found = append(found, e.Hook)
		}
	}
	return found, err
}

// hookEntry is a hook as it stands in a file.
type hookEntry struct {
	Hook
	pointer string         // of the entry
	object  *hujson.Object // the entry
	group   *hujson.Object // the hooks that share its matcher
}

// hookEntries lists all hooks. It fails if they do not have the format that the client
// expects.
func (d *document) hookEntries() ([]hookEntry, error) {
	events, err := d.section("hooks")
	if err != nil || events == nil {
		return nil, err
	}
	var entries []hookEntry
	for i := range events.Members {
		event := nameOf(events.Members[i].Name)
		groups, err := d.array(&events.Members[i].Value, "hooks."+event)
		if err != nil {
			return nil, err
		}
		for j := range groups.Elements {
			found, err := d.groupEntries(event, j, &groups.Elements[j])
			if err != nil {
				return nil, err
			}
			entries = append(entries, found...)
		}
	}
	return entries, nil
}

// groupEntries lists the hooks of one group of an event.
func (d *document) groupEntries(event string, index int, value *hujson.Value) ([]hookEntry, error) {
	name := fmt.Sprintf("hooks.%s[%d]", event, index)
	group, err := d.object(value, name)
	if err != nil {
		return nil, err
	}
	list := member(group, "hooks")
	if list == nil {
		return nil, nil // the client ignores the group
	}
	array, err := d.array(list, name+".hooks")
	if err != nil {
		return nil, err
	}
	entries := make([]hookEntry, len(array.Elements))
	for i := range array.Elements {
		object, err := d.object(&array.Elements[i], fmt.Sprintf("%s.hooks[%d]", name, i))
		if err != nil {
			return nil, err
		}
		entries[i] = hookEntry{readHook(event, group, object), pointer("hooks", event, index, "hooks", i), object, group}
	}
	return entries, nil
}

// readHook reads an entry. An entry that runs no command gives a hook without one, and
// a field of the wrong type counts as absent.
func readHook(event string, group, entry *hujson.Object) Hook {
	h := Hook{Event: event}
	var kind string
	var seconds float64
	decode(member(group, "matcher"), &h.Matcher)
	if !decode(member(entry, "type"), &kind) || kind != "command" {
		return h
	}
	decode(member(entry, "command"), &h.Command)
	decode(member(entry, "args"), &h.Args)
	decode(member(entry, "timeout"), &seconds)
	decode(member(entry, "statusMessage"), &h.StatusMessage)
	h.Timeout = int(seconds)
	return h
}
