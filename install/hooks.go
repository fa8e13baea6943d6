package install

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Hook is a command that the client runs at an event.
type Hook struct {
	Event         string  `json:"-"`
	Matcher       string  `json:"-"` // of tool names or sources; "" matches all
	Command       string  `json:"command"`
	Timeout       float64 `json:"timeout,omitempty"` // in seconds; 0 is the client's default
	StatusMessage string  `json:"statusMessage,omitempty"`
}

// hookFields is how a hook stands in a file.
type hookFields struct {
	Type string `json:"type"`
	Hook
}

// hookGroup is how hooks that share a matcher stand in a file.
type hookGroup struct {
	Matcher string       `json:"matcher,omitempty"`
	Hooks   []hookFields `json:"hooks"`
}

// commandType is the type of a hook that runs a command.
const commandType = "command"

// Hooks lists the command hooks of a settings file in its order. The hooks.json of a
// plugin has the same format.
func Hooks(settings []byte) ([]Hook, error) {
	d, err := parse(settings)
	if err != nil {
		return nil, err
	}
	var found []Hook
	for _, e := range d.hooks() {
		if e.Command != "" {
			found = append(found, e.Hook)
		}
	}
	return found, d.err
}

// hookEntry is a hook in a document. A hook that runs no command has no Command.
type hookEntry struct {
	Hook
	group string // the pointer to the hooks that share a matcher
	index int    // in the group
	alone bool   // in the group
}

func (e hookEntry) pointer() string { return fmt.Sprintf("%s/hooks/%d", e.group, e.index) }

// hooks lists all hooks.
func (d *document) hooks() []hookEntry {
	var entries []hookEntry
	events := d.section("hooks")
	for i := range events.Members {
		event := nameOf(events.Members[i])
		groups := d.array(&events.Members[i].Value, "hooks."+event)
		for j := range groups.Elements {
			entries = append(entries, d.groupHooks(event, j, &groups.Elements[j])...)
		}
	}
	return entries
}

func (d *document) groupHooks(event string, index int, v *hujson.Value) []hookEntry {
	name := fmt.Sprintf("hooks.%s[%d]", event, index)
	pointer := fmt.Sprintf("/hooks/%s/%d", escapePointer(event), index)
	group := d.object(v, name)
	list := d.array(member(group, "hooks"), name+".hooks").Elements
	var matcher string
	decode(member(group, "matcher"), &matcher)
	entries := make([]hookEntry, len(list))
	for i := range list {
		h := readHook(d.object(&list[i], fmt.Sprintf("%s.hooks[%d]", name, i)))
		h.Event, h.Matcher = event, matcher
		entries[i] = hookEntry{h, pointer, i, len(list) == 1}
	}
	return entries
}

// readHook reads a hook that runs a command, and returns the zero Hook for others. Like
// the client it distinguishes case in names, which encoding/json does not.
func readHook(fields *hujson.Object) (h Hook) {
	var hookType string
	if decode(member(fields, "type"), &hookType); hookType != commandType {
		return h
	}
	decode(member(fields, "command"), &h.Command)
	decode(member(fields, "timeout"), &h.Timeout)
	decode(member(fields, "statusMessage"), &h.StatusMessage)
	return h
}

// addHook leaves exactly one hook of the name in the event. It updates the first one
// whose group has the right matcher or can be given it.
func (d *document) addHook(h Hook) {
	entries := slices.DeleteFunc(d.hooks(), func(e hookEntry) bool { return e.Event != h.Event || e.Name() != h.Name() })
	keep := slices.IndexFunc(entries, func(e hookEntry) bool { return e.alone || e.Matcher == h.Matcher })
	if keep < 0 {
		d.put("/hooks/"+h.Event+"/-", encode(hookGroup{h.Matcher, []hookFields{{commandType, h}}}))
	} else {
		d.updateHook(entries[keep], h)
	}
	for i, e := range slices.Backward(entries) {
		if i != keep {
			d.remove(e.pointer())
		}
	}
}

// updateHook keeps fields of the user's, and arguments after memctl's own.
func (d *document) updateHook(e hookEntry, h Hook) {
	h.Command = strings.TrimSuffix(h.Command, lineEnd) + e.arguments() + lineEnd
	d.put(e.pointer(), encode(hookFields{commandType, h}))
	if e.Matcher != h.Matcher {
		d.put(e.group+"/matcher", encode(h.Matcher))
	}
}
