package answers

import (
	"errors"
	"fmt"
	"time"

	"memctl/hooks"
	"memctl/memdir"
	"memctl/observe"
	"memctl/privacy"
	"memctl/schemas"
)

// record records what a tool did. The hooks after a tool run after every one,
// nearly always to append one line or to do nothing at all; it tells whether there
// is something left for the hook to do. A run that goes well leaves no line in the
// log: it is a line of its own already.
func (r *Run) record(hook, rootArg string) (left bool, err error) {
	raw, err := r.value()
	if err != nil {
		return true, nil // the hook says it
	}
	e, err := observe.ParseEvent(raw)
	if err != nil {
		return true, nil
	}
	e.Failed = e.Failed || hook == AfterFailure
	var root memdir.Root
	var withheld privacy.Report
	err = recovered(func() (err error) {
		root, withheld, err = recordIn(memdir.PlacesFromEnv(rootArg, e.Cwd), e)
		return err
	})
	if note := privacyNote(withheld); note != "" {
		fmt.Fprint(r.std.Err, note) // an empty one would be a system call too
	}
	if err != nil {
		r.begin(hook, rootArg, hooks.Event{Cwd: e.Cwd, SessionID: e.SessionID, ToolName: e.ToolName})
	}
	return hook == AfterTool && mayBeMemory(e, root), err
}

// recordIn records the event in the root that it is about, if there is one.
func recordIn(places memdir.Places, e observe.Event) (root memdir.Root, withheld privacy.Report, err error) {
	root, err = memdir.Find(places)
	if errors.Is(err, memdir.ErrNoRoot) {
		return root, withheld, nil
	}
	if err != nil {
		return root, withheld, err
	}
	data, err := root.ReadConfig()
	if err != nil {
		return root, withheld, fmt.Errorf("read %s: %w", memdir.ConfigName, err)
	}
	settings := schemas.DecodeRecording(data)
	if filteredLater(settings.Privacy) {
		return root, withheld, errLater
	}
	withheld, err = observe.Record(root, settings, e, time.Now())
	return root, withheld, err
}

// mayBeMemory tells whether the tool wrote a file in a memory root, or one that
// the event does not name.
func mayBeMemory(e observe.Event, session memdir.Root) bool {
	return hooks.WritesFile(e.ToolName) && (e.FilePath == "" || len(memdir.Locate(e.FilePath, e.Cwd, session.Path)) > 0)
}
