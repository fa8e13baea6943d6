package files

import (
	"bytes"
	"cmp"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"memctl/files/gate"
	"memctl/schemas"
	"memctl/text"
)

// SourcesName is the file that says what each imported memory was made of, a line for each. Lines are independent, and
// stand in the order of hashes of their files: so two branches that each add a record do not add at the same place, and
// git merges them line by line.
const SourcesName = "sources.jsonl"

// SourcesAttributes is how git treats that file: a merge keeps the lines of both sides, and a diff, which would show
// hashes, says only that it changed (git diff --text shows it).
const SourcesAttributes = SourcesName + " merge=union -diff linguist-generated"

// Bounds of such a file. A clone brings it, and an import compares each line.
const (
	maxSources     = 64 << 20 // bytes
	maxSourceLines = 100_000
)

// ImportRecord is the place from which a memory was imported.
type ImportRecord struct {
	// Origin is a path, relative to the project, which may have a part after "#". Of a file outside of the project it
	// begins with the label of the place (Label).
	Origin   gate.Named `json:"source"`
	Memory   string     `json:"memory"` // its path below the root
	Format   string     `json:"format"`
	From     gate.Named `json:"from,omitzero"`      // what was imported, unless it is the folder of the file
	Hash     string     `json:"sha256"`             // of the text, as in the memory's history
	Made     string     `json:"made"`               // hash of the memory as the import left it
	Plain    string     `json:"plain,omitempty"`    // hash of the text without numbers
	File     string     `json:"file,omitempty"`     // hash of the whole file, if the project has it and no Blob
	Blob     string     `json:"blob,omitempty"`     // start of git's id of the whole file, if the project is in git
	Bytes    int64      `json:"bytes"`              // of the whole file
	Text     string     `json:"text,omitempty"`     // that was last imported, in a line of an earlier version
	Conflict bool       `json:"conflict,omitempty"` // the text is newer than the memory, which had changed too

	// Body is the hash of the file without its front matter (BodyHash), if it has any.
	Body string `json:"body,omitempty"`
}

// Path returns the file of a source, without a part of it.
func (s ImportRecord) Path() gate.Named {
	path, _, _ := strings.Cut(s.Origin.String(), "#")
	return gate.Name(strings.ReplaceAll(path, "%23", "#"))
}

// InProject reports whether the source lies in the project, so that everyone who has the project has it. A line that
// names any other path is of an earlier version, or a stranger's: memctl opens none.
func (s ImportRecord) InProject() bool { return IsInProject(s.Path()) }

// IsInProject reports whether a path of the list of sources is one in the project.
func IsInProject(path gate.Named) bool {
	return path.IsLocal() && !strings.HasPrefix(path.String(), outsideMark)
}

// MadeOf is the hash of what a memory says, "" for a file that is none. It changes with every
// edit that means something.
func MadeOf(data []byte) string {
	m, err := schemas.DecodeExact(data)
	if err != nil {
		return ""
	}
	said, err := schemas.EncodeJSON([]any{m.Title, m.RecordStatus, m.ContentValues()})
	if err != nil {
		return ""
	}
	return FileHash(said)
}

// blobLength is how many digits of git's id of a file are kept: enough for git to find it.
const blobLength = 16

