package install

import (
	"bytes"
	"fmt"
	"slices"
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
	if d.find(nil); d.err != nil {
		return nil, d.err
	}
	for _, h := range e.Hooks {
		d.addHook(h)
	}
	if len(e.Rules) > 0 {
		d.addRules(e.Rules)
	}
	if e.Server != nil {
		d.addServer(*e.Server)
	}
	return d.bytes(), d.err
}

// Find lists memctl's entries in a file.
func Find(data []byte) (Entries, error) {
	d, err := parse(data)
	if err != nil {
		return Entries{}, err
	}
	e, _ := d.find(nil)
	return e, d.err
}

// find lists memctl's entries and the pointers to all but the given rules.
func (d *document) find(keep []string) (e Entries, pointers []string) {
	for _, h := range d.hooks() {
		if h.Name() != "" {
			e.Hooks, pointers = append(e.Hooks, h.Hook), append(pointers, h.pointer())
		}
	}
	for i, rule := range d.allowed() {
		if !slices.Contains(agentRules(), rule) && !slices.Contains(serverRules(), rule) {
			continue
		}
		e.Rules = append(e.Rules, rule)
		if !slices.Contains(keep, rule) {
			pointers = append(pointers, fmt.Sprint("/permissions/allow/", i))
		}
	}
	if server, ours := d.server(); ours {
		e.Server, pointers = server, append(pointers, "/mcpServers/"+ServerName)
	}
	return e, pointers
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
	e, pointers := d.find(old.Rules)
	if d.err != nil || len(pointers) == 0 {
		return data, d.err
	}
	if before != nil {
		if after, err := Add(before, e); err == nil && bytes.Equal(after, data) {
			return before, nil
		}
	}
	for _, p := range slices.Backward(pointers) {
		d.remove(p)
	}
	if before == nil && isEmpty(&d.root) {
		return nil, d.err
	}
	return d.bytes(), d.err
}
