package observe

import (
	"cmp"
	"encoding/json"
	"fmt"
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

// outcome holds the members that any tool's response may have.
type outcome struct {
	Interrupted    bool   `json:"interrupted"`
	IsError        bool   `json:"is_error"`
	IsMCPError     bool   `json:"isError"`
	ExitCode       count  `json:"exitCode"`
	OlderExitCode  count  `json:"exit_code"`
	Interpretation string `json:"returnCodeInterpretation"` // of an exit status that is no failure
	BackgroundTask string `json:"backgroundTaskId"`
}

// count is a whole number; any other value counts as absent.
type count struct{ n *int }

func (c *count) UnmarshalJSON(raw []byte) error {
	if n, err := strconv.Atoi(string(raw)); err == nil {
		c.n = &n
	}
	return nil
}

// newOutput reads a tool's response: an object of the tool's own, a list of blocks,
// or only text, as older clients send it.
func newOutput(e Event, f *filter) output {
	r := decode[outcome](e.Output)
	o := output{
		exit:        cmp.Or(r.OlderExitCode.n, r.ExitCode.n),
		interrupted: r.Interrupted,
		unsettled:   r.Interpretation != "" || r.BackgroundTask != "",
	}
	o.failed = r.Interrupted || r.IsError || r.IsMCPError || o.exit != nil && *o.exit != 0
	switch e.ToolName {
	case "Bash":
		o.text = f.text(decode[bashResponse](e.Output).text(e), maxText)
	case "Read":
		decode[readResponse](e.Output).keep(&o, e, f)
	case "Write":
		o.text = name(decode[writeResponse](e.Output).Type)
	case "Edit", "MultiEdit", "NotebookEdit":
		o.text = f.text(decode[editResponse](e.Output).text(e), maxText)
	case "Grep", "Glob":
		decode[searchResponse](e.Output).keep(&o, e, f)
	case "WebFetch":
		page := decode[fetchResponse](e.Output)
		o.status = cmp.Or(page.Code.n, page.OlderCode.n)
		o.text = f.beginning(cmp.Or(plain(e), page.Result), maxFetched)
	default:
		o.text = f.otherText(e.Output)
	}
	return o
}

// plain returns the text of a response that is only text.
func plain(e Event) string { return schemas.String(e.Output) }

type bashResponse struct {
	Stdout  string `json:"stdout"`
	Stderr  string `json:"stderr"`
	IsImage bool   `json:"isImage"`
}

// text returns what the command printed, errors last.
func (r bashResponse) text(e Event) string {
	if r.IsImage {
		return "[image]"
	}
	out := cmp.Or(plain(e), r.Stdout)
	if out != "" && r.Stderr != "" && !strings.HasSuffix(out, "\n") {
		out += "\n"
	}
	return out + r.Stderr
}

type readResponse struct {
	Type    string          `json:"type"` // "text", "image", ...
	File    json.RawMessage `json:"file"`
	Content string          `json:"content"` // older
}

type fileRead struct {
	Content  string `json:"content"`
	NumLines count  `json:"numLines"`
}

func (r readResponse) keep(o *output, e Event, f *filter) {
	if r.Type != "" && r.Type != "text" {
		o.text = fmt.Sprintf("[%s, %d bytes]", name(r.Type), len(r.File))
		return
	}
	file := decode[fileRead](r.File)
	content := file.Content
	if r.File == nil {
		content = cmp.Or(plain(e), r.Content)
	}
	if o.lines = file.NumLines.n; o.lines == nil {
		n := countLines(content)
		o.lines = &n
	}
	o.text = f.text(content, maxText)
}

// writeResponse also has the whole file, which is not kept.
type writeResponse struct {
	Type string `json:"type"` // "create" or "update"
}

// editResponse also has the whole file, which is not kept.
type editResponse struct {
	Patch []struct {
		OldStart json.RawMessage `json:"oldStart"`
		NewStart json.RawMessage `json:"newStart"`
		Lines    []string        `json:"lines"`
	} `json:"structuredPatch"`
}

// text returns the changed lines.
func (r editResponse) text(e Event) string {
	var b strings.Builder
	for _, hunk := range r.Patch {
		fmt.Fprintf(&b, "@@ -%s +%s @@\n", hunk.OldStart, hunk.NewStart)
		for _, line := range hunk.Lines {
			b.WriteString(line + "\n")
		}
		if b.Len() > window {
			break
		}
	}
	return cmp.Or(b.String(), plain(e))
}

type fetchResponse struct {
	Code      count  `json:"code"`
	OlderCode count  `json:"status_code"`
	Result    string `json:"result"`
}

// block is one item of the content of an MCP tool or a subagent.
type block struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// otherText is the output of any other tool: its blocks of text, else its text,
// else its JSON.
func (f *filter) otherText(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	blocks := decode[[]block](raw)
	if raw[0] == '{' {
		blocks = decode[struct {
			Content []block `json:"content"`
		}](raw).Content
	}
	var texts []string
	for _, b := range blocks {
		switch {
		case b.Text != "":
			texts = append(texts, b.Text)
		case b.Type != "" && b.Type != "text":
			texts = append(texts, "["+name(b.Type)+"]")
		}
	}
	s := cmp.Or(strings.Join(texts, "\n"), schemas.String(raw))
	if s == "" && len(raw) > window {
		s = string(raw[:window+1]) // so that it counts as clipped
	}
	if s != "" {
		return f.text(s, maxText)
	}
	return limited(string(encode(f.value("", raw))), maxText)
}
