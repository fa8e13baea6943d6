package exchange

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"memctl/text"
)

// Bounds of a work list.
const (
	maxWork     = 5_000  // items
	maxNewWork  = 2_000  // items of one source
	maxWorkText = 12_000 // bytes of an item: a longer text is several
	maxNext     = 20     // items of a turn
	maxTurn     = 24_000 // bytes of a turn, unless its first item has more; clients cut what is much longer
	maxSettled  = 300    // characters of an item that was settled
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
	// File is relative to the project, or to the home folder; "#" and a part may follow.
	File     string    `json:"file"`
	Line     int       `json:"line"`             // 0 if it has none
	Date     string    `json:"date,omitempty"`   // of its last change, if the source says it
	Under    string    `json:"under,omitempty"`  // the headings above it
	For      string    `json:"for,omitempty"`    // the files that it is for, if its front matter says so
	Part     string    `json:"part,omitempty"`   // "part 1 of 2" of a long text
	Text     string    `json:"text"`             // of an item that was settled, the beginning
	Hash     string    `json:"sha256"`           // of the complete text, shortened
	Record   bool      `json:"record,omitempty"` // a decision record as a whole
	State    WorkState `json:"state"`
	Memories []string  `json:"memories,omitempty"` // ids of those that were made of it
	Before   []string  `json:"before,omitempty"`   // ids of those that were made of what stood there before
	Reason   string    `json:"reason,omitempty"`   // why it is not a memory
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
	former := map[string][]string{} // ids of memories by the places whose text is another one now
	for _, known := range l.Items {
		if !inFile[known.File+" "+known.Hash] {
			former[known.section()] = append(former[known.section()], known.Memories...)
		}
	}
	for _, item := range items {
		known, again := byHash[item.Hash], found[item.Hash]
		found[item.Hash] = true
		switch {
		case known == nil && isSaved(item.Hash):
			done.Known++
		case known == nil:
			l.Last++
			item.Number, item.Before = l.Last, former[item.section()]
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
	done.Loaded, done.Waiting = l.count(isLoaded), l.count(isWaiting)
	if done.Added > maxNewWork {
		return done, tooMuch(fmt.Sprintf("%d new items, and at most %d are taken; name a smaller source", done.Added,
			maxNewWork))
	}
	return done, l.makeRoom()
}

// Where says where a person finds the item.
func (item *WorkItem) Where() string { return lineOf(item.File, item.Line) }

// section names the section that an item is.
func (item *WorkItem) section() string { return item.File + "\n" + item.Under }

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

func isWaiting(item *WorkItem) bool { return item.State == Waiting }

func isLoaded(item *WorkItem) bool { return item.State == Loaded }

func (l *Worklist) count(has func(*WorkItem) bool) (n int) {
	for _, item := range l.Items {
		if has(item) {
			n++
		}
	}
	return n
}

// Next returns the first items of a file or folder that wait, as many as one turn bears and n at most.
func (l *Worklist) Next(n int, place string) (list []*WorkItem) {
	size := 0
	for _, item := range l.Items {
		if item.State != Waiting || !item.isBelow(place) {
			continue
		}
		size += len(item.Text)
		if len(list) == n || len(list) > 0 && size > maxTurn {
			break
		}
		list = append(list, item)
	}
	return list
}

// isBelow reports whether an item is in a file or folder, "" for any.
func (item *WorkItem) isBelow(place string) bool {
	_, below := cutFolder(item.File, path.Clean(place))
	return below || place == "" || place == "."
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

// named returns the items of a number, of a range such as 3-7, or those of a file or folder that wait.
func (l *Worklist) named(name string) (items []*WorkItem, err error) {
	from, to, isRange := strings.Cut(name, "-")
	first, err := strconv.Atoi(from)
	last, errLast := strconv.Atoi(cmp.Or(to, from))
	if err == nil && !isRange {
		item, err := l.Item(first)
		return []*WorkItem{item}, err
	}
	if err != nil || errLast != nil {
		for _, item := range l.Items {
			if item.State == Waiting && item.isBelow(name) {
				items = append(items, item)
			}
		}
		if items == nil {
			return nil, fmt.Errorf("%q names no item, no range such as 3-7, and no file or folder of items that wait",
				text.Brief(name))
		}
		return items, nil
	}
	for n := first; n <= min(last, l.Last+1); n++ {
		item, err := l.Item(n)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	if items == nil {
		return nil, fmt.Errorf("the range %s has no items", text.Brief(name))
	}
	return items, nil
}

// settle notes what became of an item. Who needs all of its text finds it in its file.
func (item *WorkItem) settle(state WorkState, reason string) {
	item.State, item.Reason, item.Text = state, reason, text.Ellipsis(item.Text, maxSettled)
}

// addMemory notes a memory that was made of the item.
func (item *WorkItem) addMemory(id string) {
	item.settle(Saved, "")
	if !slices.Contains(item.Memories, id) {
		item.Memories = append(item.Memories, id)
	}
}

func isEmpty(s string) bool { return s == "" }

// commented is code, which may look like a comment, or a comment.
var commented = text.Pattern("(?ms)^[ \\t]*```.*?(?:^[ \\t]*```|\\z)|`[^`\n]+`|<!--.*?(?:-->|\\z)")

// uncommented returns a text without comments, which are often a template's.
func uncommented(s string) string {
	return commented().ReplaceAllStringFunc(s, func(match string) string {
		return pick(strings.HasPrefix(match, "<!--"), "", match)
	})
}

// commentsIn returns the comments of a text, which are no text.
func commentsIn(s string) string {
	return strings.Join(slices.DeleteFunc(commented().FindAllString(s, -1), func(match string) bool {
		return !strings.HasPrefix(match, "<!--")
	}), "\n")
}

// isRecord reports whether a text is a decision record, by its headings.
func isRecord(list []section) bool {
	has := map[part]bool{}
	for _, s := range list {
		has[partOf(s.title)] = true
	}
	return has[decisionPart] && (has[contextPart] || has[statusPart] || has[consequencesPart])
}
