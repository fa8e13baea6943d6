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
	lead  string   // the sentence with a colon that introduces it
	steps []string // of a runbook
	item  bool     // of a list
	idle  string   // why it is no memory by itself, "" for one that may be

	forbidden bool   // by the heading, or by a mark
	whole     bool   // a list with what introduces it
	doubt     string // why its wording must leave no other reading, "" if it need not
}

func (r *reader) instructionSection(f *file, s section, leaf bool, about string, globs []string) {
	headings := append(slices.Clone(s.trail), s.title)
	if s.level == 0 {
		headings = nil
	} else if len(s.blocks) == 0 && leaf {
		r.leaveOut(f.origin, s.line, strings.Join(headings, " > "), "a heading without text")
	}
	for _, u := range units(s.blocks, s.title) {
		r.instruction(f, u, headings, about, globs)
	}
}

// units groups the blocks of a section below a heading. A paragraph that ends with a colon leads what is
// below it. Commands go with what is above them, and so do other code, tables and markup, which say
// nothing alone. Numbered items are the steps of one runbook if they are said to be steps.
func units(list []block, title string) (out []unit) {
	var lead unit
	flush := func() {
		if lead.text != "" {
			if lead.lead = ""; len(strings.Fields(lead.text)) < 5 || !strings.Contains(lead.text, "\n") &&
				words().Points.MatchString(lead.text) {
				lead.idle = "an introduction alone"
			}
			out = append(out, lead)
		}
		lead = unit{}
	}
	for i := 0; i < len(list); i++ {
		b := list[i]
		if b.kind != code {
			b.text = unwrapped(b.text)
		}
		u := unit{line: b.line, text: b.text, lead: lead.lead}
		switch {
		case b.kind == bullet, b.kind == numbered:
			end := i + 1
			for end < len(list) && list[end].kind == b.kind {
				end++
			}
			lead.text = ""
			out = append(out, items(list[i:end], lead.lead, title)...)
			i = end - 1
		case b.kind == code && commandLines(b.text) != nil:
			u.steps = commandLines(b.text)
			lead = unit{}
			out = append(out, u)
		case b.kind == code || example.re().MatchString(b.text):
			if b.kind == code {
				u.text = "```" + b.text + "\n```"
			}
			switch last := len(out) - 1; {
			case lead.text != "":
				lead.text += "\n" + u.text
				flush()
			case last >= 0 && out[last].idle == "" && out[last].steps == nil:
				out[last].text += "\n" + u.text
			default:
				u.idle = "an example or a table"
				out = append(out, u)
			}
		case b.kind == paragraph && strings.HasSuffix(text.Unmarked(b.text), ":"):
			b.text = strings.TrimSuffix(strings.TrimSuffix(b.text, "**"), ":") + pick(strings.HasSuffix(b.text, "**"),
				"**:", ":")
			flush()
			lead = unit{line: b.line, text: b.text, lead: b.text}
		default:
			flush()
			if u.lead = ""; headingLike.re().MatchString(u.text) {
				u.idle = "a heading without text"
			}
			out = append(out, u)
		}
	}
	flush()
	return out
}

// items returns the units of a list: one for each item, or one for all if they are steps, go on with
// what the lead begins, or are parts of what it says, such as names.
func items(list []block, lead, title string) (out []unit) {
	bids, runs, questions := 0, 0, 0
	complete := unit{line: list[0].line, text: lead, item: true}
	for _, b := range list {
		u := listItem(b, lead, title)
		complete.text += "\n- " + u.text
		complete.steps = append(complete.steps, u.text)
		bid := isImperative(u.text)
		run := !bid && isCommand(firstLine(u.text), lead+" "+title)
		alone := u
		alone.lead = ""
		category, _ := alone.kind([]string{title})
		bids, runs, questions = bids+pick(bid, 1, 0), runs+pick(run, 1, 0), questions+pick(bid || category != "", 1, 0)
		out = append(out, u)
	}
	leads := slices.ContainsFunc(sentencesOf(lead), func(s string) bool { return instructs(s) != "" && isFirm(s) })
	switch bidding := bids+runs > 1 && 2*(bids+runs) >= len(list); {
	case bidding && areSteps(list[0].kind, lead, title, bids > runs):
		complete.text, complete.lead = strings.TrimPrefix(strings.TrimPrefix(complete.text, lead), "\n"), lead
		return []unit{complete}
	case len(list) > 1 && leads && len([]rune(complete.text)) <= maxShort &&
		(questions == 0 || !bidding || words().Unfinished.MatchString(lead)):
		complete.whole, complete.steps = true, nil
		return []unit{complete}
	}
	for i := range out {
		if list[0].kind == numbered && len(list) > 1 && !words().Rules.MatchString(text.Unmarked(title)) {
			out[i].doubt = step
		} else if 2*questions < len(list) {
			out[i].doubt = among
		}
	}
	return out
}

