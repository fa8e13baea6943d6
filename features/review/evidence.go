package review

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"memctl/files/gate"
	"memctl/text"
)

const (
	// leastLibrary is how long a name is that is looked for in lists of dependencies, in bytes.
	leastLibrary = 3
	// mostLines is how many lines of lists of dependencies an item has, and maxLine how long each is, in code points.
	mostLines = 3
	maxLine   = 120
)

// dependencies are the usual lists of what a project is made of, in any folder.
var dependencies = []string{"go.mod", "package.json", "pyproject.toml", "requirements.txt", "Cargo.toml", "pom.xml",
	"build.gradle", "build.gradle.kts", "libs.versions.toml", "Gemfile", "composer.json", "Dockerfile",
	"docker-compose.yml", "compose.yaml", ".tool-versions", ".nvmrc", "rust-toolchain.toml"}

// addCode adds evidence to items about one memory, and puts those with most kinds of it first: lines of
// dependencies, words that the code does not have, findings. It leaves out those that a review finds wrong without
// a reader.
func (v *reviewer) addCode(ctx context.Context, items []Item) ([]Item, error) {
	t, err := v.openTree(ctx)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	if err := v.reviewFiles(ctx); err != nil {
		return nil, err
	}
	v.reviewStatus()
	v.report.arrange()
	found := map[string]Finding{}
	for _, f := range v.report.Findings {
		found[f.memory.path] = f
	}
	items = slices.DeleteFunc(items, func(i Item) bool {
		do := found[i.memories[0].path].Do
		return do == Correct || do == End
	})
	if t.git {
		if err := t.readTracked(ctx); err != nil {
			return nil, err
		}
		v.addWords(ctx, t, items)
	}
	for i := range items {
		f := found[items[i].memories[0].path]
		items[i].Found = f.In(text.English)
	}
	slices.SortStableFunc(items, func(a, b Item) int { return cmp.Compare(b.worth(), a.worth()) })
	return items, nil
}

// worth counts the signs that the code does not say what a memory says.
func (i Item) worth() (n int) {
	for _, sign := range []bool{len(i.Lines) > 0, len(i.Nowhere) > 0, i.Found != ""} {
		if sign {
			n++
		}
	}
	return n
}

// specificWords returns the words of a memory's title and text that are names in a project rather than
// English: its versions, and what TermsOf takes for a topic.
func specificWords(m *memory) (words []string) {
	said := m.Title + "\n" + m.sentence
	if len(m.origins) == 0 {
		said = m.Title + "\n" + statementsOf(m)
	}
	for _, word := range text.WordsAsWritten(said) {
		topics := text.TermsOf(word).Topics
		if len(word) >= leastName && len(topics) > 0 && !slices.Contains(words, word) &&
			strings.IndexFunc(word, unicode.IsLetter) == 0 {
			words = append(words, word)
		}
	}
	return words
}

// addWords reads the code once for the words of all items.
func (v *reviewer) addWords(ctx context.Context, t *tree, items []Item) {
	wanted := map[string]bool{} // whether a file has it
	specific := make([][]string, len(items))
	for i := range items {
		specific[i] = specificWords(items[i].memories[0])
		for _, word := range specific[i] {
			wanted[word] = false
		}
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(t.tracked)) {
		if prose(name) || ctx.Err() != nil {
			continue
		}
		data, err := gate.Place{Folder: t.Name()}.ReadNamed(gate.Name(filepath.ToSlash(name)), maxSource)
		if err != nil {
			continue
		}
		for _, word := range words(data) {
			for _, part := range partsOf(word) {
				if had, ok := wanted[part]; ok && !had {
					wanted[part] = true
				}
			}
		}
		if slices.Contains(dependencies, path.Base(name)) {
			for n, line := range strings.Split(string(data), "\n") {
				lines = append(lines, fmt.Sprintf("%s:%d: %s", name, n+1, text.OneLine(line, maxLine)))
			}
		}
	}
	for i := range items {
		for _, word := range specific[i] {
			if !wanted[word] && !wanted[strings.TrimSuffix(word, "s")] {
				items[i].Nowhere = append(items[i].Nowhere, word)
			}
		}
		items[i].Nowhere = items[i].Nowhere[:min(mostPlaces, len(items[i].Nowhere))]
		if strings.ContainsAny(items[i].memories[0].Title, "0123456789") {
			items[i].Lines = linesWith(lines, items[i].memories[0].Title)
		}
	}
}

// partsOf returns an identifier and its words, in lower case: MsgPayForBlobs is msg, pay, for and blobs.
func partsOf(word []byte) []string {
	list := []string{strings.ToLower(string(word))}
	start := 0
	for i := 1; i <= len(word); i++ {
		if i == len(word) || word[i] == '_' || unicode.IsUpper(rune(word[i])) && !unicode.IsUpper(rune(word[i-1])) {
			if part := bytes.Trim(word[start:i], "_"); len(part) < len(word) && len(part) > 0 {
				list = append(list, strings.ToLower(string(part)))
			}
			start = i
		}
	}
	return list
}

// library matches a name as lists of dependencies have it: ibc-go, libs.versions, ndk.
var library = text.Pattern(`[a-z][a-z0-9]*([-_.][a-z0-9]+)*`)

// linesWith returns the lines with a number that have a name from a title, the rarest names first.
func linesWith(lines []string, title string) (found []string) {
	of := map[string][]string{}
	for _, name := range library().FindAllString(strings.ToLower(title), -1) {
		if len(name) < leastLibrary || strings.Trim(name, "v0123456789.") == "" || len(text.TermsOf(name).Topics) == 0 {
			continue
		}
		for _, line := range lines {
			_, code, _ := strings.Cut(line, ": ")
			if strings.ContainsAny(code, "0123456789") && strings.Contains(strings.ToLower(code), name) {
				of[name] = append(of[name], line)
			}
		}
	}
	maps.DeleteFunc(of, func(_ string, with []string) bool { return len(with) > mostWith })
	rarest := slices.SortedFunc(maps.Keys(of), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(of[a]), len(of[b])), strings.Compare(a, b))
	})
	for _, name := range rarest {
		for _, line := range of[name] {
			if !slices.Contains(found, line) && len(found) < mostLines {
				found = append(found, line)
			}
		}
	}
	return found
}
