package check

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
)

const (
	// maxListed is how many memories are listed; the rest is counted.
	maxListed = 10
	// maxReasons is how many reasons one memory has.
	maxReasons = 3
	// maxCommands is how many lines with commands are compared with memories.
	maxCommands = 500
)

// How sure it is that a memory bears on a change, by the reason for which it is listed.
const (
	sureBeside  = 10
	sureFolder  = 30
	surePattern = 40
	sureWords   = 25
	sureFile    = 80
	sureCommand = 100
	sureBreaks  = 110 // by a command
	sureLine    = 120
	// sureRule is added for a rule that stands.
	sureRule = 5
)

// reason says why a memory is listed.
type reason struct {
	Kind    string   `json:"kind"`             // lines, command, file, pattern, folder, beside or words
	Broken  bool     `json:"broken,omitempty"` // the change does what the memory forbids
	File    string   `json:"file,omitempty"`
	Line    int      `json:"line,omitempty"`
	Command string   `json:"command,omitempty"`
	Text    string   `json:"text,omitempty"`    // the forbidden line
	Related string   `json:"related,omitempty"` // the folder or pattern that the memory names
	Words   []string `json:"words,omitempty"`   // that the memory and the added lines have in common
	sure    int
}

// bearing is a memory that bears on a change.
type bearing struct {
	ID       string           `json:"id"`
	Path     string           `json:"path"`
	Category schemas.Category `json:"category"`
	Title    string           `json:"title"`
	Rule     string           `json:"rule,omitempty"` // the sentence that adds to the title
	Updated  string           `json:"updated_at"`
	Outdated string           `json:"outdated,omitempty"` // why it may no longer be true
	NewBy    string           `json:"new_by,omitempty"`   // who wrote it, if the user has not seen it
	Broken   bool             `json:"broken,omitempty"`   // by one of the reasons
	Why      []reason         `json:"why"`
	sure     float64
	key      string
}

// result is the answer of check.
type result struct {
	Files    int       `json:"files"`
	Lines    int       `json:"lines"`            // that were added
	Partly   bool      `json:"partly,omitempty"` // the change is larger than what was looked at
	Memories []bearing `json:"memories"`         // the surest first
	More     int       `json:"more,omitempty"`   // others that bear on it
	Broken   int       `json:"broken,omitempty"` // memories, with those that are not listed
}

// finder collects the memories that bear on a change.
type finder struct {
	store *store.Store
	roots []files.Root
	found []bearing
}

// find returns the memories of a store that bear on a change.
func find(ctx context.Context, s *store.Store, roots []files.Root, c change) (r result, err error) {
	f := finder{store: s, roots: roots}
	r = result{Files: len(c.Files) + c.Left, Lines: c.lines(), Partly: c.Cut || c.Left > 0, Memories: []bearing{}}
	err = s.Ask(ctx, roots, func(sources retrieve.Sources) error { // with an index that is up to date
		f.found = nil
		f.byCommands(c)
		f.byFiles(c)
		return f.byWords(ctx, sources, c)
	})
	list := f.sorted()
	list = slices.DeleteFunc(list, func(b bearing) bool { return b.sure < sureWords })
	for _, b := range list {
		if b.Broken {
			r.Broken++
		}
	}
	r.Memories, r.More = append(r.Memories, list[:min(len(list), maxListed)]...), max(0, len(list)-maxListed)
	return r, err
}

// byCommands finds the memories about the commands that a change adds.
func (f *finder) byCommands(c change) {
	n := 0
	for _, file := range c.Files {
		if !hasCommands(file) {
			continue
		}
		for _, line := range file.Lines {
			command := commandIn(line.Text)
			if command == "" {
				continue
			}
			if n++; n > maxCommands {
				return
			}
			for _, root := range f.roots {
				f.add(retrieve.About(root, retrieve.Action{Command: command}), func(r retrieve.Result) reason {
					why := reason{Kind: "command", File: file.Path, Line: line.Number, Broken: r.Forbids,
						Command: text.OneLine(command, maxShown), sure: sureCommand}
					if r.Forbids {
						why.sure = sureBreaks
					}
					return why
				})
			}
		}
	}
}

// maxShown is how many code points of a command a reason has.
const maxShown = 100

// byFiles finds the memories about the files of a change.
func (f *finder) byFiles(c change) {
	root := f.roots[0]
	for _, file := range c.Files {
		added := file.text()
		names := append([]string{file.Path}, file.From)[:1+min(1, len(file.From))]
		for _, r := range retrieve.About(root, retrieve.Action{Files: names, Text: added, Added: file.added,
			Asked: true}) {
			why := whyFile(root, r, names)
			if r.Forbids {
				f.broken(r, file)
			}
			if !hasCommands(file) {
				f.quoted(r, file)
			}
			if why.Kind != "" && (!r.Forbids || why.Kind != "beside") {
				f.add([]retrieve.Result{r}, func(retrieve.Result) reason { return why })
			}
		}
	}
}

