package observe

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"memctl/schemas"
)

// matches keeps the files that a search found, each once.
func (f *filter) matches(r response, e Event, m *schemas.ToolMetadata) string {
	found := r.Filenames
	if len(found) == 0 {
		found = r.filesInContent(e)
	}
	var files []string
	for _, file := range found {
		if file != "" && !slices.Contains(files[max(0, len(files)-maxLines):], file) {
			files = append(files, file)
		}
	}
	n := len(found)
	m.MatchCount = cmp.Or(r.NumMatches.n, r.NumLines.n, r.NumFiles.n, &n)
	return f.text(strings.Join(files, "\n"), maxText)
}

// filesInContent takes the files from the lines of a search: "file:12:text" and
// "file:3", else, depending on the mode, "file:text" or lines that are only a file.
// Lines that begin with their number name no file, nor do those around a match. All
// lines of a search in one file are that file's.
func (r response) filesInContent(e Event) []string {
	args := decode[arguments](e.Input)
	mode := cmp.Or(r.Mode, args.OutputMode)
	content, _ := clip(cmp.Or(r.plain, schemas.String(r.Content)))
	var numbered, bare []string
	for line := range strings.Lines(content) {
		line = strings.TrimRight(line, "\r\n")
		if file, ok := numberedFile(line); ok {
			numbered = append(numbered, file)
			continue
		}
		if mode == "content" {
			line, _, _ = strings.Cut(line, ":")
		}
		if isPath(line) {
			bare = append(bare, line)
		}
	}
	switch {
	case len(numbered) > 0:
		return numbered
	case mode == "content" && path.Ext(args.Path) != "":
		if content == "" {
			return nil
		}
		return []string{args.Path}
	}
	return bare
}

// isPath reports whether s can only be a path. Matched code is not.
func isPath(s string) bool {
	return strings.ContainsAny(s, `/\.`) && !strings.ContainsAny(s, " \t()[]{}<>\"'`=,;|&*")
}

// numberedFile returns the file of "file:12:text" or "file:3". It returns "" and
// true for a line that begins with its number.
func numberedFile(line string) (string, bool) {
	for at := range len(line) {
		if line[at] != ':' {
			continue
		}
		rest := strings.TrimLeft(line[at+1:], "0123456789")
		if len(rest) < len(line)-at-1 && (rest == "" || rest[0] == ':') {
			return line[:at], true
		}
	}
	number, _, found := strings.Cut(line, ":")
	_, err := strconv.Atoi(number)
	return "", found && err == nil
}
