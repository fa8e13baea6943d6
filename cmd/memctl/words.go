package main

import (
	"fmt"
	"io"
	"strings"

	"memctl/schemas"
	"memctl/text"
	"memctl/writer"
)

func printSkipped(out io.Writer, list []writer.Skipped) {
	if len(list) > 0 {
		fmt.Fprintf(out, "left %s:\n", text.Plural(len(list), "file as it is", "files as they are"))
	}
	for _, s := range list {
		fmt.Fprintf(out, "  %s: %s\n", text.Printable(s.Path), text.Printable(s.Reason))
	}
}

func printPaths(out io.Writer, list []string) {
	for _, path := range list {
		fmt.Fprintf(out, "  %s\n", text.Printable(path))
	}
}

func sessions(n int) string { return text.Plural(n, "session", "sessions") }

// day is the date of a timestamp, or a dash.
func day(stamp string) string { return formatTime(stamp, "2006-01-02") }

// second is a timestamp to the second, in UTC, or a dash.
func second(stamp string) string { return formatTime(stamp, "2006-01-02 15:04:05") }

func formatTime(stamp, layout string) string {
	if t, ok := schemas.ParseTime(stamp); ok {
		return t.UTC().Format(layout)
	}
	return "-"
}

func sizeOf(bytes int64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%d KiB", (bytes+1023)/1024)
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
}

// choose returns one of two words.
func choose(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

// onOff words a switch.
func onOff(on bool) string { return choose(on, "on", "off") }

// doneOr words what a command did, or what it would have done in a dry run.
func doneOr(dryRun bool, done string) string { return choose(dryRun, "would have ", "") + done }

// minute is a timestamp to the minute, in UTC, or a dash.
func minute(stamp string) string { return formatTime(stamp, "2006-01-02 15:04") }

// unusual is a status other than active, or "".
func unusual(status schemas.Status) string {
	if status == schemas.Active {
		return ""
	}
	return string(status)
}

// statusNote follows the title of a memory that is not active.
func statusNote(status schemas.Status) string {
	if status == schemas.Active {
		return ""
	}
	return " (" + text.Printable(string(status)) + ")"
}

// tagNote follows the path of a memory that has tags.
func tagNote(tags []string) string {
	if len(tags) == 0 {
		return ""
	}
	return "  #" + text.Printable(strings.Join(tags, " #"))
}