// whyFile says how a memory is about a file, which has several names if it was renamed; by the words of the file alone
// it is not.
func whyFile(root files.Root, r retrieve.Result, names []string) (why reason) {
	m := memoryOf(root, r.Path)
	words := m.Title + "\n" + m.Text()
	_, folders := text.Names(words)
	for _, name := range names {
		for _, related := range slices.Concat(folders, m.RelatedFiles) {
			if at := howRelated(related, name); at.sure > why.sure {
				why = at
			}
		}
	}
	if base := path.Base(names[0]); why.sure < surePattern && strings.Contains(words, base) {
		why = reason{Kind: "file", sure: sureFile - sureRule} // its text names it
	}
	why.File = names[0]
	return why
}

// howRelated says how a related file, as a memory names it, is about a file.
func howRelated(related, file string) reason {
	related = strings.TrimPrefix(strings.TrimSpace(related), "./")
	if retrieve.IsPattern(related) {
		if !retrieve.InPattern(related, file) {
			return reason{} // something else found the memory
		}
		return reason{Kind: "pattern", Related: related, sure: surePattern}
	}
	related = path.Clean(related)
	switch {
	case related == file || path.Clean(text.WithoutPlace(related)) == file:
		return reason{Kind: "file", sure: sureFile}
	case strings.HasPrefix(file, related+"/"):
		return reason{Kind: "folder", Related: related, sure: sureFolder}
	case path.Dir(related) == path.Dir(file):
		return reason{Kind: "beside", sure: sureBeside}
	}
	return reason{}
}

// memoryOf reads a memory that was found.
func memoryOf(root files.Root, at string) (m schemas.Memory) {
	if data, err := root.ReadFile(at); err == nil {
		m, _ = schemas.Decode(data) // About has decoded it
	}
	return m
}

// add adds results with the reason of each. One that is there already gets another reason.
func (f *finder) add(results []retrieve.Result, why func(retrieve.Result) reason) {
	retrieve.MarkOutdated(results, time.Now())
	for _, r := range results {
		reason, key := why(r), r.Root.Path+"\x00"+r.Path
		at := slices.IndexFunc(f.found, func(b bearing) bool { return b.key == key })
		if at < 0 {
			at = len(f.found)
			f.found = append(f.found, f.bearingOf(r, key))
		}
		if reason.Broken {
			f.found[at].Broken, f.found[at].Rule = true, r.Sentence // which says what to do instead
		}
		f.found[at].because(reason)
	}
}

func (f *finder) bearingOf(r retrieve.Result, key string) bearing {
	b := bearing{ID: r.ID, Path: r.Root.ShownPath(r.Path), Category: r.Category, Title: r.Title, Rule: r.Sentence,
		Updated: r.UpdatedAt, Outdated: r.Outdated, NewBy: cmp.Or(r.NewBy, f.store.Judge().ByFile(r.Root, r.Path)),
		key: key}
	if m := memoryOf(r.Root, r.Path); m.IsStandingRule() {
		b.sure = sureRule
	}
	return b
}

// because adds a reason, the surest first. A second kind of reason makes a memory surer than the first alone.
func (b *bearing) because(why reason) {
	if slices.ContainsFunc(b.Why, func(w reason) bool {
		return w.Kind == why.Kind && (w.File == why.File && w.Line == why.Line || w.Related != "" &&
			w.Related == why.Related)
	}) {
		return
	}
	b.Why = append(b.Why, why)
	slices.SortStableFunc(b.Why, func(x, y reason) int { return cmp.Compare(y.sure, x.sure) })
	b.Why = b.Why[:min(len(b.Why), maxReasons)]
}

// sorted returns what was found, the surest first.
func (f *finder) sorted() []bearing {
	for i := range f.found {
		b := &f.found[i]
		kinds := map[string]bool{}
		for _, why := range b.Why {
			if !kinds[why.Kind] {
				b.sure += float64(why.sure) / float64(1+len(kinds))
			}
			kinds[why.Kind] = true
		}
	}
	slices.SortStableFunc(f.found, func(x, y bearing) int {
		return cmp.Or(compareBroken(x, y), cmp.Compare(y.sure, x.sure), cmp.Compare(y.Updated, x.Updated),
			cmp.Compare(x.Path, y.Path))
	})
	return f.found
}
