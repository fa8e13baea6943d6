package exchange

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"syscall"

	"memctl/files"
	"memctl/files/gate"
	"memctl/privacy"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
)

// memories are the existing memories with which an import is compared.
type memories struct {
	files    map[string][]byte // by path
	texts    map[string]string // paths by the hash of the text that they were made of
	sources  map[string]string // paths by the format and source of an origin
	imported map[string]string // the source of each path that has one
	titles   map[string]string // by path
}

// addSources remembers what memories were made of, by the list of the root. Of those in it, their history names sources
// that are another's now.
func (k memories) addSources(list []files.ImportRecord) {
	listed := map[string]bool{}
	for _, s := range list {
		listed[s.Memory] = true
	}
	maps.DeleteFunc(k.sources, func(_, path string) bool { return listed[path] })
	for _, s := range list {
		if k.files[s.Memory] == nil {
			continue
		}
		if k.texts[s.Hash] == "" {
			k.texts[s.Hash] = s.Memory
		}
		if key := s.Format + " " + s.Origin.String(); k.sources[key] == "" {
			k.sources[key] = s.Memory
		}
	}
}

// memoriesOf reads the memories of a root, of every status: what was retired after an
// import does not come back with the next. It never asks the index.
func memoriesOf(ctx context.Context, root files.Root) (memories, error) {
	existing := memories{files: map[string][]byte{}, texts: map[string]string{}, sources: map[string]string{},
		imported: map[string]string{}, titles: map[string]string{}}
	return existing, eachFile(ctx, root, nil, func(path string, data []byte, err error) error {
		if errors.As(err, new(syscall.Errno)) && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("read %s: %w", path, gate.Reason(err)) // without it, its source would be imported again
		}
		if err == nil { // else validate reports it
			sum := sha256.Sum256(data)
			existing.files[path] = sum[:]
			existing.addFile(path, data)
		}
		return nil
	})
}

// eachFile calls use for each memory file of the categories, all for none, by category and
// name.
func eachFile(ctx context.Context, root files.Root, categories []schemas.Category,
	use func(path string, data []byte, err error) error) error {
	paths, err := root.MemoryPaths()
	if err != nil {
		return err
	}
	for _, path := range paths {
		if category, _ := schemas.CategoryOfPath(path); len(categories) > 0 && !slices.Contains(categories, category) {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		data, err := root.ReadFile(path)
		if err := use(path, data, err); err != nil {
			return err
		}
	}
	return nil
}

// addFile remembers where a memory or a draft was imported from.
func (k memories) addFile(path string, data []byte) {
	m, err := schemas.Decode(data)
	if err != nil {
		return // validate reports it
	}
	k.titles[path] = m.Title
	for _, change := range m.Changes {
		if o, found := files.OriginIn(change); found {
			k.remember(path, o)
		}
	}
}

func (k memories) remember(path string, o files.Origin) {
	k.texts[o.Hash], k.imported[path] = path, o.Source
	if key := o.Format + " " + o.Source; k.sources[key] == "" {
		k.sources[key] = path
	}
}

// compare decides what becomes of each item.
func (im *Import) compare(ctx context.Context) error {
	var fresh []*Item
	for _, e := range im.Items {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case e.State != New, e.doc == nil:
		case e.asItStands:
			im.check(e)
			im.compareAsItStands(e)
		default:
			im.redact(e)
			e.hash = hashOf(e.raw)
			fresh = append(fresh, e)
		}
	}
	left := im.recognise(fresh)
	parts := map[string]int{} // the items of each origin
	for _, e := range im.Items {
		parts[e.Origin]++
	}
	for _, e := range fresh {
		if e.was == nil {
			im.compareOrigin(e, parts[e.Origin] == 1)
		}
	}
	if im.options.Update {
		if err := im.compareSources(ctx, left); err != nil {
			return err
		}
	}
	fresh = slices.DeleteFunc(fresh, func(e *Item) bool { return e.State != New })
	if !im.options.Similar {
		if err := im.compareSimilar(ctx, fresh); err != nil {
			return err
		}
	}
	return im.prepare(fresh)
}

