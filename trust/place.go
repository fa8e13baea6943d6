package trust

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"time"

	"memctl/git"
	"memctl/memdir"
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

// place is what a session's start noted of a root.
type place struct {
	Looked  int64 `json:"looked"`           // when, in Unix nanoseconds; 0 for never
	Journal int   `json:"journal"`          // the size of the file of contents then
	Team    bool  `json:"team,omitempty"`   // the person trusted all of it then
	Came    bool  `json:"came,omitempty"`   // with a clone: this person's memctl did not make it
	Reflog  int64 `json:"reflog,omitempty"` // the bytes of HEAD's reflog that it came with
	Before  int64 `json:"before,omitempty"` // what was written before counts as seen, in Unix nanoseconds
	New     []New `json:"new,omitempty"`
}

func readPlace(root memdir.Root) (p place, err error) {
	data, err := memdir.ReadStateFile(placePrefix+root.Key(), maxPlace)
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	return p, err
}

func (p place) write(root memdir.Root) error {
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return memdir.WriteStateFile(placePrefix+root.Key(), string(data))
}

// Meet notes, before anything else is read, that a session starts in a root. From then on its memories are new until
// they are seen. A root that is unknown came from elsewhere, and its reflog with it.
func Meet(ctx context.Context, root memdir.Root, unknown bool) error {
	if _, err := readPlace(root); !errors.Is(err, fs.ErrNotExist) {
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
	if unknown && git.InRepository(root.Path) {
		ctx, cancel := context.WithTimeout(ctx, gitTime)
		defer cancel()
		if log, err := git.ReadReflog(ctx, root.Path, 0); err == nil {
			p.Reflog = log.Size
		}
	}
	return p.write(root)
}

// File is a memory's file as the index has it.
type File struct {
	Path    string `db:"path"`
	Content string `db:"content"`
	MtimeNS int64  `db:"mtime_ns"`
}

// Found is what Look found.
type Found struct {
	New   []New
	Came  bool // with the project: no look before found them
	Known int  // how many of them the last look found
}

// Look says which memories of a root are new. Read returns the files of memories that were read since a time in Unix
// nanoseconds, and those at some paths. Of a team's repository none is new.
func Look(ctx context.Context, root memdir.Root, team bool, read func(since int64, paths []string) ([]File, error)) (
	found Found, err error) {
	seen, seenErr := ReadSeen()
	p, err := readPlace(root)
	if err != nil {
		p = place{Came: true}
	}
	if seenErr != nil || len(seen.lines) < p.Journal || p.Team != team {
		p.Looked = 0
	}
	since, paths, known := int64(0), []string{}, map[string]bool{}
	if p.Looked > 0 {
		since = p.Looked - int64(overlap)
	}
	for _, n := range p.New {
		paths, known[n.Content] = append(paths, n.Path), true
	}
	now := time.Now().UnixNano()
	files, err := read(since, paths)
	if err != nil {
		return found, err
	}
	changed := len(files) > 0 || p.Looked == 0
	found.Came = p.Looked == 0 && p.Came
	p.Looked, p.Journal, p.Team = now, len(seen.lines), team
	files = slices.DeleteFunc(files, func(f File) bool { return seen.Has(f.Content) })
	if p.Before > 0 {
		files = p.adopt(files)
		p.Before = 0 // what comes later may have any time
	}
	if p.New = nil; !team && len(files) > 0 {
		p.New = judge(ctx, root, p, files)
	}
	for _, n := range p.New {
		if known[n.Content] {
			found.Known++
		}
	}
	found.New = p.New
	if len(p.New) > maxNew {
		p.New, p.Looked = p.New[:maxNew], 1 // the next look reads all again
	}
	if changed {
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

// judge names the authors of memories, and makes the person's own count as seen. It returns the others.
func judge(ctx context.Context, root memdir.Root, p place, files []File) (list []New) {
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	var authors map[string]git.Author
	var log git.Reflog
	if git.InRepository(root.Path) {
		var err error
		if log, err = git.ReadReflog(ctx, root.Path, p.Reflog); err == nil {
			files = withoutOwn(ctx, root, log, files)
		}
		paths := make([]string, len(files))
		for i, f := range files {
			paths[i] = f.Path
		}
		if len(files) > 0 {
			authors, _ = git.Authors(ctx, root.Path, gitTime/2, paths) // without it they are others'
		}
	}
	for _, f := range files {
		a := authors[f.Path]
		list = append(list, New{f.Path, f.Content, text.OneLine(a.Name, maxAuthor), a.Date, a.Email != "" && a.Email == log.Email})
	}
	return list
}

// maxOwn is how many memories are looked for among the person's commits.
const maxOwn = 2000

// withoutOwn leaves out the memories that the person wrote, and makes them count as seen: what a commit has that was
// made in this clone by its author, and what the work tree has and git does not.
func withoutOwn(ctx context.Context, root memdir.Root, log git.Reflog, files []File) (others []File) {
	made := map[string]bool{}
	_ = log.Blobs(ctx, root.Path, gitTime/2, func(blob string) { made[blob] = true })
	var ids, own []string
	blobs := map[string][]string{} // by content
	for _, f := range files[:min(len(files), maxOwn)] {
		data, err := root.ReadFile(f.Path)
		if err != nil || Content(data) != f.Content || ctx.Err() != nil {
			continue
		}
		blobs[f.Content] = git.BlobIDs(data)
		ids = append(ids, blobs[f.Content]...)
	}
	lacking := map[string]bool{}
	if p, err := readPlace(root); err == nil && p.Looked > 0 && len(ids) > 0 { // opened by this person before
		if lacks, err := git.Lacking(ctx, root.Path, ids); err == nil {
			lacking = lacks
		}
	}
	for _, f := range files {
		ids := blobs[f.Content]
		isMade := slices.ContainsFunc(ids, func(id string) bool { return made[id] })
		isNowhere := len(ids) > 0 && !slices.ContainsFunc(ids, func(id string) bool { return !lacking[id] })
		if isMade || isNowhere {
			own = append(own, f.Content)
		} else {
			others = append(others, f)
		}
	}
	if Add(own...) != nil {
		return files
	}
	return others
}
