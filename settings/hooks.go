package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Hook is a command that the client runs at an event.
type Hook struct {
	Event         string
	Matcher       string // of tool names or sources; "" is every one
	Command       string
	Args          []string // none where a shell reads the command
	Timeout       int      // in seconds; 0 is the client's own
	StatusMessage string
}

// Hooks lists the command hooks of a settings file, or of a plugin's hooks.json,
// which has the same form, in the file's order.
func Hooks(settings []byte) ([]Hook, error) {
	d, err := parse(settings)
	if err != nil {
		return nil, err
	}
	return d.list()
}

// list fails on a file whose hooks are not of the form the client knows.
func (d *document) list() ([]Hook, error) {
	events, err := d.section("hooks")
	if err != nil || events == nil {
		return nil, err
	}
	var found []Hook
	for _, event := range names(events) {
		groups, err := d.eventGroups(events, event)
		if err != nil {
			return nil, err
		}
		for _, g := range groups {
			found = append(found, g.list()...)
		}
	}
	return slices.DeleteFunc(found, func(h Hook) bool { return h.Command == "" }), nil
}

// group is the hooks of an event that share a matcher.
type group struct {
	event  string
	object *hujson.Object
	hooks  *hujson.Array // of objects
}

// eventGroups takes an event's value apart.
func (d *document) eventGroups(events *hujson.Object, event string) ([]group, error) {
	name := "hooks." + event
	array, err := d.array(member(events, event), name)
	if err != nil {
		return nil, err
	}
	groups := make([]group, len(array.Elements))
	for i := range array.Elements {
		if groups[i], err = d.group(&array.Elements[i], fmt.Sprintf("%s[%d]", name, i)); err != nil {
			return nil, err
		}
		groups[i].event = event
	}
	return groups, nil
}

func (d *document) group(value *hujson.Value, name string) (group, error) {
	object, err := d.object(value, name)
	if err != nil {
		return group{}, err
	}
	hooks := member(object, "hooks")
	if hooks == nil {
		return group{object: object, hooks: new(hujson.Array)}, nil // the client passes over it
	}
	array, err := d.array(hooks, name+".hooks")
	if err != nil {
		return group{}, err
	}
	for i := range array.Elements {
		if _, err := d.object(&array.Elements[i], fmt.Sprintf("%s.hooks[%d]", name, i)); err != nil {
			return group{}, err
		}
	}
	return group{object: object, hooks: array}, nil
}

func (g group) matcher() (matcher string) {
	decode(member(g.object, "matcher"), &matcher)
	return matcher
}

// list reads the group's hooks, one for each element.
func (g group) list() []Hook {
	hooks := make([]Hook, len(g.hooks.Elements))
	for i := range hooks {
		hooks[i] = g.hook(g.entry(i))
	}
	return hooks
}

func (g group) entry(i int) *hujson.Object { return g.hooks.Elements[i].Value.(*hujson.Object) }

// hook has no command where the entry is of a kind that runs none. A field of a
// wrong type counts as absent.
func (g group) hook(entry *hujson.Object) Hook {
	h := Hook{Event: g.event, Matcher: g.matcher()}
	var kind string
	var seconds float64
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

// IsOurs tells whether the hook runs "memctl hook NAME", from whatever folder.
func (h Hook) IsOurs() bool { return h.Name() != "" }

// Name is what follows "memctl hook", "" where the hook runs anything else or, in a
// shell, anything more.
func (h Hook) Name() string {
	words, plain := Words(h)
	if !plain || len(words) < 3 || len(h.Args) == 0 && len(words) > 3 {
		return ""
	}
	if !isMemctl(words[0]) || words[1] != "hook" || strings.Trim(words[2], nameLetters) != "" {
		return ""
	}
	return words[2]
}

const nameLetters = "abcdefghijklmnopqrstuvwxyz-"

// sameMatcher tells whether two matchers match the same, as far as one can see.
func sameMatcher(a, b string) bool {
	every := []string{"", "*"}
	return a == b || slices.Contains(every, a) && slices.Contains(every, b)
}
