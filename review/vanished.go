package review

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"memctl/gate"
	"memctl/git"
)

const (
	// maxNames is how many names of code are taken from a memory, each kind.
	maxNames = 50
	// maxSource limits what is read of a file of the project, in bytes: longer ones are
	// generated.
	maxSource = 1 << 20
)

// codeNames is what a memory's text calls code.
type codeNames struct {
	paths       []string // of files, or only their names
	identifiers []string
	// plain are the identifiers that prose could have too, were they not in backquotes.
	plain map[string]bool
}

// code matches what may be a path or a name of code: words joined by the characters that
// languages and file systems put between them.
var code = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[A-Za-z_$@.][\w$./:@-]*(\(\))?`)
})

// identifier matches a name that prose does not have: two words in one, or with an
// underscore between.
var identifier = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^_*[A-Za-z][a-z0-9]*([A-Z][a-z0-9]+)*[a-z][a-z0-9]*[A-Z]\w*$|[A-Za-z0-9]_+[A-Za-z0-9]`)
})

// maxTries is how many commits a clone may lack contents of before names are no longer
// looked for.
const maxTries = 100

// leastName is how long a name is that is looked for, in characters.
const leastName = 4

// namesOf finds the names of code in a text: paths, names of files, identifiers of two
// words, calls, and any name in backquotes.
func namesOf(text string) codeNames {
	found := codeNames{plain: map[string]bool{}}
	for i, part := range strings.Split(text, "`") {
		for _, word := range code().FindAllString(part, -1) {
			called := strings.HasSuffix(word, "()")
			word = strings.Trim(strings.TrimSuffix(word, "()"), ".:/-@$")
			if len(word) < leastName || strings.Contains(word, "//") || strings.Contains(word, "..") {
				continue
			}
			if strings.Contains(word, "/") || path.Ext(word) != "" && !called {
				found.paths = append(found.paths, word)
			}
			if strings.ContainsAny(word, "/@") {
				continue
			}
			parts := strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(".:-$", r) })
			for j, name := range parts {
				whole := len(parts) == 1 && i%2 == 1 && name != strings.ToUpper(name) || called && j == len(parts)-1
				if len(name) < leastName || !whole && !identifier().MatchString(name) {
					continue
				}
				found.identifiers = append(found.identifiers, name)
				if !called && !identifier().MatchString(name) {
					found.plain[name] = true
				}
			}
		}
	}
	for _, list := range []*[]string{&found.paths, &found.identifiers} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
		*list = (*list)[:min(len(*list), maxNames)]
	}
	return found
}

// leaving matches what announces that something goes: its names are gone because the memory was
// followed, not in spite of it.
var leaving = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(remov|delet|deprecat|eliminat|replac|renam)(e|es|ed|ing|al|ion)\b|\bobsolete\b|` +
		`\bdrop(s|ped|ping)?\b|\bdiscard(s|ed|ing)?\b|\b(get|getting|got) rid of\b|\bmov(e|es|ed|ing) away\b|` +
		`\bno longer\b|\binstead of\b`)
})

// expected are the names of a memory that it says itself will go: those of the sentences that say so,
// and all if the title does.
func expected(m *memory) map[string]bool {
	gone := map[string]bool{}
	all := leaving().MatchString(m.Title)
	for line := range strings.Lines(m.Title + "\n" + m.text) {
		for _, sentence := range strings.SplitAfter(line, ". ") {
			if all || leaving().MatchString(sentence) {
				found := namesOf(sentence)
				for _, name := range slices.Concat(found.identifiers, found.paths) {
					gone[name] = true
				}
			}
		}
	}
	return gone
}

// declares matches what stands before a name where a language introduces it.
var declares = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|\W)(class|interface|struct|enum|type|def|func|function|fun|fn|module|trait|record|const|let|var|val|` +
		`object|package|namespace|union|macro)\s+$`)
})

// use says how a line of code has a word.
type use int

const (
	told     use = iota // in a comment, or in a text
	used                // as code
	declared            // as code, and introduces it
)

// useOf says how a line has a word at a place. It knows no language: what begins like a comment is one,
// and a string with a space is a text.
func useOf(line []byte, start, end int) use {
	before := string(line[:start])
	trimmed := strings.TrimSpace(before)
	for _, mark := range []string{"//", "#", "*", "/*", "<!--", "--", ";;", "%"} {
		if strings.HasPrefix(trimmed, mark) && !strings.HasPrefix(trimmed, "#[") && !strings.HasPrefix(trimmed, "#include") {
			return told
		}
	}
	if strings.Contains(before, " //") || strings.Contains(before, " # ") || strings.Contains(before, "/*") {
		return told
	}
	for _, quote := range []string{`"`, "'", "`"} {
		if strings.Count(before, quote)%2 == 0 {
			continue
		}
		inside := before[strings.LastIndex(before, quote)+1:]
		after, _, closed := strings.Cut(string(line[end:]), quote)
		if !closed || strings.ContainsAny(inside+after, " ") {
			return told
		}
	}
	rest := strings.TrimSpace(string(line[end:]))
	switch {
	case declares().MatchString(before):
		return declared
	case trimmed == "" && rest == "", isProse(trimmed, rest):
		return told
	}
	return used
}

