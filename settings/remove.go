package settings

import (
	"bytes"
	"slices"

	"github.com/tailscale/hujson"
)

// Remove takes out of a settings file every hook of ours and the rules, unless
// they stood in the file before memctl was installed. Containers that this
// empties go too, unless they stood there before. Without bytes of that time,
// nothing counts as having stood there. With nothing to remove, the bytes come
// back as they were given.
func Remove(settings, before []byte, rules []string) ([]byte, error) {
	d, err := parse(settings)
	if err != nil {
		return nil, err
	}
	former, err := parse(before)
	if err != nil {
		former, _ = parse(nil)
	}
	if err := d.removeHooks(former); err != nil {
		return nil, err
	}
	if err := d.removeRules(former, rules); err != nil {
		return nil, err
	}
	result := d.bytes(settings)
	if before != nil && !bytes.Equal(result, settings) && IsEmpty(result) && IsEmpty(before) {
		return before, nil
	}
	return result, nil
}

// IsEmpty tells whether a settings file settles nothing.
func IsEmpty(settings []byte) bool {
	d, err := parse(settings)
	return err == nil && len(d.top().Members) == 0
}

func (d *document) removeHooks(former *document) error {
	events, err := d.section("hooks")
	if err != nil || events == nil {
		return err
	}
	removed := false
	for _, event := range names(events) {
		groups, err := d.eventGroups(events, event)
		if err != nil {
			return err
		}
		array := member(events, event).Value.(*hujson.Array)
		if !strip(array, groups, func(h Hook, _ *hujson.Object) bool { return h.IsOurs() }) {
			continue
		}
		removed = true
		if len(array.Elements) == 0 {
			clearMember(events, event, former.at("hooks", event))
		}
	}
	if removed && len(events.Members) == 0 {
		clearMember(d.top(), "hooks", former.at("hooks"))
	}
	return nil
}

func (d *document) removeRules(former *document, rules []string) error {
	permissions, err := d.section("permissions")
	if err != nil || permissions == nil {
		return err
	}
	value := member(permissions, "allow")
	if value == nil {
		return nil
	}
	allow, err := d.array(value, "permissions.allow")
	if err != nil {
		return err
	}
	var stood []string
	decode(former.at("permissions", "allow"), &stood)
	removed := false
	for i, rule := range slices.Backward(ruleList(allow)) {
		if slices.Contains(rules, rule) && !slices.Contains(stood, rule) {
			removeElement(allow, i)
			removed = true
		}
	}
	if removed && len(allow.Elements) == 0 {
		clearMember(permissions, "allow", former.at("permissions", "allow"))
	}
	if removed && len(permissions.Members) == 0 {
		clearMember(d.top(), "permissions", former.at("permissions"))
	}
	return nil
}

// strip removes the hooks that match, and the groups that this empties.
func strip(array *hujson.Array, groups []group, match func(h Hook, entry *hujson.Object) bool) (removed bool) {
	for i, g := range slices.Backward(groups) {
		had := len(g.hooks.Elements)
		for at := had - 1; at >= 0; at-- {
			if match(g.hook(g.entry(at)), g.entry(at)) {
				removeElement(g.hooks, at)
			}
		}
		left := len(g.hooks.Elements)
		removed = removed || left < had
		if left < had && left == 0 {
			removeElement(array, i)
		}
	}
	return removed
}

// clearMember removes a member that memctl emptied, or makes it what it was
// where it was empty before.
func clearMember(object *hujson.Object, name string, before *hujson.Value) {
	if before == nil || !isEmpty(before.Value) {
		removeMember(object, name)
		return
	}
	member(object, name).Value = before.Value
}

func isEmpty(v hujson.ValueTrimmed) bool {
	switch v := v.(type) {
	case *hujson.Object:
		return len(v.Members) == 0
	case *hujson.Array:
		return len(v.Elements) == 0
	}
	return false
}

func names(object *hujson.Object) []string {
	all := make([]string, len(object.Members))
	for i := range all {
		all[i] = nameOf(object.Members[i].Name)
	}
	return all
}

// at returns the value at a path of member names, nil where there is none.
func (d *document) at(path ...string) *hujson.Value {
	v := &d.root
	for _, name := range path {
		object, ok := v.Value.(*hujson.Object)
		if !ok {
			return nil
		}
		if v = member(object, name); v == nil {
			return nil
		}
	}
	return v
}
