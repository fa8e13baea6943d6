package triage

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"memctl/schemas"
	"memctl/text"

	"github.com/clipperhouse/displaywidth"
)

// Proposal is a category of which the agent is asked to save a memory.
type Proposal struct {
	CategoryScore
	Description string   // of the category, in the user's words
	Snippets    []string // the lines that speak for it
	ContextFile string   // "" if none could be written
}

// WorthSaving returns the enabled categories that reach their thresholds.
func (t *Transcript) WorthSaving(cfg schemas.Config) []Proposal {
	var items []Proposal
	for _, r := range t.Score() {
		if !r.Triggers(cfg) {
			continue
		}
		item := Proposal{CategoryScore: r, Snippets: t.Snippets(r)}
		if !cfg.Triage.NoDescriptions {
			item.Description = cfg.Categories[r.Category].Description
		}
		items = append(items, item)
	}
	return items
}

// OwnTools begins the names of the MCP server's tools. An agent calls the one that saves
// by one of these names.
const (
	OwnTools       = "mcp__memctl__"
	SaveTool       = OwnTools + "save"
	PluginSaveTool = "mcp__plugin_memctl_memctl__save" // of the plugin's server
)

const (
	// maxAsk is how many lines the question has at most: the client shows the person all
	// of them.
	maxAsk = 8
	// maxFind is how many columns a further find takes at most.
	maxFind = 100
)

// askStart begins every question, before the name of the tool.
const askStart = "Before you stop, save each of these as a memory with the tool "

// CompareStart begins the question whether a change keeps rules.
const CompareStart = "Before you end, compare your change with these rules."

// askStarts are the beginnings of the questions of this memctl and of earlier ones, which old transcripts have.
var askStarts = []string{askStart, momentStart, CompareStart, "Before you stop, save each as a memory, with the tool "}

// IsAsk reports whether a text is a question of memctl. Some clients hand it to the hooks
// as a prompt.
func IsAsk(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	return slices.ContainsFunc(askStarts, func(start string) bool { return strings.HasPrefix(prompt, start) })
}

// askScope says which memories are the user's and not the project's.
const askScope = ". Use scope user for what applies to every project (the user's style, tools, language)"

// Ask returns the question that an agent gets before it stops: what to save, with which
// tool and, if the user has memories of their own, whose it is. data names the staged file
// with Data, "" for none. The descriptions that memctl init writes are left out, because
// they tell the agent nothing new.
func Ask(items []Proposal, tool, data string, userHasOwn bool) string {
	start := askStart + tool + ", else memctl create"
	if userHasOwn {
		start += askScope
	}
	lines := []string{start + ":"}
	room := maxAsk - len(lines) - len(items)
	more := ""
	if data != "" {
		more = "Excerpts: memctl stage show " + data
		if tool == PluginSaveTool { // the plugin has the skill
			more = "Excerpts, for the memory-management skill: memctl stage show " + data
		}
		room--
	}
	for i, item := range items {
		if info, _ := item.Category.Info(); item.Description == info.Purpose {
			item.Description = ""
		}
		lines = append(lines, item.line())
		share := room / (len(items) - i) // the rest is for the items that follow
		finds := item.finds()
		finds = finds[:min(len(finds), share)]
		lines = append(lines, finds...)
		room -= len(finds)
	}
	if more != "" {
		lines = append(lines, more)
	}
	return strings.Join(lines, "\n") + "\n"
}

// Summary describes the request to the agent in a line.
func Summary(items []Proposal) string {
	var parts []string
	for _, item := range items {
		parts = append(parts, "1 "+strings.ReplaceAll(string(item.Category), "_", " "))
	}
	return "asks to save " + strings.Join(parts, ", ")
}

// Stage writes a context file for every item and a file with the data of all by write, which
// returns the path of what it wrote, and returns the name of the latter. Without a context
// file, an item stays as it is. To a runbook's context it adds fixes: what failed in the
// session and worked later.
func (t *Transcript) Stage(
	items []Proposal, models schemas.ParallelConfig, fixes func() []string, write func(name, text string) (string,
		error),
) (data string, err error) {
	for i := range items {
		item := &items[i]
		if item.Category == schemas.Runbook {
			item.Fixed = append(item.Fixed, fixes()...)
		}
		path, writeErr := write(string(item.Category)+".txt", t.Context(item.CategoryScore, item.Description))
		if writeErr != nil {
			err = errors.Join(err, writeErr)
			continue
		}
		item.ContextFile = path
	}
	path, writeErr := write("data.json", Data(items, models))
	if writeErr != nil {
		return "", writeErr
	}
	return filepath.Base(path), err
}

