package triage

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// Item is a category whose memory is asked for.
type Item struct {
	Result
	Description string   // of the category, in the user's words
	Snippets    []string // what speaks for it
	ContextFile string   // "" where none could be written
}

// Ask is the text that blocks the stop: what to save, and how, for the agent and
// for its skill. It takes at most room of the client's units; the descriptions in
// the data give way.
func Ask(items []Item, models schemas.ParallelConfig, room int) (string, error) {
	head := "This session holds what is worth remembering. Before stopping, save it:\n\n"
	for _, item := range items {
		head += item.line()
	}
	for length := maxDescription; ; length /= 2 {
		data, err := encodeData(items, models, length)
		ask := head + fmt.Sprintf("\n%s\n\n<triage_data>\n%s\n</triage_data>\n", howTo, data)
		if err != nil || length == 0 || text.Units(ask) <= room {
			return ask, err
		}
	}
}

// howTo names the skill of the plugin, and the way for an agent without it.
const howTo = "Use the memory-management skill on the data below to save each of them as a memory. Then you may stop. " +
	"Without that skill: read each context file with memctl stage show FILE, and save with memctl (memctl create --help)."

// encodeData is what the skill reads. < and > are escaped: nothing in it ends it.
func encodeData(items []Item, models schemas.ParallelConfig, length int) ([]byte, error) {
	list := []byte{'['}
	for i, item := range items {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, item.encode(length)...)
	}
	var data schemas.ObjectWriter
	data.Open("")
	data.Raw("categories", append(list, ']'))
	data.Raw("parallel_config", models.Encode())
	data.Close()
	var escaped, indented bytes.Buffer
	json.HTMLEscape(&escaped, data.Bytes())
	err := json.Indent(&indented, escaped.Bytes(), "", "  ")
	return indented.Bytes(), err
}

func (i Item) encode(length int) []byte {
	var b schemas.ObjectWriter
	b.Open("")
	b.Text("category", string(i.Category))
	b.Raw("score", strconv.AppendFloat(nil, i.Score, 'f', 4, 64))
	b.Optional("description", text.Truncate(i.Description, length))
	b.Optional("context_file", i.ContextFile)
	b.Close()
	return b.Bytes()
}

func (i Item) line() string {
	about := "Significant activity detected"
	if len(i.Snippets) > 0 {
		about = Shown(i.Snippets[0])
	}
	if i.Description != "" {
		about = "(" + Shown(i.Description) + ") " + about
	}
	return fmt.Sprintf("- [%s] %s (score: %.2f)\n", i.Category.Display(), about, i.Score)
}

// maxDescription is how many code points of a description the skill is given, if
// there is room.
const maxDescription = 500

// Shown makes what others wrote safe to stand on a line that an agent reads as
// instructions: nothing invisible, no backticks, no markup, at most maxSnippet
// code points.
func Shown(s string) string {
	s = text.EscapeMarkup(strings.ReplaceAll(text.Printable(s), "`", ""))
	return text.Truncate(strings.TrimSpace(s), maxSnippet)
}
