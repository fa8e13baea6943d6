package trust

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"memctl/files"
	"memctl/files/git"
	"memctl/text"
)

const (
	// placePrefix begins the name of the file on a root, before its key.
	placePrefix = "new-"
	// maxPlace bounds that file, in bytes; maxNew how many memories it names.
	maxPlace = 4 << 20
	maxNew   = 5000
	// maxAuthor bounds a name, in code points.
	maxAuthor = 40
	// gitTime is how long git may take at a session's start.
	gitTime = time.Second
	// overlap is how long before the last look a file counts again: another process may have been writing.
	overlap = 10 * time.Second
)

// New is a memory that this person has not seen.
type New struct {
	Path    string `json:"path"` // below the root
	Content string `json:"content"`
	Author  string `json:"author,omitempty"` // "" if git does not say
	Date    string `json:"date,omitempty"`   // of the commit, RFC 3339
	// Claimed is set if the commit has the person's address, but was not made in this clone. Anyone can write an
	// address.
	Claimed bool `json:"claimed,omitempty"`
}

// By names who wrote the memory.
func (n New) By() string {
	if n.Claimed {
		return n.Author + " (your address, but not from this clone)"
	}
	return cmp.Or(n.Author, Others)
}

// Others is who wrote a memory if git does not say.
const Others = "others"

// someone wrote what has come since a session's start looked: others, or the person in an editor.
const someone = "someone"

// place is the note of a session's start about a root: a line of JSON, and a line for each memory of New. A prompt
// reads only the lines that it needs.
type place struct {
	Looked  int64  `json:"looked"`           // when, in Unix nanoseconds; 0 for never
	Journal int    `json:"journal"`          // the size of the file of contents then
	Team    bool   `json:"team,omitempty"`   // the person trusted all of it then
	Came    bool   `json:"came,omitempty"`   // with a clone: this person's memctl did not make it
	Reflog  int64  `json:"reflog,omitempty"` // the bytes of HEAD's reflog that it came with
	Size    int64  `json:"size,omitempty"`   // the bytes of the reflog at the last judgement
	Begin   string `json:"begin,omitempty"`  // the hash of the reflog's first line, by which it is known again
	Before  int64  `json:"before,omitempty"` // what was written before counts as seen, in Unix nanoseconds
	State   string `json:"state,omitempty"`  // of the index at the last look
	Lines   int    `json:"lines,omitempty"`  // that follow
	New     []New  `json:"new,omitempty"`    // in this line only if an earlier memctl wrote it
}

// readPlace reads the note about a root, and returns the lines of its new memories as they are.
func readPlace(root files.Root) (p place, news []byte, err error) {
	data, err := files.ReadStateFile(placePrefix+root.Key(), maxPlace)
	if err != nil {
		return p, nil, err
	}
	first, news, _ := bytes.Cut(data, []byte("\n"))
	return p, news, json.Unmarshal(first, &p)
}

// readAllOfPlace reads the note about a root with its new memories.
func readAllOfPlace(root files.Root) (place, error) {
	p, news, err := readPlace(root)
	for line := range bytes.Lines(news) {
		var n New
		err = errors.Join(err, json.Unmarshal(line, &n))
		p.New = append(p.New, n)
	}
	if err == nil && p.Lines > 0 && p.Lines != len(p.New) {
		err = errors.New("the note is cut off")
	}
	return p, err
}

func (p place) write(root files.Root) error {
	list := p.New
	p.New, p.Lines = nil, len(list)
	data, err := json.Marshal(p)
	for _, n := range list {
		line, lineErr := json.Marshal(n)
		data, err = append(append(data, '\n'), line...), errors.Join(err, lineErr)
	}
	if err != nil {
		return err
	}
	return files.WriteStateFile(placePrefix+root.Key(), string(data)+"\n")
}

// Meet notes, before anything else is read, that a session starts in a root. From then on its memories are new until
// they are seen. A root that is unknown came from elsewhere, and its reflog with it.
func Meet(ctx context.Context, root files.Root, unknown bool) error {
	if _, _, err := readPlace(root); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	before, err := root.KnownBefore()
	if err != nil {
		return err
	}
	p := place{Came: unknown}
	if !before.IsZero() {
		p.Before = before.UnixNano()
	}
	if git.InRepository(root.Path) {
		ctx, cancel := context.WithTimeout(ctx, gitTime)
		defer cancel()
		log, err := git.ReadReflog(ctx, root.Path, 0)
		if p.Begin = log.Begin; errors.Is(err, fs.ErrNotExist) {
			p.Begin = noCommit
		}
		if unknown {
			p.Reflog = log.Size
		}
	}
	return p.write(root)
}

