package writer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"memctl/files"
	"memctl/files/trust"
	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
)

// reuseAfter is how long a memory must have been retired before a new one may take
// its name, so that what was just given up does not come back by accident.
const reuseAfter = 24 * time.Hour

// Saved is the answer of Create and Update.
type Saved struct {
	Status       string    `json:"status"`
	Number       int       `json:"proposal,omitempty"` // of what is only proposed
	Target       string    `json:"target"`
	ID           string    `json:"id"`
	Title        string    `json:"title"`
	TimesUpdated int       `json:"times_updated,omitempty"`
	RenamedFrom  string    `json:"renamed_from,omitempty"`
	Retired      []string  `json:"retired,omitempty"` // paths of memories that made room
	Privacy      *Withheld `json:"privacy,omitempty"`
	// Check is proposed from the text, and has no effect before a person confirms it.
	Check   *schemas.Check `json:"check,omitempty"`
	Similar *Similar       `json:"-"` // a notice says it
}

// Name is the id of what was saved, or the number of what was proposed.
func (s Saved) Name() string {
	if s.Status == Proposed {
		return fmt.Sprintf("proposal %d", s.Number)
	}
	return s.ID
}

// Proposal says which check was proposed and how a person confirms it, "" for none.
func (s Saved) Proposal(scope files.Scope) string {
	if s.Check == nil {
		return ""
	}
	user := ""
	if scope == files.UserScope {
		user = " --user"
	}
	return fmt.Sprintf(`proposed a check: %s; to confirm it, remove "proposed": memctl edit %s%s`,
		text.OneLine(s.Check.String(), schemas.MaxSummary), s.ID, user)
}

// Similar is a memory that a new one resembles. Both are kept.
type Similar struct {
	ID   string `json:"id"`
	Path string `json:"path"`
	Text string `json:"text"`
}

// Create writes a new memory. Without a target it goes into its category's folder under
// its id, or without one under the name that its title gives. It replaces only a memory
// that has been retired for at least 24 hours. Then it enforces the limits of the
// category.
func (w *Writer) Create(ctx context.Context, category schemas.Category, target string, in Input) (Saved, error) {
	doc, err := in.decode()
	if err != nil {
		return Saved{}, err
	}
	return w.createMemory(ctx, category, target, doc)
}

// createMemory is Create for a decoded draft. The fields are those from which private
// text was removed before.
func (w *Writer) createMemory(
	ctx context.Context, category schemas.Category, target string, doc *schemas.Memory, removed ...privacy.Field,
) (Saved, error) {
	id := w.givenID(doc)
	unnamed := target == "" && (id == "" || id == text.Name(string(category), doc.Title))
	if err := w.placeRelated(doc, nil); err != nil {
		return Saved{}, err
	}
	p, data, withheld, err := w.newMemory(category, target, doc, removed...)
	if err != nil {
		return Saved{}, err
	}
	if w.Compare != nil {
		if err := w.Compare(ctx, category, doc); err != nil {
			return Saved{}, err
		}
	}
	if w.Propose != nil {
		if unnamed {
			if p, data, err = w.free(p, doc, data); err != nil {
				return Saved{}, err
			}
		}
		return w.proposeNew(ctx, p, doc, data, withheld)
	}
	if err := w.Root.Make(); err != nil {
		return Saved{}, refuse(CreateError, p.shown, err.Error(), "")
	}
	err = w.locked(ctx, CreateError, func() (paths []string, err error) {
		if unnamed {
			p, data, err = w.free(p, doc, data)
		}
		if err != nil {
			return nil, err
		}
		return w.create(p, data)
	})
	saved := Saved{Status: "created", Target: p.shown, ID: p.stem, Title: doc.Title, Privacy: withheld}
	if err == nil {
		w.warnOfSize(data)
		saved.Retired = w.settle(ctx, p, doc.Title)
	}
	return saved, err
}

// newMemory turns a draft into a valid memory. It returns where the memory goes, its
// bytes, and what was removed from it, now or before.
func (w *Writer) newMemory(
	category schemas.Category, target string, doc *schemas.Memory, removed ...privacy.Field,
) (p place, data []byte, withheld *Withheld, err error) {
	if !w.Config.Categories[category].Enabled {
		setting := fmt.Sprintf("categories.%s.enabled", category)
		return p, nil, nil, &Error{Code: CreateError, Problems: []Problem{{
			Field: setting, Reason: "the category is switched off",
			Fix: "leave it, or ask the user and run: memctl config set " + setting + " true",
		}}}
	}
	if target == "" {
		target = w.givenID(doc)
	}
	removed = append(removed, w.autofix(doc)...)
	withheld = w.withheld("", removed)
	if err = checkTitle(doc, removed); err != nil {
		return p, nil, nil, err
	}
	if p, err = w.newPlace(category, target, doc); err != nil {
		return p, nil, nil, err
	}
	w.fixIdentity(doc, p)
	if doc.Folder != "" && w.Root.Scope == files.UserScope {
		return p, nil, nil, &Error{Code: CreateError, Problems: []Problem{{Field: "folder",
			Reason: "the user's own memories are for no project",
			Fix:    "leave it out, or save the memory in the project"}}}
	}
	data, err = encodeValid(doc)
	return p, data, withheld, err
}

