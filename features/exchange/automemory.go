package exchange

import (
	"cmp"
	"path"
	"strings"

	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

// autoMemory reads a file of the folder in which Claude Code keeps what it learned of a project. One with front matter
// is one memory. MEMORY.md and files without are lists, of which nothing says what they are.
func (r *reader) autoMemory(f *file) {
	meta, body, _ := cutFront(f.text)
	if path.Base(f.path) == "MEMORY.md" || meta == nil && r.options.Category == "" {
		r.prose(f)
		return
	}
	r.topic(f, meta, body)
}

func isMarkdown(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".md" || ext == ".markdown"
}

// partLine begins a part of a topic, which may follow a line of another.
var partLine = text.Pattern(`(?m)^\*\*(?:Why|How to apply):\*\*`)

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
	for _, b := range blocks(partLine().ReplaceAllString(body, "\n$0"), 1) {
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
	category := cmp.Or(r.options.Category, topicKind(kind), r.before(f.part("")), r.options.fallback)
	if category == "" || value == "" {
		r.leaveOut(f.origin, 1, strings.TrimSpace(f.text), unfit)
		return
	}
	// The category says it: "this project" does not ask for every note. store.AdoptingScope needs "user".
	if topicKind(kind) != "" && kind != "user" {
		name = strings.TrimPrefix(strings.TrimPrefix(name, kind+"_"), kind+"-")
		kind = ""
	}
	topic := strings.Trim(name+": "+about, ": ")
	r.draft(f, "", 0, draft{category: category, title: titleFrom(title), raw: complete,
		tags:  append(topicTags(strings.ReplaceAll(name, "_", " ")), kind),
		topic: topic, lead: topic, text: value, why: strings.Join(append(why, meta.lines()...), "\n")})
}

// topicKind returns the category for one of Claude Code's types, "" for none.
func topicKind(kind string) schemas.Category {
	category, _ := categoryNamed(kind)
	switch kind {
	case "user":
		return schemas.Preference
	case "project", "reference":
		return schemas.Constraint
	}
	return category
}
