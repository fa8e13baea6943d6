package observe

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"memctl/schemas"
)

// output is what is kept of a tool's output.
type output struct {
	text        string
	lines       *int // of the file that was read
	matches     *int
	status      *int // of a web page
	exit        *int
	failed      bool
	interrupted bool
	unsettled   bool // the exit status is not 0, or not known yet
}

// newOutput reads what the tool answered: an object of the tool's own, a list of
// blocks, or text as in older clients.
func newOutput(e Event, f *filter) output {
	var o output
	raw := e.Output
	o.flags(raw)
	switch e.ToolName {
	case "Bash":
		o.text = f.text(shellText(raw), maxText)
	case "Read":
		o.readText(raw, f)
	case "Write":
		o.text = name(schemas.String(member(raw, "type"))) // the rest is the file
	case "Edit", "MultiEdit", "NotebookEdit":
		o.text = f.text(patchText(raw), maxText)
	case "Grep", "Glob":
		o.fileList(e, f)
	case "WebFetch":
		o.status = number(raw, "code", "status_code")
		o.text = f.beginning(textIn(raw, "result"), maxFetched)
	default:
		o.text = f.answer(raw)
	}
	return o
}

func (o *output) flags(raw json.RawMessage) {
	is := func(name string) bool { return string(member(raw, name)) == "true" }
	o.interrupted = is("interrupted")
	o.failed = o.interrupted || is("is_error") || is("isError")
	o.exit = number(raw, "exit_code", "exitCode")
	if o.exit != nil && *o.exit != 0 {
		o.failed = true
	}
	for _, name := range []string{"returnCodeInterpretation", "backgroundTaskId"} {
		o.unsettled = o.unsettled || schemas.String(member(raw, name)) != ""
	}
}

// shellText is what a command printed, errors last.
func shellText(raw json.RawMessage) string {
	if string(member(raw, "isImage")) == "true" {
		return "[image]"
	}
	out, errOut := textIn(raw, "stdout"), schemas.String(member(raw, "stderr"))
	if out != "" && errOut != "" && !strings.HasSuffix(out, "\n") {
		out += "\n"
	}
	return out + errOut
}

func (o *output) readText(raw json.RawMessage, f *filter) {
	file := member(raw, "file")
	if kind := schemas.String(member(raw, "type")); kind != "" && kind != "text" {
		o.text = fmt.Sprintf("[%s, %d bytes]", name(kind), len(file))
		return
	}
	content := textIn(raw, "content")
	if file != nil {
		content = schemas.String(member(file, "content"))
	}
	if o.lines = number(file, "numLines"); o.lines == nil {
		n := countLines(content)
		o.lines = &n
	}
	o.text = f.text(content, maxText)
}

// patchText is what an edit changed. The answer has the whole file too.
func patchText(raw json.RawMessage) string {
	var b strings.Builder
	for hunk := range schemas.Items(member(raw, "structuredPatch")) {
		fmt.Fprintf(&b, "@@ -%s +%s @@\n", member(hunk, "oldStart"), member(hunk, "newStart"))
		for line := range schemas.Items(member(hunk, "lines")) {
			b.WriteString(schemas.String(line) + "\n")
		}
		if b.Len() > window {
			break
		}
	}
	if b.Len() == 0 {
		return schemas.String(raw)
	}
	return b.String()
}

// fileList keeps of a search the files that it found, each once.
func (o *output) fileList(e Event, f *filter) {
	var files []string
	n := 0
	add := func(file string) {
		if n++; file != "" && !slices.Contains(files[max(0, len(files)-maxLines):], file) {
			files = append(files, file)
		}
	}
	for file := range schemas.Items(member(e.Output, "filenames")) {
		add(schemas.String(file))
	}
	if n == 0 {
		for _, file := range filesOf(e) {
			add(file)
		}
	}
	o.matches = &n
	if counted := number(e.Output, "numMatches", "numLines", "numFiles"); counted != nil {
		o.matches = counted
	}
	o.text = f.text(strings.Join(files, "\n"), maxText)
}

// filesOf takes the files off the lines of a search: "file:12:text", "file:3", or
// else "file:text" and lines that are nothing but a file, by what was asked for. Lines
// that begin with their number name none, nor do those around a match; what is found
// in one file is that file's.
func filesOf(e Event) []string {
	found, _ := clip(textIn(e.Output, "content"))
	mode := cmp.Or(schemas.String(member(e.Output, "mode")), schemas.String(member(e.Input, "output_mode")))
	var numbered, plain []string
	for line := range strings.Lines(found) {
		line = strings.TrimRight(line, "\r\n")
		if file, ok := numberedFile(line); ok {
			numbered = append(numbered, file)
			continue
		}
		if mode == "content" {
			line, _, _ = strings.Cut(line, ":")
		}
		if isPath(line) {
			plain = append(plain, line)
		}
	}
	searched := schemas.String(member(e.Input, "path"))
	switch {
	case len(numbered) > 0:
		return numbered
	case mode == "content" && path.Ext(searched) != "":
		if found == "" {
			return nil
		}
		return []string{searched}
	}
	return plain
}

// isPath tells what can only be a path, which code that was found is not.
func isPath(s string) bool {
	return strings.ContainsAny(s, `/\.`) && !strings.ContainsAny(s, " \t()[]{}<>\"'`=,;|&*")
}

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

// answer is the output of any other tool.
func (f *filter) answer(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	blocks := raw
	if raw[0] == '{' {
		blocks = member(raw, "content")
	}
	var texts []string
	for block := range schemas.Items(blocks) {
		if s := schemas.String(member(block, "text")); s != "" {
			texts = append(texts, s)
		} else if kind := schemas.String(member(block, "type")); kind != "" && kind != "text" {
			texts = append(texts, "["+name(kind)+"]")
		}
	}
	if len(texts) > 0 {
		return f.text(strings.Join(texts, "\n"), maxText)
	}
	if s := schemas.String(raw); s != "" || len(raw) > window {
		return f.text(orRaw(s, raw), maxText)
	}
	return limited(string(schemas.EncodeAny(f.value("", raw))), maxText)
}

func orRaw(s string, raw json.RawMessage) string {
	if s == "" {
		return string(raw[:min(len(raw), window+1)])
	}
	return s
}

// textIn is a string of an object, or the value itself where that is the string:
// older clients send the text alone.
func textIn(raw json.RawMessage, name string) string {
	if len(raw) > 0 && raw[0] == '"' {
		return schemas.String(raw)
	}
	return schemas.String(member(raw, name))
}

// number is the first of the members named that is a whole number.
func number(raw json.RawMessage, names ...string) *int {
	for _, name := range names {
		if n, err := strconv.Atoi(string(member(raw, name))); err == nil {
			return &n
		}
	}
	return nil
}
