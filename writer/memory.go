package writer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"syscall"

	"memctl/files"
	"memctl/files/gate"
	"memctl/files/trust"
	"memctl/schemas"
)

// memory is a memory file, read under the write lock.
type memory struct {
	place
	folder *files.Folder
	data   []byte
	read   bool // Writer.Read
}

// lockedMemory runs change as the only writer, on the memory that a path or an id
// names, and indexes the files that it changed.
func (w *Writer) lockedMemory(
	ctx context.Context, target string, code Code, change func(*memory) (paths []string, err error),
) error {
	if _, err := gate.Stat(w.Root.Path); errors.Is(err, fs.ErrNotExist) {
		return w.notFound(target, code) // there is no root to lock
	}
	return w.locked(ctx, code, func() ([]string, error) {
		m, err := w.openMemory(target, code)
		if err != nil {
			return nil, err
		}
		defer m.folder.Close()
		return change(m)
	})
}

// openMemory reads the memory that a path or an id names. The caller closes its folder.
func (w *Writer) openMemory(target string, code Code) (*memory, error) {
	p, err := w.existing(target, code)
	if err != nil {
		return nil, err
	}
	folder, err := w.open(p, w.Root.OpenFolder)
	if err != nil {
		return nil, err
	}
	if folder == nil {
		return nil, w.notFound(p.shown, code)
	}
	data, _, err := folder.Read(p.file())
	var twin *files.CollisionError
	if err == nil && errors.As(folder.CheckTwin(p.file()), &twin) { // the file system folds case
		err = pathError(p.shown, "the file's name is "+twin.Name, "give the name as it is")
	}
	var refused *Error
	switch {
	case errors.As(err, &refused):
	case errors.Is(err, fs.ErrNotExist):
		err = w.notFound(p.shown, code)
	case errors.Is(err, files.ErrNotFile):
		err = pathError(p.shown, err.Error(), "give the path of a memory file")
	case err != nil:
		err = unreadable(p, err)
	}
	if err != nil {
		folder.Close()
		return nil, err
	}
	return &memory{p, folder, data, w.Read}, nil
}

// saved is the answer for a memory that stays in its place.
func (m *memory) saved(status string, doc *schemas.Memory) Saved {
	return Saved{Status: status, Target: m.shown, ID: m.stem, Title: doc.Title, TimesUpdated: doc.TimesUpdated}
}

// decode decodes the memory.
func (m *memory) decode() (*schemas.Memory, error) {
	doc, err := schemas.DecodeExact(m.data)
	if err != nil {
		return nil, unreadable(m.place, err)
	}
	return doc, nil
}

func unreadable(p place, err error) *Error {
	return refuse(ReadError, p.shown, err.Error(), "fix the file by hand; memctl validate says more")
}

// inTheWay says what has the name of a new file that could not be written, "" for another error.
func inTheWay(err error) string {
	var twin *files.CollisionError
	switch {
	case errors.As(err, &twin):
		return twin.Error()
	case errors.Is(err, fs.ErrExist):
		return "another process has just created it"
	}
	return ""
}

// replace writes the new content and then renames the file, if it gets a new name.
// If the process dies there is one file, old or new. It returns the paths to index.
func (m *memory) replace(data []byte, to place) ([]string, error) {
	m.rewrote(data)
	if err := m.folder.Replace(m.file(), data); err != nil {
		return nil, m.unwritten(err)
	}
	if to.stem == m.stem {
		return []string{m.path()}, nil
	}
	if err := m.folder.MoveNew(m.file(), to.file()); err != nil {
		return []string{m.path()}, refuse(UpdateError, m.shown, "saved, but not renamed to "+to.shown+": "+err.Error(),
			"update it once more: that completes the rename")
	}
	_ = m.folder.MoveNew(m.stem+files.ConflictSuffix, to.stem+files.ConflictSuffix) // seldom there is one
	return []string{m.path(), to.path()}, nil
}

// rewrote makes what replaces the memory count as seen, if the memory does or the person has read it.
func (m *memory) rewrote(data []byte) {
	if m.read {
		trust.Wrote(data)
		return
	}
	trust.Rewrote(data, m.data)
}

// encodeValid encodes a memory and checks it against its schema.
func encodeValid(doc *schemas.Memory) ([]byte, error) {
	data, err := encode(doc)
	if err != nil {
		return nil, err
	}
	return data, invalid(schemas.Validate(data))
}

func encode(doc *schemas.Memory) ([]byte, error) {
	data, err := doc.Encode()
	if errors.Is(err, schemas.ErrTooLarge) {
		return nil, refuse(LimitError, "", err.Error(), "shorten the memory, or split it")
	}
	return data, err
}

