package writer

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"memctl/files/gate"
	"memctl/schemas"
	"memctl/text"
)

// merge checks a valid draft against the memory that it will replace, and completes
// its history. A draft is the whole memory: fields that it leaves out are removed.
func (w *Writer) merge(old, draft *schemas.Memory) error {
	if before, now := old.Get("schema_version"), draft.Get("schema_version"); before != now {
		return mergeError("schema_version", "immutable", "", Detail{"old", compact(before)},
			Detail{"new", compact(now)})
	}
	evicted, err := w.mergeTags(old, draft)
	if err != nil {
		return err
	}
	if err := w.checkRelated(old, draft); err != nil {
		return err
	}
	w.warnOfLosses(old, draft)
	if w.Config.Git.History {
		return nil
	}
	return mergeChanges(old, draft, append(evicted, w.contentChanges(old, draft)...))
}

// mergeError is a refusal to merge by one rule.
func mergeError(field, rule, fix string, facts ...Detail) *Error {
	return &Error{Code: MergeError, Problems: []Problem{{Field: field, Rule: rule, Facts: facts, Fix: fix}}}
}

// mergeTags refuses to remove tags, unless there are maxTags and each is replaced. Of more, which only a
// merge by git alone may leave, fixTags has kept the first.
// It returns the entry of history for that.
func (w *Writer) mergeTags(old, draft *schemas.Memory) (entries []schemas.Change, err error) {
	before, after := cleanTags(strs(old.Get("tags"))), draft.Tags
	before = schemas.RealTags(before) // the other one only says that there was none
	removed, added := without(before, after), without(after, before)
	switch {
	case len(removed) == 0, len(before) > maxTags && len(after) == maxTags && w.Config.Git.History:
		return nil, nil
	case len(before) < maxTags:
		return nil, mergeError("tags", fmt.Sprintf("grow-only (below cap of %d)", maxTags),
			fmt.Sprintf("keep these tags; they can be exchanged once there are %d", maxTags),
			Detail{"removed", compact(removed)})
	case len(added) == 0 || len(after) < maxTags:
		return nil, mergeError("tags", "no net shrink without addition",
			"put another tag in the place of each", Detail{"removed", compact(removed)})
	}
	summary := fmt.Sprintf("Tags exchanged: %s for %s", strings.Join(removed, ", "), strings.Join(added, ", "))
	return []schemas.Change{change(w.now(), summary, "tags", removed, added)}, nil
}

// checkRelated refuses to remove related files that still exist. It ignores files outside of the project.
func (w *Writer) checkRelated(old, draft *schemas.Memory) error {
	project, err := gate.Enter(w.Root.Project)
	if err != nil {
		return nil // none of its files exists
	}
	defer project.Close()
	var existing []string
	for _, file := range without(strs(old.Get("related_files")), draft.RelatedFiles) {
		if _, err := project.LstatNamed(gate.Name(file)); err == nil || errors.Is(err, fs.ErrPermission) {
			existing = append(existing, file)
		}
	}
	if len(existing) == 0 {
		return nil
	}
	return mergeError("related_files", "grow-only (cannot remove existing file reference)",
		"keep the files that still exist", Detail{"removed", strings.Join(existing, ", ")})
}

// warnOfLosses warns of lists of the content that shrank and of fields that the
// draft leaves out.
func (w *Writer) warnOfLosses(old, draft *schemas.Memory) {
	var losses []string
	for _, d := range schemas.Differences(old, draft) {
		before, isList := d.Old.([]any)
		now, stays := d.New.([]any)
		switch {
		case d.Old != nil && d.New == nil:
			losses = append(losses, d.Field)
		case isList && stays && len(now) < len(before) && strings.HasPrefix(d.Field, "content."):
			w.warnOf(d.Field, "list shrank from %d to %d items", len(before), len(now))
		}
	}
	if len(losses) > 0 {
		w.warn("the draft leaves out what the memory had, so it goes: %s", strings.Join(losses, ", "))
	}
}

// recorded reports whether a change gets an entry of its own in the history: that of a field of
// the content that was a scalar or absent.
func recorded(d schemas.Difference) bool {
	switch d.Old.(type) {
	case []any, map[string]any:
		return false
	}
	return strings.HasPrefix(d.Field, "content.")
}

// maxImported is how many bytes of former and new text an entry of an import keeps. Of more it has a hash.
const maxImported = 200

// isOrigin reports whether an entry of history names the source of an import.
func isOrigin(c schemas.Change) bool { return c.Field == "origin" }

// TakenField is the field of the entry that says who proposed a change and that a person took it.
const TakenField = "proposal"

