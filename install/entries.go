package install

import (
	"bytes"
	"fmt"
	"slices"
)

// Entries are what memctl has in a file of the client: hooks, permission rules and the
// approval of its server in settings.json, the server in .mcp.json.
type Entries struct {
	Hooks    []Hook
	Rules    []string // of permissions.allow
	Approved bool     // enabledMcpjsonServers names the server
	Server   *Server
}

// IsEmpty reports whether memctl has nothing in the file.
func (e Entries) IsEmpty() bool {
	return len(e.Hooks) == 0 && len(e.Rules) == 0 && !e.Approved && e.Server == nil
}

// Add puts entries into a file and returns the new bytes. A hook or server of memctl
// that is already there is updated in place. If nothing changes, the given bytes come
// back.
func Add(data []byte, e Entries) ([]byte, error) {
	d, err := parse(data)
	if err != nil {
		return nil, err
	}
	if d.find(Entries{}); d.err != nil {
		return nil, d.err
	}
	for _, h := range e.Hooks {
		d.addHook(h)
	}
	if len(e.Rules) > 0 {
		d.addRules(e.Rules)
	}
	if e.Approved {
		d.approveServer()
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
	e, _ := d.find(Entries{})
	return e, d.err
}

// find lists memctl's entries and the pointers to them, without those to the rules and
// the approval that the user had before.
func (d *document) find(before Entries) (e Entries, pointers []string) {
	for _, h := range d.hooks() {
		if h.Name() != "" {
			e.Hooks, pointers = append(e.Hooks, h.Hook), append(pointers, h.pointer())
		}
	}
	for i, rule := range d.allowed() {
		if !slices.Contains(allRules(), rule) {
			continue
		}
		e.Rules = append(e.Rules, rule)
		if !slices.Contains(before.Rules, rule) {
			pointers = append(pointers, fmt.Sprint("/permissions/allow/", i))
		}
	}
	for i, name := range d.approved() {
		if name != ServerName {
			continue
		}
		e.Approved = true
		if !before.Approved {
			pointers = append(pointers, fmt.Sprint(approvedPointer, "/", i))
		}
	}
	if server, ours := d.server(); ours {
		e.Server, pointers = server, append(pointers, server.pointer())
	}
	return e, pointers
}

// Remove takes memctl's entries out of a file and returns the new bytes, nil if the
// file held nothing else and can go. before is the file as it was when memctl was
// installed, or nil. A file that was not edited since then becomes before again, and
// a rule or an approval that before has stays.
func Remove(data, before []byte) ([]byte, error) {
	d, err := parse(data)
	if err != nil {
		return nil, err
	}
	old, err := Find(before)
	if err != nil || len(old.Hooks) > 0 || old.Server != nil { // the backup of an older install
		before, old = nil, Entries{}
	}
	e, pointers := d.find(old)
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