// noCommit stands in place.Begin for a repository in which nothing was committed yet.
const noCommit = "none"

// reflog reads HEAD's reflog. One whose beginning differs from the root's came with another repository in its place,
// and nothing in it was made here.
func (p *place) reflog(ctx context.Context, root files.Root) (log git.Reflog, isSame bool, err error) {
	log, err = git.ReadReflog(ctx, root.Path, p.Reflog)
	if err != nil || log.Begin == p.Begin {
		return log, err == nil, err
	}
	if p.Begin == noCommit {
		p.Begin = log.Begin
		return log, true, nil
	}
	p.Begin, p.Reflog = log.Begin, log.Size
	log, err = git.ReadReflog(ctx, root.Path, p.Reflog)
	return log, false, err
}

// File is a memory's file as the index has it.
type File struct {
	Path    string `db:"path"`
	Content string `db:"content"`
	MtimeNS int64  `db:"mtime_ns"`
}

// Found is the result of Look.
type Found struct {
	New   []New
	Came  bool // with the project: no look before found them
	Known int  // how many of them the last look found
}

// Last is what the last look at a root found.
type Last struct {
	State string   // of the index; "" if all memories are to be read
	Since int64    // when it was, in Unix nanoseconds
	Paths []string // of the memories that were new
}

// Look says which memories of a root are new. read returns the state of the index and, unless that is last.State, the
// files of the memories read since last.Since and of those at last.Paths. In a team's repository none is new.
func Look(ctx context.Context, root files.Root, team bool, read func(Last) ([]File, string, error)) (
	found Found, err error) {
	seen, seenErr := ReadSeen()
	p, err := readAllOfPlace(root)
	if err != nil {
		p = place{Came: true}
	}
	before := p
	if seenErr != nil || len(seen.lines) < p.Journal || p.Team != team {
		p.Looked, p.State = 0, ""
	}
	last, known := Last{State: p.State}, map[string]bool{}
	if p.Looked > 0 {
		last.Since = p.Looked - int64(overlap)
	}
	for _, n := range p.New {
		last.Paths, known[n.Content] = append(last.Paths, n.Path), true
	}
	now := time.Now().UnixNano()
	files, state, err := read(last)
	if err != nil {
		return found, err
	}
	wasOpened := p.Looked > 0
	found.Came = !wasOpened && p.Came
	isSame := state == last.State && state != ""
	if isSame {
		for _, n := range p.New {
			files = append(files, File{Path: n.Path, Content: n.Content})
		}
		now = p.Looked
	}
	old := slices.Clone(p.New)
	if !isSame || len(seen.lines) != p.Journal {
		files = slices.DeleteFunc(files, func(f File) bool { return seen.Has(f.Content) })
		old = slices.DeleteFunc(old, func(n New) bool { return seen.Has(n.Content) })
	}
	p.Looked, p.State, p.Journal, p.Team = now, state, len(seen.lines), team
	if p.Before > 0 {
		files = p.adopt(files)
		p.Before = 0 // what comes later may have any time
	}
	if p.New = nil; !team && len(files) > 0 {
		p.New = p.judge(ctx, root, files, old, wasOpened)
	}
	for _, n := range p.New {
		if known[n.Content] {
			found.Known++
		}
	}
	found.New = p.New
	if len(p.New) > maxNew {
		p.New, p.Looked, p.State = p.New[:maxNew], 1, "" // the next look reads all again
	}
	p.Lines = len(p.New)
	if !reflect.DeepEqual(p, before) {
		err = p.write(root)
	}
	return found, errors.Join(err, seenErr)
}

// adopt makes the memories count as seen that were there before memctl asked. It returns the others.
func (p place) adopt(files []File) (others []File) {
	var old []string
	for _, f := range files {
		if f.MtimeNS < p.Before {
			old = append(old, f.Content)
		} else {
			others = append(others, f)
		}
	}
	if Add(old...) != nil {
		return files
	}
	return others
}

