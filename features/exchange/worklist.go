package exchange

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"memctl/text"
)

// Bounds of a work list.
const (
	maxWork     = 5_000 // items
	maxNewWork  = 2_000 // items of one source
	maxWorkText = 4_000 // characters of an item
	maxNext     = 20    // items of a turn
)

// WorkState is what became of an item.
type WorkState string

// The states of an item.
const (
	Waiting WorkState = "waits"
	Saved   WorkState = "saved"  // as at least one memory
	Done    WorkState = "done"   // it is no memory
	Gone    WorkState = "gone"   // its file no longer has it
	Loaded  WorkState = "loaded" // the client loads its file anyway
)

// WorkItem is a piece of prose that somebody has to read.
type WorkItem struct {
	Number int `json:"item"`
	// relative to the project, or to the home folder; "#" and a part may follow
	File     string    `json:"file"`
	Line     int       `json:"line"`            // 0 if it has none
	Date     string    `json:"date,omitempty"`  // of its last change, if the source says it
	Under    string    `json:"under,omitempty"` // the headings, and the sentence that introduces it
	Text     string    `json:"text"`
	Hash     string    `json:"sha256"`           // of the complete text, shortened
	Record   bool      `json:"record,omitempty"` // a decision record as a whole
	State    WorkState `json:"state"`
	Memories []string  `json:"memories,omitempty"` // ids of those that were made of it
	Reason   string    `json:"reason,omitempty"`   // why it is none

	lead     string // the sentence that introduces it
	complete string // its text, however long
}

// Worklist is the prose of sources that waits for somebody who reads it, and what became of it.
type Worklist struct {
	Last  int         `json:"last"` // the number that was given last
	Items []*WorkItem `json:"items"`
}

// WorkAdded says what a source changed in a work list.
type WorkAdded struct {
	Added   int `json:"added"`
	Known   int `json:"known"` // in the list before, or a memory was made of it
	Loaded  int `json:"loaded"`
	Gone    int `json:"gone"`
	Waiting int `json:"waiting"` // in the list, of all sources
}

// Add adds the items of some files that are new. The list then says where the others are now, and which that waited
// are gone. A text that isSaved knows is a memory already.
func (l *Worklist) Add(files []string, items []WorkItem, isSaved func(hash string) bool) (WorkAdded, error) {
	var done WorkAdded
	byHash, found, inFile := map[string]*WorkItem{}, map[string]bool{}, map[string]bool{}
	for _, known := range l.Items {
		byHash[known.Hash] = known
	}
	for _, item := range items {
		inFile[item.File+" "+item.Hash] = true
	}
	for _, item := range items {
		known, again := byHash[item.Hash], found[item.Hash]
		found[item.Hash] = true
		switch {
		case known == nil && isSaved(item.Hash):
			done.Known++
		case known == nil:
			l.Last++
			item.Number = l.Last
			l.Items = append(l.Items, &item)
			byHash[item.Hash] = &item
			done.Added++
		case again: // its first place counts
		default:
			done.Known++
			if known.File == item.File || known.State == Gone ||
				known.isOf(files) && !inFile[known.File+" "+known.Hash] {
				known.File, known.Line, known.Under = item.File, item.Line, item.Under
			}
			if known.State == Gone || known.State == Loaded {
				known.State = item.State
			}
		}
	}
	for _, known := range l.Items {
		if (known.State == Waiting || known.State == Loaded) && !found[known.Hash] &&
			known.isOf(files) {
			known.State = Gone
			done.Gone++
		}
	}
	done.Loaded, done.Waiting = l.count(Loaded), l.count(Waiting)
	if done.Added > maxNewWork {
		return done, tooMuch(fmt.Sprintf("%d new items, and at most %d are taken; name a smaller source", done.Added,
			maxNewWork))
	}
	return done, l.makeRoom()
}

// isOf reports whether the item is in one of some files, or in a part of one.
func (item *WorkItem) isOf(files []string) bool {
	file, _, _ := strings.Cut(item.File, "#")
	return slices.Contains(files, item.File) || slices.Contains(files, file)
}

// makeRoom forgets the oldest settled items of a list that is too long.
func (l *Worklist) makeRoom() error {
	excess := len(l.Items) - maxWork
	l.Items = slices.DeleteFunc(l.Items, func(item *WorkItem) bool {
		if excess <= 0 || item.State == Waiting || item.State == Loaded {
			return false
		}
		excess--
		return true
	})
	if len(l.Items) > maxWork {
		return tooMuch(fmt.Sprintf("more than %d items would wait; settle some first: memctl import --next", maxWork))
	}
	return nil
}

