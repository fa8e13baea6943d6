package trust

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"

	"memctl/files"
	"memctl/files/git"
)

// Judge says of memories whether they are new. It reads what it needs when it is first asked.
type Judge struct {
	// Team reports whether the person trusts all of the repository that a root is in; nil for never.
	Team func(files.Root) bool
	// Look looks for new memories in a root before it is asked about; nil for what the last look found.
	Look   func(files.Root)
	seen   *Seen
	places map[string]judged // by the path of the root
}

// judged is a root whose memories are asked about.
type judged struct {
	news    []byte // of readPlace
	trusted bool   // all of it
	untold  bool   // no session has started that could have told of it, and git brought nothing
}

// By returns who wrote a memory that is new, "" for one that is not. What cannot be read counts as not seen.
func (j *Judge) By(root files.Root, content string) string {
	if root.Scope == files.UserScope || root.Scope == files.NotesScope {
		return ""
	}
	if j.seen == nil {
		j.seen, _ = ReadSeen()
	}
	if j.seen.Has(content) {
		return ""
	}
	at, known := j.places[root.Path]
	if !known {
		if j.places == nil {
			j.places = map[string]judged{}
		}
		at = j.judge(root)
		j.places[root.Path] = at
	}
	if at.trusted || j.seen.Has(content) { // by now
		return ""
	}
	return authorOf(at.news, content)
}

// authorOf returns who wrote the memory with a content, by the lines of readPlace. It decodes that line only.
func authorOf(news []byte, content string) string {
	at := bytes.Index(news, []byte(`"content":"`+content+`"`))
	if at < 0 {
		return someone
	}
	line, _, _ := bytes.Cut(news[bytes.LastIndexByte(news[:at], '\n')+1:], []byte("\n"))
	var n New
	if json.Unmarshal(line, &n) != nil {
		return someone
	}
	return n.By()
}

// judge reads what a session's start noted. Where none has started, and git brought nothing, no one has been asked.
func (j *Judge) judge(root files.Root) judged {
	_, news, err := readPlace(root)
	never := errors.Is(err, fs.ErrNotExist) && !git.InRepository(root.Path)
	if j.Look != nil && !never {
		j.Look(root)
		_, news, _ = readPlace(root)
		j.seen, _ = ReadSeen()
	}
	trusted := files.IsUsers(root) || j.Team != nil && j.Team(root)
	return judged{news, never || trusted, never && !trusted}
}

// Untold reports whether nobody can have been told of a memory, as in an archive that was just unpacked. It is not
// marked, since it may be the person's own, but holds up nobody.
func (j *Judge) Untold(root files.Root, path string) bool {
	return j.ByFile(root, path) == "" && j.places[root.Path].untold
}

// ByFile is By for a memory whose file is read.
func (j *Judge) ByFile(root files.Root, path string) string {
	if root.Scope == files.UserScope || root.Scope == files.NotesScope {
		return ""
	}
	content := "" // which no one has seen
	if data, err := root.ReadFile(path); err == nil {
		content = Content(data)
	}
	return j.By(root, content)
}
