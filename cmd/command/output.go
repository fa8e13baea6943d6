package command

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"memctl/cmd/console"
	"memctl/files"
	"memctl/files/git"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// Report writes the error of a command to stderr and returns the exit status. The refusal of
// a change has its own lines.
func Report(ctx context.Context, std Streams, err error) int {
	var refused *writer.Error
	if ctx.Err() == nil && errors.As(err, &refused) && !errors.Is(err, console.ErrFindings) {
		fmt.Fprintln(std.Err, text.Paragraph(refused.Error()))
		return console.ExitFailed
	}
	return console.Report(ctx, std.Err, err)
}

// InJSON prints the result of a call whose answer is always JSON, or returns the error of the call.
func InJSON[T any](std Streams) func(T, error) error {
	return unlessFailed(func(result T) error { return WriteJSON(std.Out, result) })
}

// NoteNone says that a list has no elements, where a person reads it.
func NoteNone(c *cli.Context, std Streams, n int, note string) {
	if n == 0 && !c.Bool("json") {
		console.Note(std.Err, "%s", note)
	}
}

func WriteJSON(out io.Writer, v any) error { return console.WriteJSON(out, v) }

// NotNil makes JSON say [] for no elements.
func NotNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// CheckStdout returns the error of a command that ended with err: a failed write, unless
// the command failed on its own.
func CheckStdout(std Streams, out *console.Stdout, err error) error {
	if out.Err == nil || err != nil && !errors.Is(err, console.ErrFindings) {
		return err
	}
	return &console.Failure{Err: out.Err, Hint: std.HintFor(out.Err), Code: console.ExitFailed}
}

// Day is the date of a timestamp, or a dash.
func Day(stamp string) string { return formatTime(stamp, "2006-01-02") }

// second is a timestamp to the second, in UTC, or a dash.
func second(stamp string) string { return formatTime(stamp, "2006-01-02 15:04:05") }

func formatTime(stamp, layout string) string {
	if t, ok := schemas.ParseTime(stamp); ok {
		return t.UTC().Format(layout)
	}
	return "-"
}

func SizeOf(bytes int64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%d KiB", (bytes+1023)/1024)
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
}

func Choose(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

func onOff(on bool) string { return Choose(on, "on", "off") }

// doneOr words what a command did, or what it would have done in a dry run.
func doneOr(dryRun bool, done string) string { return Choose(dryRun, "would have ", "") + done }

// minute is a timestamp to the minute, in UTC, or a dash.
func minute(stamp string) string { return formatTime(stamp, "2006-01-02 15:04") }

// unusual is a status other than active, or "".
func unusual(status schemas.Status) string {
	if status == schemas.Active || status == "" {
		return ""
	}
	return string(status)
}

// WithHint adds a hint to an error that has none.
func (std Streams) WithHint(c *cli.Context, err error) error {
	if err == nil || errors.Is(err, console.ErrFindings) || errors.As(err, new(*writer.Error)) {
		return err
	}
	f := &console.Failure{Code: console.ExitFailed}
	if errors.As(err, &f) && f.Hint != "" {
		return err
	}
	return &console.Failure{Err: err, Hint: cmp.Or(std.HintFor(err), console.ReadHelp(c)), Code: f.Code}
}

// HintFor says what to do about an error, by its cause.
func (std Streams) HintFor(err error) string {
	if own := text.Hint(err); own != "" {
		return own
	}
	hints := []Hint{
		{files.ErrNoRoot, `run "memctl setup" in the project, or name one with --root`},
		{files.ErrNoUserRoot, `run "memctl init --user": it makes one for memories that apply to every project`},
		{files.ErrOutside, `run "memctl list --status all" for the memories and their paths`},
		{files.ErrLocked, "another memctl is at work here: try again"},
		{git.ErrNoProgram, "install git, and see that your PATH has it"},
		{git.ErrNoRepository, `run "git init" in the project, and commit the memories`},
		{git.ErrBare, "run it in a clone with a working tree"},
		{store.ErrUnknownRoot, `run "memctl roots" for the projects that are listed`},
		{store.ErrAgent, "a person can do it in a shell, and let agents do so: memctl config set sources.agent_all " +
			"true --user"},
		{store.ErrOptedOut,
			`change the setting: run "memctl config" for those of this project, "memctl config --user" for yours`},
		{files.ErrNotFolder, inTheWay},
		{syscall.ENOTDIR, inTheWay},
		{syscall.ENOSPC, "make room on the disk"},
		{fs.ErrPermission, `run "memctl doctor": it names what cannot be read or written, and what to do`},
	}
	for _, f := range std.Features {
		hints = append(hints, f.Hints...)
	}
	for _, known := range hints {
		if errors.Is(err, known.Cause) {
			return known.Hint
		}
	}
	return ""
}

const inTheWay = "a file is where a folder belongs: move it away, or name another place with --root"

// Paged runs print on the screen that stdout is. If that is a terminal and shorter than
// the text, the text goes through the user's pager, also if print fails midway.
func Paged(c *cli.Context, std Streams, print func(console.Screen) error) error {
	return onScreen(c, std, print, func(terminal *os.File, width, height int, text []byte) bool {
		return console.LinesOn(width, string(text)) >= height && page(terminal, std.Err, text)
	})
}

// onScreen runs print on the screen that stdout is, unless show takes what it has printed for a terminal.
func onScreen(c *cli.Context, std Streams, print func(console.Screen) error,
	show func(terminal *os.File, width, height int, text []byte) bool) error {
	terminal := TerminalOf(std.Out)
	styled := terminal != nil && console.Styles(terminal) && os.Getenv("NO_COLOR") == ""
	color := c.String("color") == "always" || c.String("color") != "never" && styled
	out, width, height := console.Unfiltered(std.Out), 0, 0
	if terminal != nil {
		width, height = console.TerminalSize(terminal)
	}
	var text bytes.Buffer
	err := print(console.NewScreen(&text, width, color))
	if terminal != nil && show != nil && show(terminal, width, height, text.Bytes()) {
		return err
	}
	_, writeErr := io.WriteString(out, console.WithoutCommands(text.String()))
	return errors.Join(err, writeErr)
}

// TerminalOf returns out as a terminal, nil if it is not one.
func TerminalOf(out io.Writer) *os.File {
	file, isFile := console.Unfiltered(out).(*os.File)
	if !isFile || !console.IsTerminal(file) {
		return nil
	}
	return file
}

// page shows text in the user's pager until the user leaves it. It reports whether there
// is a pager. The pager handles Ctrl-C itself; memctl waits for it and ignores how it ends.
func page(terminal *os.File, errOut io.Writer, text []byte) bool {
	command, chosen := os.LookupEnv("PAGER")
	if !chosen {
		command = "less -FRX"
	}
	if command == "" {
		return false
	}
	pager := exec.Command("sh", "-c", command)
	pager.Stdin, pager.Stdout, pager.Stderr = bytes.NewReader(text), terminal, console.Unfiltered(errOut)
	if _, chosen := os.LookupEnv("LESS"); !chosen {
		pager.Env = append(os.Environ(), "LESS=FRX") // shows colours also where PAGER is less
	}
	err := pager.Start()
	if err == nil {
		signal.Ignore(os.Interrupt) // Ctrl-C is for the pager
		err = pager.Wait()
		signal.Notify(StopSignals, os.Interrupt)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode() != 126 && exit.ExitCode() != 127 // the shell cannot run it, or finds none
	}
	return err == nil
}

// StopSignals gets the signals that end a command.
var StopSignals = make(chan os.Signal, 1)
