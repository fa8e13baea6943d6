package render

import (
	"fmt"
	"io"
	"path/filepath"

	"memctl/install"
	"memctl/text"
)

// SettingsChange prints a change to a file of the client. done and unchanged are the
// words before the file's name.
func SettingsChange(out io.Writer, c install.Change, done, unchanged string) {
	if !c.Changed {
		fmt.Fprintf(out, "%s %s; nothing was changed\n", unchanged, text.Printable(filepath.ToSlash(c.Settings)))
		return
	}
	fmt.Fprint(out, text.Paragraph(c.Diff))
	fmt.Fprintf(out, "%s %s\n", Done(c.DryRun, done), text.Printable(filepath.ToSlash(c.Settings)))
	if c.Backup != "" {
		fmt.Fprintf(out, "as it was: %s\n", text.Printable(filepath.Base(c.Backup)))
	}
}
