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

// output filters and cuts a tool's response, and notes what it says about the run.
func (f *filter) output(e Event, r response, m *schemas.ToolMetadata) string {
	switch e.ToolName {
	case "Bash":
		return f.text(r.printed(), maxText)
	case "Read":
		return f.fileRead(r, m)
	case "Write":
		return f.name(r.Type)
	case "Edit", "MultiEdit", "NotebookEdit":
		return f.text(cmp.Or(r.patch(), r.plain), maxText)
	case "Grep", "Glob":
		return f.matches(r, e, m)
	case "WebFetch":
		m.StatusCode = cmp.Or(r.Code.n, r.OlderCode.n)
		return f.beginning(cmp.Or(r.plain, r.Result), maxFetched)
	}
	return r.otherText(e.Output, f)
}

// exit is the exit status of a command, nil if the response has none.
func (r response) exit() *int { return cmp.Or(r.OlderExitCode.n, r.ExitCode.n) }

// failed reports whether the response is one of a failure.
func (r response) failed() bool {
	exit := r.exit()
	return r.Interrupted || r.IsError || r.IsMCPError || exit != nil && *exit != 0
}

// printed returns what a command printed, errors last.
func (r response) printed() string {
	if r.IsImage {
		return "[image]"
	}
	out := cmp.Or(r.plain, r.Stdout)
	if out != "" && r.Stderr != "" && !strings.HasSuffix(out, "\n") {
		out += "\n"
	}
	return out + r.Stderr
}

func (f *filter) fileRead(r response, m *schemas.ToolMetadata) string {
	if r.Type != "" && r.Type != "text" {
		return fmt.Sprintf("[%s, %d bytes]", f.name(r.Type), len(r.File))
	}
	read := decode[file](r.File)
	if r.File == nil {
		read.Content = cmp.Or(r.plain, schemas.String(r.Content))
	}
	n := countLines(read.Content)
	m.LineCount = cmp.Or(read.NumLines.n, &n)
	return f.text(read.Content, maxText)
}

// patch returns the changed lines of an edit.
func (r response) patch() string {
	var b strings.Builder
	for _, h := range r.Patch {
		fmt.Fprintf(&b, "@@ -%s +%s @@\n", h.OldStart, h.NewStart)
		for _, line := range h.Lines {
			b.WriteString(line + "\n")
		}
		if b.Len() > window {
			break
		}
	}
	return b.String()
}

// otherText is the text that is kept of any other tool: its blocks of text, else its text,
// else its JSON.
func (r response) otherText(raw json.RawMessage, f *filter) string {
	if len(raw) == 0 {
		return ""
	}
	blocks := r.Content
	if raw[0] == '[' {
		blocks = raw
	}
	var texts []string
	for _, b := range decode[list[block]](blocks) {
		switch {
		case b.Text != "":
			texts = append(texts, b.Text)
		case b.Type != "" && b.Type != "text":
			texts = append(texts, "["+name(b.Type)+"]")
		}
	}
	s := cmp.Or(strings.Join(texts, "\n"), r.plain)
	if s == "" && len(raw) > window {
		s = string(raw[:window+1]) // long enough to count as clipped
	}
	if s != "" {
		return f.text(s, maxText)
	}
	return limited(string(encode(f.value("", raw))), maxText)
}

// response holds the members of all tools' responses that memctl reads.
type response struct {
	plain string // a response that is only text, as older clients send it

	// Any tool.
	Interrupted bool `json:"interrupted"`
	IsError     bool `json:"is_error"`
	IsMCPError  bool `json:"isError"`

	// Bash.
	Stdout         string `json:"stdout"`
	Stderr         string `json:"stderr"`
	IsImage        bool   `json:"isImage"`
	ExitCode       count  `json:"exitCode"`
	OlderExitCode  count  `json:"exit_code"`
	Interpretation string `json:"returnCodeInterpretation"` // of an exit that is no failure
	BackgroundTask string `json:"backgroundTaskId"`

	// Read and Write.
	Type string          `json:"type"` // "text", "image", "create", "update", ...
	File json.RawMessage `json:"file"` // a file

	// Edit. Its response also has the whole file, which is not kept.
	Patch list[hunk] `json:"structuredPatch"`

	// Grep and Glob.
	Filenames  list[string] `json:"filenames"`
	Mode       string       `json:"mode"`
	NumMatches count        `json:"numMatches"`
	NumLines   count        `json:"numLines"`
	NumFiles   count        `json:"numFiles"`

	// WebFetch.
	Code      count  `json:"code"`
	OlderCode count  `json:"status_code"`
	Result    string `json:"result"`

	// A string for Grep and older versions of Read, a list of blocks for MCP tools
	// and subagents.
	Content json.RawMessage `json:"content"`
}

// file is the file that Read read.
type file struct {
	Content  string `json:"content"`
	NumLines count  `json:"numLines"`
}

// hunk is a part of what Edit changed.
type hunk struct {
	OldStart json.RawMessage `json:"oldStart"` // line numbers
	NewStart json.RawMessage `json:"newStart"`
	Lines    []string        `json:"lines"`
}

// block is one item of the content of an MCP tool or a subagent.
type block struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// maxList bounds the JSON of a list that is decoded, in bytes: small items take many
// times as much memory as their JSON.
const maxList = 1 << 20

// list is a list of JSON values. A longer one than maxList counts as absent.
type list[T any] []T

func (l *list[T]) UnmarshalJSON(raw []byte) error {
	if len(raw) <= maxList {
		*l = decode[[]T](raw)
	}
	return nil
}

// count is a whole number; any other value counts as absent.
type count struct{ n *int }

func (c *count) UnmarshalJSON(raw []byte) error {
	if n, err := strconv.Atoi(string(raw)); err == nil {
		c.n = &n
	}
	return nil
}

func newResponse(raw json.RawMessage) response {
	r := decode[response](raw)
	r.plain = schemas.String(raw)
	return r
}

// matches keeps the files that a search found, each once.
func (f *filter) matches(r response, e Event, m *schemas.ToolMetadata) string {
	names := r.Filenames
	if len(names) == 0 {
		names = r.filesInContent(e)
	}
	var files []string
	for _, file := range names {
		if file != "" && !slices.Contains(files[max(0, len(files)-maxLines):], file) {
			files = append(files, file)
		}
	}
	n := len(names)
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
