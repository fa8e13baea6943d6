package exchange

import (
	"cmp"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"memctl/files"
	"memctl/files/gate"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"
)

// Update is a source that memories were imported from.
type Update struct {
	Format string
	From   gate.Named
	path   string // of a place outside of the project that this person named
}

// maxUpdates is how many sources are read again at once. Each is compared with all memories.
const maxUpdates = 1000

// Updates lists the sources that the memories of a root were imported from, each once. Unknown are those outside of the
// project that this person has not imported into the root: a line of the list opens none of them.
func Updates(root files.Root) (known, unknown []Update, err error) {
	list, err := root.Sources()
	if err != nil {
		return nil, nil, err
	}
	places, err := root.OutsidePlaces()
	seen := map[Update]bool{}
	for _, s := range list {
		u := Update{s.Format, s.From, places[s.From]}
		if seen[u] {
			continue
		}
		seen[u] = true
		if files.IsInProject(u.From) || u.path != "" {
			known = append(known, u)
		} else {
			unknown = append(unknown, u)
		}
	}
	if len(known) > maxUpdates {
		return nil, nil, text.WithHint(fmt.Errorf("%s names %d sources; at most %d are updated at once",
			files.SourcesName,
			len(known), maxUpdates), "name one of them: memctl import --update FORMAT SOURCE")
	}
	return known, unknown, err
}

// Outside reports whether the source is outside of the project.
func (u Update) Outside() bool { return u.path != "" }

// Shown is the name of the source in messages.
func (u Update) Shown() string { return cmp.Or(u.path, u.From.String()) }

// IsMissing reports whether an error of Read says that the source is not there, or not where a project may have it.
func IsMissing(err error) bool {
	return slices.ContainsFunc([]error{fs.ErrNotExist, gate.ErrOutside, gate.ErrLeadsOut, gate.ErrGit},
		func(of error) bool {
			return errors.Is(err, of)
		})
}

func (u Update) open(root files.Root) (*source, error) {
	if u.Outside() {
		return openSource(u.path, root)
	}
	return openNamed(u.From, root)
}

// Read is the package's Read for the source.
func (u Update) Read(ctx context.Context, w *writer.Writer, format Format, o Options) (*Import, error) {
	src, err := u.open(w.Root)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", u.Shown(), gate.Reason(err))
	}
	return readSource(ctx, w, format, src, u.Shown(), o)
}

// listSources returns the list of sources as the import names them, and remembers which files of its format are gone.
func (im *Import) listSources() ([]files.ImportRecord, error) {
	list, err := im.w.Root.Sources()
	if err != nil || len(list) == 0 {
		return nil, err
	}
	project, err := gate.Enter(im.w.Root.Project)
	if err != nil {
		return nil, err
	}
	defer project.Close()
	im.gone = map[gate.Named]bool{}
	looked := map[gate.Named]bool{}
	for i := range list {
		s := &list[i]
		s.Origin, s.From = im.src.unlisted(s.Origin), im.src.unlisted(s.From)
		if path := s.Path(); s.Format == im.Format && !looked[path] {
			if looked[path] = true; im.src.isGone(project, *s) {
				im.gone[path] = true
			}
		}
	}
	return list, nil
}

// vanished reports whether the file of a source of this format was gone when the import was read.
func (im *Import) vanished(s files.ImportRecord) bool {
	return s.Format == im.Format && im.gone[s.Path()]
}

// digits are the part of a record that changes with its number.
var digits = expression{source: `\d+`}

func numberless(phrase string) string {
	return strings.Trim(digits.re().ReplaceAllString(phrase, ""), "-_ \n")
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
			func(e *Item) string { return numberless(e.raw) },
			func(s *files.ImportRecord) string { return pick(im.vanished(*s) || here(s), numberless(s.Text), "") },
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
	taken, alike := map[*files.ImportRecord]bool{}, likeness{}
	for _, e := range im.Items {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if e.doc == nil || e.asItStands || e.was != nil || e.State != New && e.State != Changed {
			continue
		}
		if at := alike.likest(places[e.Origin], e); at >= 0 {
			e.was = places[e.Origin][at]
			taken[e.was], places[e.Origin] = true, slices.Delete(places[e.Origin], at, at+1)
			im.follow(e)
		}
	}
	active := map[string]bool{}
	for _, s := range left {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if taken[s] {
			continue
		}
		is, known := active[s.Memory]
		if !known {
			is = im.isActive(s.Memory)
			active[s.Memory] = is
		}
		if !is {
			continue
		}
		what := pick(im.vanished(*s), "its source is gone", "its source no longer says it")
		im.Items = append(im.Items, &Item{State: Missing, Path: s.Memory, Origin: s.Origin.String(), Reason: what,
			Text: s.Text})
	}
	return nil
}