// isProse reports whether a word stands between two others with nothing but white space, as in a text
// of several lines. A type stands before a name, too, but then something else follows.
func isProse(before, rest string) bool {
	between := func(s string, at int) bool {
		return s != "" && (inWord(rune(s[at])) || s[at] == ',' || s[at] == '.' && at == 0 && len(s) == 1)
	}
	return between(before, len(before)-1) && between(rest, 0) && !strings.ContainsAny(before+rest, "(){}[]=;<>:|&$@/\\")
}

// prose matches files that tell of code and are none: what they still name may be long gone.
func prose(name string) bool {
	return slices.Contains(proseEndings, strings.ToLower(path.Ext(name)))
}

var proseEndings = []string{".md", ".mdx", ".rst", ".adoc", ".txt", ".svg", ".ipynb"}

// reviewVanished finds memories whose text names code that was there when they were
// written and is nowhere now. What a document still names, and what never was in the
// project, does not count. An imported memory was written at the date of its source.
func (v *reviewer) reviewVanished(ctx context.Context, t *tree) error {
	if !t.history || !v.wants(Vanished) {
		return nil
	}
	files, err := t.trackedFiles(ctx)
	if err != nil || len(files) == 0 {
		return err
	}
	gone := map[string]*commit{} // by identifier, nil until a commit is found
	wanted := map[string]bool{}  // whether the name has to be declared
	oldest := v.Now
	names := make([]codeNames, len(v.memories))
	for i, m := range v.memories {
		if m.updated.IsZero() {
			continue
		}
		names[i] = namesOf(m.Title + "\n" + m.text)
		announced := expected(m)
		unwanted := func(name string) bool { return announced[name] || m.origins[path.Base(name)] }
		names[i].identifiers = slices.DeleteFunc(names[i].identifiers, unwanted)
		names[i].paths = slices.DeleteFunc(names[i].paths, unwanted)
		for _, name := range names[i].identifiers {
			wanted[name] = wanted[name] || names[i].plain[name]
			gone[name] = nil
		}
		if len(names[i].identifiers)+len(names[i].paths) > 0 && m.updated.Before(oldest) {
			oldest = m.updated
		}
	}
	t.dropStanding(ctx, files, gone)
	if err := v.readRemovals(ctx, t, oldest, gone, wanted); err != nil {
		v.note("not all commits were searched for names that are gone: %v", err)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	standing, lost := byEnding(slices.Values(files)), byEnding(maps.Keys(t.log.fates))
	for i, m := range v.memories {
		var reasons []string
		f := Finding{Kind: Vanished, Command: edit(m)}
		add := func(name, reason string, c commit) {
			if f.Names = append(f.Names, name); f.Commit == "" {
				f.Commit = c.id
			}
			reasons = append(reasons, reason)
		}
		for _, p := range names[i].paths {
			last, ok := t.lostPath(p, standing, lost)
			if ok && last.commit.time > m.updated.Unix() && !slices.Contains(m.RelatedFiles, p) {
				reason := fmt.Sprintf("%s was deleted (%s)", p, last.commit)
				if last.to != "" {
					reason = fmt.Sprintf("%s is now %s (%s)", p, t.named(last.to), last.commit)
				}
				add(p, reason, last.commit)
			}
		}
		for _, name := range names[i].identifiers {
			if c := gone[name]; c != nil && c.time > m.updated.Unix() {
				add(name, fmt.Sprintf("%s is nowhere in the code any more (%s)", name, c), *c)
			}
		}
		if f.Weight = len(f.Names); f.Weight > 0 {
			f.Reason = firstOf(reasons)
			v.add(m, f)
		}
	}
	return nil
}

// trackedFiles returns the paths of the files that git tracks, but for memories. It returns
// none if the tree lacks some of them, because a name may stand there.
func (t *tree) trackedFiles(ctx context.Context) ([]string, error) {
	var files []string
	lacks := false
	err := git.Entries(ctx, t.Name(), maxTime, func(words []string, p string) error {
		lacks = lacks || len(words) > 0 && words[0] == "S"
		if t.memory == "" || !strings.HasPrefix(p, t.memory+"/") {
			files = append(files, p)
		}
		return nil
	}, "ls-files", "--stage", "-t")
	if lacks || errors.As(err, new(*git.Error)) {
		return nil, ctx.Err()
	}
	return files, err
}

// dropStanding removes the names that stand in a file of the project.
func (t *tree) dropStanding(ctx context.Context, files []string, names map[string]*commit) {
	for _, name := range files {
		if len(names) == 0 || ctx.Err() != nil {
			return
		}
		if prose(name) {
			continue
		}
		file, size, err := gate.OpenIn(t.Root, filepath.FromSlash(name))
		if err != nil {
			continue // it is gone, a link or a submodule
		}
		data, err := gate.ReadLimited(file, maxSource)
		file.Close()
		if err != nil || size > maxSource {
			continue
		}
		for word := range words(data) {
			delete(names, string(word))
		}
	}
}

// words yields the identifiers of a text.
func words(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for start := -1; len(text) > 0; {
			start = bytes.IndexFunc(text, inWord)
			if start < 0 {
				return
			}
			text = text[start:]
			end := bytes.IndexFunc(text, func(r rune) bool { return !inWord(r) })
			if end < 0 {
				end = len(text)
			}
			if !yield(text[:end]) {
				return
			}
			text = text[end:]
		}
	}
}

