package writer

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"memctl/memdir"
	"memctl/schemas"
)

// place is where a memory stands or will stand.
type place struct {
	category schemas.Category // of the folder
	folder   string
	stem     string
	shown    string // as the caller named it
}

func (p place) file() string { return p.stem + ".json" }
func (p place) path() string { return p.folder + "/" + p.file() }

// renamed is the same folder and another stem, shown in the same way.
func (p place) renamed(stem string) place {
	cut := strings.LastIndexAny(p.shown, `/\`) + 1
	p.shown, p.stem = p.shown[:cut]+stem+".json", stem
	return p
}

func (w *Writer) placeAt(below, shown string) (place, error) {
	folder, file, ok := strings.Cut(below, "/")
	category, known := schemas.CategoryOfFolder(folder)
	stem, isJSON := strings.CutSuffix(file, ".json")
	if !ok || !known || !isJSON || stem == "" || strings.Contains(file, "/") {
		return place{}, pathError(shown, "no path of a memory", "give FOLDER/ID.json below "+w.Root.Shown+", or the id alone")
	}
	return place{category, folder, stem, shown}, nil
}

// inFolder is the place of an id in the folder of a category.
func (w *Writer) inFolder(category schemas.Category, stem string) place {
	info, _ := category.Info()
	return place{category, info.Folder, stem, w.Root.Shown + "/" + info.Folder + "/" + stem + ".json"}
}

// named finds the place that a path names.
func (w *Writer) named(target string) (place, error) {
	below, err := w.Root.Below(target)
	if err != nil {
		return place{}, pathError(target, err.Error(), "give a path below "+w.Root.Shown)
	}
	return w.placeAt(below, target)
}

// existing finds the memory that a path or an id names. The error for an id
// that nothing has is notThere's.
func (w *Writer) existing(target string, code Code) (place, error) {
	if !isID(target) {
		return w.named(target)
	}
	id := strings.TrimSuffix(target, ".json")
	paths, err := w.Root.Named(id)
	switch {
	case err != nil:
		return place{}, err
	case len(paths) == 0:
		return place{}, notThere(target, code)
	case len(paths) > 1:
		return place{}, pathError(target, fmt.Sprintf("stands for %d memories", len(paths)), "give one of "+strings.Join(paths, ", "))
	}
	return w.placeAt(paths[0], path.Join(w.Root.Shown, paths[0]))
}

// isID tells an id, with or without ".json", from a path.
func isID(target string) bool { return !strings.ContainsAny(target, `/\`) }

// open opens the folder of a place; nil where there is none.
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
	return failed(PathError, Detail{"target", target}, Detail{"error", problem}, Detail{"fix", fix})
}

func notThere(target string, code Code) *Error {
	return failed(code, Detail{"target", target}, Detail{"error", "there is no such memory"},
		Detail{"fix", `run "memctl list --status all" for what there is`})
}
