package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

const enabledKey = "observations.enabled"

// recording is how install changes whether a project is observed.
type recording struct {
	w      *writer.Writer
	noRoot bool // there is no memory root yet
	open   bool // the configuration does not say whether tools are observed
}

// recordingChange is what install did about observations.
type recordingChange struct {
	Config  string `json:"config"`
	Enabled bool   `json:"enabled"`
	Changed bool   `json:"changed"`
	dryRun  bool
}

// readRecording reads the configuration of the project.
func readRecording(c *cli.Context, std streams) (*recording, error) {
	s, w, err := newWriter(c, std)
	if err != nil {
		return nil, err
	}
	data, err := w.Root.ReadConfig()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", memdir.ConfigName, err)
	}
	_, err = s.Root()
	return &recording{w, err != nil, schemas.ObservationsUndecided(data)}, nil
}

// question says what the user agrees to.
func (r *recording) question() string {
	o := r.w.Config.Observations
	return fmt.Sprintf(`Keep what the agent's tools do, to ask later what happened to a file or what failed?
  kept:   each tool's input and output, cut to the essential; secrets that memctl
          knows and private sections are taken out first
  where:  %s/%s/, for you alone to read; git ignores it
  until:  %s
  off:    memctl config set %s false
The answer goes into %s, which holds for all who share it.`,
		r.w.Root.Shown, memdir.SessionsFolder, keptUntil(o), enabledKey, memdir.ConfigName)
}

// keptUntil says how long observations stay.
func keptUntil(o schemas.ObservationsConfig) string {
	switch days := text.Plural(o.RetentionDays, "day", "days"); {
	case o.RetentionDays > 0 && o.MaxMB > 0:
		return fmt.Sprintf("memctl gc removes what is older than %s, and the oldest above %d MB", days, o.MaxMB)
	case o.RetentionDays > 0:
		return "memctl gc removes what is older than " + days
	case o.MaxMB > 0:
		return fmt.Sprintf("memctl gc removes the oldest above %d MB", o.MaxMB)
	}
	return "you remove it"
}

// apply writes the decision, and makes the memory root if that is missing.
func (r *recording) apply(ctx context.Context, enabled, dryRun bool) (*recordingChange, error) {
	done := &recordingChange{r.w.Root.Join(memdir.ConfigName), enabled, r.changes(enabled), dryRun}
	if !done.Changed || dryRun {
		return done, nil
	}
	if r.noRoot {
		if _, err := memdir.Init(r.w.Root.Path); err != nil {
			return nil, err
		}
	}
	return done, setObserving(ctx, r.w, enabled)
}

// changes reports whether the decision has to be written. A no makes no memory root.
func (r *recording) changes(enabled bool) bool {
	if r.noRoot {
		return enabled
	}
	return r.open || r.w.Config.Observations.Enabled != enabled
}

// setObserving is memctl config set observations.enabled.
func setObserving(ctx context.Context, w *writer.Writer, enabled bool) error {
	s, err := settingNamed(enabledKey)
	if err != nil {
		return err
	}
	value, err := json.Marshal(enabled)
	if err != nil {
		return err
	}
	return w.Configure(ctx, func(data []byte) ([]byte, error) { return s.Set(data, value) })
}

func (r *recordingChange) print(out io.Writer) {
	if r.Changed {
		fmt.Fprintf(out, "%s observations %s in %s\n", doneOr(r.dryRun, "switched"), onOff(r.Enabled), r.Config)
	} else {
		fmt.Fprintf(out, "observations are %s already\n", onOff(r.Enabled))
	}
}
