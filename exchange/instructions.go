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

// instructions reads CLAUDE.md or its like. Each item of a list and each short section
// becomes a preference, a constraint, a runbook, a decision or a tech debt by its wording.
// What fits none is left out by name.
func (r *reader) instructions(f *file) {
	whole, own := withoutDigest(f.text)
	if own > 0 {
		r.leaveOut(f.origin, own, "", "what memctl export claude-md wrote")
	}
	meta, body, first := cutFront(whole)
	about := meta.take("description")
	f.scope = scopeOf(cmp.Or(r.src.inProject(f.path), f.path))
	globs := meta.takeList("globs", "paths", "applyto")
	if len(globs) == 0 && f.scope != "" {
		globs = []string{f.scope + "/**"}
	}
	for _, line := range meta.lines() {
		r.leaveOut(f.origin, 1, line, "a setting of the file")
	}
	list := sections(blocks(body, first))
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

// unit is a part of a section that may become one memory.
type unit struct {
	line  int
	text  string
	lead  string // the sentence with a colon that introduces the list it stands in
	steps []string
	item  bool // of a list
}

func (r *reader) instructionSection(f *file, s section, leaf bool, about string, globs []string) {
	headings := append(slices.Clone(s.trail), s.title)
	if s.level == 0 {
		headings = nil
	} else if len(s.blocks) == 0 && leaf {
		r.leaveOut(f.origin, s.line, strings.Join(headings, " > "), "a heading without text")
	}
	for _, u := range units(s.blocks) {
		r.instruction(f, u, headings, about, globs)
	}
}

// units groups the blocks of a section. A paragraph that ends with a colon leads the list
// below it, a block of code goes with the paragraph above it, and numbered items are the
// steps of one runbook.
func units(list []block) []unit {
	var out []unit
	lead, leadLine, used := "", 0, true
	flush := func() {
		if !used {
			out = append(out, unit{line: leadLine, text: lead})
		}
		lead, used = "", true
	}
	for i := 0; i < len(list); i++ {
		b := list[i]
		switch b.kind {
		case bullet:
			u := unit{line: b.line, text: b.text, lead: lead, item: true}
			if m := shellBlock.re().FindStringSubmatch(b.text); m != nil {
				u.lead, u.steps = cmp.Or(m[1], lead), nonEmptyLines(m[2])
			}
			out = append(out, u)
			used = true
		case numbered:
			u := unit{line: b.line, lead: lead, item: true}
			for ; i < len(list) && list[i].kind == numbered; i++ {
				u.steps = append(u.steps, list[i].text)
			}
			i--
			u.text = strings.Join(u.steps, "\n")
			if len(u.steps) == 1 {
				u.steps = nil
			}
			out = append(out, u)
			used = true
		case code:
			u := unit{line: b.line, text: b.text, lead: lead, steps: commandLines(b.text)}
			used = true
			if lead == "" && i > 0 && list[i-1].kind == paragraph && len(out) > 0 {
				u.lead, u.line = out[len(out)-1].text, out[len(out)-1].line
				out = out[:len(out)-1]
			}
			out = append(out, u)
		case paragraph:
			flush()
			if strings.HasSuffix(b.text, ":") {
				lead, leadLine, used = b.text, b.line, false
			} else {
				out = append(out, unit{line: b.line, text: b.text})
			}
		default:
			flush()
			out = append(out, unit{line: b.line, text: b.text})
		}
	}
	flush()
	return out
}

var (
	shells   = []string{"", "sh", "bash", "shell", "zsh", "console", "fish", "powershell", "cmd", "terminal"}
	maxShort = 1200 // of a section that is one memory, in code points
)

// shellBlock is an item of a list with commands below it.
var shellBlock = expression{source: "(?s)^([^\n]*):?\n```(?:sh|bash|shell|zsh|console)\n(.+?)\n?```$"}

// commandLines returns the lines of a block of shell commands, nil for other code.
func commandLines(block string) []string {
	language, rest, _ := strings.Cut(block, "\n")
	if !slices.Contains(shells, strings.ToLower(strings.TrimSpace(language))) {
		return nil
	}
	lines := nonEmptyLines(rest)
	if language == "" && !slices.ContainsFunc(lines,
		func(line string) bool { return commandWord.re().MatchString(line) }) {
		return nil
	}
	return lines
}

// instruction adds a unit as a memory, or leaves it out.
func (r *reader) instruction(f *file, u unit, headings []string, about string, globs []string) {
	base := path.Base(f.path)
	topic := strings.Join(headings, " > ")
	title := unitTitle(u, headings)
	if f.scope != "" {
		base = path.Join(f.scope, base)
		title = fitted(f.scope + ": " + title)
	}
	where := base
	if topic != "" {
		where += ", " + topic
	}
	part := text.OneLine(topic, 200)
	if u.lead != "" {
		topic = strings.TrimPrefix(strings.TrimSpace(topic+" > "+strings.TrimSuffix(u.lead, ":")), "> ")
	}
	whole := strings.TrimSpace(u.lead + "\n" + u.text)
	category, steps := r.options.Category, u.steps
	if category == "" {
		category, steps = kindOf(u, headings)
	}
	content, reason := u.text, ""
	switch {
	case strings.HasPrefix(u.text, "<!--"):
		reason = "a comment"
	case privacy.OnlyMarkers(u.text):
		reason = "it is private"
	case strings.HasPrefix(u.text, "@") && !strings.Contains(u.text, " "):
		reason = "it includes another file: import that by its name"
	case len([]rune(u.text)) > maxShort:
		content, reason = whole, fmt.Sprintf("more than %d characters: too much for one memory", maxShort)
	case category == "":
		content, reason = whole, unfit
	}
	if reason != "" {
		r.leaveOut(f.part(part), u.line, content, reason)
		return
	}
	r.draft(f, part, u.line, draft{category: category, title: title, tags: topicTags(headings...),
		files: globs, whole: whole, topic: cmp.Or(topic, base), lead: cmp.Or(u.lead, f.scope), text: u.text,
		why: strings.TrimSpace("Stated in " + where + ". " + about), steps: steps, from: where})
}

// unneeded are words that forbid nothing, though they sound like it.
var unneeded = expression{source: `(?i)\b(?:do|does|did)(?:n't| not) (?:need|have|matter|apply|hold|care|know|exist|mean|affect)\b`}

// kindOf returns the category of a unit by its form and wording, "" for none, and a
// runbook's steps.
func kindOf(u unit, headings []string) (schemas.Category, []string) {
	under := u.lead
	if len(headings) > 0 {
		under += " " + headings[len(headings)-1]
	}
	if len(u.steps) > 0 {
		return schemas.Runbook, u.steps
	}
	if isCommand(firstLine(u.text), under) {
		return schemas.Runbook, nonEmptyLines(u.text)
	}
	for _, phrase := range []string{u.text, u.lead} {
		if category, ok := schemas.Guess(unneeded.re().ReplaceAllString(phrase, "")); ok {
			return category, nil
		}
	}
	if !u.item {
		return "", nil // a paragraph may say anything, also below such a heading
	}
	for _, h := range slices.Backward(headings) {
		for _, info := range schemas.Categories {
			if p := words().Headings[info.Category]; p != nil && p.MatchString(unmarked(h)) {
				return info.Category, nil
			}
		}
	}
	return "", nil
}

// unitTitle returns the title of a unit: what introduces the steps of a runbook, else the
// first sentence, after the heading if that says little alone.
func unitTitle(u unit, headings []string) string {
	under := ""
	if len(headings) > 0 {
		under = unmarked(headings[len(headings)-1])
	}
	title := titleFrom(strings.ReplaceAll(u.text, "`", ""))
	switch {
	case len(u.steps) > 0 && u.lead != "":
		return titleFrom(strings.TrimSuffix(u.lead, ":"))
	case len(u.steps) > 0 && strings.HasPrefix(u.text, u.steps[0]): // a numbered list
		return cmp.Or(titleFrom(under), title)
	case len(u.steps) > 0 && strings.HasPrefix(u.steps[0], "#"):
		title = cmp.Or(titleFrom(under), title)
	case len(u.steps) > 0:
		title = u.steps[0]
	}
	switch words := len(strings.Fields(title)); {
	case words < 6 && u.lead != "":
		title = titleFrom(strings.TrimSuffix(u.lead, ":")) + ": " + title
	case words < 3 && under != "":
		title = under + ": " + title
	}
	return fitted(title)
}
