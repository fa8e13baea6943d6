package exchange

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

// autoMemory reads a file of the folder in which Claude Code keeps what it learned of a
// project. One with front matter is one memory. MEMORY.md and files without are lists,
// like CLAUDE.md; the lines of MEMORY.md that lead to another file are left out.
func (r *reader) autoMemory(f *file) {
	meta, body, first := cutFront(f.text)
	if meta != nil && path.Base(f.path) != "MEMORY.md" {
		r.topic(f, meta, body)
	} else {
		r.topicList(f, body, first)
	}
}

func isMarkdown(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".md" || ext == ".markdown"
}

// topicList reads a file of many memories.
func (r *reader) topicList(f *file, body string, first int) {
	for _, s := range sections(body, first) {
		s.blocks = slices.DeleteFunc(s.blocks, func(b block) bool {
			m := linkTo.re().FindStringSubmatch(b.text)
			if m == nil {
				return false
			}
			_, leads := slices.BinarySearch(r.files, path.Join(path.Dir(f.path), m[2]))
			if leads {
				r.leaveOut(f.origin, b.line, b.text, "it leads to a file that is imported")
			}
			return leads
		})
		r.instructionSection(f, s, true, "", nil)
	}
}

// partLine begins a part of a topic, which may follow a line of another.
var partLine = expression{source: `(?m)^\*\*(?:Why|How to apply):\*\*`}

// topic reads a file that is one memory: name, description and type in front, then the
// text, in which "**Why:**" and "**How to apply:**" may begin paragraphs.
func (r *reader) topic(f *file, meta front, body string) {
	name := meta.take("name", "title")
	about := meta.take("description")
	kind := meta.take("type")
	if nested, ok := meta["metadata"].(map[string]any); ok {
		kind = cmp.Or(kind, front(nested).take("type"))
		f.dates(nested)
		if len(nested) == 0 {
			delete(meta, "metadata")
		}
	}
	f.dates(meta)
	title := cmp.Or(about, name)
	var parts, why []string
	intoWhy := false
	for _, b := range blocks(partLine.re().ReplaceAllString(body, "\n$0"), 1) {
		switch lower := text.Lower(text.Unmarked(b.text)); {
		case strings.HasPrefix(lower, "why:"):
			intoWhy = true
		case strings.HasPrefix(lower, "how to apply:"):
			intoWhy = false
		}
		if b.kind == heading && title == "" {
			title = b.text
		}
		if intoWhy {
			why = append(why, strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(b.text, "**Why:**"), "Why:")))
		} else {
			parts = append(parts, joined([]block{b}))
		}
	}
	value := cmp.Or(strings.TrimSpace(strings.Join(parts, "\n")), about)
	complete := strings.Join([]string{name, about, kind, value, strings.Join(why, "\n")}, "\n")
	if kind == "user" && r.w.Root.Scope != files.UserScope && r.w.Root.Scope != files.NotesScope {
		r.leaveOut(f.origin, 1, strings.TrimSpace(f.text),
			"it is about you, and others read this root: memctl import auto-memory --user "+r.src.at(f.path))
		return
	}
	category := cmp.Or(r.options.Category, topicKind(kind, about+"\n"+value), r.options.fallback)
	if category == "" || value == "" {
		r.leaveOut(f.origin, 1, strings.TrimSpace(f.text), unfit)
		return
	}
	topic := strings.Trim(name+": "+about, ": ")
	r.draft(f, "", 0, draft{category: category, title: titleFrom(title), raw: complete,
		tags:  append(topicTags(strings.ReplaceAll(name, "_", " ")), kind),
		topic: topic, lead: topic, text: value, why: strings.Join(append(why, meta.lines()...), "\n"),
		from: path.Base(f.path)})
}

// topicKind returns the category for one of Claude Code's types, "" for none.
func topicKind(kind, phrase string) schemas.Category {
	category, _ := kindNamed(kind, phrase)
	switch {
	case category != "":
		return category
	case kind == "user":
		return schemas.Preference
	case kind == "project", kind == "reference":
		return schemas.Constraint
	}
	return ""
}