// prepare makes the files of new items.
func (im *Import) prepare(list []*Item) error {
	var fresh []*Item
	for _, e := range list {
		if e.State != New {
			continue
		}
		if path := im.memories.texts[e.hash]; path != "" { // said twice by the source
			e.State, e.Path = Same, path
			continue
		}
		path, err := im.batch.Reserve(e.Category, e.Title)
		if err != nil {
			return err
		}
		e.Path = path
		im.memories.remember(path, im.origin(e))
		fresh = append(fresh, e)
	}
	related := fresh
	for _, e := range im.Items {
		if e.State == Updated {
			related = append(related, e)
		}
	}
	im.relate(related)
	for _, e := range fresh {
		im.check(e)
	}
	im.count()
	return nil
}

// TakeSimilar makes similar items new ones.
func (im *Import) TakeSimilar() error {
	var list []*Item
	for _, e := range im.Items {
		if e.State == Similar {
			e.State, e.Reason = New, ""
			list = append(list, e)
		}
	}
	return im.prepare(list)
}

// redact removes secrets before the title names a file. The text that the item is made of
// was filtered before, but parts of it stand next to each other now.
func (im *Import) redact(e *Item) {
	im.Privacy.Add(privacy.Sum(e.doc.Redact(im.w.Filter())))
	e.Title = e.doc.Title
}

func (im *Import) compareAsItStands(e *Item) {
	if e.State != New {
		return
	}
	sum := sha256.Sum256(e.draft.Data)
	there := im.memories.files[e.Path]
	switch {
	case there == nil:
		im.memories.files[e.Path] = sum[:]
	case bytes.Equal(there, sum[:]), e.isPage && im.saysTheSame(e):
		e.State = Same
	default:
		e.State, e.Reason = Changed, "a memory of this name says something else"
	}
}

// saysTheSame reports whether the memory of a page's name has its title, tags, status and content.
func (im *Import) saysTheSame(e *Item) bool {
	data, err := im.w.Root.ReadFile(e.Path)
	if err != nil {
		return false
	}
	m, err := schemas.DecodeExact(data)
	return err == nil && m.Title == e.doc.Title && m.RecordStatus == e.doc.RecordStatus &&
		slices.Equal(m.Tags, e.doc.Tags) && reflect.DeepEqual(m.ContentValues(), e.doc.ContentValues())
}

// compareOrigin compares an item with the memory of its origin. Only an item that is all of its source has changed
// with it: of a list, the other items say nothing about one.
func (im *Import) compareOrigin(e *Item, whole bool) {
	if path := im.memories.texts[e.hash]; path != "" {
		e.State, e.Path = Same, path
	} else if path := im.memories.sources[im.Format+" "+e.Origin]; path != "" && !strings.Contains(e.Origin, "#") &&
		whole {
		e.State, e.Path, e.Reason = Changed, path, changedSince
	}
}

// compareSimilar finds the items whose title says what that of a memory says, and for the
// others the memory that memctl candidate would name. Memories that were imported from the
// same source do not count, so that an import that was stopped can be completed.
func (im *Import) compareSimilar(ctx context.Context, fresh []*Item) error {
	if len(fresh) == 0 || len(im.memories.files) == 0 {
		return nil
	}
	sources := map[string]bool{}
	for _, e := range im.Items {
		sources[fileOf(e.Origin)] = true
	}
	isOther := func(path string) bool { return !sources[fileOf(im.memories.imported[path])] }
	searcher, err := retrieve.NewSearcher(im.w.Root, im.w.Config)
	if err != nil {
		return err
	}
	progress, end := im.options.doing("comparing", len(fresh))
	defer end()
	s := store.At(im.w.Root, store.Options{Depth: store.Full})
	return s.Look(ctx, im.w.Root, func(source retrieve.Source) error {
		project := retrieve.Sources{source}
		for i, e := range fresh {
			progress(i)
			comparison, err := source.Compare(ctx, e.Category, withoutPlace(e.doc), func(path string) bool {
				return !isOther(path)
			})
			if err != nil {
				return err
			}
			switch comparison.Verdict {
			case retrieve.Duplicate:
				e.State, e.Path = Similar, comparison.Other.Path
				continue
			case retrieve.Similar:
				e.Near = comparison.Other.Path
				continue
			}
			candidates, err := project.Candidates(ctx, searcher, e.Category, e.Title, mostCompared)
			if err != nil {
				return err
			}
			if at := slices.IndexFunc(candidates, func(r retrieve.Result) bool { return isOther(r.Path) }); at >= 0 {
				e.Near = candidates[at].Path
			}
		}
		return nil
	})
}

