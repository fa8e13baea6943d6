package settings

import (
	"reflect"
	"slices"

	"github.com/tailscale/hujson"
)

// Entries are what memctl has in a settings file.
type Entries struct {
	Hooks []Hook
	Allow []string // rules of permissions.allow
}

// Add puts the entries into a settings file. A hook of ours that is there already
// is brought up to date where it stands; with nothing to do, the bytes come back
// as they were given.
func Add(settings []byte, e Entries) ([]byte, error) {
	d, err := parse(settings)
	if err != nil {
		return nil, err
	}
	if _, err := d.list(); err != nil {
		return nil, err
	}
	for _, h := range e.Hooks {
		if err := d.addHook(h); err != nil {
			return nil, err
		}
	}
	if len(e.Allow) > 0 {
		if err := d.addRules(e.Allow); err != nil {
			return nil, err
		}
	}
	return d.bytes(settings), nil
}

// addHook leaves exactly one hook of the name in the event.
func (d *document) addHook(h Hook) error {
	events, err := d.sectionOrNew("hooks")
	if err != nil {
		return err
	}
	array, err := d.listOrNew(events, h.Event, "hooks."+h.Event)
	if err != nil {
		return err
	}
	groups, err := d.eventGroups(events, h.Event)
	if err != nil {
		return err
	}
	kept := d.keep(groups, h)
	strip(array, groups, func(found Hook, entry *hujson.Object) bool { return found.Name() == h.Name() && entry != kept })
	if kept == nil {
		d.newHook(array, h)
	} else {
		d.update(kept, h)
	}
	return nil
}

// keep picks the hook to bring up to date: the first that has the right matcher
// or can be given it, since no other hook shares its group.
func (d *document) keep(groups []group, h Hook) *hujson.Object {
	for _, g := range groups {
		hooks := g.list()
		at := slices.IndexFunc(hooks, func(found Hook) bool { return found.Name() == h.Name() })
		shared := slices.ContainsFunc(hooks, func(found Hook) bool { return found.Name() != h.Name() })
		if at < 0 || shared && !sameMatcher(g.matcher(), h.Matcher) {
			continue
		}
		d.setMatcher(g, h.Matcher)
		return g.entry(at)
	}
	return nil
}

func (d *document) setMatcher(g group, matcher string) {
	switch {
	case sameMatcher(g.matcher(), matcher):
	case matcher == "":
		removeMember(g.object, "matcher")
	default:
		d.set(g.object, inGroup, "matcher", hujson.String(matcher))
	}
}

// newHook adds a group for the hook.
func (d *document) newHook(array *hujson.Array, h Hook) {
	g, hooks, entry := new(hujson.Object), new(hujson.Array), new(hujson.Object)
	l := d.addElement(array, inEvent, g)
	if h.Matcher != "" {
		l.addMember(g, inGroup, "matcher", hujson.String(h.Matcher))
	}
	l = l.addMember(g, inGroup, "hooks", hooks)
	l = l.addElement(hooks, inGroupHooks, entry)
	for _, f := range l.fields(h) {
		l.addMember(entry, inHook, f.name, f.value)
	}
}

// update brings a hook up to date. What else it says stays, and so do further
// arguments.
func (d *document) update(entry *hujson.Object, h Hook) {
	var args []string
	if decode(member(entry, "args"), &args) && len(args) > len(h.Args) && slices.Equal(args[:len(h.Args)], h.Args) {
		h.Args = args
	}
	for _, f := range d.fields(h) {
		d.set(entry, inHook, f.name, f.value)
	}
}

type field struct {
	name  string
	value hujson.ValueTrimmed
}

// fields are what a hook's entry says, in this order.
func (l layout) fields(h Hook) []field {
	return []field{
		{"type", hujson.String("command")},
		{"command", hujson.String(h.Command)},
		{"args", l.list(h.Args)},
		{"timeout", hujson.Int(int64(h.Timeout))},
		{"statusMessage", hujson.String(h.StatusMessage)},
	}
}

// set gives a member a value unless it says the same already.
func (d *document) set(object *hujson.Object, depth int, name string, value hujson.ValueTrimmed) {
	old := member(object, name)
	if old == nil {
		d.addMember(object, depth, name, value)
	} else if !same(old.Value, value) {
		old.Value = value
	}
}

func same(a, b hujson.ValueTrimmed) bool {
	var left, right any
	decode(&hujson.Value{Value: a}, &left)
	decode(&hujson.Value{Value: b}, &right)
	return reflect.DeepEqual(left, right)
}

func (d *document) sectionOrNew(name string) (*hujson.Object, error) {
	object, err := d.section(name)
	if err == nil && object == nil {
		object = new(hujson.Object)
		d.addMember(d.top(), inSettings, name, object)
	}
	return object, err
}

func (d *document) listOrNew(section *hujson.Object, name, path string) (*hujson.Array, error) {
	if v := member(section, name); v != nil {
		return d.array(v, path)
	}
	array := new(hujson.Array)
	d.addMember(section, inSection, name, array)
	return array, nil
}
