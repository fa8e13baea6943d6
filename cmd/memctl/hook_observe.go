package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"memctl/hooks"
	"memctl/memdir"
	"memctl/observe"
	"memctl/schemas"
)

// The hooks after a tool.
const (
	afterTool    = "post-tool-use"
	afterFailure = "post-tool-use-failure"
)

// observeTool records what a tool did, where the arguments name one of these hooks.
// They run after every tool, nearly always to append one line or to do nothing at
// all, which is not worth setting up the command line for. What is left to do is
// the command's: it gets the input that is returned, nil where nothing is left.
func observeTool(args []string, in io.Reader) (rest io.Reader, err error) {
	hook, rootArg := parseToolHook(args)
	if hook == "" {
		return in, nil
	}
	raw, err := hooks.ReadValue(in)
	if err != nil {
		return broken{err}, nil
	}
	rest = bytes.NewReader(raw)
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("record the tool: internal error: %v", cause)
		}
	}()
	e, err := observe.ParseEvent(raw)
	if err != nil {
		return rest, nil // the command says it
	}
	e.Failed = e.Failed || hook == afterFailure
	root, err := memdir.Find(memdir.PlacesFromEnv(rootArg, e.Cwd))
	if err == nil {
		err = record(root, e)
	} else if errors.Is(err, memdir.ErrNoRoot) {
		err = nil
	}
	if hook == afterFailure || !mayBeMemory(e, root) {
		rest = nil
	}
	return rest, err
}

// broken is an input that could not be read.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

// parseToolHook returns the hook that the arguments name, if it is one of these,
// and the value of --root. Any other line is the command line library's.
func parseToolHook(args []string) (hook, rootArg string) {
	var words []string
	for i := 1; i < len(args); i++ {
		flag, value, assigned := strings.Cut(args[i], "=")
		switch {
		case flag != "--root" && flag != "-root":
			words = append(words, args[i])
		case assigned:
			rootArg = value
		case i+1 < len(args):
			i++
			rootArg = args[i]
		}
	}
	if len(words) != 2 || words[0] != "hook" || words[1] != afterTool && words[1] != afterFailure {
		return "", ""
	}
	return words[1], rootArg
}

func record(root memdir.Root, e observe.Event) error {
	data, err := root.ReadConfig()
	if err != nil {
		return fmt.Errorf("read %s: %w", memdir.ConfigName, err)
	}
	return observe.Record(root, schemas.DecodeRecording(data), e, time.Now())
}

// mayBeMemory tells whether the tool wrote a file in a memory root, or one that
// the event does not name.
func mayBeMemory(e observe.Event, session memdir.Root) bool {
	return hooks.WritesFile(e.ToolName) && (e.FilePath == "" || len(memdir.Locate(e.FilePath, e.Cwd, session.Path)) > 0)
}
