package exchange

import (
	"path"
	"slices"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// autoMemory reads a file of the folder in which Claude Code keeps what it learned of a
// project. One with front matter is one memory. MEMORY.md and files without are lists,
// like CLAUDE.md; the lines of MEMORY.md that lead to another file are left out.
func (r *reader) autoMemory(f *file) error {
	meta, body, first := cutFront(f.text)
	if meta != nil && path.Base(f.path) != "MEMORY.md" {
		return r.topic(f, meta, body)
	}
	return r.topicList(f, body, first)
}

func isMarkdown(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".md" || ext == ".markdown"
}

// topicList reads a file of many memories.
func (r *reader) topicList(f *file, body string, first int) error {
	for _, s := range sections(blocks(body, first)) {
		var rest []block
		for _, b := range s.blocks {
			m := linkTo.re().FindStringSubmatch(b.text)
			imported := false
			if m != nil {
				_, imported = slices.BinarySearch(r.files, path.Join(path.Dir(f.path), m[2]))
			}
			if !imported {
				rest = append(rest, b)
				continue
			}
			if err := r.leaveOut(f.origin, b.line, b.text, "it leads to a file that is imported"); err != nil {
				return err
			}
		}
		s.blocks = rest
		if err := r.instructionSection(f, s, true, "", nil); err != nil {
			return err
		}
	}
	return nil
}

// topic reads a file that is one memory: name, description and type in front, then the
// text, in which "**Why:**" and "**How to apply:**" may begin paragraphs.
func (r *reader) topic(f *file, meta front, body string) error {
	name := meta.take("name", "title")
	about := meta.take("description")
	kind := meta.take("type")
	if nested, ok := meta["metadata"].(map[string]any); ok && kind == "" {
		kind = front(nested).take("type")
	}
	title := about
	if title == "" {
		title = name
	}
	var parts, why []string
	intoWhy := false
	for _, b := range blocks(body, 1) {
		switch lower := text.Lower(unmarked(b.text)); {
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
	value := strings.TrimSpace(strings.Join(parts, "\n"))
	if value == "" {
		value = about
	}
	whole := strings.Join([]string{name, about, kind, value, strings.Join(why, "\n")}, "\n")
	category, fits := r.Category, true
	if category == "" {
		category, fits = topicKind(kind, about+"\n"+value)
	}
	if !fits || value == "" {
		return r.leaveOut(f.origin, 1, strings.TrimSpace(f.text), "it fits no category; --category takes it")
	}
	topic := strings.TrimSpace(strings.Join([]string{name, about}, ": "))
	if rest := meta.lines(); len(rest) > 0 {
		why = append(why, rest...)
	}
	made := content(category, saying{topic: strings.Trim(topic, ": "), lead: strings.Trim(topic, ": "), text: value,
		why: strings.Join(why, "\n"), from: path.Base(f.path)})
	return r.draft(f, "", 0, draft{category: category, title: titleFrom(title),
		tags: append(topicTags(strings.ReplaceAll(name, "_", " ")), kind), content: made, text: whole})
}

// topicKind returns the category for one of Claude Code's types.
func topicKind(kind, phrase string) (schemas.Category, bool) {
	if category, ok := categoryNamed(kind); ok {
		return category, true
	}
	if category, ok := classify(phrase); ok {
		return category, true
	}
	switch kind {
	case "user":
		return schemas.Preference, true
	case "project", "reference":
		return schemas.Constraint, true
	}
	return "", false
}
