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
// for its skill.
func Ask(items []Item, models schemas.ParallelConfig) (string, error) {
	var b strings.Builder
	b.WriteString("This session holds what is worth remembering. Before stopping, save it:\n\n")
	data := triageData{Parallel: models}
	for _, item := range items {
		b.WriteString(item.line())
		data.Categories = append(data.Categories, item.wire())
	}
	encoded, err := json.MarshalIndent(data, "", "  ") // escapes < and >
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&b, "\nUse the memory-management skill on the data below to save each of them as a memory. Then you may stop.\n\n<triage_data>\n%s\n</triage_data>\n", encoded)
	return b.String(), nil
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

func (i Item) wire() itemData {
	return itemData{i.Category, json.Number(strconv.FormatFloat(i.Score, 'f', 4, 64)), text.Truncate(i.Description, maxDescription), i.ContextFile}
}

// maxDescription is how many code points of a description the skill is given.
const maxDescription = 500

var shownEscaper = strings.NewReplacer("`", "", "&", "&amp;", "<", "&lt;", ">", "&gt;")

// Shown makes what others wrote safe to stand on a line that an agent reads as
// instructions: nothing invisible, no backticks, no markup, at most maxSnippet
// code points.
func Shown(s string) string {
	s = shownEscaper.Replace(text.Printable(s))
	return text.Truncate(strings.TrimSpace(s), maxSnippet)
}
