package writer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"memctl/db"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// resurrection is how long a retired memory's name cannot be used again: what
// was just given up should not come back by accident.
const resurrection = 24 * time.Hour

// Created is the answer of Create.
type Created struct {
	Status string `json:"status"`
	Target string `json:"target"`
	ID     string `json:"id"`
	Title  string `json:"title"`
	// Retired lists the memories that had to make room.
	Retired []string  `json:"retired,omitempty"`
	Privacy *Withheld `json:"privacy,omitempty"`
}

// Create writes a new memory. Without a target it goes to its category's folder
// under the slug of its title. Only a memory retired long enough ago is replaced.
func (w *Writer) Create(ctx context.Context, category schemas.Category, target string, in Input) (Created, error) {
	doc, err := in.document()
	if err != nil {
		return Created{}, err
	}
	p, data, withheld, err := w.newMemory(category, target, doc)
	if err != nil {
		return Created{}, err
	}
	if err := os.MkdirAll(w.Root.Path, 0o755); err != nil {
		return Created{}, failed(CreateError, Detail{"target", p.shown}, Detail{"error", err.Error()})
	}
	full := true // unless an index says otherwise
	look := func(d *db.DB) error {
		limit, _ := w.limit(category, p.path())
		over, err := retrieve.Over(ctx, d, limit)
		full = len(over) > 0
		return err
	}
	err = w.locked(ctx, CreateError, look, func() ([]string, error) { return w.create(p, data) })
	done := Created{Status: "created", Target: p.shown, ID: p.stem, Title: titleOf(doc), Privacy: withheld}
	if err == nil && full {
		done.Retired = w.makeRoom(ctx, p)
	}
	return done, err
}

// newMemory makes a draft a whole and valid memory, and says where it goes and what
// of it may not be stored.
func (w *Writer) newMemory(category schemas.Category, target string, doc schemas.Document) (p place, data []byte, withheld *Withheld, err error) {
	if !w.Config.Categories[category].Enabled {
		return p, nil, nil, failed(CreateError, Detail{"field", fmt.Sprintf("categories.%s.enabled", category)}, Detail{"error", "the category is switched off"},
			Detail{"fix", fmt.Sprintf("leave it, or ask the user and run: memctl config set categories.%s.enabled true", category)})
	}
	taken := w.mend(doc)
	withheld = w.withheld("", taken)
	if err = checkTitle(doc, taken); err != nil {
		return p, nil, nil, err
	}
	if p, err = w.newPlace(category, target, doc); err != nil {
		return p, nil, nil, err
	}
	w.settle(doc, p)
	data, err = encodeValid(doc)
	return p, data, withheld, err
}

// newPlace finds where a new memory goes.
func (w *Writer) newPlace(category schemas.Category, target string, doc schemas.Document) (place, error) {
	if target == "" {
		return w.inFolder(category, text.SlugOr(string(category), titleOf(doc))), nil
	}
	if isID(target) {
		target = w.inFolder(category, strings.TrimSuffix(target, ".json")).shown
	}
	p, err := w.named(target)
	if err == nil && p.category != category {
		info, _ := category.Info()
		err = pathError(target, p.folder+" is not the folder of the category "+string(category), "give a path in "+info.Folder)
	}
	return p, err
}

// settle sets what a new memory cannot choose.
func (w *Writer) settle(doc schemas.Document, p place) {
	if doc["category"] != string(p.category) {
		doc["category"] = string(p.category)
		w.fixed("category", "set to %q", p.category)
	}
	w.mendID(doc, p.stem)
	doc["record_status"] = string(schemas.Active)
	for _, field := range lifecycleFields {
		delete(doc, field)
	}
}

// create does the part that needs the lock.
func (w *Writer) create(p place, data []byte) ([]string, error) {
	folder, err := w.open(p, w.Root.MakeFolder)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	old, _, err := folder.Read(p.file())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = folder.WriteNew(p.file(), data)
	case err != nil:
		return nil, taken(p, err.Error())
	default:
		if err = w.replaceable(p, old); err == nil {
			err = folder.Replace(p.file(), data)
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return nil, taken(p, "somebody else has just made it")
	}
	if err != nil {
		return nil, err
	}
	return []string{p.path()}, nil
}

// replaceable tells whether a new memory may take a name that is in use.
func (w *Writer) replaceable(p place, data []byte) error {
	old, err := schemas.DecodeDocument(data)
	if err != nil {
		return taken(p, err.Error())
	}
	if status := statusOf(old); status != string(schemas.Retired) {
		return taken(p, "there is a memory of this name, its status is "+status)
	}
	stamp, _ := old["retired_at"].(string)
	retired, ok := schemas.ParseTime(stamp)
	if !ok || w.Now().Sub(retired) < resurrection {
		return failed(AntiResurrectionError, Detail{"target", p.shown}, Detail{"retired_at", stamp},
			Detail{"fix", fmt.Sprintf("restore the memory instead, take another name, or wait until it has been retired for %v", resurrection)})
	}
	w.warn("replaced the memory %q that was retired at %s", titleOf(old), stamp)
	return nil
}

func taken(p place, why string) *Error {
	return failed(CreateError, Detail{"target", p.shown}, Detail{"error", why},
		Detail{"fix", `run "memctl update" to change that memory, or give another --target`})
}