// withoutPlace returns the title and the texts of an item without the place where it stands.
func withoutPlace(m *schemas.Memory) *schemas.Memory {
	return &schemas.Memory{Category: schemas.Constraint, Title: m.Title,
		Content: &schemas.ConstraintContent{Impact: m.Prose()}}
}

// mostCompared is how many memories are looked at for one that was not imported.
const mostCompared = 20

// fileOf is an origin without the part of the file.
func fileOf(origin string) string {
	file, _, _ := strings.Cut(origin, "#")
	return file
}

// relate resolves the links of new memories to the titles and paths of their targets, first of all those in the same
// folder. A link to something that is not imported keeps its name.
func (im *Import) relate(fresh []*Item) {
	items := map[string]*Item{}
	name := func(key string, e *Item) {
		if items[key] == nil && e.Path != "" {
			items[key] = e
		}
	}
	for _, e := range im.Items {
		name(e.Origin, e)
		for other := range strings.SplitSeq(e.name, "\n") {
			if key := linkKey(other); key != "" {
				name(key, e)
				name(path.Dir(e.Origin)+" "+key, e)
			}
		}
	}
	leads := func(e *Item, l link) (to *Item) {
		dir, key, stem := path.Dir(e.Origin), linkKey(l.to), linkKey(recordStem(l.to))
		return cmp.Or(items[path.Join(dir, l.to)], items[dir+" "+key], items[key], items[dir+" "+stem], items[stem])
	}
	for _, e := range im.Items {
		late := func(l link) bool { to := leads(e, l); return to != nil && to.State == New }
		if e.State != Same || e.was == nil || !slices.ContainsFunc(e.links, late) {
			continue
		}
		if im.follow(e); e.edited {
			e.State = Same
		} else if e.State == Updated {
			e.Reason, fresh = "a record that it names is imported now", append(fresh, e)
		}
	}
	for _, e := range fresh {
		for _, l := range e.links {
			to := leads(e, l)
			switch l.to = pick(isMarkdown(l.to), path.Base(l.to), l.to); {
			case to == nil && l.maybe:
				continue
			case to != nil && to != e:
				if l.to = to.Title; to.State != Updated || to.edited {
					l.to = cmp.Or(im.memories.titles[to.Path], to.Title)
				}
				if path := im.w.Root.Shown + "/" + to.Path; !slices.Contains(e.doc.RelatedFiles, path) {
					e.doc.RelatedFiles = append(e.doc.RelatedFiles, path)
				}
			}
			addLine(e.doc, l.String())
		}
	}
}

func linkKey(name string) string {
	return text.Lower(strings.Join(strings.FieldsFunc(name,
		func(r rune) bool { return r == ' ' || r == '-' || r == '_' }), " "))
}

// addLine adds a line to the part of a content that takes one more.
func addLine(doc *schemas.Memory, line string) {
	var list *[]string
	switch c := doc.Content.(type) {
	case *schemas.PreferenceContent:
		c.Reason += "\n" + line
		return
	case *schemas.DecisionContent:
		list = &c.Consequences
	case *schemas.ConstraintContent:
		list = &c.Impact
	case *schemas.RunbookContent:
		list = &c.Symptoms
	case *schemas.TechDebtContent:
		list = &c.Impact
	case *schemas.SessionContent:
		list = &c.KeyChanges
	}
	if list != nil && !slices.Contains(*list, line) {
		*list = append(*list, line)
	}
}
