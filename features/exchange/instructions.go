package exchange

import (
	"path"
	"slices"
	"strings"

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

// prose follows what earlier versions made of a file with many memories, such as CLAUDE.md: a text that is still there
// is the memory that was made of it. What else there is waits for somebody who reads it.
func (r *reader) prose(f *file) {
	document, _ := withoutDigest(f.text)
	followed, complete := false, true
	for _, phrase := range formerTexts(document) {
		isSame := r.stays(f, phrase)
		followed, complete = followed || isSame, complete && isSame
	}
	if !complete || !followed {
		r.leaveOut(f.origin, 0, strings.TrimSpace(f.text),
			"somebody has to read it: memctl import SOURCE makes a work list of what no memory was made of")
	}
}

// formerTexts returns what earlier versions took for a memory: a paragraph, an item of a list with the sentence that
// introduces it, or a list with numbers. Code belongs to what is above it.
func formerTexts(document string) (texts []string) {
	_, body, first := cutFront(document)
	for _, s := range sections(body, first) {
		lead, last, begin := "", paragraph, len(texts)
		for i, b := range s.blocks {
			phrase := uncommented(pick(b.kind == bullet, b.text, b.marked()))
			if b.kind == paragraph || b.kind == comment {
				lead = ""
			}
			switch {
			case b.kind == comment:
				continue
			case len(texts) > begin && (b.kind == code || b.kind == numbered && last == numbered):
				texts[len(texts)-1] += "\n" + phrase
			case b.kind == paragraph && strings.HasSuffix(text.Unmarked(b.text), ":") && i+1 < len(s.blocks) &&
				s.blocks[i+1].kind == bullet:
				lead = phrase
			default:
				texts = append(texts, strings.TrimSpace(lead+"\n"+phrase))
			}
			last = b.kind
		}
	}
	return texts
}
