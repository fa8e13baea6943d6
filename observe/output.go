package observe

import (
	"cmp"
	"encoding/json"
	"fmt"
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

// otherText is what is kept of any other tool: its blocks of text, else its text,
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
