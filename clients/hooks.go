package clients

import (
	"slices"
	"strings"

	"memctl/jsonedit"
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
func Hooks(file []byte) ([]Hook, error) {
	s, err := parse(file)
	if err != nil {
		return nil, err
	}
	var found []Hook
	for _, e := range s.hooks() {
		if e.Command != "" {
			found = append(found, e.Hook)
		}
	}
	return found, s.Err()
}

// hookEntry is a hook in a file. A hook that runs no command has no Command.
type hookEntry struct {
	Hook
	pointer string
	group   string // the pointer to the hooks that share a matcher
	alone   bool   // in the group
}

// hooks lists all hooks.
func (s settings) hooks() (entries []hookEntry) {
	for _, event := range s.Root().Member("hooks").Members() {
		for _, group := range event.Elements() {
			list := group.Member("hooks").Elements()
			var matcher string
			group.Member("matcher").Decode(&matcher)
			for _, v := range list {
				h := readHook(v)
				h.Event, h.Matcher = event.Name, matcher
				entries = append(entries, hookEntry{h, v.Pointer, group.Pointer, len(list) == 1})
			}
		}
	}
	return entries
}

// readHook reads a hook that runs a command, and returns the zero Hook for others.
func readHook(v jsonedit.Value) (h Hook) {
	var hookType string
	if v.Member("type").Decode(&hookType); hookType != commandType {
		return h
	}
	v.Member("command").Decode(&h.Command)
	v.Member("timeout").Decode(&h.Timeout)
	v.Member("statusMessage").Decode(&h.StatusMessage)
	return h
}

// addHook leaves exactly one hook of the name in the event. It updates the first one
// whose group has the right matcher or can be given it.
func (s settings) addHook(h Hook, in Entries) {
	isOther := func(e hookEntry) bool { return e.Event != h.Event || e.Name() != h.Name() }
	entries := slices.DeleteFunc(s.hooks(), isOther)
	keep := slices.IndexFunc(entries, func(e hookEntry) bool { return e.alone || e.Matcher == h.Matcher })
	if keep < 0 {
		s.Put("/hooks/"+h.Event+"/-", hookGroup{h.Matcher, []hookFields{{commandType, h}}})
	} else {
		s.updateHook(entries[keep], h, in)
	}
	for i, e := range slices.Backward(entries) {
		if i != keep {
			s.prune(e.pointer)
		}
	}
}

// updateHook keeps fields of the user's, and arguments after memctl's own, but none of a
// stranger's.
func (s settings) updateHook(e hookEntry, h Hook, in Entries) {
	arguments := e.arguments()
	if in.replaced != nil {
		more := s.Strip(e.pointer, hookFields{commandType, h})
		if arguments = strings.TrimSpace(arguments); arguments != "" {
			more = append(more, arguments)
		}
		in.replaces("the hook of "+h.Event, more)
		arguments = ""
	}
	h.Command = strings.TrimSuffix(h.Command, lineEnd) + arguments + lineEnd
	s.Put(e.pointer, hookFields{commandType, h})
	if e.Matcher != h.Matcher {
		s.Put(e.group+"/matcher", h.Matcher)
	}
}