// BlobIDs returns the ids under which git may have a file, with either kind of hash, and with the line ends of
// Unix.
func BlobIDs(data []byte) []string {
	unix := bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	var ids []string
	for _, data := range [][]byte{data, unix} {
		blob := append(fmt.Appendf(nil, "blob %d\x00", len(data)), data...)
		ids = append(ids, fmt.Sprintf("%x", sha1.Sum(blob)), fmt.Sprintf("%x", sha256.Sum256(blob)))
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// BlobStart returns as much of git's id of the whole file as is kept, "" for none.
func (s ImportRecord) BlobStart() string {
	if len(s.Blob) < blobLength {
		return ""
	}
	return s.Blob[:blobLength]
}

// isBlob reports whether git would give the whole file this id.
func (s ImportRecord) isBlob(id string) bool {
	return s.BlobStart() != "" && strings.HasPrefix(id, s.BlobStart())
}

// lean leaves out what another field says.
func (s ImportRecord) lean() ImportRecord {
	if s.Blob = s.BlobStart(); s.Blob != "" {
		s.File = ""
	}
	if s.From.String() == s.folder() {
		s.From = gate.Named{}
	}
	return s
}

// folder is the folder of the file, which was imported if nothing else is said.
func (s ImportRecord) folder() string { return path.Dir(s.Path().String()) }

// FileHash is the hash of a source's file.
func FileHash(data []byte) string { return text.Hash(data, 8) }

// frontMatter matches the front matter of a Markdown file.
var frontMatter = text.Pattern(`^---[ \t]*\r?\n(?s:.*?\n)??(---|\.\.\.)[ \t]*(\r?\n|$)`)

// standing matches the lines of front matter that say whether the text still holds.
var standing = text.Pattern(`(?im)^["']?(status|state|supersede[sd]?|replace[sd]?)\b.*$`)

// BodyHash is the hash of a source's file without its front matter, "" if it has none. Lines that say
// whether the text still holds count as the text.
func BodyHash(data []byte) string {
	front := frontMatter().Find(data)
	if front == nil {
		return ""
	}
	kept := standing().FindAll(front, -1)
	return FileHash(append(bytes.Join(append(kept, nil), []byte("\n")), data[len(front):]...))
}

// SaysTheSame reports whether the file of a source says what it said when it was imported. Other front matter
// alone says nothing else.
func (s ImportRecord) SaysTheSame(content []byte) bool {
	return FileHash(content) == s.File || slices.ContainsFunc(BlobIDs(content), s.isBlob) ||
		s.Body != "" && BodyHash(content) == s.Body
}

// ReadSource reads the file of a source in the project.
func (r Root) ReadSource(s ImportRecord) ([]byte, error) {
	return gate.Place{Folder: r.Project}.ReadNamed(s.Path(), schemas.MaxFileBytes)
}

// Sources returns what the imported memories were made of. It passes over lines that are none,
// such as those that git puts around a conflict.
func (r Root) Sources() ([]ImportRecord, error) {
	data, err := r.readOptional(SourcesName, maxSources)
	if bytes.Count(data, []byte("\n")) > maxSourceLines {
		return nil, text.WithHint(fmt.Errorf("%s has more than %d lines", SourcesName, maxSourceLines),
			"see who wrote it: git log "+r.Shown+"/"+SourcesName+
				"; without it, memories no longer follow their sources")
	}
	list := slices.Collect(sourcesIn(data))
	slices.SortFunc(list, compareSources)
	return list, err
}

func compareSources(a, b ImportRecord) int {
	return cmp.Or(cmp.Compare(a.Origin.String(), b.Origin.String()), cmp.Compare(a.Memory, b.Memory),
		cmp.Compare(a.Hash, b.Hash))
}

func sourcesIn(data []byte) iter.Seq[ImportRecord] {
	return func(yield func(ImportRecord) bool) {
		for line := range bytes.Lines(data) {
			var s ImportRecord
			if json.Unmarshal(line, &s) != nil || s.Origin.String() == "" {
				continue
			}
			if s.From.String() == "" {
				s.From = gate.Name(s.folder())
			}
			if !yield(s) {
				return
			}
		}
	}
}

// PutSources writes them all, each once. It removes the file if there are none.
func (r Root) PutSources(list []ImportRecord) error {
	places := map[gate.Named]string{}
	for _, s := range list {
		if file := s.Path(); places[file] == "" {
			places[file] = FileHash([]byte(file.String()))
		}
	}
	slices.SortFunc(list, func(a, b ImportRecord) int {
		return cmp.Or(cmp.Compare(places[a.Path()], places[b.Path()]), compareSources(a, b))
	})
	list = slices.CompactFunc(list, func(a, b ImportRecord) bool {
		return a.Origin == b.Origin && a.Memory == b.Memory
	})
	var out bytes.Buffer
	for _, s := range list {
		line, _ := schemas.EncodeJSON(s.lean()) // strings, a number and a boolean: cannot fail
		out.Write(append(line, '\n'))
	}
	path := r.Join(SourcesName)
	place, err := PlaceOf(path)
	if err == nil {
		err = Put(place, path, out.Bytes())
	}
	return err
}

// MovedSources returns the sources in the project that have another size than when they were
// imported, and those that are gone, of the first most files. It reads none of them: an edit that keeps the
// size is found by an import.
func (r Root) MovedSources(most int) (changed, gone []gate.Named, err error) {
	data, err := r.readOptional(SourcesName, maxSources)
	if len(data) == 0 || err != nil {
		return nil, nil, err
	}
	project, err := gate.Enter(r.Project)
	if err != nil {
		return nil, nil, err
	}
	defer project.Close()
	seen := map[gate.Named]bool{}
	for s := range sourcesIn(data) { // lines after the first files are not decoded
		path := s.Path()
		if seen[path] || !s.InProject() || s.Bytes == 0 {
			continue
		}
		if seen[path] = true; len(seen) > most {
			break
		}
		switch info, err := project.LstatNamed(path); {
		case errors.Is(err, fs.ErrNotExist):
			gone = append(gone, path)
		case err == nil && info.Mode().IsRegular() && info.Size() != s.Bytes:
			changed = append(changed, path)
		}
	}
	for _, list := range [][]gate.Named{changed, gone} {
		slices.SortFunc(list, func(a, b gate.Named) int { return cmp.Compare(a.String(), b.String()) })
	}
	return changed, gone, nil
}