// isActive reports whether there is a memory of this path that was not retired.
func (im *Import) isActive(path string) bool {
	data, err := im.w.Root.ReadFile(path)
	if err != nil {
		return false
	}
	m, err := schemas.Decode(data)
	return err == nil && m.RecordStatus == schemas.Active
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
	case !e.edited || numberless(e.was.Text) == numberless(e.raw):
		e.State = Updated
	default:
		e.State, e.Reason = Conflict, "its source and the memory have both changed; edit the memory, or confirm it "+
			"with memctl review"
		e.Text = strings.TrimSpace("was:\n" + e.was.Text + "\n\nsource now:\n" + e.raw)
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
		tags := append(slices.Clone(old.Tags), e.doc.Tags...)
		files := append(slices.Clone(e.doc.RelatedFiles), old.RelatedFiles...)
		if e.edited {
			edited := *old
			e.doc = &edited
		}
		e.doc.ID, e.doc.Changes = "", append(slices.Clone(old.Changes), change...)
		e.doc.Tags, e.doc.RelatedFiles = tagsOf(tags), nil
		for _, file := range files {
			if !slices.Contains(e.doc.RelatedFiles, file) && (file != e.was.Origin.String() || !im.vanished(*e.was)) {
				e.doc.RelatedFiles = append(e.doc.RelatedFiles, file)
			}
		}
		draft, err := e.doc.Encode()
		if err != nil {
			return err
		}
		saved, err := im.w.Update(ctx, e.Path, writer.Input{Name: e.Origin, Data: draft},
			fmt.Sprintf("%x", md5.Sum(data)))
		if err != nil {
			e.State, e.Reason = Refused, refusal(err)
			continue
		}
		e.Path = strings.TrimPrefix(saved.Target, im.w.Root.Shown+"/")
		im.Updated++
	}
	return nil
}

// sourceKey is a line of the list of sources.
type sourceKey struct {
	origin gate.Named
	memory string
}

// keepSources writes down what the memories of the import were made of.
func (im *Import) keepSources(ctx context.Context) error {
	var lines []files.ImportRecord
	replaced := map[sourceKey]bool{} // as the import names them
	contents := map[gate.Named][]byte{}
	for _, e := range im.Items {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if e.doc == nil || e.asItStands || e.State != New && e.State != Same && e.State != Updated &&
			e.State != Conflict {
			continue
		}
		data, err := im.w.Root.ReadFile(e.Path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", e.Path, gate.Reason(err))
		}
		s := files.ImportRecord{Origin: im.src.listed(e.Origin), Memory: e.Path, Format: im.Format,
			From: im.src.listed(im.Source), Hash: e.hash,
			Made: files.MadeOf(data), Text: e.raw, Conflict: e.State == Conflict}
		if e.was != nil && !e.caughtUp && (e.State == Same || e.edited && e.State == Updated) {
			s.Made, s.Conflict = e.was.Made, e.was.Conflict && e.was.Made == s.Made
		}
		content, read := contents[s.Path()]
		if !read {
			content, err = im.w.Root.ReadSource(s)
			clear(contents) // the items of a file follow each other
			if err == nil {
				contents[s.Path()] = content
			}
		}
		if err == nil {
			s.File, s.Bytes = files.FileHash(content), int64(len(content))
			s.Body = files.BodyHash(content)
		}
		replaced[sourceKey{gate.Name(e.Origin), s.Memory}] = true
		if e.was != nil {
			replaced[sourceKey{e.was.Origin, e.was.Memory}] = true
		}
		lines = append(lines, s)
	}
	if len(lines) == 0 {
		return nil
	}
	if im.src.label != "" {
		if err := im.w.Root.KeepOutsidePlace(ctx, im.src.listed(im.Source), im.src.path); err != nil {
			return fmt.Errorf("the memories are imported, but where their source is could not be kept: %w", err)
		}
	}
	return im.w.PutSources(ctx, func(now []files.ImportRecord) []files.ImportRecord {
		return append(slices.DeleteFunc(now, func(old files.ImportRecord) bool {
			return replaced[sourceKey{im.src.unlisted(old.Origin), old.Memory}]
		}), lines...)
	})
}
