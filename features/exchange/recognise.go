package exchange

import (
	"context"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"memctl/files"
	"memctl/files/gate"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"
)

// vanished reports whether the file of a source of this format was gone when the import was read.
func (im *Import) vanished(s files.ImportRecord) bool {
	return s.Format == im.Format && im.gone[s.Path()]
}

// recognise finds the sources that items were at the last import, so that a record is the same memory under another
// number or name, and returns the other sources. The surest signs come first.
func (im *Import) recognise(items []*Item) (left []*files.ImportRecord) {
	named := map[string]bool{}
	for i, s := range im.sources {
		if named[s.Origin.String()] = true; s.Format == im.Format && im.memories.files[s.Memory] != nil {
			left = append(left, &im.sources[i])
		}
	}
	here := func(s *files.ImportRecord) bool { return s.From.String() == im.Source }
	for i, signs := range []struct {
		now func(*Item) string
		was func(*files.ImportRecord) string
	}{
		{ // the same text in the same place
			func(e *Item) string { return e.Origin + " " + e.hash },
			func(s *files.ImportRecord) string { return s.Origin.String() + " " + s.Hash },
		}, { // but for its numbers
			func(e *Item) string { return plainHash(e.raw) },
			func(s *files.ImportRecord) string { return pick(im.vanished(*s) || here(s), s.Plain, "") },
		}, { // a former name
			func(e *Item) string { return pick(named[e.Origin], "", e.Origin) },
			func(s *files.ImportRecord) string { return im.renames[s.Origin.String()] },
		}, { // the same place
			func(e *Item) string { return e.Origin },
			func(s *files.ImportRecord) string { return pick(here(s), s.Origin.String(), "") },
		}, { // the same name in another place, or with another number
			func(e *Item) string { return numberless(recordStem(e.Origin)) },
			func(s *files.ImportRecord) string {
				return pick(im.vanished(*s), numberless(recordStem(s.Origin.String())), "")
			},
		}, {
			func(e *Item) string { return text.Lower(e.Title) },
			func(s *files.ImportRecord) string {
				return pick(im.vanished(*s), text.Lower(im.memories.titles[s.Memory]), "")
			},
		},
	} {
		were := map[string][]*files.ImportRecord{}
		for _, s := range left {
			if sign := signs.was(s); sign != "" {
				were[sign] = append(were[sign], s)
			}
		}
		taken := map[*files.ImportRecord]bool{}
		for _, e := range items {
			sign := signs.now(e)
			if len(were[sign]) == 0 || e.was != nil || i > 0 && strings.Contains(e.Origin, "#") {
				continue
			}
			e.was, were[sign] = were[sign][0], were[sign][1:]
			if taken[e.was] = true; i == 0 {
				e.State, e.Path = Same, e.was.Memory
			} else if im.options.Update || e.was.Origin.String() != e.Origin {
				im.follow(e)
			} else {
				e.State, e.Path, e.Reason = Changed, e.was.Memory, changedSince
			}
		}
		left = slices.DeleteFunc(left, func(s *files.ImportRecord) bool { return taken[s] })
	}
	return left
}

// compareSources does the same for the parts of a file, and says what has become of the sources of memories that no
// item is now. A memory that nobody changed follows its source; of one that somebody did, both texts are shown.
func (im *Import) compareSources(ctx context.Context, left []*files.ImportRecord) error {
	left = slices.DeleteFunc(left, func(s *files.ImportRecord) bool { return s.From.String() != im.Source })
	places := map[string][]*files.ImportRecord{}
	for _, s := range left {
		places[s.Origin.String()] = append(places[s.Origin.String()], s)
	}
	taken, alike := map[*files.ImportRecord]bool{}, likeness{im, map[*files.ImportRecord][]string{}}
	for _, e := range im.Items {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if e.doc == nil || e.asItStands || e.was != nil || e.State != New && e.State != Changed {
			continue
		}
		if at := alike.likest(places[e.Origin], e, halfOfWords); at >= 0 {
			e.was = places[e.Origin][at]
			taken[e.was], places[e.Origin] = true, slices.Delete(places[e.Origin], at, at+1)
			im.follow(e)
		}
	}
	if err := im.compareVanished(ctx, left, taken, alike); err != nil {
		return err
	}
	stands := map[string]standing{}
	for _, s := range left {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if taken[s] {
			continue
		}
		is, known := stands[s.Memory]
		if !known {
			is = im.standing(s.Memory)
			stands[s.Memory] = is
		}
		if is == confirmed {
			im.settled = append(im.settled, sourceKey{s.Origin, s.Memory})
		}
		if is != asImported {
			continue
		}
		if twin := im.twin(s, alike); twin != "" {
			im.settled = append(im.settled, sourceKey{s.Origin, s.Memory})
			category, _ := schemas.CategoryOfPath(s.Memory)
			im.Items = append(im.Items, &Item{State: Updated, Category: category, Path: s.Memory,
				Origin: s.Origin.String(), Reason: "retired: its source is gone, and " + twin + " says the same",
				Title: im.memories.titles[s.Memory], ends: true})
			continue
		}
		what := pick(im.vanished(*s), "its source is gone", "its source no longer says it") + keepOrRetire(s.Memory)
		im.Items = append(im.Items, &Item{State: Missing, Path: s.Memory, Origin: s.Origin.String(), Reason: what,
			Title: im.memories.titles[s.Memory]})
	}
	return nil
}

