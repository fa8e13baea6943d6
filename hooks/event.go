// Package hooks owns the agent's wire format: reading an event from stdin and
// writing what the client understands. It decides nothing.
package hooks

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
)

const (
	// readTimeout is how long one whole JSON value may take to arrive. The client
	// closes stdin at once, but other callers may leave it open.
	readTimeout = 2 * time.Second
	// maxEvent bounds what is read from stdin.
	maxEvent = 64 << 20
)

// Event is what a hook is told. Fields of events that no hook of ours reads are
// left out.
type Event struct {
	SessionID string
	Cwd       string
	Name      string
	Source    string // of SessionStart: startup, resume, clear, compact
	Prompt    string
	ToolName  string
	ToolPath  string // the file that the tool's input names, as the model gave it
	// TranscriptPath is where the client keeps the conversation. It writes late: at
	// a stop, LastAnswer is usually not in it yet.
	TranscriptPath string
	LastAnswer     string
	StopHookActive bool // the agent goes on because a stop hook blocked
}

// wire has the field names of Claude Code and the older ones. A value of
// another type than expected counts as absent.
type wire struct {
	SessionID  lenient   `json:"session_id"`
	Cwd        lenient   `json:"cwd"`
	Name       lenient   `json:"hook_event_name"`
	Source     lenient   `json:"source"`
	Prompt     lenient   `json:"prompt"`
	UserPrompt lenient   `json:"user_prompt"`
	ToolName   lenient   `json:"tool_name"`
	ToolInput  toolInput `json:"tool_input"`
	Transcript lenient   `json:"transcript_path"`
	LastAnswer lenient   `json:"last_assistant_message"`
	StopActive isTrue    `json:"stop_hook_active"`
}

// toolInput is the part of a tool's input that says which file it is about.
type toolInput struct {
	FilePath     lenient `json:"file_path"`
	NotebookPath lenient `json:"notebook_path"`
}

func (in *toolInput) UnmarshalJSON(raw []byte) error {
	type plain toolInput
	var value plain
	if json.Unmarshal(raw, &value) == nil {
		*in = toolInput(value)
	}
	return nil
}

type isTrue bool

func (b *isTrue) UnmarshalJSON(raw []byte) error {
	*b = string(raw) == "true"
	return nil
}

type lenient string

func (s *lenient) UnmarshalJSON(raw []byte) error {
	var value string
	if json.Unmarshal(raw, &value) == nil {
		*s = lenient(value)
	}
	return nil
}

// ReadEvent reads one JSON object from in, without waiting for its end.
func ReadEvent(in io.Reader) (Event, error) {
	raw, err := readValue(in)
	if err != nil {
		return Event{}, fmt.Errorf("read the event on stdin: %w", err)
	}
	var w wire
	if err := json.Unmarshal(raw, &w); err != nil {
		return Event{}, fmt.Errorf("read the event on stdin: expected a JSON object: %w", err)
	}
	e := Event{
		SessionID: string(w.SessionID),
		Cwd:       string(w.Cwd),
		Name:      string(w.Name),
		Source:    string(w.Source),
		Prompt:    string(cmp.Or(w.Prompt, w.UserPrompt)),
		ToolName:  string(w.ToolName),
		ToolPath:  string(cmp.Or(w.ToolInput.FilePath, w.ToolInput.NotebookPath)),

		TranscriptPath: string(w.Transcript),
		LastAnswer:     string(w.LastAnswer),
		StopHookActive: bool(w.StopActive),
	}
	return e, nil
}

func readValue(in io.Reader) (json.RawMessage, error) {
	if file, ok := in.(*os.File); ok && isatty.IsTerminal(file.Fd()) {
		return nil, errors.New("stdin is a terminal; a hook is given its event there")
	}
	type answer struct {
		raw json.RawMessage
		err error
	}
	done := make(chan answer, 1)
	go func() {
		var a answer
		limited := &io.LimitedReader{R: in, N: maxEvent}
		a.err = json.NewDecoder(limited).Decode(&a.raw)
		if limited.N <= 0 {
			a.err = fmt.Errorf("more than %d MiB", maxEvent>>20)
		}
		done <- a
	}()
	select {
	case a := <-done:
		if errors.Is(a.err, io.EOF) {
			return nil, errors.New("it is empty")
		}
		return a.raw, a.err
	case <-time.After(readTimeout):
		return nil, fmt.Errorf("no whole JSON value within %v", readTimeout)
	}
}