// judge names the authors of memories, and makes the person's own count as seen. It returns the others. Of those that
// were new at the last look, only a commit that was made since makes one the person's own.
func (p *place) judge(ctx context.Context, root files.Root, files []File, old []New, wasOpened bool) (list []New) {
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	known, wasNew := map[string]New{}, map[string]bool{}
	for _, n := range old {
		known[n.Content], wasNew[n.Path] = n, true
	}
	var authors map[string]git.Author
	var log git.Reflog
	if git.InRepository(root.Path) {
		size := p.Size
		var isSame bool
		var err error
		if log, isSame, err = p.reflog(ctx, root); err == nil {
			p.Size = log.Size
			asked := files
			asked = slices.DeleteFunc(slices.Clone(asked), func(f File) bool {
				n, isKnown := known[f.Content]
				return isKnown && (size == log.Size || n.Author != "") // another commit has it
			})
			files = withoutOwn(ctx, root, log, files, asked, func(f File) bool {
				return wasOpened && isSame && !wasNew[f.Path]
			})
		}
		var paths []string
		for _, f := range files {
			if known[f.Content].Path != f.Path {
				paths = append(paths, f.Path)
			}
		}
		if len(paths) > 0 {
			// Whoever committed a file last did not write what was done to it since.
			edited, _ := git.Edited(ctx, root.Path)
			paths = slices.DeleteFunc(paths, func(path string) bool { return edited[path] })
		}
		if len(paths) > 0 {
			authors, _ = log.Authors(ctx, root.Path, gitTime/2, paths) // without it they are others'
		}
	}
	for _, f := range files {
		if n := known[f.Content]; n.Path == f.Path {
			list = append(list, n)
			continue
		}
		a := authors[f.Path]
		list = append(list, New{f.Path, f.Content, AuthorName(a.Name), a.Date,
			a.Email != "" && a.Email == log.Email})
	}
	return list
}

// AuthorName keeps of an author's name that which no sentence is made of, since it stands in one.
func AuthorName(name string) string {
	return text.OneLine(strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.L, unicode.M, unicode.Nd) || strings.ContainsRune(" .-'_", r) {
			return r
		}
		return ' '
	}, name), maxAuthor)
}

// maxOwn is how many memories are looked for among the person's commits.
const maxOwn = 2000

// withoutOwn leaves out the memories that the person wrote, and makes them count as seen: of those that are asked
// about, what a commit has that was made in this clone by its author, and what mayBeEdit allows and git does not have.
func withoutOwn(ctx context.Context, root files.Root, log git.Reflog, list, asked []File,
	mayBeEdit func(File) bool) (others []File) {
	if len(asked) == 0 {
		return list
	}
	made := map[string]bool{}
	_ = log.Blobs(ctx, root.Path, gitTime/2, func(blob string) { made[blob] = true })
	own := map[string]bool{}
	edits := map[string]File{} // by the id that git would give it
	for _, f := range asked[:min(len(asked), maxOwn)] {
		data, err := root.ReadFile(f.Path)
		if err != nil || Content(data) != f.Content || ctx.Err() != nil {
			continue
		}
		ids := files.BlobIDs(data)
		own[f.Content] = slices.ContainsFunc(ids, func(id string) bool { return made[id] })
		// Git may have changed the ends of lines in a file that has those of Windows.
		if !own[f.Content] && mayBeEdit(f) && !bytes.Contains(data, []byte("\r")) {
			for _, id := range ids {
				edits[id] = f
			}
		}
	}
	for _, f := range handEdits(ctx, root, edits) {
		own[f.Content] = true
	}
	var seen []string
	for _, f := range list {
		if own[f.Content] {
			seen = append(seen, f.Content)
		} else {
			others = append(others, f)
		}
	}
	if Add(seen...) != nil {
		return list
	}
	return others
}

// handEdits returns the files that no commit and no index of git has, given by their ids, unless git's attributes have
// it write another content than it keeps.
func handEdits(ctx context.Context, root files.Root, edits map[string]File) (list []File) {
	if len(edits) == 0 {
		return nil
	}
	lacking, err := git.Lacking(ctx, root.Path, slices.Collect(maps.Keys(edits)))
	if err != nil {
		return nil
	}
	has, paths := map[string]bool{}, []string{}
	for id, f := range edits {
		paths = append(paths, f.Path)
		has[f.Path] = has[f.Path] || !lacking[id]
	}
	rewritten, err := git.Rewritten(ctx, root.Path, paths)
	if err != nil {
		return nil
	}
	changed, err := git.Edited(ctx, root.Path)
	for _, f := range edits {
		if err == nil && !has[f.Path] && !rewritten[f.Path] && changed[f.Path] {
			list = append(list, f)
		}
	}
	return list
}
