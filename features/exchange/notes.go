package exchange

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// note is a subject with what is known about it: a Markdown note, or an entity of a graph.
type note struct {
	title        string
	kind         string // in the words of its author
	tags         []string
	observations []observation
	rest         []string // text that is no observation
	links        []link
	names        []string // by which others link to it
	line         int      // of an entity
}

// observation is one fact of a note.
type observation struct {
	kind string
	text string
	why  string
	tags []string
	line int
}

// raw is all that the observation says.
func (o observation) raw() string { return o.kind + " " + o.text + " " + o.why }

// markdownNote reads one of basic-memory's notes, or of another folder of Markdown.
func (r *reader) markdownNote(f *file) {
	if strings.HasPrefix(f.text, pageMark) {
		r.page(f)
		return
	}
	if !isMarkdown(f.path) && json.NewDecoder(strings.NewReader(f.text)).Decode(new(map[string]any)) == nil {
		r.refuse(f.origin, 0, "JSON, not Markdown")
		return
	}
	meta, body, first := cutFront(f.text)
	f.dates(meta)
	r.note(f, noteOf(f, meta, blocks(body, first)))
}

// dates takes the dates of a note from its front matter.
func (f *file) dates(meta front) {
	created := meta.takeTime("created", "created_at", "date")
	updated := meta.takeTime("updated", "updated_at", "modified", "last_modified")
	if !created.IsZero() || !updated.IsZero() {
		f.dated = true
		f.created, f.modified = created, updated
		if updated.Before(created) {
			f.modified = created
		}
	}
}

var (
	observationLine = text.Pattern(`^\[([^\]\[\n]{1,60})\]\s+(.+?)(?:\s+\(([^()]*)\))?$`)
	relationLine    = text.Pattern(`^(?:([\pL_][\pL\pN_ -]{0,60}?)\s+)?` +
		`\[\[([^\]\[|]+)(?:\|[^\]\[]*)?\]\](?:\s+\((.*)\))?$`)
	endingTags = text.Pattern(`(?:\s#[\pL\pN_/-]+)+\s*$`)
	hashTag    = text.Pattern(`(?:^|\s)#([\pL\pN_/-]+)`)
)

// noteOf takes a Markdown note apart.
func noteOf(f *file, meta front, all []block) note {
	n := note{title: meta.take("title"), kind: meta.take("category", "type"), tags: meta.takeList("tags", "tag")}
	if n.kind == "note" {
		n.kind = ""
	}
	stem := strings.TrimSuffix(path.Base(f.path), path.Ext(f.path))
	n.names = append([]string{stem, strings.TrimSuffix(f.path, path.Ext(f.path)), meta.take("permalink")},
		meta.takeList("aliases", "alias")...)
	for _, b := range all {
		switch {
		case b.kind == comment:
			n.rest = append(n.rest, b.text)
		case b.kind == heading && n.title == "" && b.level == 1 && len(n.observations)+len(n.rest) == 0:
			n.title = b.text
		case b.kind == heading:
			if name := text.Lower(b.text); b.text != n.title && name != "observations" && name != "relations" {
				n.rest = append(n.rest, b.text+":")
			}
		case b.kind == bullet && relationLine().MatchString(b.text):
			m := relationLine().FindStringSubmatch(b.text)
			kind := strings.ReplaceAll(m[1], "_", " ")
			if m[3] != "" {
				kind += " (" + m[3] + ")"
			}
			n.links = append(n.links, link{kind: kind, to: m[2]})
		case b.kind == bullet && observationLine().MatchString(firstLine(b.text)):
			m := observationLine().FindStringSubmatch(firstLine(b.text))
			phrase := m[2] + strings.TrimPrefix(b.text, firstLine(b.text))
			n.observations = append(n.observations, observation{m[1], phrase, m[3], tagsIn(m[2]), b.line})
		default:
			n.rest = append(n.rest, joined([]block{b}))
			for _, m := range wikiLink().FindAllStringSubmatch(b.text, -1) {
				n.links = append(n.links, link{to: m[1]})
			}
		}
	}
	n.title = cmp.Or(n.title, strings.ReplaceAll(stem, "-", " "))
	n.names = append(n.names, n.title)
	n.rest = append(n.rest, meta.lines()...)
	if n.kind == "" {
		n.kind = kindFrom(append([]string{path.Base(path.Dir(f.path))}, n.tags...))
	}
	return n
}

