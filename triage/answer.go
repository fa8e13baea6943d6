package triage

import (
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

func encodeData(items []Item, models schemas.ParallelConfig, length int) ([]byte, error) {
	data := triageData{Parallel: models}
	for _, item := range items {
		data.Categories = append(data.Categories, item.wire(length))
	}
	return json.MarshalIndent(data, "", "  ") // escapes < and >
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

// triageData is what the skill reads.
type triageData struct {
	Categories []itemData             `json:"categories"`
	Parallel   schemas.ParallelConfig `json:"parallel_config"`
}

type itemData struct {
	Category    schemas.Category `json:"category"`
	Score       json.Number      `json:"score"`
	Description string           `json:"description,omitempty"`
	ContextFile string           `json:"context_file,omitempty"`
}

func (i Item) wire(length int) itemData {
	return itemData{i.Category, json.Number(strconv.FormatFloat(i.Score, 'f', 4, 64)), text.Truncate(i.Description, length), i.ContextFile}
}

// maxDescription is how many code points of a description the skill is given, if
// there is room.
const maxDescription = 500

var shownEscaper = strings.NewReplacer("`", "", "&", "&amp;", "<", "&lt;", ">", "&gt;")

// Shown makes what others wrote safe to stand on a line that an agent reads as
// instructions: nothing invisible, no backticks, no markup, at most maxSnippet
// code points.
func Shown(s string) string {
	s = shownEscaper.Replace(text.Printable(s))
	return text.Truncate(strings.TrimSpace(s), maxSnippet)
}
