package install

import (
	"slices"

	"github.com/tailscale/hujson"
)

// addHook leaves exactly one hook of the name in the event.
func (d *document) addHook(h Hook) error {
	entries, err := d.hookEntries()
	if err != nil {
		return err
	}
	existing := existingHook(entries, h)
	var duplicates []string
	for _, e := range entries {
		if e.Event == h.Event && e.Name() == h.Name() && e.object != existing.object {
			duplicates = append(duplicates, e.pointer)
		}
	}
	if existing.object != nil {
		d.updateHook(existing, h)
		return d.remove(duplicates)
	}
	if err := d.remove(duplicates); err != nil {
		return err
	}
	return d.newHook(h)
}

// existingHook finds the hook to update: the first one whose group has the right
// matcher, or has no other hooks and so can be given it.
func existingHook(entries []hookEntry, h Hook) hookEntry {
	for _, e := range entries {
		if e.Event != h.Event || e.Name() != h.Name() {
			continue
		}
		shared := slices.ContainsFunc(entries, func(other hookEntry) bool {
			return other.group == e.group && other.Name() != h.Name()
		})
		if !shared || sameMatcher(e.Matcher, h.Matcher) {
			return e
		}
	}
	return hookEntry{}
}

// updateHook sets the fields of a hook. Its other fields stay, and so do arguments
// that the user added.
func (d *document) updateHook(e hookEntry, h Hook) {
	if !sameMatcher(e.Matcher, h.Matcher) {
		if h.Matcher == "" {
			e.group.Members = slices.DeleteFunc(e.group.Members, func(m hujson.ObjectMember) bool { return nameOf(m.Name) == "matcher" })
		} else {
			d.set(e.group, inGroup, field{"matcher", hujson.String(h.Matcher)})
		}
	}
	if len(e.Args) > len(h.Args) && slices.Equal(e.Args[:len(h.Args)], h.Args) {
		h.Args = e.Args
	}
	for _, f := range d.hookFields(h) {
		d.set(e.object, inHook, f)
	}
}

// newHook adds a group with the hook.
func (d *document) newHook(h Hook) error {
	events, err := d.makeSection("hooks")
	if err != nil {
		return err
	}
	groups, err := d.makeArray(events, h.Event, "hooks."+h.Event)
	if err != nil {
		return err
	}
	group, hooks, entry := new(hujson.Object), new(hujson.Array), new(hujson.Object)
	l := d.addElement(groups, inEvent, group)
	if h.Matcher != "" {
		l.addMember(group, inGroup, "matcher", hujson.String(h.Matcher))
	}
	l = l.addMember(group, inGroup, "hooks", hooks)
	l = l.addElement(hooks, inGroupHooks, entry)
	for _, f := range l.hookFields(h) {
		l.set(entry, inHook, f)
	}
	return nil
}

func (l layout) hookFields(h Hook) []field {
	return []field{
		{"type", hujson.String("command")},
		{"command", hujson.String(h.Command)},
		{"args", l.array(h.Args)},
		{"timeout", hujson.Int(int64(h.Timeout))},
		{"statusMessage", hujson.String(h.StatusMessage)},
	}
}
