package writer

import (
	"context"
	"errors"
	"fmt"
	"path"

	"memctl/files"
	"memctl/files/trust"
	"memctl/indexer"
	"memctl/schemas"
	"memctl/text"
)

// atOnce is how many memories of a batch are written under one lock, with one flush of
// each folder. Other writers wait that long.
const atOnce = 200

// Batch writes many new memories. It never replaces one.
type Batch struct {
	w     *Writer
	taken map[string]bool // by the files.NameKey of the path
}

// New is a memory of a batch that is not written yet.
type New struct {
	Path string // below the root
	Data []byte
}

// NewBatch returns an empty batch.
func (w *Writer) NewBatch() (*Batch, error) {
	if err := w.onlyPropose(CreateError); err != nil {
		return nil, err
	}
	b := &Batch{w: w, taken: map[string]bool{}}
	paths, err := w.Root.MemoryPaths()
	for _, p := range paths {
		b.taken[files.NameKey(p)] = true
	}
	return b, err
}

// Reserve returns the path of a new memory: the name that its title gives, with a number
// if that is taken.
func (b *Batch) Reserve(category schemas.Category, title string) (string, error) {
	first, err := b.w.newPlace(category, "", &schemas.Memory{Title: title})
	if err != nil {
		return "", err
	}
	p := first
	for n := 2; b.taken[files.NameKey(p.path())]; n++ {
		number := fmt.Sprintf("-%d", n)
		p = first.renamed(first.stem[:min(len(first.stem), text.MaxSlug-len(number))] + number)
	}
	b.taken[files.NameKey(p.path())] = true
	return p.path(), nil
}

// Draft checks a draft as Create does and returns the memory to write at a reserved path.
func (b *Batch) Draft(path string, doc *schemas.Memory) (New, *Withheld, error) {
	category, _ := schemas.CategoryOfPath(path)
	_, data, withheld, err := b.w.newMemory(category, b.w.Root.Shown+"/"+path, doc)
	return New{path, data}, withheld, err
}

// AsItStands checks a memory that was exported. Its bytes stay, and with them its id,
// status, dates and history, unless private text or secrets have to go.
func (b *Batch) AsItStands(doc *schemas.Memory, data []byte) (New, *Withheld, error) {
	removed := b.w.redact(doc)
	withheld := b.w.withheld("", removed)
	if err := checkTitle(doc, removed); err != nil {
		return New{}, withheld, err
	}
	err := invalid(schemas.Validate(data))
	if len(removed) > 0 || len(data) > schemas.MaxFileBytes {
		data, err = encodeValid(doc)
	}
	if err != nil {
		return New{}, withheld, err
	}
	info, _ := doc.Category.Info()
	return New{path.Join(info.Folder, doc.ID+".json"), data}, withheld, nil
}

// Write writes memories and then updates the index once. Each file is on disk before the
// next one is begun. It returns the reasons why some were not written, by their path. If
// ctx ends, Write stops between two files and returns the context's error.
func (b *Batch) Write(
	ctx context.Context, list []New, progress func(done int),
) (count int, failed map[string]error, err error) {
	failed = map[string]error{}
	if len(list) == 0 {
		return 0, failed, nil
	}
	if err := b.w.Root.Make(); err != nil {
		return 0, failed, err
	}
	var own []string // among the user's memories
	for rest := list; len(rest) > 0 && err == nil; {
		part := rest[:min(atOnce, len(rest))]
		rest = rest[len(part):]
		var n int
		n, err = b.writePart(ctx, part, failed)
		count += n
		for _, m := range part {
			if failed[m.Path] == nil && b.w.Root.Scope == files.UserScope {
				own = append(own, m.Path)
			}
		}
		progress(len(list) - len(rest))
	}
	b.index(ctx)
	b.w.changed(ctx, own)
	return count, failed, err
}

// writePart writes some of the memories under the write lock.
func (b *Batch) writePart(ctx context.Context, part []New, failed map[string]error) (n int, err error) {
	_, err = b.w.underLock(ctx, func() (_ []string, err error) {
		folders := map[string]*files.Folder{}
		defer func() {
			for _, folder := range folders {
				err = errors.Join(err, folder.Flush(), folder.Close())
			}
		}()
		contents := make([]string, len(part))
		for i, m := range part {
			contents[i] = trust.Content(m.Data)
		}
		_ = trust.Add(contents...) // as trust.Wrote does
		for _, m := range part {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			name := path.Dir(m.Path)
			if folders[name] == nil {
				p, err := b.w.placeOfPath(b.w.Root.Shown + "/" + m.Path)
				if err != nil {
					return nil, err
				}
				if folders[name], err = b.w.open(p, b.w.Root.MakeFolder); err != nil {
					delete(folders, name)
					return nil, err
				}
			}
			err := folders[name].AddNew(path.Base(m.Path), m.Data)
			switch why := inTheWay(err); {
			case err == nil:
				n++
			case why != "":
				failed[m.Path] = errors.New(why)
			default:
				return nil, fmt.Errorf("write %s: %w", m.Path, err)
			}
		}
		return nil, nil
	})
	return n, err
}

// PutSources changes what the imported memories were made of, as one writer of the root.
func (w *Writer) PutSources(ctx context.Context, change func(now []files.ImportRecord) []files.ImportRecord) error {
	_, err := w.underLock(ctx, func() ([]string, error) {
		now, err := w.Root.Sources()
		if err == nil {
			err = w.Root.PutSources(change(now))
		}
		return nil, err
	})
	return w.refusal(UpdateError, err)
}

// index brings the index up to date once. If ctx has ended, the next reader does it.
func (b *Batch) index(ctx context.Context) {
	if ctx.Err() != nil {
		return
	}
	b.w.step()
	if err := indexer.Use(ctx, b.w.Root, indexer.Full, func(*indexer.Index) error { return nil }); err != nil {
		b.w.warn("the memories are saved, but the index could not be updated: %v; "+
			"the next command that reads brings it up to date", err)
	}
}
