package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"memctl/render"
	"memctl/text"

	"github.com/rogpeppe/go-internal/diff"
)

// settingsChange is what install or uninstall does to a settings file.
type settingsChange struct {
	Scope    string `json:"scope"`
	Settings string `json:"settings"`
	Changed  bool   `json:"changed"`
	DryRun   bool   `json:"dry_run"`
	Command  string `json:"command,omitempty"` // that the hooks run
	Backup   string `json:"backup,omitempty"`
	Diff     string `json:"diff,omitempty"`

	Server       *settingsChange  `json:"mcp,omitempty"` // of the project's .mcp.json
	Observations *recordingChange `json:"observations,omitempty"`

	file  settingsFile
	after []byte // nil for no file
}

func newSettingsChange(p place, file settingsFile, after []byte, dryRun bool) settingsChange {
	c := settingsChange{Scope: p.scope, Settings: p.path, DryRun: dryRun, file: file, after: after}
	c.Changed = !bytes.Equal(file.data, after)
	if c.Changed {
		_, c.Diff, _ = strings.Cut(string(diff.Diff(nameOrNull(p.path, file.data), file.data, nameOrNull(p.path, after), after)), "\n")
	}
	return c
}

func nameOrNull(path string, data []byte) string {
	if data == nil {
		return os.DevNull
	}
	return path
}

// apply writes what is to be written, after a copy of what was there.
func (c *settingsChange) apply(keepCopy bool) (err error) {
	if !c.Changed || c.DryRun {
		return nil
	}
	if err := c.file.unchanged(); err != nil { // before a copy is left behind
		return err
	}
	if keepCopy {
		if c.Backup, err = c.file.backUp(); err != nil {
			return err
		}
	}
	return c.file.write(c.after)
}

// print says what was done, or what nothing had to be done for.
func (c settingsChange) print(out io.Writer, asJSON bool, done, unchanged string) error {
	switch {
	case asJSON:
		return writeJSON(out, c)
	case !c.Changed && c.Observations != nil && c.Observations.Changed:
		fmt.Fprintf(out, "%s %s\n", unchanged, c.Settings)
	case !c.Changed:
		fmt.Fprintf(out, "%s %s; nothing was changed\n", unchanged, c.Settings)
	default:
		fmt.Fprint(out, text.Paragraph(c.Diff))
		fmt.Fprintf(out, "%s %s\n", render.Done(c.DryRun, done), c.Settings)
		if c.Backup != "" {
			fmt.Fprintf(out, "as it was: %s\n", filepath.Base(c.Backup))
		}
	}
	if c.Observations != nil {
		c.Observations.print(out)
	}
	if c.Server == nil {
		return nil
	}
	return c.Server.print(out, false, done, unchanged)
}
