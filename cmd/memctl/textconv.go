package main

import (
	"fmt"
	"io"
	"strings"

	"memctl/memdir"
	"memctl/schemas"
	"memctl/term"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// textconvCommand prints a file for git diff. What is not a memory is printed as it is.
func textconvCommand(std streams) *cli.Command {
	cmd := newCommand(std, "textconv", runTextconvCommand)
	cmd.Hidden = true
	return cmd
}

func runTextconvCommand(c *cli.Context, std streams) error {
	if err := arguments(c, "FILE"); err != nil {
		return err
	}
	return runTextconv(std, c.Args().First())
}

func runTextconv(std streams, name string) error {
	file, _, err := memdir.OpenRegular(name)
	if err != nil {
		return err
	}
	defer file.Close()
	data, err := memdir.ReadLimited(file, schemas.MaxFileBytes)
	if err != nil {
		return err // git then prints the file
	}
	m, err := schemas.Decode(data)
	if err != nil {
		_, err = std.Out.Write(data)
		return err
	}
	printMemoryText(std.Out, m, data)
	return nil
}

// printMemoryText writes a memory for git diff: all of it, and nothing that is not in its
// file.
func printMemoryText(out io.Writer, m schemas.Memory, file []byte) {
	printLine(out, 0, "[%s] %s", m.Category.Display(), m.Title)
	fields := []struct{ name, value string }{
		{"id", m.ID}, {"status", string(m.RecordStatus)}, {"created", m.CreatedAt}, {"updated", fmt.Sprintf("%s (%s)", m.UpdatedAt, text.Plural(m.TimesUpdated, "time", "times"))},
		{"retired", strings.TrimSpace(m.RetiredAt + " " + m.RetiredReason)}, {"archived", strings.TrimSpace(m.ArchivedAt + " " + m.ArchivedReason)},
	}
	if m.Confidence != nil {
		fields = append(fields, struct{ name, value string }{"confidence", fmt.Sprint(*m.Confidence)})
	}
	for _, f := range fields {
		if f.value != "" {
			printLine(out, 0, "%s: %s", f.name, f.value)
		}
	}
	printItems(out, "tags", m.Tags)
	printItems(out, "files", m.RelatedFiles)
	printContent(term.NewScreen(out, 0, false), schemas.ContentOf(file), true)
	changes := make([]string, len(m.Changes))
	for i, c := range m.Changes {
		changes[i] = c.Date + " " + c.Summary
	}
	printLine(out, 0, "")
	printItems(out, "history", changes)
}

// printItems writes an item on each line, so that a diff shows which one changed.
func printItems(out io.Writer, name string, items []string) {
	if len(items) == 0 {
		return
	}
	printLine(out, 0, "%s:", name)
	for _, item := range items {
		printLine(out, 1, "- %s", item)
	}
}
