package clients

import (
	"encoding/json"
	"strings"

	"memctl/hooks"
	"memctl/schemas"
)

// genAIResponse is a tool's response in Gemini CLI and in Qwen Code, which grew from it.
type genAIResponse struct {
	Content json.RawMessage `json:"llmContent"` // a text or a list of blocks
	Error   struct {
		Message string `json:"message"`
	} `json:"error"`
}

// readGenAIResponse reads a tool's response into its event. The exit status of a command
// stands in the text, unless it is 0.
func readGenAIResponse(raw json.RawMessage, e *hooks.Event) {
	var r genAIResponse
	if decodeObject(raw, &r) {
		e.Output = present(r.Content)
		if r.Error.Message != "" {
			e.Failed, e.Error, e.Output = true, r.Error.Message, nil
		}
	}
	if e.ToolName != "Bash" {
		return
	}
	report := e.Error
	if report == "" {
		report = schemas.String(e.Output)
	}
	printed, code := readShellReport(report)
	switch {
	case code != 0:
		e.Exited(code, printed)
	case e.Error == "" && printed != report:
		e.Output = quoted(printed)
	}
}

// readShellReport returns what a command printed, without the lines around it, and its
// exit status, 0 if the report names none.
func readShellReport(report string) (printed string, code int) {
	lines := strings.Split(strings.TrimSpace(report), "\n")
	for len(lines) > 0 && isShellTrailer(lines[len(lines)-1]) {
		if n, ok := numberAfter(lines[len(lines)-1], "Exit Code: "); ok {
			code = n
		}
		lines = lines[:len(lines)-1]
	}
	printed = strings.Join(lines, "\n")
	if _, after, ok := strings.Cut("\n"+printed, "\nOutput: "); ok {
		printed = after
	}
	return printed, code
}

// isShellTrailer reports whether a line follows what a command printed.
func isShellTrailer(line string) bool {
	for _, beginning := range []string{"Error: ", "Exit Code: ", "Signal: ", "Background PIDs: ", "Process Group PGID: ", "</untrusted_context>"} {
		if strings.HasPrefix(line, beginning) {
			return true
		}
	}
	return false
}
