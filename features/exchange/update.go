package exchange

import (
	"cmp"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"memctl/files"
	"memctl/files/gate"
	"memctl/files/git"
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

// movedTo returns where git has the files of a folder of the project that is gone: "" if it does not know.
func (u Update) movedTo(ctx context.Context, root files.Root) string {
	list, err := root.Sources()
	if err != nil || u.Outside() || !git.InRepository(root.Project) {
		return ""
	}
	was := map[string]files.ImportRecord{} // by the start of the blob
	for _, s := range list {
		if start := s.BlobStart(); s.From == u.From && start != "" {
			was[start] = s
		}
	}
	votes, most := map[string]int{}, ""
	err = git.Entries(ctx, root.Project, gitTime, func(words []string, path string) error {
		if len(words) != 3 {
			return nil
		}
		s, known := was[files.ImportRecord{Blob: words[1]}.BlobStart()]
		rest, _ := cutFolder(s.Path().String(), u.From.String())
		if folder, below := strings.CutSuffix(path, rest); known && below && folder != "" {
			if votes[folder]++; votes[folder] > votes[most] {
				most = folder
			}
		}
		return nil
	}, "ls-files", "--stage")
	if err != nil || 2*votes[most] < len(was) {
		return ""
	}
	return most
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
		if s.Plain == "" && s.Text != "" {
			s.Plain = plainHash(s.Text)
		}
		s.Origin, s.From = im.src.unlisted(s.Origin), im.src.unlisted(s.From)
		if path := s.Path(); s.Format == im.Format && !looked[path] {
			if looked[path] = true; im.src.isGone(project, *s) {
				im.gone[path] = true
			}
		}
	}
	return list, nil
}

// update writes the items whose memories follow their source.
func (im *Import) update(ctx context.Context) error {
	for _, e := range im.Items {
		if e.State != Updated {
			continue
		}
		if e.ends {
			if _, err := im.w.Move(ctx, writer.Retire, im.w.Root.Shown+"/"+e.Path,
				strings.TrimPrefix(e.Reason, "retired: ")); err != nil {
				e.State, e.Reason = Refused, refusal(err)
				continue
			}
			im.Updated++
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
		var change []schemas.Change
		if !im.w.Config.Git.History || e.was.Origin.String() != e.Origin || writer.IsConfirmed(old) {
			change = []schemas.Change{im.origin(e).Entry(schemas.FormatTime(im.w.Now()))}
		}
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
	contents, candidates := map[gate.Named][]byte{}, map[gate.Named][]string{}
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
			Made: files.MadeOf(data), Plain: plainHash(e.raw), Conflict: e.State == Conflict}
		if e.was != nil && !e.caughtUp && (e.State == Same || e.edited && e.State == Updated) {
			s.Made, s.Conflict = e.was.Made, e.was.Conflict && e.was.Made == s.Made
		}
		content, read := contents[s.Path()]
		if !read {
			content, err = im.w.Root.ReadSource(s)
			clear(contents) // the items of a file follow each other
			if err == nil {
				contents[s.Path()] = content
				candidates[s.Path()] = files.BlobIDs(content)
			}
		}
		if err == nil {
			s.File, s.Bytes = files.FileHash(content), int64(len(content))
			s.Body = files.BodyHash(content)
		}
		replaced[sourceKey{gate.Name(e.Origin), s.Memory}] = true
		if e.was != nil {
			replaced[sourceKey{e.was.Origin, e.was.Memory}] = true
			replaced[sourceKey{e.was.Origin, s.Memory}] = true // the memory has another name now
		}
		lines = append(lines, s)
	}
	for _, of := range im.settled {
		replaced[of] = true
	}
	if isOld := func(s files.ImportRecord) bool { return s.Text != "" }; len(lines)+len(im.settled) == 0 &&
		!slices.ContainsFunc(im.sources, isOld) {
		return nil
	}
	if im.src.label != "" && len(lines) > 0 {
		if err := im.w.Root.KeepOutsidePlace(ctx, im.src.listed(im.Source), im.src.path); err != nil {
			return fmt.Errorf("the memories are imported, but where their source is could not be kept: %w", err)
		}
	}
	blobs := blobIDs(ctx, im.w.Root.Project, candidates)
	for i := range lines {
		lines[i].Blob = blobs[lines[i].Path()]
	}
	return im.w.PutSources(ctx, func(now []files.ImportRecord) []files.ImportRecord {
		for i := range now {
			now[i] = lean(now[i])
		}
		return append(slices.DeleteFunc(now, func(old files.ImportRecord) bool {
			return replaced[sourceKey{im.src.unlisted(old.Origin), old.Memory}]
		}), lines...)
	})
}
