package exchange

import (
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"memctl/memdir"
	"memctl/schemas"
	"memctl/writer"
)

// Update is a source that Updates reads again.
type Update struct{ Format, From string }

// Updates lists the sources that the memories of a root were imported from, each once.
func Updates(root memdir.Root) ([]Update, error) {
	list, err := root.Sources()
	var found []Update
	for _, s := range list {
		if u := (Update{s.Format, memdir.SourcePath(root, s.From)}); !slices.Contains(found, u) {
			found = append(found, u)
		}
	}
	return found, err
}

// compareSources finds, for items that were imported before and say something else now, the memory
// that they were, and what has become of the sources of memories that no item is now. A memory that
// nobody changed follows its source; of one that somebody did, both texts are shown.
func (im *Import) compareSources() error {
	list, err := im.w.Root.Sources()
	if err != nil {
		return fmt.Errorf("read %s: %w", memdir.SourcesName, err)
	}
	im.sources = list
	now := map[string]bool{}
	for _, e := range im.Items {
		now[e.Origin+" "+e.hash] = e.doc != nil
	}
	var left []memdir.Source
	for _, s := range list {
		if s.Format == im.Format && s.From == im.Source && !now[s.Origin+" "+s.Hash] {
			left = append(left, s)
		}
	}
	for _, e := range im.Items {
		if e.doc == nil || e.asItStands || e.State != New && e.State != Changed {
			continue
		}
		if at := likestSource(left, e); at >= 0 {
			e.was, left = &left[at], slices.Concat(left[:at:at], left[at+1:])
			im.follow(e)
		}
	}
	for _, s := range left {
		data, err := im.w.Root.ReadFile(s.Memory)
		if err != nil {
			continue // the memory is gone too
		}
		if m, err := schemas.Decode(data); err != nil || m.RecordStatus != schemas.Active {
			continue
		}
		what := "its source no longer says it"
		if _, err := os.Lstat(s.Path(im.w.Root)); errors.Is(err, fs.ErrNotExist) {
			what = "its source is gone"
		}
		im.Items = append(im.Items, &Item{State: Gone, Path: s.Memory, Origin: s.Origin, Reason: what, Text: s.Text})
	}
	return nil
}

// follow decides what becomes of the memory of an item that says something else now.
func (im *Import) follow(e *Item) {
	e.Path, e.Reason = e.was.Memory, ""
	data, err := im.w.Root.ReadFile(e.Path)
	switch {
	case err != nil:
		e.State, e.Reason = Changed, "its source has changed, and its memory cannot be read"
	case memdir.MadeOf(data) == e.was.Made && !e.was.Conflict:
		e.State = Updated
	default:
		e.State, e.Reason = Conflict, "its source and the memory have both changed; edit the memory, or confirm it with memctl review"
		e.Text = strings.TrimSpace("was:\n" + e.was.Text + "\n\nsource now:\n" + e.whole)
		if m, err := schemas.DecodeExact(data); err == nil {
			said, _ := schemas.EncodeJSON(m.ContentValues())
			e.Text += "\n\nmemory now:\n" + string(said)
		}
	}
}

// likestSource returns the index of the source that an item was before, -1 for none: that of the same
// place, and of several the one with most of its words.
func likestSource(list []memdir.Source, e *Item) int {
	best, at := 0, -1
	words := strings.Fields(optionWords(e.whole))
	for i, s := range list {
		if s.Origin != e.Origin {
			continue
		}
		of, shared := strings.Fields(optionWords(s.Text)), 1
		for _, word := range of {
			if slices.Contains(words, word) {
				shared++
			}
		}
		whole := !strings.Contains(e.Origin, "#")
		if likeness := 200 * shared / (len(of) + len(words) + 1); likeness > best && (whole || likeness >= 50) {
			best, at = likeness, i
		}
	}
	return at
}

// update writes the items whose memories follow their source.
func (im *Import) update(ctx context.Context) error {
	for _, e := range im.Items {
		if e.State != Updated {
			continue
		}
		data, err := im.w.Root.ReadFile(e.Path)
		if err != nil {
			return err
		}
		old, err := schemas.DecodeExact(data)
		if err != nil {
			return err
		}
		change := im.history(e)
		change[0].Date = schemas.FormatTime(im.w.Now())
		e.doc.ID, e.doc.Changes = "", append(slices.Clone(old.Changes), change...)
		e.doc.Tags = tagsOf(append(slices.Clone(old.Tags), e.doc.Tags...))
		for _, file := range old.RelatedFiles {
			if !slices.Contains(e.doc.RelatedFiles, file) {
				e.doc.RelatedFiles = append(e.doc.RelatedFiles, file)
			}
		}
		draft, err := e.doc.Encode()
		if err != nil {
			return err
		}
		done, err := im.w.Update(ctx, e.Path, writer.Input{Name: e.Origin, Data: draft}, fmt.Sprintf("%x", md5.Sum(data)))
		if err != nil {
			e.State, e.Reason = Refused, refusal(err)
			continue
		}
		e.Path = strings.TrimPrefix(done.Target, im.w.Root.Shown+"/")
		im.Updated++
	}
	return nil
}

// keepSources writes down what the memories of the import were made of.
func (im *Import) keepSources(ctx context.Context) error {
	var lines []memdir.Source
	replaced := map[string]bool{}
	for _, e := range im.Items {
		if e.doc == nil || e.asItStands || e.State != New && e.State != Same && e.State != Updated && e.State != Conflict {
			continue
		}
		data, err := im.w.Root.ReadFile(e.Path)
		if err != nil {
			continue
		}
		s := memdir.Source{Origin: e.Origin, Memory: e.Path, Format: im.Format, From: im.Source, Hash: e.hash,
			Made: memdir.MadeOf(data), Text: e.whole, Conflict: e.State == Conflict}
		for _, old := range im.sources {
			if e.State == Same && old.Origin == s.Origin && old.Hash == s.Hash {
				s.Made, s.Conflict = old.Made, old.Conflict && old.Made == s.Made
			}
		}
		if whole, err := memdir.ReadSource(s.Path(im.w.Root)); err == nil {
			s.File, s.Bytes = memdir.FileHash(whole), int64(len(whole))
		}
		replaced[s.Origin+" "+s.Memory] = true
		if e.was != nil {
			replaced[e.was.Origin+" "+e.was.Memory] = true
		}
		lines = append(lines, s)
	}
	if len(lines) == 0 {
		return nil
	}
	return im.w.PutSources(ctx, func(now []memdir.Source) []memdir.Source {
		return append(slices.DeleteFunc(now, func(old memdir.Source) bool { return replaced[old.Origin+" "+old.Memory] }),
			lines...)
	})
}
