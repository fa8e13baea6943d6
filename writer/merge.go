package writer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memctl/schemas"
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
	return mergeChanges(old, draft, append(evicted, w.contentChanges(old, draft)...))
}

// mergeError is a refusal to merge by one rule.
func mergeError(field, rule, fix string, facts ...Detail) *Error {
	return &Error{Code: MergeError, Problems: []Problem{{Field: field, Rule: rule, Facts: facts, Fix: fix}}}
}

// mergeTags refuses to remove tags, unless there are maxTags and each is replaced.
// It returns the entry of history for that.
func (w *Writer) mergeTags(old, draft *schemas.Memory) (entries []schemas.Change, err error) {
	before, after := cleanTags(strs(old.Get("tags"))), draft.Tags
	removed, added := without(before, after), without(after, before)
	switch {
	case len(removed) == 0:
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

// checkRelated refuses to remove related files that still exist.
func (w *Writer) checkRelated(old, draft *schemas.Memory) error {
	var kept []string
	for _, file := range without(strs(old.Get("related_files")), draft.RelatedFiles) {
		path := filepath.FromSlash(file)
		if !filepath.IsAbs(path) {
			path = filepath.Join(w.Root.Project, path)
		}
		if _, err := os.Stat(path); err == nil || errors.Is(err, fs.ErrPermission) {
			kept = append(kept, file)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return mergeError("related_files", "grow-only (cannot remove existing file reference)",
		"keep the files that still exist", Detail{"removed", strings.Join(kept, ", ")})
}

// warnOfLosses warns of lists of the content that shrank and of fields that the
// draft leaves out.
func (w *Writer) warnOfLosses(old, draft *schemas.Memory) {
	var lost []string
	for _, d := range schemas.Differences(old, draft) {
		before, isList := d.Old.([]any)
		now, stays := d.New.([]any)
		switch {
		case d.Old != nil && d.New == nil:
			lost = append(lost, d.Field)
		case isList && stays && len(now) < len(before) && strings.HasPrefix(d.Field, "content."):
			w.warnOf(d.Field, "list shrank from %d to %d items", len(before), len(now))
		}
	}
	if len(lost) > 0 {
		w.warn("the draft leaves out what the memory had, so it goes: %s", strings.Join(lost, ", "))
	}
}

// contentChanges returns an entry of history for each field of the content that
// changed and was a scalar or absent.
func (w *Writer) contentChanges(old, draft *schemas.Memory) (entries []schemas.Change) {
	for _, d := range schemas.Differences(old, draft) {
		switch d.Old.(type) {
		case []any, map[string]any:
			continue
		}
		if strings.HasPrefix(d.Field, "content.") {
			entries = append(entries, change(w.now(), d.Field+" changed", d.Field, d.Old, d.New))
		}
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
