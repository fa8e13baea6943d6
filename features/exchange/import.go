package exchange

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/files/gate"
	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"
)

// Options of an import.
type Options struct {
	// Category is that of what does not say its own, "" to leave that out.
	Category schemas.Category
	// fallback is the category of items that name no kind either.
	fallback schemas.Category
	// Since leaves out what is older; zero for nothing.
	Since time.Time
	// Project selects the memories of one project from a database of many. The default is
	// the root's project.
	Project string
	// Update has memories follow what changed in the source.
	Update bool
	// Similar imports similar items too.
	Similar bool
	// Observations records tool runs even if the configuration does not.
	Observations bool
	// Progress returns what draws the progress of a step, nil for nothing.
	Progress func(doing string) func(done, total int)
}

// doing returns what draws the progress of a step with a number of parts, and what ends it.
func (o Options) doing(step string, total int) (progress func(done int), end func()) {
	var draw func(done, total int)
	if o.Progress != nil {
		draw = o.Progress(step)
	}
	if draw == nil || total == 0 {
		return func(int) {}, func() {}
	}
	return func(done int) { draw(done, total) }, func() { draw(total, total) }
}

// Import is a source that was read and compared, and can be written.
type Import struct {
	Format  string `json:"format"`
	Source  string `json:"source"`
	DryRun  bool   `json:"dry_run"`
	Written int    `json:"written"`
	Updated int    `json:"updated"`
	// Recorded tool runs are those of transcripts.
	Recorded int            `json:"recorded,omitempty"`
	Counts   map[State]int  `json:"counts"`
	Privacy  privacy.Report `json:"privacy"`
	Items    []*Item        `json:"items"`

	batch    *writer.Batch
	options  Options
	w        *writer.Writer
	label    string // the source as the user names it
	memories memories
	src      *source
	sources  []files.ImportRecord // as this import names them
	gone     map[gate.Named]bool
	renames  map[string]string            // the present origins of former ones, by git
	former   map[string]map[string]string // texts of former files by their hashes, by git's ids of the files
	ctx      context.Context              // of the reading
	settled  []sourceKey                  // whose memories need no source
	// finish is called once the memories are written, nil for nothing.
	finish func(context.Context) error
}

// Read reads a source, filters it and compares it with the memories of the writer's root.
// It writes nothing.
func Read(ctx context.Context, w *writer.Writer, format Format, name string, o Options) (*Import, error) {
	src, err := openSource(name, w.Root)
	if err != nil {
		return nil, notOpened(name, err)
	}
	return readSource(ctx, w, format, src, name, o)
}

// readSource is Read of an opened source, which it closes.
func readSource(
	ctx context.Context, w *writer.Writer, format Format, src *source, name string, o Options,
) (*Import, error) {
	defer src.close()
	o.Project = cmp.Or(o.Project, filepath.Base(w.Root.Project))
	o.Observations = o.Observations || w.Config.Observations.Enabled
	im := &Import{Format: format.Name, Source: src.origin(src.name), Items: []*Item{}, label: name, options: o, w: w,
		src:    src,
		ctx:    ctx,
		former: map[string]map[string]string{}}
	r := &reader{Import: im, ctx: ctx, src: src}
	err := r.readAll(format)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", im.Source, wrapped(err))
	}
	if err = im.foreign(ctx, format); err != nil {
		return nil, err
	}
	if im.batch, err = w.NewBatch(); err != nil {
		return nil, err
	}
	for _, e := range im.Items {
		if e.State == New && !o.Since.IsZero() && e.when.Before(o.Since) {
			e.State, e.Reason = LeftOut, "older than "+o.Since.Format(time.DateOnly)
		}
	}
	im.memories, err = memoriesOf(ctx, w.Root)
	if err != nil {
		return nil, err
	}
	if im.sources, err = im.listSources(); err != nil {
		return nil, fmt.Errorf("read %s: %w", files.SourcesName, gate.Reason(err))
	}
	im.memories.addSources(im.sources)
	if len(im.gone) > 0 {
		im.renames = r.renames()
	}
	return im, im.compare(ctx)
}

