package render

import (
	"fmt"
	"io"

	"memctl/text"
	"memctl/writer"
)

// Validation writes a line for each finding, then the counts.
func Validation(out io.Writer, v writer.Validation) {
	for _, f := range v.Findings {
		fmt.Fprintln(out, text.Printable(f.Message))
	}
	fmt.Fprintf(out, "%s checked: %s\n", text.Plural(v.Files, "file", "files"), text.Plural(len(v.Findings), "finding", "findings"))
}
