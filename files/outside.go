package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"time"

	"memctl/files/gate"
	"memctl/schemas"
	"memctl/text"
)

// The list of sources is committed with the project, so a place outside of the project has a label there and no path.
// Where it is says a file of the person's state folder, one for each root. An import that names the place writes it.

const (
	outsideMark = "outside:"
	// outsidePrefix begins the name of a root's file of places in the state folder.
	outsidePrefix = "imports-"
	// outsideLimit is the largest such file, in bytes. The places named first are left out of a larger one.
	outsideLimit   = 64 << 10
	outsideTimeout = time.Second
)

// Label names a place outside of the project in the list of sources: by its last name and a hash of its path, which
// begins with "~" in the home folder. So it is the same for everybody who has such a place.
func Label(shown string) string { return outsideMark + path.Base(shown) + "-" + text.Hash(shown, 6) }

// outsidePlace is a line of the file.
type outsidePlace struct {
	From gate.Named `json:"from"` // as in the list of sources
	Path string     `json:"path"` // absolute; the person's import named it
}

// OutsidePlaces returns where the sources outside of the project are that this person imported into the root, by their
// names in the list of sources.
func (r Root) OutsidePlaces() (map[gate.Named]string, error) {
	list, err := r.outsidePlaces()
	places := map[gate.Named]string{}
	for _, p := range list {
		places[p.From] = p.Path
	}
	return places, err
}

func (r Root) outsidePlaces() (list []outsidePlace, err error) {
	data, err := ReadStateFile(outsidePrefix+r.Key(), outsideLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for line := range bytes.Lines(data) {
		var p outsidePlace
		if json.Unmarshal(line, &p) == nil && filepath.IsAbs(p.Path) {
			list = append(list, p)
		}
	}
	return list, err
}

// KeepOutsidePlace remembers where a source outside of the project is.
func (r Root) KeepOutsidePlace(ctx context.Context, from gate.Named, path string) error {
	return InState(func(state *Staged) error {
		lock, err := Root{Path: state.path}.LockExclusive(ctx, outsidePrefix+"lock", outsideTimeout)
		if err != nil {
			return err
		}
		defer lock.Unlock()
		list, err := r.outsidePlaces()
		if err != nil {
			return err
		}
		var lines []byte
		for _, p := range append(list, outsidePlace{from, path}) {
			if p.From == from && p.Path != path {
				continue // it was elsewhere
			}
			line, err := schemas.EncodeJSON(p)
			if err != nil {
				return err
			}
			if line = append(line, '\n'); !bytes.Contains(lines, line) {
				lines = append(lines, line...)
			}
		}
		for len(lines) > outsideLimit {
			lines = lines[bytes.IndexByte(lines, '\n')+1:]
		}
		return state.Replace(outsidePrefix+r.Key(), lines)
	})
}