func (l *Worklist) count(state WorkState) (n int) {
	for _, item := range l.Items {
		if item.State == state {
			n++
		}
	}
	return n
}

// Next returns the first items that wait, at most n.
func (l *Worklist) Next(n int) (list []*WorkItem) {
	for _, item := range l.Items {
		if item.State == Waiting && len(list) < n {
			list = append(list, item)
		}
	}
	return list
}

// Item returns an item by its number.
func (l *Worklist) Item(number int) (*WorkItem, error) {
	at := slices.IndexFunc(l.Items, func(item *WorkItem) bool { return item.Number == number })
	if at < 0 {
		return nil, text.WithHint(fmt.Errorf("the work list has no item %d", number),
			"memctl import --list shows its items")
	}
	return l.Items[at], nil
}

// addMemory notes a memory that was made of the item.
func (item *WorkItem) addMemory(id string) {
	item.State, item.Reason = Saved, ""
	if !slices.Contains(item.Memories, id) {
		item.Memories = append(item.Memories, id)
	}
}

// splitProse takes a Markdown text apart into items: a decision record as a whole; else paragraphs, items of lists,
// and lists with numbers, because these may be steps. Code belongs to what is above it.
func splitProse(document string) (items []WorkItem) {
	_, body, first := cutFront(document)
	all := sections(blocks(body, first))
	if isRecord(all) {
		record := WorkItem{Line: 1, Text: uncommented(body), Record: true}.sealed()
		record.Hash = hashOf(document) // as the format adr has it
		return []WorkItem{record}
	}
	for _, s := range all {
		items = append(items, splitSection(s)...)
	}
	return items
}

// splitSection is splitProse of what is below a heading.
func splitSection(s section) (items []WorkItem) {
	headings := append(slices.Clone(s.trail), s.title)
	lead, last := "", paragraph
	for i, b := range s.blocks {
		listed := b.kind == bullet || b.kind == numbered
		if !listed && b.kind != code {
			lead = ""
		}
		item := WorkItem{Line: b.line, Text: uncommented(b.marked())}
		if b.kind == bullet {
			item.Text = uncommented(b.text)
		}
		switch {
		case b.kind == comment:
			continue
		case len(items) > 0 && (b.kind == code || b.kind == numbered && last == numbered):
			items[len(items)-1].Text += "\n" + item.Text
		case b.kind == paragraph && strings.HasSuffix(text.Unmarked(b.text), ":") && i+1 < len(s.blocks) &&
			s.blocks[i+1].kind == bullet:
			lead = item.Text // it introduces each item of the list
		default:
			item.lead = lead
			said := append(slices.Clone(headings), text.OneLine(text.Unmarked(lead), 300))
			item.Under = strings.Join(slices.DeleteFunc(said, isEmpty), " > ")
			items = append(items, item)
		}
		last = b.kind
	}
	items = slices.DeleteFunc(items, func(item WorkItem) bool {
		return !strings.ContainsFunc(item.Text, unicode.IsLetter)
	})
	for i := range items {
		items[i] = items[i].sealed()
	}
	return items
}

// sealed returns the item with its hash, and with no more text than a list keeps.
func (item WorkItem) sealed() WorkItem {
	item.complete = strings.TrimSpace(item.Text)
	item.Hash = hashOf(item.complete)
	item.Text = text.Ellipsis(item.complete, maxWorkText)
	item.State = Waiting
	return item
}

func isEmpty(s string) bool { return s == "" }

// uncommented returns a text without comments, which are often a template's.
func uncommented(s string) string {
	return commented.re().ReplaceAllStringFunc(s, func(match string) string {
		return pick(strings.HasPrefix(match, "`"), match, "")
	})
}

// commentsOf returns the comments of a block, which are no text.
func commentsOf(b block) string {
	if b.kind == comment {
		return b.text
	}
	var list []string
	for _, match := range commented.re().FindAllString(b.text, -1) {
		if !strings.HasPrefix(match, "`") {
			list = append(list, match)
		}
	}
	return strings.Join(list, "\n")
}

// isRecord reports whether a text is a decision record, by its headings.
func isRecord(list []section) bool {
	has := map[part]bool{}
	for _, s := range list {
		has[partOf(s.title)] = true
	}
	return has[decisionPart] && (has[contextPart] || has[statusPart] || has[consequencesPart])
}
