package memdir

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memctl/gate"
	"memctl/schemas"
	"memctl/text"
)

// SourcesName is the file that says what each imported memory was made of, a line for each.
// Lines are sorted and independent, so that git merges them by keeping those of both sides.
const SourcesName = "sources.jsonl"

// Bounds of such a file. A clone brings it, and an import compares each line.
const (
	maxSources     = 64 << 20 // bytes
	maxSourceLines = 100_000
)

// Source is what an imported memory was made of.
type Source struct {
	Origin   string `json:"source"` // a path, relative to the project or to "~/", which may have a part after "#"
	Memory   string `json:"memory"` // its path below the root
	Format   string `json:"format"`
	From     string `json:"from"`               // what was imported: a file or a folder
	Hash     string `json:"sha256"`             // of the text, as in the memory's history
	Made     string `json:"made"`               // hash of the memory as the import left it
	File     string `json:"file"`               // hash of the whole file
	Bytes    int64  `json:"bytes"`              // of the whole file
	Text     string `json:"text"`               // that was last imported
	Conflict bool   `json:"conflict,omitempty"` // the text is newer than the memory, which had changed too
}

// Path returns the file of a source.
func (s Source) Path(root Root) string { return SourcePath(root, s.Origin) }

// SourcePath returns the file that an origin names, without its part.
func SourcePath(root Root, origin string) string {
	path, _, _ := strings.Cut(origin, "#")
	path = filepath.FromSlash(strings.ReplaceAll(path, "%23", "#"))
	if rest, below := strings.CutPrefix(path, "~"+string(filepath.Separator)); below {
		home, _ := os.UserHomeDir()
		return filepath.Join(home, rest)
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(root.Project, path)
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

// FileHash is the hash of a source's file.
func FileHash(data []byte) string { return text.Hash(data, 8) }

// ReadSource reads the file of a source.
func ReadSource(path string) ([]byte, error) {
	place, err := PlaceOf(path)
	if err != nil {
		return nil, err
	}
	return place.Read(path, schemas.MaxFileBytes)
}

// InProject reports whether the source lies in the project, so that everyone who has the project has it.
func (s Source) InProject() bool {
	return filepath.IsLocal(filepath.FromSlash(s.Origin)) && !strings.HasPrefix(s.Origin, "~")
}

// Sources returns what the imported memories were made of. It passes over lines that are none,
// such as those that git puts around a conflict.
func (r Root) Sources() ([]Source, error) {
	data, err := r.readOptional(SourcesName, maxSources)
	if bytes.Count(data, []byte("\n")) > maxSourceLines {
		return nil, text.WithHint(fmt.Errorf("%s has more than %d lines", SourcesName, maxSourceLines),
			"see who wrote it: git log "+r.Shown+"/"+SourcesName+"; without it, memories no longer follow their sources")
	}
	return slices.Collect(sourcesIn(data)), err
}

func sourcesIn(data []byte) iter.Seq[Source] {
	return func(yield func(Source) bool) {
		for line := range bytes.Lines(data) {
			var s Source
			if json.Unmarshal(line, &s) == nil && s.Origin != "" && !yield(s) {
				return
			}
		}
	}
}

// PutSources writes them all, sorted, each once. It removes the file if there are none.
func (r Root) PutSources(list []Source) error {
	slices.SortFunc(list, func(a, b Source) int {
		return cmp.Or(cmp.Compare(a.Origin, b.Origin), cmp.Compare(a.Memory, b.Memory), cmp.Compare(a.Hash, b.Hash))
	})
	list = slices.CompactFunc(list, func(a, b Source) bool { return a.Origin == b.Origin && a.Memory == b.Memory })
	var out bytes.Buffer
	for _, s := range list {
		line, _ := schemas.EncodeJSON(s) // strings, a number and a boolean: cannot fail
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
func (r Root) MovedSources(most int) (changed, gone []string, err error) {
	data, err := r.readOptional(SourcesName, maxSources)
	seen := map[string]bool{}
	for s := range sourcesIn(data) { // each line has a whole text: those after the first files are not decoded
		path := s.Path(r)
		if seen[path] || !s.InProject() || s.Bytes == 0 {
			continue
		}
		if seen[path] = true; len(seen) > most {
			break
		}
		switch info, err := gate.Lstat(path); {
		case errors.Is(err, fs.ErrNotExist):
			gone = append(gone, path)
		case err == nil && info.Size() != s.Bytes:
			changed = append(changed, path)
		}
	}
	return changed, gone, err
}
