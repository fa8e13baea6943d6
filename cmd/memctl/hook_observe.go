package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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

// observeTool records what a tool did. These hooks run after every tool, nearly
// always to append one line or to do nothing at all. What is left to do is the
// hook's: it gets the input that is returned, nil where nothing is left.
func observeTool(hook, rootArg string, in io.Reader) (rest io.Reader, err error) {
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