// wrapped keeps the path of a file error out of a message that names the source.
func wrapped(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, errTooMuch) {
		return err
	}
	return errors.New(reasonOf(err))
}

// hashOf is the hash of a text, whatever its case and white space.
func hashOf(phrase string) string {
	phrase = text.Lower(strings.Join(strings.Fields(phrase), " "))
	return fmt.Sprintf("%x", sha256.Sum256([]byte(phrase)))[:16]
}

func (im *Import) origin(e *Item) files.Origin {
	return files.Origin{Format: im.Format, Source: e.Origin, Hash: e.hash}
}

// history returns the first entry of an imported memory's history. It has the date of the source's last
// change, so that the same source gives the same bytes whenever it is imported.
func (im *Import) history(e *Item) []schemas.Change {
	return []schemas.Change{im.origin(e).Entry(e.doc.UpdatedAt)}
}

// check turns an item into a file, which finds what is not valid.
func (im *Import) check(e *Item) {
	var withheld *writer.Withheld
	var err error
	if e.asItStands {
		e.draft, withheld, err = im.batch.AsItStands(e.doc, []byte(e.raw))
		e.Path = e.draft.Path
	} else {
		e.doc.Changes = im.history(e)
		e.doc.ID = strings.TrimSuffix(e.Path[strings.Index(e.Path, "/")+1:], ".json")
		e.draft, withheld, err = im.batch.Draft(e.Path, e.doc)
	}
	if withheld != nil {
		im.Privacy.Add(withheld.Report)
	}
	if e.doc.Title != "" {
		e.Title = e.doc.Title
	}
	if err != nil {
		e.State, e.Reason, e.Path = Refused, refusal(err), ""
	}
}

// refusal words a writer's error in one line.
func refusal(err error) string {
	refused := new(writer.Error)
	if !errors.As(err, &refused) {
		return err.Error()
	}
	first := refused.Problems[0]
	return text.Printable(cmp.Or(first.Reason, first.String()))
}

func (im *Import) count() {
	im.Counts = map[State]int{}
	for _, e := range im.Items {
		im.Counts[e.State]++
	}
}

// Unlisted reports whether an earlier import was stopped before it wrote the list of sources.
func (im *Import) Unlisted() bool {
	listed := map[sourceKey]bool{}
	for _, s := range im.sources {
		listed[sourceKey{s.Origin, s.Memory}] = true
	}
	return slices.ContainsFunc(im.Items, func(e *Item) bool {
		return e.State == Same && e.doc != nil && !e.asItStands && !listed[sourceKey{gate.Name(e.Origin), e.Path}]
	})
}

// Fresh returns how many memories Write would write, and the sessions of which it
// would record tool runs.
func (im *Import) Fresh() (memories, sessions int) {
	for _, e := range im.Items {
		switch {
		case e.State != New:
		case e.doc != nil:
			memories++
		default:
			sessions++
		}
	}
	return memories, sessions
}

// Write writes the new items. If it is stopped, the next import of the source writes the
// rest.
func (im *Import) Write(ctx context.Context) error {
	var list []writer.New
	for _, e := range im.Items {
		if e.State == New && e.doc != nil {
			list = append(list, e.draft)
		}
	}
	err := im.write(ctx, list)
	if err == nil && im.finish != nil {
		err = im.finish(ctx)
	}
	im.count()
	return err
}

func (im *Import) write(ctx context.Context, list []writer.New) error {
	progress, end := im.options.doing("importing", len(list))
	defer end()
	if err := im.update(ctx); err != nil {
		return err
	}
	written, failed, err := im.batch.Write(ctx, list, progress)
	im.Written = written
	for _, e := range im.Items {
		if reason := failed[e.Path]; e.State == New && reason != nil {
			e.State, e.Reason = Refused, reason.Error()
		}
	}
	if err == nil {
		err = im.keepSources(ctx)
	}
	return err
}
