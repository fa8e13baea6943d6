package triage

import (
	"encoding/json"
	"fmt"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// Item is a category of which the agent is asked to save a memory.
type Item struct {
	Result
	Description string   // of the category, in the user's words
	Snippets    []string // the lines that speak for it
	ContextFile string   // "" if none could be written
}

// Ask returns the text that blocks the stop: it tells the agent and its skill what to
// save, and how. It takes at most room UTF-16 code units; the descriptions in the
// data are shortened for that.
func Ask(items []Item, models schemas.ParallelConfig, room int) (string, error) {
	var head strings.Builder
	head.WriteString("This session holds what is worth remembering. Before stopping, save it:\n\n")
	for _, item := range items {
		head.WriteString(item.line())
	}
	for length := maxDescription; ; length /= 2 {
		data, err := json.MarshalIndent(newTriageData(items, models, length), "", "  ")
		ask := fmt.Sprintf("%s\n%s\n\n<triage_data>\n%s\n</triage_data>\n", &head, howTo, text.EscapeJSON(data))
		if err != nil || length == 0 || text.Units(ask) <= room {
			return ask, err
		}
	}
}

// howTo names the skill of the plugin, and the commands for an agent without it.
const howTo = "Use the memory-management skill on the data below to save each of them as a memory. Then you may stop. " +
	"Without that skill: read each context file with memctl stage show FILE, and save with memctl (memctl create --help)."

// triageData is the JSON that the skill reads. encoding/json escapes < and >, so that
// nothing in it ends its block.
type triageData struct {
	Categories []categoryData         `json:"categories"`
	Models     schemas.ParallelConfig `json:"parallel_config"`
}

type categoryData struct {
	Category    schemas.Category `json:"category"`
	Score       json.Number      `json:"score"` // with four decimals
	Description string           `json:"description,omitempty"`
	ContextFile string           `json:"context_file,omitempty"`
}

func newTriageData(items []Item, models schemas.ParallelConfig, maxDescription int) triageData {
	data := triageData{Models: models}
	for _, item := range items {
		data.Categories = append(data.Categories, categoryData{
			Category:    item.Category,
			Score:       json.Number(fmt.Sprintf("%.4f", item.Score)),
			Description: text.Truncate(item.Description, maxDescription),
			ContextFile: item.ContextFile,
		})
	}
	return data
}

// line is the item in the list for the agent.
func (i Item) line() string {
	about := "Significant activity detected"
	if len(i.Snippets) > 0 {
		about = sanitize(i.Snippets[0])
	}
	if i.Description != "" {
		about = "(" + sanitize(i.Description) + ") " + about
	}
	return fmt.Sprintf("- [%s] %s (score: %.2f)\n", i.Category.Display(), about, i.Score)
}

// maxDescription is how many code points of a description the data holds if there is
// room.
const maxDescription = 500

// sanitize makes untrusted text safe on a line that an agent reads as instructions:
// nothing invisible, no backticks, no markup, at most maxSnippet code points.
func sanitize(s string) string {
	s = text.EscapeMarkup(strings.ReplaceAll(text.Printable(s), "`", ""))
	return text.Truncate(strings.TrimSpace(s), maxSnippet)
}