// Data returns the JSON that the memory-management skill reads, with a line feed.
func Data(items []Proposal, models schemas.ParallelConfig) string {
	data := triageData{Models: models}
	for _, item := range items {
		data.Categories = append(data.Categories, categoryData{
			Category:    item.Category,
			Score:       json.Number(fmt.Sprintf("%.4f", item.Score)),
			Description: text.Truncate(item.Description, maxDescription),
			ContextFile: item.ContextFile,
		})
	}
	encoded, _ := json.MarshalIndent(data, "", "  ") // texts and a finite number: cannot fail
	return string(text.EscapeJSON(encoded)) + "\n"
}

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

// line is the item in the question.
func (i Proposal) line() string {
	about := "Significant activity detected"
	if len(i.Snippets) > 0 {
		about = sanitize(i.Snippets[0])
	}
	if i.Description != "" {
		about = "(" + sanitize(i.Description) + ") " + about
	}
	return fmt.Sprintf("- [%s] %s (score: %.2f)", i.Category.Display(), about, i.Score)
}

// finds are the lines of the question below the item's.
func (i Proposal) finds() []string {
	var lines []string
	for _, snippet := range i.Snippets[min(len(i.Snippets), 1):] {
		lines = append(lines, displaywidth.TruncateString("  also: "+sanitize(snippet), maxFind, "…"))
	}
	return lines
}

// maxDescription is how many code points of a description the data holds.
const maxDescription = 500

// sanitize makes untrusted text safe on a line that an agent reads as instructions:
// nothing invisible, no backticks, no markup, at most maxSnippet code points.
func sanitize(s string) string { return safeLine(s, maxSnippet) }

// safeLine is sanitize for n code points.
func safeLine(s string, n int) string {
	s = text.EscapeMarkup(strings.ReplaceAll(text.Visible(s), "`", ""))
	return text.Truncate(strings.TrimSpace(s), n)
}

const (
	contextLines = 10 // before and after a match
	// maxContext is the size of a context file in bytes, without the marker that says
	// it was cut.
	maxContext = 50_000
	cutMarker  = "\n</transcript_data>\n[Truncated: context exceeded 50KB]"
)

// Context returns what the agent that drafts the memory reads, in at most maxContext
// bytes and a marker. It quotes the transcript as it is.
func (t *Transcript) Context(r CategoryScore, description string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Category: %s\nScore: %.2f\n", r.Category, r.Score)
	if description != "" {
		fmt.Fprintf(&b, "Description: %s\n", sanitize(description))
	}
	if len(r.Fixed) > 0 {
		b.WriteString("Failed, then worked in this session:\n")
		for _, line := range r.Fixed {
			fmt.Fprintf(&b, "  - %s\n", sanitize(line))
		}
	}
	b.WriteString("\n<transcript_data>\n")
	if r.Category == schemas.SessionSummary {
		fmt.Fprintf(&b, "Activity Metrics:\n  Tool uses: %d\n  Distinct tools: %d\n  Exchanges: %d\n",
			t.ToolUses, t.DistinctTools, t.Exchanges)
	} else if len(r.Matches) > 0 {
		b.WriteString("Relevant transcript excerpts:\n\n")
		t.writeExcerpts(&b, r.Matches)
	}
	b.WriteString("</transcript_data>")
	if snippets := t.Snippets(r); len(snippets) > 0 {
		b.WriteString("\n\nKey snippets:\n  - " + escapeEnd(strings.Join(snippets, "\n  - ")))
	}
	if b.Len() <= maxContext {
		return b.String()
	}
	end := maxContext
	for !utf8.RuneStart(b.String()[end]) {
		end--
	}
	return b.String()[:end] + cutMarker
}

// writeExcerpts writes the lines around the matches, each line once.
func (t *Transcript) writeExcerpts(b *strings.Builder, matches []Match) {
	next := 0 // the first line that is not written yet
	for i, m := range matches {
		start, end := max(next, m.Line-1-contextLines), min(len(t.lines), m.Line+contextLines)
		if i > 0 && start > next {
			b.WriteString("---\n")
		}
		for _, line := range t.lines[start:max(start, end)] {
			b.WriteString(escapeEnd(line))
			b.WriteByte('\n')
		}
		next = end
		if b.Len() > maxContext {
			return
		}
	}
}

// escapeEnd keeps quoted text from ending the block that it stands in.
func escapeEnd(s string) string {
	return strings.ReplaceAll(s, "</transcript_data", "&lt;/transcript_data")
}
