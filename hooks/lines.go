package hooks

import (
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"memctl/files/gate"
)

const (
	// maxAdded is how many bytes of a tool's new text are compared with the lines that memories forbid.
	maxAdded = 64 << 10
	// maxOld is the size of a file that is compared with the text that replaces it, in bytes.
	maxOld = 1 << 20
)

// edit is a text in place of another one.
type edit struct {
	Old string `json:"old_string"`
	New string `json:"new_string"`
}

// addedLines returns the lines of the text which the tool writes that are not in the text that it replaces, nil where
// that is unknown.
func (c *Call) addedLines() (added []string) {
	var input struct {
		edit
		Content string
		Patch   string
		Edits   []edit
	}
	if json.Unmarshal(c.Event.Input, &input) != nil {
		return nil
	}
	edits := append(input.Edits, input.edit)
	if input.Content != "" {
		before, err := c.replaced()
		if err != nil {
			return nil
		}
		edits = append(edits, edit{before, input.Content})
	}
	edits = append(edits, patched(input.Patch))
	left := maxAdded
	for _, e := range edits {
		e.New = e.New[:min(len(e.New), left)]
		left -= len(e.New)
		added = append(added, e.added()...)
	}
	return added
}

// added returns the lines that the old text does not have.
func (e edit) added() []string {
	if e.New == "" {
		return nil
	}
	old := linesOf(e.Old)
	slices.Sort(old)
	return slices.DeleteFunc(linesOf(e.New), func(line string) bool {
		_, found := slices.BinarySearch(old, line)
		return found || strings.TrimSpace(line) == ""
	})
}

func linesOf(s string) []string { return strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n") }

// patched returns the lines that a patch removes and adds.
func patched(patch string) edit {
	var removed, added strings.Builder
	for line := range strings.Lines(patch) {
		if rest, found := strings.CutPrefix(line, "+"); found {
			added.WriteString(rest)
		} else if rest, found := strings.CutPrefix(line, "-"); found {
			removed.WriteString(rest)
		}
	}
	return edit{removed.String(), added.String()}
}

// replaced returns the text of the file that the tool writes, "" if there is none yet.
func (c *Call) replaced() (string, error) {
	below := c.below(c.Event.Paths)
	if len(below) == 0 {
		return "", fs.ErrInvalid
	}
	data, err := gate.Place{Folder: c.root.Project}.ReadNamed(gate.Name(below[0]), maxOld)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(data), err
}
