package hooks

import "strings"

// The marks of Visible are words that no memory has.
const (
	codeMark    = "[code]"
	commentMark = "[comment]"
)

// CutFront cuts the front matter off a Markdown text.
func CutFront(markdown string) (front, rest string) {
	markdown = strings.TrimPrefix(strings.ReplaceAll(markdown, "\r\n", "\n"), "\ufeff")
	first, after, _ := strings.Cut(markdown, "\n")
	if strings.TrimRight(first, " \t") != "---" {
		return "", markdown
	}
	at := 0
	for line := range strings.Lines(after) {
		if strings.TrimRight(line, " \t\n") == "---" {
			return after[:at], after[at+len(line):]
		}
		at += len(line)
	}
	return "", markdown
}

// Visible returns a Markdown text without its front matter, fenced code, and comments on lines of their own: Claude
// Code does not load these comments. A mark stands for code, and for a comment within a line.
func Visible(markdown string) string {
	var b strings.Builder
	fence, commented, alone := "", false, false
	_, markdown = CutFront(markdown)
	for line := range strings.Lines(markdown) {
		bare := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "" {
				fence = ""
			}
			continue
		case !commented && (strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~")):
			fence = bare[:len(bare)-len(strings.TrimLeft(bare, bare[:1]))]
			line = strings.Replace(line, bare, codeMark, 1)
		}
		for shown := ""; ; {
			before, after, found := strings.Cut(line, "<!--")
			if commented {
				before, after, found = strings.Cut(line, "-->")
			}
			switch {
			case commented && found:
				commented = false
				if alone && strings.TrimSpace(after) != "" {
					shown += commentMark
				} else if alone {
					after = ""
				}
			case found:
				shown, commented = shown+before, true
				if alone = shown == ""; !alone {
					shown += commentMark
				}
			case !commented:
				shown += before
			}
			if line = after; !found {
				b.WriteString(shown)
				break
			}
		}
	}
	return b.String()
}