// kindFrom returns the first word that names a kind of memory, "" for none.
func kindFrom(words []string) string {
	for _, word := range words {
		if _, ok := categoryNamed(word); ok {
			return word
		}
	}
	return ""
}

func tagsIn(phrase string) []string {
	var tags []string
	for _, m := range hashTag().FindAllStringSubmatch(phrase, -1) {
		tags = append(tags, m[1])
	}
	return tags
}

// note adds the memories of a note: one of the whole if its author says of what kind it is, else one of each
// observation that has a kind. The rest is left out.
func (r *reader) note(f *file, n note) {
	category, ok := categoryNamed(n.kind)
	part := "" // the note is the file
	if f.path == "" && len(n.names) > 0 {
		part = n.names[0]
	}
	if !ok {
		category = cmp.Or(r.options.Category, r.before(f.part(part)))
	}
	if category != "" {
		r.wholeNote(f, n, part, category)
		return
	}
	var left []observation
	for _, o := range n.observations {
		category, ok := categoryNamed(o.kind)
		if !ok {
			category = r.before(hashOf(o.raw()))
		}
		if category != "" {
			r.noteObservation(f, n, o, category)
			n.names = nil // only the first has the note's names
			continue
		}
		left = append(left, o)
	}
	some := len(left) < len(n.observations)
	n.observations = left
	phrase := n.text()
	switch silent := strings.TrimSpace(phrase) == ""; {
	case silent && some:
	case silent && len(n.links) == 0:
		r.leaveOut(f.origin, n.line, n.title, "it says nothing")
	default:
		if !some {
			phrase = cmp.Or(f.text, n.title+"\n"+phrase+n.linkLines())
		}
		r.leaveOut(f.part(text.OneLine(n.title, 120)), n.line, strings.TrimSpace(phrase), unfit)
	}
}

// unfit is why an item is left out whose category nobody has said.
const unfit = "nothing says of what category it is: memctl import SOURCE makes a work list of such items; --category " +
	"takes it"

// text returns what a note says, a line each.
func (n note) text() string {
	var lines []string
	for _, o := range n.observations {
		line := o.text
		if _, ok := categoryNamed(o.kind); !ok && o.kind != "" {
			line = o.kind + ": " + line
		}
		if o.why != "" {
			line += " (" + o.why + ")"
		}
		lines = append(lines, line)
	}
	return strings.Join(append(lines, n.rest...), "\n")
}

func (n note) linkLines() string {
	var lines strings.Builder
	for _, l := range n.links {
		lines.WriteString("\n" + l.String())
	}
	return lines.String()
}

func (l link) String() string {
	if l.kind == "" {
		return "Related to: " + l.to
	}
	return capital(l.kind) + ": " + l.to
}

func (r *reader) wholeNote(f *file, n note, part string, category schemas.Category) {
	phrase := n.text()
	if strings.TrimSpace(phrase) == "" {
		phrase = n.title
	}
	tags := slices.Clone(n.tags)
	for _, o := range n.observations {
		tags = append(tags, o.tags...)
	}
	title := titleFrom(n.title)
	r.draft(f, part, n.line, draft{category: category, title: title, tags: append(tags, topicTags(n.title)...),
		raw: n.title + "\n" + phrase + n.linkLines(), name: strings.Join(n.names, "\n"), links: n.links,
		topic: n.title, lead: unless(title, n.title), text: phrase})
}

func (r *reader) noteObservation(f *file, n note, o observation, category schemas.Category) {
	title := titleFrom(endingTags().ReplaceAllString(o.text, ""))
	if !strings.Contains(text.Lower(title), text.Lower(n.title)) {
		title = n.title + ": " + title
	}
	r.draft(f, text.OneLine(n.title, 120), o.line, draft{category: category, title: title,
		tags: slices.Concat(o.tags, n.tags, []string{n.kind}, topicTags(n.title)),
		raw:  o.raw(), name: strings.Join(n.names, "\n"), links: n.links,
		topic: n.title, lead: unless(title, n.title), text: o.text, why: o.why})
}