func inWord(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
}

// readRemovals finds the last commit that removed a line with each of the names.
func (v *reviewer) readRemovals(
	ctx context.Context, t *tree, oldest time.Time, names map[string]*commit, plain map[string]bool,
) error {
	if len(names) == 0 {
		return nil
	}
	since := "--since=" + strconv.FormatInt(oldest.Unix(), 10)
	progress, err := v.commitProgress(ctx, t, []string{since})
	if err != nil {
		return err
	}
	args := []string{"-c", "core.quotePath=false", "-c", "core.bigFileThreshold=" + strconv.Itoa(maxSource), "log", "--no-merges", "--no-color", "--no-ext-diff", "--no-textconv",
		"--no-renames", "--diff-filter=MD", "--ignore-submodules=all", "-U0", "--patch", "--format=commit %H %ct",
		since, "HEAD", "--", "."}
	for _, ending := range proseEndings {
		args = append(args, ":(exclude,icase,top)*"+ending)
	}
	if t.memory != "" {
		args = append(args, ":(exclude,top,literal)"+t.memory)
	}
	left := len(names)
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	for skip, tries := 0, 0; tries < maxTries && left > 0; tries++ {
		var current *commit
		header, read := true, 0
		err = git.Lines(ctx, t.Name(), maxTime, func(lines iter.Seq[[]byte]) error {
			for line := range lines {
				switch {
				case bytes.HasPrefix(line, []byte("commit ")):
					id, seconds, _ := strings.Cut(string(line[len("commit "):]), " ")
					current = &commit{id: id}
					current.time, _ = strconv.ParseInt(seconds, 10, 64)
					read++
					progress(skip + read)
				case bytes.HasPrefix(line, []byte("diff --git ")):
					header = true
				case bytes.HasPrefix(line, []byte("@@")):
					header = false
				case !header && line[0] == '-':
					code := line[1:]
					for word := range words(code) {
						last, wanted := names[string(word)]
						if !wanted || last != nil {
							continue
						}
						start := cap(code) - cap(word)
						if how := useOf(code, start, start+len(word)); how == declared || how == used && !plain[string(word)] {
							names[string(word)] = current
							left--
						}
					}
				}
				if left == 0 {
					return nil
				}
			}
			return nil
		}, slices.Insert(slices.Clone(args), 5, fmt.Sprintf("--skip=%d", skip))...)
		if !errors.As(err, new(*git.Error)) {
			break
		}
		skip += max(read, 1) // the clone lacks a file of this commit: go on with the next
	}
	if v.Progress != nil {
		v.Progress(1, 1)
	}
	return err
}

// byEnding groups paths by the name of their file.
func byEnding(paths iter.Seq[string]) map[string][]string {
	groups := map[string][]string{}
	for p := range paths {
		groups[path.Base(p)] = append(groups[path.Base(p)], p)
	}
	return groups
}

// lostPath follows a path that a text names, whole or only by its end, to what became of the
// one file that had it. Nothing became of it while a file has it.
func (t *tree) lostPath(p string, standing, lost map[string][]string) (end, bool) {
	p = path.Clean(p)
	if t.has(p) || t.has(t.prefix+p) {
		return end{}, false
	}
	ends := func(file string) bool { return file == p || strings.HasSuffix(file, "/"+p) }
	if slices.ContainsFunc(standing[path.Base(p)], ends) {
		return end{}, false
	}
	var at []string
	for _, file := range lost[path.Base(p)] {
		if ends(file) {
			at = append(at, file)
		}
	}
	switch {
	case len(at) == 1:
		return t.log.fate(at[0], t.has)
	case len(at) == 0 && strings.Contains(p, "/"):
		return t.log.fate(t.prefix+p, t.has) // perhaps a folder
	}
	return end{}, false
}
