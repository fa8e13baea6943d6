package writer

import (
	"context"
	"slices"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// Rename gives the file of a memory the name that its title says. The list of sources and the memories that name it
// follow. The status is "unchanged" if the file has that name, or if another memory has it.
func (w *Writer) Rename(ctx context.Context, target string) (Saved, error) {
	if err := w.onlyPropose(UpdateError); err != nil {
		return Saved{}, err
	}
	var saved Saved
	err := w.lockedMemory(ctx, target, UpdateError, func(m *memory) ([]string, error) {
		doc, err := m.decode()
		if err != nil {
			return nil, err
		}
		saved = m.saved("unchanged", doc)
		to, err := w.freeName(m, text.Slug(doc.Title))
		if text.Slug(doc.Title) == "" || err != nil || to.stem == m.stem {
			return nil, err
		}
		if doc.ID = to.stem; !w.Config.Git.History {
			entry := schemas.Change{Date: w.now(), Summary: cut("Renamed from " + m.stem)}
			if err := m.addChange(doc, entry); err != nil {
				return nil, err
			}
		}
		w.redact(doc)
		data, err := encodeValid(doc)
		if err != nil {
			return nil, err
		}
		saved = Saved{Status: "renamed", Target: to.shown, ID: to.stem, Title: doc.Title,
			TimesUpdated: doc.TimesUpdated, RenamedFrom: m.shown}
		return w.replaceAndFollow(m, data, to)
	})
	return saved, err
}

// SaysTitle reports whether the name of a memory's file says its title: half of its words, but for short ones, are
// words of that, or begin as they do, and it has no other number.
func SaysTitle(id, title string) bool {
	titled, words := strings.Split(text.Slug(title), "-"), strings.Split(id, "-")
	if last := len(words) - 1; last > 0 && len(words[last]) == 1 { // the counter of a second memory of the name
		words = words[:last]
	}
	if hasOtherNumber(words, titled) && hasOtherNumber(titled, words) {
		return false
	}
	all, said := 0, 0
	for _, word := range words {
		if len(word) <= shortWord {
			continue
		}
		all++
		if slices.ContainsFunc(titled, func(w string) bool {
			return strings.HasPrefix(w, word) || len(w) > shortWord && strings.HasPrefix(word, w)
		}) {
			said++
		}
	}
	return 2*said >= all
}

// hasOtherNumber reports whether a number, which may have a unit, is in one list of words and not in another.
func hasOtherNumber(words, others []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return word != "" && word[0] <= '9' && !slices.Contains(others, word)
	})
}

// shortWord is how many letters a word has that says little.
const shortWord = 3

// replaceAndFollow is replace. If the file gets another name, the list of sources and the memories that name it follow.
func (w *Writer) replaceAndFollow(m *memory, data []byte, to place) ([]string, error) {
	paths, err := m.replace(data, to)
	if err != nil || to.stem == m.stem {
		return paths, err
	}
	if err := w.followSources(m.path(), to.path()); err != nil {
		w.warn("the list of sources still says %s: %v", m.shown, err)
	}
	others, err := w.followLinks(m.place, to)
	if err != nil {
		w.warn("other memories may still name %s: %v", m.shown, err)
	}
	return append(paths, others...), nil
}

func (w *Writer) followSources(from, to string) error {
	list, err := w.Root.Sources()
	if err != nil {
		return err
	}
	found := false
	for i := range list {
		if list[i].Memory == from {
			list[i].Memory, found = to, true
		}
	}
	if !found {
		return nil
	}
	return w.Root.PutSources(list)
}

// followLinks writes the new name into the memories that have the old one among their related files, or that say that
// they supersede it. It returns their paths.
func (w *Writer) followLinks(from, to place) (changed []string, err error) {
	names := strings.NewReplacer(quoted(from.shown), quoted(to.shown), quoted(supersedes+from.stem),
		quoted(supersedes+to.stem))
	paths, err := w.Root.MemoryPaths()
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		data, err := w.Root.ReadFile(path)
		after := names.Replace(string(data))
		if err != nil || after == string(data) {
			continue
		}
		m, err := w.openMemory(w.Root.Shown+"/"+path, UpdateError)
		if err != nil {
			return changed, err
		}
		_, err = m.replace([]byte(after), m.place)
		if m.folder.Close(); err != nil {
			return changed, err
		}
		changed = append(changed, path)
	}
	return changed, nil
}

// supersedes begins what a memory says of one that it took the place of.
const supersedes = "Supersedes: "

// quoted is a string as the file of a memory has it.
func quoted(s string) string {
	data, _ := schemas.EncodeJSON(s) // a string: cannot fail
	return string(data)
}
