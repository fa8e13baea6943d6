package exchange

import (
	"path"
	"slices"
	"strings"

	"memctl/files"
	"memctl/schemas"
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
	sources, _ := r.w.Root.Sources()        // if they cannot be read, the comparison says so
	were := map[string]files.ImportRecord{} // by the hash of their text
	for _, s := range sources {
		if s.Origin = r.src.unlisted(s.Origin); s.Format == r.Format && fileOf(s.Origin.String()) == f.part("") {
			were[s.Hash] = s
		}
	}
	followed, complete := 0, true
	for _, item := range listed(document) {
		phrase := strings.TrimSpace(item.lead + "\n" + item.complete)
		data, err := r.w.Root.ReadFile(were[hashOf(phrase)].Memory)
		doc, decodeErr := schemas.DecodeExact(data)
		if err != nil || decodeErr != nil {
			complete = false
			continue
		}
		r.add(&Item{State: New, Category: doc.Category, Title: doc.Title, Origin: were[hashOf(phrase)].Origin.String(),
			Line: item.Line, doc: doc, raw: phrase})
		delete(were, hashOf(phrase))
		followed++
	}
	if !complete || followed == 0 {
		r.leaveOut(f.origin, 0, strings.TrimSpace(f.text),
			"somebody has to read it: memctl import SOURCE makes a work list of what no memory was made of")
	}
}

// listed takes a text apart as earlier versions did.
func listed(document string) (items []WorkItem) {
	_, body, first := cutFront(document)
	for _, s := range sections(body, first) {
		items = append(items, splitSection(s)...)
	}
	return items
}
