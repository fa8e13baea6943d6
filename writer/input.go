package writer

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"memctl/files"
	"memctl/files/gate"
	"memctl/schemas"
)

// maxInput is the largest input, in bytes.
const maxInput = 1 << 20

// Input is a draft of a memory.
type Input struct {
	Name   string // as the caller gave it; "-" is stdin
	Data   []byte
	staged bool // it is a file of the staging folder
}

// ReadInput reads a draft from stdin or from any file.
func ReadInput(root files.Root, name string, stdin io.Reader) (Input, error) {
	in := Input{Name: name}
	if name != "-" {
		file, err := gate.OpenAny(name)
		if err != nil {
			return in, notReadable(name, err)
		}
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.IsDir() {
			return in, fmt.Errorf("%s is a folder, not a draft", name)
		}
		in.staged = isStaged(root, name)
		stdin = file
	}
	var err error
	in.Data, err = ReadAtMost(stdin)
	return in, in.unreadable(err)
}

func notReadable(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no file %s", name)
	}
	if pathErr := new(fs.PathError); errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return fmt.Errorf("the file %s cannot be read: %w", name, err)
}

// isStaged reports whether a file lies in the staging folder, which a path may name
// with or without links.
func isStaged(root files.Root, name string) bool {
	folder, err := gate.Stat(filepath.Dir(name))
	staging, stagingErr := gate.Stat(root.Staging())
	return err == nil && stagingErr == nil && os.SameFile(folder, staging)
}

// Remove removes a staged draft. Any other file belongs to the user.
func (in Input) Remove() error {
	if !in.staged {
		return nil
	}
	return gate.Remove(in.Name)
}

// decode decodes the draft.
func (in Input) decode() (*schemas.Memory, error) {
	doc, err := schemas.DecodeDraft(in.Data)
	return doc, in.unreadable(err)
}

func (in Input) unreadable(err error) error {
	if err == nil {
		return nil
	}
	e := refuse(InputError, "", err.Error(), "hand in one memory as a JSON object")
	e.Path = in.Name
	return e
}

// ReadAtMost reads to the end. It fails if there is more than 1 MiB.
func ReadAtMost(from io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, maxInput+1))
	if err == nil && len(data) > maxInput {
		err = fmt.Errorf("more than %d MiB", maxInput>>20)
	}
	return data, err
}

// Staged is the answer of Stage.
type Staged struct {
	Status   string           `json:"status"`
	Path     string           `json:"path"`
	Category schemas.Category `json:"category"`
	ID       string           `json:"id"`
	Title    string           `json:"title"`
	Privacy  *Withheld        `json:"privacy,omitempty"`
}

// draftLife is how long drafts stay in the staging folder: for as long as a session may
// need them.
const draftLife = 24 * time.Hour

// Stage checks and fixes a draft as Create does and writes it to the staging folder,
// under its id, or under the slug of its title if it has no id.
func (w *Writer) Stage(category schemas.Category, in Input) (s Staged, err error) {
	doc, err := in.decode()
	if err != nil {
		return s, err
	}
	p, data, withheld, err := w.newMemory(category, "", doc)
	if err != nil {
		return s, err
	}
	s = Staged{Status: "staged", Category: category, ID: p.stem, Title: doc.Title, Privacy: withheld}
	err = w.staging(func(staging *files.Staged) error {
		path, err := staging.Write(draftName(p.path()), string(data))
		s.Path = filepath.ToSlash(path) // an agent names it in a shell, which takes backslashes away
		return err
	})
	return s, err
}

// staging opens the staging folder for drafts and removes old ones.
func (w *Writer) staging(use func(*files.Staged) error) error {
	staging, err := w.Root.OpenStaging()
	if err != nil {
		return refuse(StageError, "", err.Error(), "hand the draft to memctl create or update right away")
	}
	staging.Sweep(files.DraftPrefix, w.Now().Add(-draftLife))
	return errors.Join(use(staging), staging.Close())
}

// draftName is the name of the draft for a memory at a path below the root.
func draftName(at string) string {
	category, _ := schemas.CategoryOfPath(at)
	return files.DraftPrefix + string(category) + "-" + path.Base(at)
}
