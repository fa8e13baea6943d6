package render

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"memctl/schemas"
	"memctl/text"
)

// Settings writes a line for each setting: its value and, if that is another one, its
// default.
func Settings(out io.Writer, list []schemas.SettingValue) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, s := range list {
		fmt.Fprintf(table, "%s\t%s", s.Key, settingValue(s.Value))
		if string(s.Value) != string(s.Default) {
			fmt.Fprintf(table, "  (default %s)", s.Default)
		}
		fmt.Fprintln(table)
	}
	table.Flush()
}

// Setting writes the value of a setting.
func Setting(out io.Writer, s schemas.SettingValue) {
	fmt.Fprintln(out, settingValue(s.Value))
}

// SettingChange writes the value that a setting has now and the one it had.
func SettingChange(out io.Writer, c schemas.SettingChange) {
	fmt.Fprintf(out, "%s: %s (was %s)\n", c.Key, settingValue(c.Value), settingValue(c.Before))
}

// settingValue puts a value on one line, a string without its quotes.
func settingValue(value json.RawMessage) string {
	if s := schemas.String(value); s != "" {
		return text.Printable(s)
	}
	return string(text.EscapeJSON(value))
}
