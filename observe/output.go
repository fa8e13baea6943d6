package observe

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"memctl/schemas"
)

// output is what is kept of a tool's response.
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

func newOutput(e Event, f *filter) output {
	r := newResponse(e.Output)
	o := output{
		exit:        cmp.Or(r.OlderExitCode.n, r.ExitCode.n),
		interrupted: r.Interrupted,
		unsettled:   r.Interpretation != "" || r.BackgroundTask != "",
	}
	o.failed = r.Interrupted || r.IsError || r.IsMCPError || o.exit != nil && *o.exit != 0
	switch e.ToolName {
	case "Bash":
		o.text = f.text(r.printed(), maxText)
	case "Read":
		o.keepFile(r, f)
	case "Write":
		o.text = f.name(r.Type)
	case "Edit", "MultiEdit", "NotebookEdit":
		o.text = f.text(cmp.Or(r.patch(), r.plain), maxText)
	case "Grep", "Glob":
		o.keepMatches(r, e, f)
	case "WebFetch":
		o.status = cmp.Or(r.Code.n, r.OlderCode.n)
		o.text = f.beginning(cmp.Or(r.plain, r.Result), maxFetched)
	default:
		o.text = r.otherText(e.Output, f)
	}
	return o
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

func (o *output) keepFile(r response, f *filter) {
	if r.Type != "" && r.Type != "text" {
		o.text = fmt.Sprintf("[%s, %d bytes]", f.name(r.Type), len(r.File))
		return
	}
	read := decode[file](r.File)
	if r.File == nil {
		read.Content = cmp.Or(r.plain, schemas.String(r.Content))
	}
	n := countLines(read.Content)
	o.lines = cmp.Or(read.NumLines.n, &n)
	o.text = f.text(read.Content, maxText)
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
