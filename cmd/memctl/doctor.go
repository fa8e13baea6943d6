package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"memctl/memdir"
	"memctl/settings"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

const doctorDescription = `Says whether memctl works here: this binary, the client's settings, each hook, the
MCP server, the memory root, and whether the client really calls the hooks. Every warning and every
failure comes with what to do about it. memctl health judges what the memory root
holds, memctl validate each of its files.

The hooks and the server are run on a project made for that in the temporary folder; memories and
the log of real runs stay as they are. An index that is out of date or damaged is
mended, as by any command that reads.

Exit status: 0 nothing failed (there may be warnings), 1 something did, 2 wrong
usage.`

func doctorCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "doctor",
		Usage:       "find out whether memctl works here, and what to do if not",
		Description: doctorDescription,
		Flags:       []cli.Flag{rootFlag(), jsonFlag()},
		Action: func(c *cli.Context) error {
			if err := noArguments(c, ""); err != nil {
				return err
			}
			return runDoctor(c.Context, std, rootArg(c), c.Bool("json"))
		},
	}
}

// How a check can end.
const (
	passed  = "ok"
	warning = "warning"
	failed  = "failed"
)

// check is one thing that was looked at.
type check struct {
	Name    string `json:"check"`
	State   string `json:"state"`
	Message string `json:"message"`
	Fix     string `json:"fix,omitempty"` // of a warning or a failure: what to do
}

// diagnosis is every check that was made, in the order of the doctor's questions.
type diagnosis struct {
	State   string  `json:"state"` // the worst of the checks'
	Project string  `json:"project"`
	Root    string  `json:"root"` // "" where there is none
	Checks  []check `json:"checks"`
	// wanted are the hooks that should be registered.
	wanted []settings.Hook
}

func (d *diagnosis) ok(name, format string, args ...any) {
	d.add(check{Name: name, State: passed, Message: fmt.Sprintf(format, args...)})
}

func (d *diagnosis) warn(name, fix, format string, args ...any) {
	d.add(check{name, warning, fmt.Sprintf(format, args...), fix})
}

func (d *diagnosis) fail(name, fix, format string, args ...any) {
	d.add(check{name, failed, fmt.Sprintf(format, args...), fix})
}

func (d *diagnosis) add(c check) {
	c.Message, c.Fix = text.Printable(c.Message), text.Printable(c.Fix)
	d.Checks = append(d.Checks, c)
	if c.State == failed || c.State == warning && d.State == passed {
		d.State = c.State
	}
}

func runDoctor(ctx context.Context, std streams, rootArg string, asJSON bool) error {
	d, err := diagnose(ctx, memdir.PlacesFromEnv(rootArg, ""), time.Now())
	if err != nil {
		return err
	}
	if asJSON {
		err = writeJSON(std.Out, d)
	} else {
		d.print(std.Out)
	}
	if err == nil && d.State == failed {
		return errFindings
	}
	return err
}

func diagnose(ctx context.Context, places memdir.Places, now time.Time) (*diagnosis, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	wanted, err := hooksRunning(pluginName)
	if err != nil {
		return nil, err
	}
	root, rootErr := memdir.Find(places)
	d := &diagnosis{State: passed, Project: projectOf(root, places), wanted: wanted}
	runs := recall(root, now)
	d.checkBinary(self)
	registered := d.checkSettings(self, runs)
	t, err := newTrial(self)
	if err != nil {
		d.fail("trial", "make "+os.TempDir()+" writable, or set TMPDIR", "nothing can be tried: %v", err)
	} else {
		defer os.RemoveAll(t.dir)
		d.tryHooks(ctx, t)
		d.checkServer(ctx, t, registered)
	}
	named := places.Flag != "" || places.Env != ""
	switch {
	case rootErr == nil:
		d.Root = root.Path
		d.checkRoot(ctx, root, now)
		d.checkRuns(runs)
		d.checkObservations(ctx, root, runs)
	case errors.Is(rootErr, memdir.ErrNoRoot) && !named:
		d.warn("memory root", "memctl init", "%v; the first memory makes one, until then the hooks are silent", rootErr)
	default:
		d.fail("memory root", "name a project that has one, or remove what stands in its place and run memctl init", "%v", rootErr)
	}
	return d, ctx.Err()
}

// projectOf is where the client's settings of the project lie. A root that only
// MEMCTL_ROOT names may serve any project.
func projectOf(root memdir.Root, places memdir.Places) string {
	project := places.ProjectDir
	switch {
	case places.Flag != "":
		project = root.Project
	case project == "" && places.Env == "":
		project = root.Project
	}
	abs, err := filepath.Abs(project) // of "" it is the working folder
	if err != nil {
		return project
	}
	return abs
}

func (d *diagnosis) print(out io.Writer) {
	counts := map[string]int{}
	width := 0
	for _, c := range d.Checks {
		counts[c.State]++
		width = max(width, len(c.Name))
	}
	for _, c := range d.Checks {
		fmt.Fprintf(out, "%-7s  %-*s  %s\n", c.State, width, c.Name, c.Message)
		if c.Fix != "" {
			fmt.Fprintf(out, "%-7s  %-*s  fix: %s\n", "", width, "", c.Fix)
		}
	}
	fmt.Fprintf(out, "\n%s: %d ok, %s, %d failed\n", d.Project, counts[passed], text.Plural(counts[warning], "warning", "warnings"), counts[failed])
}

// shown shortens a path in the project or the home for people.
func (d *diagnosis) shown(path string) string {
	if rel, err := filepath.Rel(d.Project, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	home, err := os.UserHomeDir()
	if err != nil || home == "/" {
		return path
	}
	if rel, err := filepath.Rel(home, path); err == nil && filepath.IsLocal(rel) {
		return filepath.Join("~", rel)
	}
	return path
}
