package install

import (
	"bytes"
	"reflect"
	"slices"

	"github.com/tailscale/hujson"
)

// Entries are what memctl has in a file of the client: hooks and permission rules in
// settings.json, the server in .mcp.json.
type Entries struct {
	Hooks  []Hook
	Rules  []string // of permissions.allow
	Server *Server
}

// Add puts entries into a file and returns the new bytes. A hook or server of memctl
// that is already there is updated in place. If nothing changes, the given bytes come
// back.
func Add(data []byte, e Entries) ([]byte, error) {
	d, err := parse(data)
	if err != nil {
		return nil, err
	}
	if _, err := d.hookEntries(); err != nil {
		return nil, err
	}
	for _, h := range e.Hooks {
		if err := d.addHook(h); err != nil {
			return nil, err
		}
	}
	if len(e.Rules) > 0 {
		if err := d.addRules(e.Rules); err != nil {
			return nil, err
		}
	}
	if e.Server != nil {
		if err := d.addServer(*e.Server); err != nil {
			return nil, err
		}
	}
	return d.bytes(data), nil
}

// Find lists memctl's entries in a file.
func Find(data []byte) (Entries, error) {
	d, err := parse(data)
	if err != nil {
		return Entries{}, err
	}
	e, _, err := d.find(nil)
	return e, err
}

// find lists memctl's entries and the pointers of all but the given rules.
func (d *document) find(keep []string) (e Entries, pointers []string, err error) {
	hooks, err := d.hookEntries()
	if err != nil {
		return e, nil, err
	}
	for _, h := range hooks {
		if h.Name() != "" {
			e.Hooks, pointers = append(e.Hooks, h.Hook), append(pointers, h.pointer)
		}
	}
	rules, rulePointers, err := d.memctlRules()
	if err != nil {
		return e, nil, err
	}
	e.Rules = rules
	for i, rule := range rules {
		if !slices.Contains(keep, rule) {
			pointers = append(pointers, rulePointers[i])
		}
	}
	if e.Server, err = d.memctlServer(); e.Server != nil {
		pointers = append(pointers, pointer("mcpServers", ServerName))
	}
	return e, pointers, err
}

// Remove takes memctl's entries out of a file and returns the new bytes, nil if the
// file held nothing else and can go. before is the file as it was when memctl was
// installed, or nil. A file that was not edited since then becomes before again, and
// a rule that before has stays.
func Remove(data, before []byte) ([]byte, error) {
	d, err := parse(data)
	if err != nil {
		return nil, err
	}
	old, err := Find(before)
	if err != nil || len(old.Hooks) > 0 || old.Server != nil { // the backup of an older install
		before, old = nil, Entries{}
	}
	_, pointers, err := d.find(old.Rules)
	if err != nil || len(pointers) == 0 {
		return data, err
	}
	if before != nil && addedTo(before, data) {
		return before, nil
	}
	if err := d.remove(pointers); err != nil {
		return nil, err
	}
	if before == nil && len(d.top().Members) == 0 {
		return nil, nil
	}
	return d.bytes(data), nil
}

// addedTo reports whether data is before with memctl's entries and nothing else.
func addedTo(before, data []byte) bool {
	e, err := Find(data)
	if err != nil {
		return false
	}
	after, err := Add(before, e)
	return err == nil && bytes.Equal(after, data)
}

// field is a member of an entry.
type field struct {
	name  string
	value hujson.ValueTrimmed
}

// set gives a member a value, unless it has an equal one.
func (l layout) set(object *hujson.Object, depth int, f field) {
	old := member(object, f.name)
	if old == nil {
		l.addMember(object, depth, f.name, f.value)
	} else if !equal(old.Value, f.value) {
		old.Value = f.value
	}
}

func equal(a, b hujson.ValueTrimmed) bool {
	var left, right any
	decode(&hujson.Value{Value: a}, &left)
	decode(&hujson.Value{Value: b}, &right)
	return reflect.DeepEqual(left, right)
}