// areSteps reports whether a list of what to do or to run says how something is done, step by step: below "Releasing",
// but not below "Testing guidelines".
func areSteps(k kind, lead, title string, bids bool) bool {
	if lead == "" && (!bids || words().Rules.MatchString(text.Unmarked(title))) {
		return false
	}
	return lead == "" && (words().Procedure.MatchString(text.Unmarked(title)) ||
		words().ToldSteps.MatchString(title)) ||
		words().ToldSteps.MatchString(lead) ||
		k == numbered && (words().Steps.MatchString(lead) || words().Condition.MatchString(lead+", ") ||
			lead == "" && (words().Steps.MatchString(title) || words().Operating.MatchString(title)))
}

// listItem returns an item of a list as a unit. What stands below "Do not" or behind a cross is forbidden.
func listItem(b block, lead, title string) unit {
	u := unit{line: b.line, text: unwrapped(b.text), lead: lead, item: true}
	if m := shellBlock.re().FindStringSubmatch(u.text); m != nil {
		u.lead, u.steps = strings.TrimSpace(lead+" "+m[1]), nonEmptyLines(m[2])
	}
	bids, crosses := isImperative(u.text), crossed.re().MatchString(u.text)
	forbids := words().Prohibits.MatchString(u.text) || words().Denies.MatchString(u.text)
	states := !bids && slices.ContainsFunc(strings.Fields(u.text), words().Finite.MatchString)
	if !forbids && (lead == "" && !states && words().Forbidding.MatchString(text.Unmarked(title)) || crosses && bids) {
		u.lead, u.forbidden = strings.TrimSpace(lead+" "+pick(bids, "Do not:", text.Unmarked(title)+":")), true
	}
	u.text = marked.re().ReplaceAllString(u.text, "")
	return u
}

// crossed marks what not to do, marked that or its opposite.
var (
	crossed = expression{source: `^[❌🚫✗✘⛔]`}
	marked  = expression{source: `^[❌🚫✗✘⛔✅✔✓☑⚠]\x{FE0F}?\s*`}
)

const (
	maxShort = 1200 // of a section that is one memory, in code points
	maxScope = 24   // of a folder before a title, in bytes
)

var (
	// example is a table or markup: it shows what a text beside it says.
	example = expression{source: `^(?:\|.*\||<[A-Za-z/][^>]*>)`}
	// headingLike is a paragraph of a few words and no sentence.
	headingLike = expression{source: `^[^.:;!?。]{1,50}$`}
	// onlyLink leads to another file, and says nothing else.
	onlyLink = expression{source: `^(?i:(?:see|follow|read|refer to) )?\[[^\]]*\]\([^)]*\)\.?$`}
	// shellBlock is an item of a list with commands below it.
	shellBlock = expression{source: "(?s)^([^\n]*?):?\n```(?:sh|bash|shell|zsh|console)\n(.+?)\n?```"}
	// shellComment matches the part of a command that its title does not need.
	shellComment = expression{source: `^#\s*|\s+#\s.*$`}
	shells       = []string{"", "sh", "bash", "shell", "zsh", "console", "fish", "powershell", "cmd", "terminal"}
)

// commandLines returns the lines of a block of shell commands, nil for other code.
func commandLines(block string) []string {
	language, rest, _ := strings.Cut(block, "\n")
	if !slices.Contains(shells, strings.ToLower(strings.TrimSpace(language))) {
		return nil
	}
	lines := nonEmptyLines(rest)
	if language == "" && !slices.ContainsFunc(lines, words().Command.MatchString) {
		return nil
	}
	return lines
}

