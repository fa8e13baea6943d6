package writer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"memctl/schemas"
)

// warnFunc reports something in a field that is allowed but may be a mistake.
type warnFunc func(field, format string, args ...any)

// merge checks a valid draft against the memory that it will replace, and completes
// its history. A draft is the whole memory: fields that it leaves out are removed.
func merge(old, draft schemas.Document, project, now string, warn warnFunc) error {
	if old["schema_version"] != draft["schema_version"] {
		return mergeError("schema_version", "immutable", "old", compact(old["schema_version"]), "new", compact(draft["schema_version"]))
	}
	evicted, err := mergeTags(old, draft, now)
	if err != nil {
		return err
	}
	if err := checkRelated(old, draft, project); err != nil {
		return err
	}
	warnOfLosses(old, draft, warn)
	return mergeChanges(old, draft, append(evicted, contentChanges(old, draft, now)...))
}

// mergeError is a refusal to merge by one rule. The details are pairs, as in failed.
func mergeError(field, rule string, details ...string) *Error {
	return failed(MergeError, append([]string{"field", field, "rule", rule}, details...)...)
}

// mergeTags refuses to remove tags, unless there are maxTags and each is replaced.
// It returns the entry of history for that.
func mergeTags(old, draft schemas.Document, now string) (entries []any, err error) {
	before, after := cleanTags(strs(old["tags"])), strs(draft["tags"])
	removed, added := without(before, after), without(after, before)
	switch {
	case len(removed) == 0:
		return nil, nil
	case len(before) < maxTags:
		return nil, mergeError("tags", fmt.Sprintf("grow-only (below cap of %d)", maxTags), "removed", compact(removed),
			"fix", fmt.Sprintf("keep these tags; they can be exchanged once there are %d", maxTags))
	case len(added) == 0 || len(after) < maxTags:
		return nil, mergeError("tags", "no net shrink without addition", "removed", compact(removed),
			"fix", "put another tag in the place of each")
	}
	summary := fmt.Sprintf("Tags exchanged: %s for %s", strings.Join(removed, ", "), strings.Join(added, ", "))
	return []any{change(now, summary, "tags", anys(removed), anys(added))}, nil
}

// checkRelated refuses to remove related files that still exist.
func checkRelated(old, draft schemas.Document, project string) error {
	var kept []string
	for _, file := range without(strs(old["related_files"]), strs(draft["related_files"])) {
		path := filepath.FromSlash(file)
		if !filepath.IsAbs(path) {
			path = filepath.Join(project, path)
		}
		if _, err := os.Stat(path); err == nil || errors.Is(err, fs.ErrPermission) {
			kept = append(kept, file)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return mergeError("related_files", "grow-only (cannot remove existing file reference)", "removed", strings.Join(kept, ", "),
		"fix", "keep the files that still exist")
}

// warnOfLosses warns of lists of the content that shrank and of fields that the
// draft leaves out.
func warnOfLosses(old, draft schemas.Document, warn warnFunc) {
	var gone []string
	for _, field := range slices.Sorted(maps.Keys(old)) {
		if _, ok := draft[field]; !ok && old[field] != nil {
			gone = append(gone, field)
		}
	}
	before, after := contentOf(old), contentOf(draft)
	for _, field := range slices.Sorted(maps.Keys(before)) {
		list, isList := before[field].([]any)
		now, stays := after[field].([]any)
		switch {
		case after[field] == nil && before[field] != nil:
			gone = append(gone, "content."+field)
		case isList && stays && len(now) < len(list):
			warn("content."+field, "list shrank from %d to %d items", len(list), len(now))
		}
	}
	if len(gone) > 0 {
		warn("", "the draft leaves out what the memory had, so it goes: %s", strings.Join(gone, ", "))
	}
}

// contentChanges returns an entry of history for each field of the content that
// changed and was a scalar or absent.
func contentChanges(old, draft schemas.Document, now string) []any {
	before, after := contentOf(old), contentOf(draft)
	all := maps.Clone(before)
	maps.Copy(all, after)
	var entries []any
	for _, name := range slices.Sorted(maps.Keys(all)) {
		from, to := before[name], after[name]
		switch from.(type) {
		case []any, map[string]any:
			continue
		}
		if !reflect.DeepEqual(from, to) {
			entries = append(entries, change(now, "content."+name+" changed", "content."+name, from, to))
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
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
