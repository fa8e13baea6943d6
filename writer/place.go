package writer

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"

	"memctl/memdir"
	"memctl/schemas"
)

// place is where a memory is or will be.
type place struct {
	category schemas.Category // of the folder
	folder   string
	stem     string
	shown    string // as the caller named it
}

func (p place) file() string { return p.stem + ".json" }
func (p place) path() string { return p.folder + "/" + p.file() }

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
		return place{}, pathError(target, fmt.Sprintf("stands for %d memories", len(paths)),
			"give one of "+strings.Join(paths, ", "))
	}
	return w.placeOfPath(path.Join(w.Root.Shown, paths[0]))
}

// isID reports whether target is an id, with or without ".json", and not a path.
func isID(target string) bool { return !strings.ContainsAny(target, `/\`) }

// open opens the folder of a place. It returns nil if there is none.
func (w *Writer) open(p place, open func(string) (*memdir.Folder, error)) (*memdir.Folder, error) {
	folder, err := open(p.folder)
	if errors.Is(err, memdir.ErrNotFolder) {
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
	if w.Other.Path == "" || !isThere(w.Other, target) {
		return ""
	}
	return fmt.Sprintf("add --scope %s: it is among %s", w.Other.Scope, w.Other.Scope.Own())
}

// isThere reports whether a path or an id names a memory of a root.
func isThere(root memdir.Root, target string) bool {
	if isID(target) {
		paths, err := root.Named(strings.TrimSuffix(target, ".json"))
		return err == nil && len(paths) > 0
	}
	below, err := root.Below(target)
	if err != nil {
		return false
	}
	_, err = os.Lstat(root.Join(below))
	return err == nil
}