// instruction adds a unit as a memory, or leaves it out.
func (r *reader) instruction(f *file, u unit, headings []string, about string, globs []string) {
	base := path.Base(f.path)
	topic := strings.Join(headings, " > ")
	category, unsure := u.kind(headings)
	category = cmp.Or(r.options.Category, category)
	title := u.title(headings)
	if f.scope != "" {
		base = path.Join(f.scope, base)
		scope := f.scope
		if len(scope) > maxScope {
			scope = path.Base(scope)
		}
		title = scope + ": " + fitted(title, titleLength-len([]rune(scope))-2)
	}
	where := base
	if topic != "" {
		where += ", " + topic
	}
	part := text.OneLine(topic, 200)
	if u.lead != "" {
		topic = strings.TrimPrefix(strings.TrimSpace(topic+" > "+strings.TrimSuffix(u.lead, ":")), "> ")
	}
	complete := strings.TrimSpace(u.lead + "\n" + u.text)
	reason := u.idle
	switch {
	case strings.HasPrefix(u.text, "<!--"):
		reason = "a comment"
	case len(u.steps) == 0 && words().Shown.MatchString(u.text), len(u.steps) > 0 &&
		words().BadExample.MatchString(u.steps[0]),
		slices.ContainsFunc(headings, words().Example.MatchString):
		reason = "an example or a table"
	case privacy.OnlyMarkers(u.text):
		reason = "it is private"
	case strings.HasPrefix(u.text, "@") && !strings.Contains(u.text, " "), onlyLink.re().MatchString(u.text):
		reason = "it includes another file: import that by its name"
	case len([]rune(u.text)) > maxShort:
		reason = fmt.Sprintf("more than %d characters: too much for one memory", maxShort)
	case reason == "" && category == "":
		reason = unsure
	case reason == "" && r.options.Category == "" && strings.HasSuffix(title, "…"):
		reason = untitled
	}
	if reason != "" {
		r.leaveOut(f.part(part), u.line, complete, reason)
		return
	}
	if category == schemas.Runbook && len(u.steps) == 0 {
		if u.steps = nonEmptyLines(u.text); isCommand(firstLine(u.text), topic) {
			u.steps = []string{strings.TrimSpace(u.text)} // with its notes
		}
	}
	if u.lead != "" && category != schemas.Runbook && !strings.Contains(u.text, u.lead) {
		u.text = u.lead + " " + u.text
	}
	r.draft(f, part, u.line, draft{category: category, title: title, tags: topicTags(headings...),
		files: globs, raw: complete, topic: cmp.Or(topic, base), lead: f.scope, text: u.text,
		why: strings.TrimSpace(statedIn + where + ". " + about), steps: u.steps, from: where})
}

// What is left out because its category, or what it says alone, is not sure.
const (
	dependent = "it needs the text before it; --category takes it"
	step      = "it may be a step of its list; --category takes it"
	untitled  = "no title can be whole; --category takes it"
	among     = "most of its list says what is, not what to do; --category takes it"
)

// kind returns the category of a unit by its form and its first sentence. If they do not show one for sure, it
// returns "" and why. Neither a heading nor a later sentence gives one, because they were wrong too often.
func (u unit) kind(headings []string) (category schemas.Category, unsure string) {
	heading, introduction := text.Unmarked(strings.Join(headings[max(0, len(headings)-1):], "")), u.introduction()
	structure := slices.ContainsFunc(headings[min(1, len(headings)):], words().Structure.MatchString)
	under := introduction + " " + strings.Join(headings[max(0, len(headings)-2):], " ")
	told := u.item || words().Operating.MatchString(under) || words().Steps.MatchString(under) ||
		words().Condition.MatchString(introduction+", ") || isImperative(introduction)
	switch {
	case len(u.steps) > 0 && words().Prohibits.MatchString(introduction):
		return schemas.Constraint, "" // the commands are those not to run, or to run instead
	case len(u.steps) > 0 && !structure && told, isCommand(firstLine(u.text), u.lead+" "+heading):
		return schemas.Runbook, ""
	case len(u.steps) > 0:
		return "", unfit
	case u.forbidden:
		return schemas.Constraint, ""
	}
	line, _, more := strings.Cut(u.text, "\n")
	line = text.Unmarked(line)
	lead := instructs(introduction)
	sentence, category := firstStatement(line)
	if commanding.re().MatchString(introduction) && !fact.re().MatchString(sentence) {
		return lead, unfit
	}
	if fix := words().Solves.FindString(line); fix != "" || words().Solves.MatchString(introduction+":") {
		return pick(isImperative(line[len(fix):]), schemas.Runbook, ""), unfit
	}
	describes := words().Describes.MatchString(heading) || words().Describes.MatchString(introduction+":") ||
		words().Describes.MatchString(line) && !words().Rules.MatchString(heading) ||
		lead == "" && words().Purposes.MatchString(introduction) ||
		lead == "" && len(strings.Fields(introduction)) > 4 && !words().Condition.MatchString(introduction+", ") ||
		structure
	switch {
	case category == "", len([]rune(sentence)) > titleLength && instructs(fitted(sentence, titleLength)) == "":
		return "", unfit
	case words().RefersBack.MatchString(sentence),
		words().RefersTo.MatchString(plainWords(fitted(sentence, titleLength))),
		!more && words().Points.MatchString(words().Here.ReplaceAllString(sentence, "")):
		return "", dependent
	case describes && !isFirm(sentence), !u.item && isImperative(sentence) && !isClear(sentence):
		return "", unfit
	case u.doubt != "" && !isFirm(sentence):
		return "", u.doubt
	}
	return category, ""
}

