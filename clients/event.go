package clients

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"memctl/hooks"
	"memctl/memdir"
	"memctl/observe"
)

// failureEvent is the name of the event after a tool that failed.
const failureEvent = "PostToolUseFailure"

// Decode reads an event. It treats a member of another type than expected as absent.
func (c *Client) Decode(raw json.RawMessage) (hooks.Event, hooks.Client, error) {
	w, err := decodeWire(raw)
	if err != nil {
		return hooks.Event{}, c, err
	}
	if c == Claude && w.isOfCopilot() {
		c = Copilot
	}
	e := w.event()
	if e.ToolName != "" {
		e.ToolName = c.toolName(e.ToolName)
	}
	if e.WritesFile() || e.ToolName == "Read" {
		e.Input = c.renamed(e.Input)
	}
	if c.adapt != nil {
		err = c.adapt(&w, &e)
	}
	if e.WritesFile() && e.Paths == nil {
		e.Paths = inputPaths(e.Input)
	}
	return e, c, err
}

func decodeWire(raw json.RawMessage) (w wire, err error) {
	err = json.Unmarshal(raw, &w) // skips such members and decodes the rest
	var wrongType *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &wrongType):
		return w, err
	case wrongType.Field == "":
		return w, fmt.Errorf("expected a JSON object, got a JSON %s", wrongType.Value)
	}
	return w, nil
}

// event returns the event of a client that sends what Claude Code does.
func (w *wire) event() hooks.Event {
	tool := observe.Event{
		SessionID:   w.SessionID,
		PromptID:    w.PromptID,
		ToolName:    w.ToolName,
		Input:       present(w.ToolInput),
		Output:      present(w.ToolResponse),
		Error:       cmp.Or(w.Error, w.ToolError),
		Interrupted: w.IsInterrupt,
		ToolUseID:   w.ToolUseID,
		AgentID:     w.AgentID,
		EndedAt:     moment(w.EndedAt),
		Duration:    w.duration(),
	}
	if tool.Output == nil {
		tool.Output = present(w.ToolOutput)
	}
	tool.Failed = w.Name == failureEvent || tool.Error != ""
	return hooks.Event{
		Event:          tool,
		Cwd:            usablePath(w.Cwd),
		AgentType:      w.AgentType,
		Name:           w.Name,
		Source:         w.Source,
		Prompt:         cmp.Or(w.Prompt, w.UserPrompt),
		TranscriptPath: usablePath(w.TranscriptPath),
		LastAnswer:     w.LastAnswer,
		StopHookActive: w.StopHookActive,
	}
}

// inputPaths returns the file that a tool's input names.
func inputPaths(input json.RawMessage) []string {
	var in struct {
		FilePath     string `json:"file_path"`
		NotebookPath string `json:"notebook_path"`
	}
	if !decodeObject(input, &in) {
		return nil
	}
	if path := cmp.Or(in.FilePath, in.NotebookPath); path != "" {
		return []string{path}
	}
	return nil
}

// usablePath returns "" for a path that no system opens. A tool's path stays, because
// the tool may clean it first.
func usablePath(path string) string {
	if len(path) > memdir.MaxPath {
		return ""
	}
	return path
}