// contentChanges returns the entries of history for the changes that have one.
func (w *Writer) contentChanges(old, draft *schemas.Memory) (entries []schemas.Change) {
	isImport := len(draft.Changes) > len(old.Changes) &&
		slices.ContainsFunc(addedTo(old.Changes, draft.Changes), isOrigin)
	for _, d := range schemas.Differences(old, draft) {
		if !recorded(d) {
			continue
		}
		entry := change(w.now(), d.Field+" changed", d.Field, d.Old, d.New)
		if isImport && len(entry.OldValue)+len(entry.NewValue) > maxImported { // its source has the text
			entry.NewValue, _ = schemas.EncodeJSON("sha256:" + text.Hash([]byte(entry.NewValue), 8))
			entry.OldValue = nil
		}
		entries = append(entries, entry)
	}
	return entries
}

// without returns the strings of a that are not in b, sorted, each once.
func without(a, b []string) []string {
	only := slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
	slices.Sort(only)
	return slices.Compact(only)
}

// compact renders a value as JSON in one line. A list of strings has a space after
// each comma.
func compact(v any) string {
	if list, ok := v.([]string); ok {
		items := make([]string, len(list))
		for i, item := range list {
			items[i] = compact(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	data, _ := schemas.EncodeJSON(v) // was decoded from JSON
	return string(data)
}

const (
	// maxChanges is how many entries of history a memory keeps.
	maxChanges = schemas.MaxChanges
	// maxSummary is the longest reason and the longest summary, in code points.
	maxSummary = schemas.MaxSummary
)

func cut(s string) string { return text.Truncate(s, maxSummary) }

// change returns an entry of history. The values are as schemas.DecodeAny decodes them.
func change(now, summary, field string, from, to any) schemas.Change {
	before, _ := schemas.EncodeJSON(from)
	after, _ := schemas.EncodeJSON(to)
	return schemas.Change{Date: now, Summary: cut(summary), Field: field, OldValue: before, NewValue: after}
}

// addChange adds an entry to the history of a memory.
func (m *memory) addChange(doc *schemas.Memory, entry schemas.Change) error {
	switch other := doc.Rest["changes"].(type) {
	case nil:
		doc.Changes = latest(append(doc.Changes, entry))
	case []any: // with entries that are none; they stay
		doc.Rest["changes"] = latest(append(other, entry))
	default:
		return unreadable(m.place, errNoHistory)
	}
	return nil
}

// leaveHistory leaves the bookkeeping of a memory to git, which knows who changed what and when. Of
// the entries of history that a draft adds, those of an import stay: git cannot know what it was
// made of.
func leaveHistory(old, draft *schemas.Memory) {
	origins := slices.DeleteFunc(slices.Clone(addedTo(old.Changes, draft.Changes)), func(c schemas.Change) bool {
		return !isOrigin(c)
	})
	draft.Set("changes", old.Get("changes"))
	draft.Set("times_updated", old.Get("times_updated")) // a new memory has none
	if value := old.Get("updated_at"); value != nil {
		draft.Set("updated_at", value)
	}
	if len(origins) > 0 {
		draft.Changes = latest(append(slices.Clone(old.Changes), origins...))
	}
}

var errNoHistory = errors.New("changes: expected a list")

func latest[T any](changes []T) []T { return changes[max(0, len(changes)-maxChanges):] }

// mergeChanges makes the draft's history the memory's, followed by the entries that
// the draft adds and those that merging made. A history must grow by at least one
// entry. It keeps the last maxChanges.
func mergeChanges(old, draft *schemas.Memory, merged []schemas.Change) error {
	before, draftChanges := old.Changes, draft.Changes
	count := strconv.Itoa(len(before))
	if len(draftChanges) < len(before) {
		return mergeError("changes", "append-only",
			"keep the entries of the file and add one that says what you changed",
			Detail{"old_count", count}, Detail{"new_count", strconv.Itoa(len(draftChanges))})
	}
	added := append(addedTo(before, draftChanges), merged...)
	if total := len(draftChanges) + len(merged); total <= len(before) || len(added) == 0 {
		return mergeError("changes", "append-only (new entry required)",
			`add an entry {"date", "summary"} that says what you changed`,
			Detail{"old_count", count}, Detail{"total_count", strconv.Itoa(total)})
	}
	draft.Changes = latest(append(before[:len(before):len(before)], added...))
	return nil
}

// addedTo returns the entries that a draft adds to a history. A draft may be made
// from an earlier version of the memory, whose history has since gained entries and
// lost its oldest. So addedTo finds the longest start of the history that the draft
// also has, and returns what follows it in the draft. If they share nothing, it
// returns what the draft has beyond the length of the history.
func addedTo(before, after []schemas.Change) []schemas.Change {
	longest, end := 0, len(before)
	for start := range after {
		n := 0
		for n < len(before) && start+n < len(after) && reflect.DeepEqual(before[n], after[start+n]) {
			n++
		}
		if n > longest {
			longest, end = n, start+n
		}
	}
	return after[end:]
}
