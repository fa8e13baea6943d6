package exchange

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
)

// instructionFiles are the names of files with instructions for agents.
var instructionFiles = []string{"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "AGENTS.override.md", "GEMINI.md",
	".cursorrules"}

// isInstructions reports whether a file holds instructions for an agent.
func isInstructions(name string) bool {
	base, folder := path.Base(name), "/"+path.Dir(name)+"/"
	switch {
	case slices.Contains(instructionFiles, base):
		return true
	case strings.Contains(folder, "/.cursor/rules/"):
		return strings.HasSuffix(base, ".mdc") || strings.HasSuffix(base, ".md")
	case strings.Contains(folder, "/.github/"):
		return base == "copilot-instructions.md" || strings.HasSuffix(base, ".instructions.md")
	case strings.Contains(folder, "/.claude/rules/"):
		return strings.HasSuffix(base, ".md")
	}
	return false
}

func entersInstructions(folder string) bool {
	base := path.Base(folder)
	return base == ".cursor" || base == ".github" || base == ".claude"
}

// instructions reads CLAUDE.md or its like. What its items are, somebody has to say who reads them: without a category
// they are left out by name, and "memctl import SOURCE" makes a work list of them.
func (r *reader) instructions(f *file) {
	document, own := withoutDigest(f.text)
	if own > 0 {
		r.leaveOut(f.origin, own, "", "what memctl export claude-md wrote")
	}
	meta, body, first := cutFront(document)
	about := meta.take("description")
	f.scope = scopeOf(cmp.Or(r.src.inProject(f.path), f.path))
	globs := meta.takeList("globs", "paths", "applyto")
	if len(globs) == 0 && f.scope != "" {
		globs = []string{f.scope + "/**"}
	}
	for _, line := range meta.lines() {
		r.leaveOut(f.origin, 1, line, "a setting of the file")
	}
	list := sections(body, first)
	for i, s := range list {
		leaf := i+1 == len(list) || list[i+1].level <= s.level
		r.instructionSection(f, s, leaf, about, globs)
	}
}

// scopeOf returns the folder that a file with instructions is for, "" for the whole project.
func scopeOf(name string) string {
	folder := path.Dir(name)
	for _, own := range []string{".cursor", ".github", ".claude"} {
		folder, _, _ = strings.Cut("/"+folder+"/", "/"+own+"/")
		folder = strings.Trim(folder, "/")
	}
	return pick(folder == "." || strings.HasPrefix(folder, "~"), "", folder)
}

func (r *reader) instructionSection(f *file, s section, leaf bool, about string, globs []string) {
	headings := append(slices.Clone(s.trail), s.title)
	if s.level == 0 {
		headings = nil
	} else if len(splitSection(s)) == 0 && leaf {
		r.leaveOut(f.origin, s.line, strings.Join(headings, " > "), "a heading without text")
	}
	for _, b := range s.blocks {
		if comments := commentsIn(b.marked()); comments != "" {
			r.leaveOut(f.origin, b.line, comments, "a comment")
		}
	}
	for _, item := range splitSection(s) {
		r.instruction(f, item, headings, about, globs)
	}
}

const (
	maxShort = 1200 // of an item that is one memory, in code points
	maxScope = 24   // of a folder before a title, in bytes
	// unread is why an item is left out whose category nobody has said.
	unread = "somebody has to read it: memctl import SOURCE makes a work list; --category takes it"
)

// instruction adds an item as a memory of the category that the user names, or that it has had since the last import.
// Else it leaves it out. Its title begins with its heading, because "Do not" may be one.
func (r *reader) instruction(f *file, item WorkItem, headings []string, about string, globs []string) {
	base, topic := path.Base(f.path), strings.Join(headings, " > ")
	lead := strings.TrimSuffix(text.Unmarked(text.OneLine(item.lead, 300)), ":")
	under := strings.Trim(text.Unmarked(strings.Join(headings[max(0, len(headings)-1):], ""))+": "+lead, ": ")
	complete := strings.TrimSpace(item.lead + "\n" + item.complete)
	category := cmp.Or(r.options.Category, r.categoryBefore(f.part(text.OneLine(topic, 200)), hashOf(complete)))
	title := titleFrom(item.complete)
	if under != "" {
		title = fitted(under+": "+title, titleLength)
	}
	if f.scope != "" {
		base = path.Join(f.scope, base)
		scope := f.scope
		if len(scope) > maxScope {
			scope = path.Base(scope)
		}
		title = scope + ": " + fitted(title, titleLength-len([]rune(scope))-2)
	}
	where := strings.TrimSuffix(base+", "+topic, ", ")
	part, reason := text.OneLine(topic, 200), ""
	switch {
	case privacy.OnlyMarkers(item.complete):
		reason = "it is private"
	case strings.HasPrefix(item.complete, "@") && !strings.Contains(item.complete, " "):
		reason = "it includes another file: import that by its name"
	case len([]rune(item.complete)) > maxShort:
		reason = fmt.Sprintf("more than %d characters: too much for one memory", maxShort)
	case category == "":
		reason = unread
	}
	if reason != "" {
		r.leaveOut(f.part(part), item.Line, complete, reason)
		return
	}
	r.draft(f, part, item.Line, draft{category: category, title: title, tags: topicTags(headings...),
		files: globs, raw: complete, topic: cmp.Or(item.Under, base), lead: strings.Trim(f.scope+": "+under, ": "),
		text: strings.TrimSpace(item.lead + " " + item.complete),
		why:  strings.TrimSpace(statedIn + where + ". " + about), from: where})
}

// categoryBefore returns the category of the memory that was imported from a text, or from the section that it is in,
// if all of them have one; "" for none.
func (r *reader) categoryBefore(origin, hash string) (before schemas.Category) {
	if r.before == nil {
		r.before = map[string]schemas.Category{}
		list, _ := r.w.Root.Sources() // if they cannot be read, the comparison says so
		for _, s := range list {
			category, _ := schemas.CategoryOfPath(s.Memory)
			r.before[s.Hash] = category
			origin := r.src.unlisted(s.Origin).String()
			// which of them a text was, nothing says
			if other, shared := r.before[origin]; shared && other != category {
				category = ""
			}
			r.before[origin] = category
		}
	}
	before = r.before[hash]
	if r.options.Update {
		before = cmp.Or(before, r.before[origin])
	}
	return before
}