// firstStatement returns the sentence that a text begins with, and the category that it shows. A second one that is
// firm may show it if a title holds both, so that what it refers to is there.
func firstStatement(statement string) (sentence string, category schemas.Category) {
	list := sentencesOf(statement)
	if len(list) == 0 {
		return "", ""
	}
	if category = instructs(list[0]); category == "" && len(list) > 1 && isFirm(list[1]) {
		if both := list[0] + " " + list[1]; len([]rune(both)) <= titleLength {
			return both, instructs(list[1])
		}
	}
	return list[0], category
}

// subject is the subject of a text, if it is emphasised or code.
var subject = expression{source: "^(?:`[^`]+`|\\*\\*[^*]+\\*\\*)"}

// commanding matches the introduction of things to do or not to do, such as "Agents must never:".
var commanding = expression{source: `(?i)\b(?:always|never|not|don't|must|avoid)\W*$`}

// isFirm reports whether a sentence can be nothing but an instruction.
func isFirm(sentence string) bool {
	return words().Insists.MatchString(plainWords(sentence)) || words().Orders.MatchString(sentence)
}

// isClear reports whether what a paragraph begins with, that could be a noun, is a verb: no item beside it shows that.
func isClear(sentence string) bool {
	rest := strings.Fields(words().Before.ReplaceAllString(plainWords(sentence), ""))
	return isFirm(sentence) || words().Condition.MatchString(sentence) ||
		len(rest) > 1 && (words().Determiner.MatchString(rest[1]) || words().Clausal.MatchString(rest[0]))
}

// introduction returns the last sentence of the lead.
func (u unit) introduction() string {
	list := sentencesOf(u.lead)
	if len(list) == 0 {
		return ""
	}
	return strings.TrimSuffix(list[len(list)-1], ":")
}

// title returns the title of a unit: what introduces the steps of a runbook, else the sentence that
// says what to do, after the heading or the lead if that says little alone.
func (u unit) title(headings []string) string {
	under := ""
	for i, heading := range slices.Backward(headings) {
		heading = strings.ReplaceAll(headingNumber.re().ReplaceAllString(text.Unmarked(heading), ""), "`", "")
		heading = strings.TrimRight(heading, ": ")
		if under = strings.Trim(heading+": "+under, ": "); strings.Contains(under, " ") || i < 2 {
			break
		}
	}
	statement, _ := firstStatement(text.Unmarked(flowing(u.text)))
	lead, title := plainSentence(u.introduction()), bare(statement)
	bids := isImperative(u.introduction())
	after := func(names ...string) string {
		names = slices.DeleteFunc(append(names, title), func(s string) bool { return s == "" })
		return fitted(strings.Join(names, ": "), titleLength)
	}
	if len(u.steps) > 0 {
		var list []string
		for _, step := range u.steps {
			list = append(list, plainSentence(shellComment.re().ReplaceAllString(step, "")))
		}
		title = list[0]
		if !u.item {
			title = strings.Join(list, "; ")
		}
		switch few := len(strings.Fields(lead)) < 3; {
		case lead == "" && (len(list) == 1 && len(strings.Fields(title)) > 2 || under == ""):
			return after()
		case lead == "" && len(list) > 1 && !words().Unnamed.MatchString(under) &&
			(u.item || strings.Contains(under, " ")):
			title = under
			return after()
		case lead == "":
			return after(under)
		case !few && !words().Unfinished.MatchString(lead) &&
			(u.item || bids && !words().Condition.MatchString(lead+", ")):
			title = lead
			return after()
		case few && u.item:
			title = lead
			return after(under)
		case few, len([]rune(lead+list[0])) > titleLength-2:
			return after(under, pick(few, lead, ""))
		}
		return after(lead)
	}
	first, rest, _ := strings.Cut(u.text, "\n")
	if words().Unfinished.MatchString(first) && strings.HasPrefix(strings.TrimSpace(rest), "- ") {
		title += ": " + plainSentence(rest)
	}
	shown, _, _ := strings.Cut(u.text, "\n```")
	if lines := nonEmptyLines(shown); u.whole && len([]rune(lines[0])) < titleLength/2 {
		rest := text.Unmarked(strings.Join(lines[1:], "; "))
		title = plainSentence(lines[0]) + ": " + strings.NewReplacer("`", "", "**", "").Replace(rest)
	}
	led := instructs(u.introduction())
	switch few := len(strings.Fields(title)) < 6; {
	case (led == schemas.Constraint || u.forbidden) && lead != "" && len([]rune(lead)) < titleLength/2:
		title = fitted(title, titleLength-len([]rune(lead))-2)
		return after(lead)
	case words().Solves.MatchString(title + " "), words().Solves.MatchString(u.lead):
		return after(under)
	case lead != "" && few && len([]rune(lead+title)) < titleLength:
		return after(lead)
	case len(strings.Fields(title)) < 3:
		return after(under)
	}
	return after()
}