// givenID returns the id of a draft, "" if it has none. An id with private text or a
// secret does not count, because the name of the file would show it.
func (w *Writer) givenID(doc *schemas.Memory) string {
	if _, report := w.Filter().Text(doc.ID); report.Found() {
		return ""
	}
	return text.Slug(doc.ID)
}

// newPlace returns where a new memory goes.
func (w *Writer) newPlace(category schemas.Category, target string, doc *schemas.Memory) (place, error) {
	if target == "" {
		return w.placeOfID(category, text.Name(string(category), doc.Title)), nil
	}
	if isID(target) {
		target = w.placeOfID(category, strings.TrimSuffix(target, ".json")).shown
	}
	p, err := w.placeOfPath(target)
	if err == nil && p.category != category {
		info, _ := category.Info()
		problem := p.folder + " is not the folder of the category " + string(category)
		err = pathError(target, problem, "give a path in "+info.Folder)
	}
	return p, err
}

// free returns the place of a new memory that has the name of its title, and its bytes: with a number after
// the name, if a file of this name says something else, or Again is set.
func (w *Writer) free(p place, doc *schemas.Memory, data []byte) (place, []byte, error) {
	stem := p.stem
	for n := 2; ; n++ {
		old, err := w.Root.ReadFile(p.path())
		if err != nil { // create finds out what is in the way
			return p, data, nil
		}
		if m, err := schemas.Decode(old); err == nil && !w.Again && doc.Repeats(&m) {
			return p, data, nil
		}
		number := fmt.Sprintf("-%d", n)
		p = w.placeOfID(p.category, strings.TrimRight(stem[:min(len(stem), text.MaxSlug-len(number))], "-")+number)
		w.fixIdentity(doc, p)
		if data, err = encodeValid(doc); err != nil {
			return p, nil, err
		}
	}
}

// create writes the file, under the write lock.
func (w *Writer) create(p place, data []byte) ([]string, error) {
	folder, err := w.open(p, w.Root.MakeFolder)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	replaces, err := w.vacant(folder, p)
	if err != nil {
		return nil, err
	}
	if trust.Wrote(data); replaces {
		err = folder.Replace(p.file(), data)
	} else {
		err = folder.WriteNew(p.file(), data)
	}
	if why := inTheWay(err); why != "" {
		return nil, conflict(p, why)
	}
	if err != nil {
		return nil, p.unwritten(err)
	}
	return []string{p.path()}, nil
}

// vacant refuses a name that another memory has. It reports whether a new one replaces a memory.
func (w *Writer) vacant(folder *files.Folder, p place) (replaces bool, err error) {
	if err := folder.CheckTwin(p.file()); err != nil {
		return false, conflict(p, err.Error())
	}
	old, _, err := folder.Read(p.file())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, conflict(p, err.Error())
	}
	return true, w.checkReusable(p, old)
}

// checkReusable refuses to replace a memory that was not retired long enough ago.
func (w *Writer) checkReusable(p place, data []byte) error {
	old, err := schemas.DecodeExact(data)
	if err != nil {
		return conflict(p, err.Error())
	}
	if status := statusOf(old); status != string(schemas.Retired) {
		return conflict(p, "a memory with this name exists, with status "+status)
	}
	retired, ok := schemas.ParseTime(old.RetiredAt)
	if !ok || w.Now().Sub(retired) < reuseAfter {
		early := refuse(AntiResurrectionError, p.shown, "",
			fmt.Sprintf("restore the memory instead, take another name, or wait until it has been retired for %v",
				reuseAfter))
		early.Problems[0].Facts = []Detail{{"retired_at", old.RetiredAt}}
		return early
	}
	w.warn("replaced the memory %q that was retired at %s", old.Title, old.RetiredAt)
	return nil
}

func conflict(p place, why string) *Error {
	return refuse(CreateError, p.shown, why, `run "memctl update" to change that memory, or give another --target`)
}

// large is the size, in bytes, above which create advises to split a memory.
const large = 16 << 10

// warnOfSize warns of a memory that is long to read.
func (w *Writer) warnOfSize(data []byte) {
	if len(data) > large {
		w.warn("the memory has %d KB: one over %d KB is better split, or kept in a file that related_files names",
			len(data)>>10, large>>10)
	}
}