// compareVanished finds the records that have another name, another title and some other words, before git knows of it:
// of the files that are gone, the one with most of their words.
func (im *Import) compareVanished(
	ctx context.Context, left []*files.ImportRecord, taken map[*files.ImportRecord]bool, alike likeness,
) error {
	var gone []*files.ImportRecord
	for _, s := range left {
		if !taken[s] && im.vanished(*s) && s.Path() == s.Origin {
			gone = append(gone, s)
		}
	}
	for _, e := range im.Items {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if e.doc == nil || e.asItStands || e.was != nil || e.State != New || strings.Contains(e.Origin, "#") ||
			len(comparedWords(e.raw)) < fewWords {
			continue
		}
		if at := alike.likest(gone, e, mostWords); at >= 0 {
			e.was = gone[at]
			taken[e.was], gone = true, slices.Delete(gone, at, at+1)
			im.follow(e)
		}
	}
	return nil
}

// twin returns the memory of another record that says the same as a memory whose record is gone, "" for none: the
// folder had the record twice. A memory that somebody changed has none.
func (im *Import) twin(s *files.ImportRecord, alike likeness) string {
	data, err := im.w.Root.ReadFile(s.Memory)
	if err != nil || !im.vanished(*s) || s.Path() != s.Origin || files.MadeOf(data) != s.Made {
		return ""
	}
	for _, e := range im.Items {
		here := e.State == New || e.State == Updated || e.State == Same && im.standing(e.Path) != noLonger
		if here && e.doc != nil && !e.asItStands && e.Path != s.Memory && !strings.Contains(e.Origin, "#") &&
			text.Lower(e.Title) == text.Lower(im.memories.titles[s.Memory]) &&
			alike.likest([]*files.ImportRecord{s}, e, mostWords) >= 0 {
			return pick(e.Path != "", e.Path, e.Origin)
		}
	}
	return ""
}

// keepOrRetire says what settles a memory without a source.
func keepOrRetire(memory string) string {
	id := text.ShellWord(strings.TrimSuffix(path.Base(memory), ".json"))
	return fmt.Sprintf("; memctl retire %s ends the memory, memctl review %[1]s --confirm keeps it without a source",
		id)
}

// standing says what a person made of a memory.
type standing int

const (
	noLonger   standing = iota // retired, or removed
	asImported                 // in use, as its import left it
	confirmed                  // in use, whatever its source says
)

// standing returns what a person made of the memory of this path.
func (im *Import) standing(path string) standing {
	data, err := im.w.Root.ReadFile(path)
	if err != nil {
		return noLonger
	}
	m, err := schemas.Decode(data)
	switch {
	case err != nil || m.RecordStatus != schemas.Active:
		return noLonger
	case writer.IsConfirmed(&m):
		return confirmed
	}
	return asImported
}

// follow decides what becomes of the memory of an item that says something else now, or says it elsewhere.
func (im *Import) follow(e *Item) {
	e.Path, e.Reason = e.was.Memory, ""
	if e.was.Origin.String() != e.Origin {
		e.Reason = "it was " + e.was.Origin.String()
	}
	data, err := im.w.Root.ReadFile(e.Path)
	m, decodeErr := schemas.Decode(data)
	e.edited = files.MadeOf(data) != e.was.Made || e.was.Conflict
	switch {
	case err != nil:
		e.State, e.Reason = Refused, "its source has changed, and its memory cannot be read: "+gate.Reason(err).Error()
	case decodeErr == nil && m.RecordStatus != schemas.Active:
		e.State = Same
	case e.edited && decodeErr == nil && saysAlready(data, e.doc):
		e.State, e.edited, e.caughtUp = Same, false, true
	case !e.edited || e.was.Plain == plainHash(e.raw):
		e.State = Updated
	default:
		e.State, e.Reason = Conflict, "its source and the memory have both changed; edit the memory, or confirm it "+
			"with memctl review"
		former, known := im.formerText(e.was)
		e.Text = "was:\n" + pick(known, strings.TrimSpace(former), notKept) + "\n\nsource now:\n" + e.raw
		if m, err := schemas.DecodeExact(data); err == nil {
			content, _ := schemas.EncodeJSON(m.ContentValues())
			e.Text += "\n\nmemory now:\n" + string(content)
		}
	}
}

// saysAlready reports whether a memory says what its source says now: the last import wrote it and was stopped before
// it wrote the list of sources.
func saysAlready(data []byte, doc *schemas.Memory) bool {
	m, err := schemas.DecodeExact(data)
	return err == nil && doc != nil && m.Title == doc.Title && reflect.DeepEqual(m.ContentValues(), doc.ContentValues())
}

// changedSince is why an item is not imported again without --update.
const changedSince = "its source has changed since it was imported"