// statusOf returns the record_status, active for a memory that has none.
func statusOf(doc *schemas.Memory) string {
	if status := doc.Get("record_status"); status != nil {
		return fmt.Sprint(status)
	}
	return string(schemas.Active)
}

// strs returns the strings of a list. A string counts as a list of one.
func strs(v any) []string {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var out []string
	for _, item := range list {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// place is where a memory is or will be.
type place struct {
	category schemas.Category // of the folder
	folder   string
	stem     string
	shown    string // as the caller named it
}

func (p place) file() string { return p.stem + ".json" }
func (p place) path() string { return p.folder + "/" + p.file() }

// unwritten names the memory in the error of a write.
func (p place) unwritten(err error) error {
	if err != nil {
		err = fmt.Errorf("write %s: %w", p.shown, err)
	}
	return err
}

// renamed returns the place of another stem in the same folder.
func (p place) renamed(stem string) place {
	cut := strings.LastIndexAny(p.shown, `/\`) + 1
	p.shown, p.stem = p.shown[:cut]+stem+".json", stem
	return p
}

// placeOfPath returns the place that a path names, FOLDER/ID.json below the root.
func (w *Writer) placeOfPath(target string) (place, error) {
	below, err := w.Root.Below(target)
	if err != nil {
		return place{}, pathError(target, err.Error(), cmp.Or(w.elsewhere(target), "give a path below "+w.Root.Shown))
	}
	folder, file, ok := strings.Cut(below, "/")
	category, known := schemas.CategoryOfFolder(folder)
	stem, isJSON := strings.CutSuffix(file, ".json")
	if !ok || !known || !isJSON || stem == "" || strings.Contains(file, "/") {
		return place{}, pathError(target, "not the path of a memory",
			"give FOLDER/ID.json below "+w.Root.Shown+", or the id alone")
	}
	return place{category, folder, stem, target}, nil
}

// placeOfID returns the place of an id in the folder of a category.
func (w *Writer) placeOfID(category schemas.Category, id string) place {
	info, _ := category.Info()
	return place{category, info.Folder, id, w.Root.Shown + "/" + info.Folder + "/" + id + ".json"}
}

// existing finds the memory that a path or an id names. For an id that no memory has,
// the error is notFound.
func (w *Writer) existing(target string, code Code) (place, error) {
	if !isID(target) {
		return w.placeOfPath(target)
	}
	paths, err := w.Root.Named(strings.TrimSuffix(target, ".json"))
	switch {
	case err != nil:
		return place{}, err
	case len(paths) == 0:
		return place{}, w.notFound(target, code)
	case len(paths) > 1:
		return place{}, pathError(target, fmt.Sprintf("matches %d memories", len(paths)),
			"give one of "+strings.Join(paths, ", "))
	}
	return w.placeOfPath(path.Join(w.Root.Shown, paths[0]))
}

// isID reports whether target is an id, with or without ".json", and not a path.
func isID(target string) bool { return !strings.ContainsAny(target, `/\`) }

// open opens the folder of a place. It returns nil if there is none.
func (w *Writer) open(p place, open func(string) (*files.Folder, error)) (*files.Folder, error) {
	folder, err := open(p.folder)
	if errors.Is(err, files.ErrNotFolder) {
		return nil, pathError(p.shown, p.folder+": "+err.Error(), "make it a folder of the memory root")
	}
	if folder != nil {
		folder.Step = w.step
	}
	return folder, err
}

func pathError(target, problem, fix string) *Error {
	return refuse(PathError, target, problem, fix)
}

func (w *Writer) notFound(target string, code Code) *Error {
	return refuse(code, target, noSuchMemory,
		cmp.Or(w.elsewhere(target), `run "memctl list --status all" for what there is`))
}

const noSuchMemory = "there is no such memory"

// elsewhere says how to name a memory that is in the other root, "" if it is not there.
func (w *Writer) elsewhere(target string) string {
	if there, err := isThere(w.Other, target); w.Other.Path == "" || err != nil || !there {
		return ""
	}
	return fmt.Sprintf("add --scope %s: it is among %s", w.Other.Scope, w.Other.Scope.Own())
}

// isThere reports whether a path or an id names a memory of a root.
func isThere(root files.Root, target string) (bool, error) {
	if isID(target) {
		paths, err := root.Named(strings.TrimSuffix(target, ".json"))
		return len(paths) > 0, err
	}
	below, err := root.Below(target)
	if err != nil {
		return false, nil
	}
	_, err = gate.Lstat(root.Join(below))
	if errors.Is(err, syscall.EIO) {
		return false, err
	}
	return err == nil, nil
}
