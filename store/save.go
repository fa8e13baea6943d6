package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/files/gate"
	"memctl/indexer"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"
)

// Policy says which new memories Save compares with the others.
type Policy int

// The policies of a save.
const (
	Refuse Policy = iota // it returns a *DuplicateError for a duplicate
	Notify               // it saves a duplicate too, and names the other memory as for a similar one
	Anyway               // it compares nothing
)

// DuplicateError is the error for a new memory that only repeats another one.
type DuplicateError struct {
	Other retrieve.Entry
	Text  string // of the other memory
}

func (d *DuplicateError) Error() string {
	return fmt.Sprintf("%s already says this: %q; nothing was saved", d.Other.Path, d.Text)
}

// Hint says how to save it nevertheless.
func (d *DuplicateError) Hint() string { return "use --anyway to save it as a second memory" }

// Save runs save, which makes one new memory with the writer. Before anything is written, the
// memory is compared with the others of its category, by the policy. The one that is similar is named in
// the result and in a notice. The index is open meanwhile, once for the comparison, the new rows and the
// limits of the category.
func (s *Store) Save(
	ctx context.Context, policy Policy, save func(*writer.Writer) (writer.Saved, error),
) (writer.Saved, error) {
	return s.save(ctx, policy, false, save)
}

// save is Save. A memory whose category is a guess is compared with those of every category.
func (s *Store) save(
	ctx context.Context, policy Policy, guessed bool, save func(*writer.Writer) (writer.Saved, error),
) (writer.Saved, error) {
	w, err := s.Writer()
	if err != nil {
		return writer.Saved{}, err
	}
	ix, err := s.openFor(ctx, w)
	if err != nil {
		return writer.Saved{}, err
	}
	var similar *writer.Similar
	w.Again = policy == Anyway
	if w.Index = ix; ix != nil {
		w.Compare = func(ctx context.Context, category schemas.Category, m *schemas.Memory) (err error) {
			if guessed {
				category = ""
			}
			similar, err = s.compare(ctx, w, policy, category, m)
			return err
		}
		defer func() {
			if w.Index != nil {
				_ = w.Index.Release(nil) // the next one that opens it does what is left
			}
			w.Index, w.Compare = nil, nil
		}()
	}
	saved, err := save(w)
	saved.Similar = similar
	if err == nil && similar != nil && w.Notify != nil {
		message := fmt.Sprintf("%s says: %q", similar.Path, similar.Text)
		if saved.Status != writer.Proposed {
			message += "; both are kept" + s.inPlace(saved, *similar)
		}
		w.Notify(writer.Notice{Kind: writer.Resembles, Message: message})
	}
	return saved, err
}

// inPlace says how a new decision takes the place of a similar one, "" if one of the two is none. Nothing tells an
// agent to retire a rule or a fact that resembles another.
func (s *Store) inPlace(saved writer.Saved, similar writer.Similar) string {
	for _, at := range []string{similar.Path, saved.Target} {
		if category, _ := schemas.CategoryOfFolder(path.Base(path.Dir(at))); category != schemas.Decision {
			return ""
		}
	}
	user := ""
	if s.Scope == files.UserScope {
		user = " --user"
	}
	return fmt.Sprintf(`; if the new one takes its place: "memctl supersede %s %s%s"`, text.ShellWord(similar.ID),
		text.ShellWord(saved.ID), user)
}

// openFor opens the index for a save, nil if there is none to open yet. The memory is saved
// even if its index cannot be used.
func (s *Store) openFor(ctx context.Context, w *writer.Writer) (*indexer.Index, error) {
	if _, err := gate.Stat(w.Root.Path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil // a root that does not exist yet has no memories
	}
	depth := indexer.Quick // which leaves closing it to the end of the process
	if s.Lasting {
		depth = indexer.Usual
	}
	ix, err := indexer.Open(ctx, w.Root, depth)
	if err != nil {
		return nil, s.uncompared(ctx, err)
	}
	return ix, nil
}

// uncompared warns of a memory that is saved though its index cannot be used.
func (s *Store) uncompared(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		s.warn(fmt.Errorf("the memory is not compared with the others: %w", err))
	}
	return ctx.Err()
}

// compare compares a new memory with the others of its category. It returns the one that is similar.
func (s *Store) compare(
	ctx context.Context, w *writer.Writer, policy Policy, category schemas.Category, m *schemas.Memory,
) (*writer.Similar, error) {
	if policy == Anyway {
		return nil, nil
	}
	found, err := retrieve.Source{DB: w.Index.DB, Root: w.Root}.Compare(ctx, category, m, nil)
	if w.Index.Failed(err) {
		if w.Index, err = w.Index.Another(ctx, err); err == nil {
			found, err = retrieve.Source{DB: w.Index.DB, Root: w.Root}.Compare(ctx, category, m, nil)
		}
	}
	if err != nil {
		return nil, s.uncompared(ctx, err)
	}
	if found.Verdict == retrieve.New {
		return nil, nil
	}
	other := textOf(w.Root, found.Other)
	if found.Verdict == retrieve.Duplicate && policy == Refuse {
		return nil, &DuplicateError{found.Other, other}
	}
	return &writer.Similar{ID: found.Other.ID, Path: found.Other.Path, Text: other}, nil
}

// textOf returns what a memory says, its title if the file cannot be read.
func textOf(root files.Root, other retrieve.Entry) string {
	data, err := root.ReadFile(other.Path)
	if err == nil {
		if m, err := schemas.Decode(data); err == nil {
			return retrieve.Statement(m)
		}
	}
	return other.Title
}

// Note is a text to make a memory of.
type Note struct {
	Text string
	// Category is "" if the text has to say what it is.
	Category schemas.Category
	// Strength is how much a rule insists: strong, default or soft; "" if the text has to say.
	Strength string
	Commands []string        // the shell commands that it is about
	Given    *schemas.Memory // the fields that are known already
}

// Added is the result of Add.
type Added struct {
	writer.Saved
	Category schemas.Category `json:"category"`
	Guessed  bool             `json:"guessed,omitempty"` // the category, from the text
	Standing bool             `json:"standing,omitempty"`
	Similar  *writer.Similar  `json:"similar,omitempty"`
}

// Add makes a memory of a note, which needs nothing but its text. What an agent saves names the files that its
// session changed in the turn, unless the note names others.
func (s *Store) Add(ctx context.Context, policy Policy, n Note) (Added, error) {
	w, err := s.Writer()
	if err != nil {
		return Added{}, err
	}
	done := Added{Category: n.Category}
	if n.Category == "" {
		done.Category, done.Guessed = n.guess(w.Config), true
	}
	if len(n.Commands) > 0 {
		n.Text = text.Quoted(n.phrase(), n.Commands)
	}
	n.Complete(done.Category)
	switch {
	case n.Given.RelatedFiles == nil && s.Agent && w.Root.Scope == files.ProjectScope:
		n.Given.RelatedFiles = observe.TurnFiles(w.Root, s.Sessions, time.Now())
	case len(n.Given.RelatedFiles) == 0:
		n.Given.RelatedFiles = nil
	}
	if before, title := s.summaryBefore(ctx, w, policy, done.Category, n); before != "" {
		n.Given.Title = cmp.Or(n.Given.Title, title) // so that the next one is recognised too
		done.Saved, err = w.Restate(ctx, w.Root.Shown+"/"+before, n.Text, n.Given)
		return done, err
	}
	done.Saved, err = s.save(ctx, policy, done.Guessed, func(w *writer.Writer) (writer.Saved, error) {
		return w.Add(ctx, done.Category, n.Text, n.Given)
	})
	done.Similar, done.Standing = done.Saved.Similar, n.Given.IsStandingRule()
	return done, err
}

const (
	// sameWork is the greatest age of a summary of work that continues.
	sameWork = 14 * 24 * time.Hour
	// maxSummaries is how many of the last summaries may be about it.
	maxSummaries = 10
)

// DraftOf returns the memory that Add would make of a text. It saves nothing.
func (s *Store) DraftOf(phrase string) (*schemas.Memory, error) {
	w, err := s.Writer()
	if err != nil {
		return nil, err
	}
	n := Note{Text: phrase, Given: &schemas.Memory{}}
	category := n.guess(w.Config)
	n.Complete(category)
	_, err = w.Draft(category, n.Text, n.Given)
	return n.Given, err
}

// summaryBefore returns the path and the title of the summary that a new one replaces because it is about the same
// work, "" for none.
func (s *Store) summaryBefore(
	ctx context.Context, w *writer.Writer, policy Policy, category schemas.Category, n Note,
) (path, title string) {
	if category != schemas.SessionSummary || policy == Anyway || s.planned || len(n.Given.ContentValues()) > 0 {
		return "", ""
	}
	content := schemas.SummaryOf(n.phrase())
	goal, _ := text.FirstSentence(cmp.Or(n.Given.Title, content.Goal))
	draft := &schemas.Memory{Category: category, Title: strings.TrimRight(goal, ".。"), Content: content}
	_ = s.Look(ctx, w.Root, func(source retrieve.Source) error { // if it fails, it is saved as a memory of its own
		list, err := source.Summaries(ctx, maxSummaries)
		for m := range list {
			at, known := schemas.ParseTime(m.UpdatedAt)
			isRecent := known && time.Since(at) < sameWork
			if path == "" && isRecent && retrieve.SameWork(m.Title, goal) && !draft.Repeats(&m.Memory) {
				path, title = m.Path, m.Title
			}
		}
		return err
	})
	return path, title
}

// phrase is the text of a note.
func (n Note) phrase() string { return cmp.Or(n.Text, n.Given.Title) }

// guess returns the category of a note by its text. What insists is a rule before it is a choice. A text of a category
// that is switched off is a decision.
func (n Note) guess(cfg schemas.Config) schemas.Category {
	category := schemas.GuessSaved(n.phrase())
	if category == schemas.Decision && n.Strength == "strong" {
		category = schemas.Preference
	}
	if !cfg.Categories[category].Enabled {
		return schemas.Decision
	}
	return category
}

// severities are those of constraints, by the strength of a note.
var severities = map[string]string{"strong": "high", "default": "medium", "soft": "low"}

// Complete gives the memory of a note the fields that its wording decides, unless it has them.
func (n Note) Complete(category schemas.Category) {
	if category != schemas.Constraint && category != schemas.Preference {
		return
	}
	severity, strength := schemas.SavedForce(n.phrase())
	if n.Strength != "" {
		severity, strength = severities[n.Strength], n.Strength
	}
	if n.Given.Confidence == nil && (n.Strength == "strong" || n.Strength == "" && schemas.IsTold(n.phrase())) {
		n.Given.Confidence = new(1.0) // the user said so
	}
	fields := map[string]any{}
	switch category {
	case schemas.Constraint:
		fields["kind"], fields["severity"] = schemas.KindOf(n.phrase()), severity
	case schemas.Preference:
		fields["strength"] = strength
	}
	n.Given.Category = category
	content := n.Given.ContentValues()
	for name, value := range fields {
		if content[name] == nil {
			content[name] = value
		}
	}
	n.Given.SetContent(content)
}

// CompleteFiles makes memories of files that a person wrote by hand, as Add makes one of a sentence. It reports each to
// done.
func (s *Store) CompleteFiles(ctx context.Context, paths []string, dryRun bool,
	done func(at string, c writer.Completed, err error)) error {
	w, err := s.Writer()
	if err != nil {
		return err
	}
	return w.CompleteEach(ctx, paths, dryRun, func(at, sentence string, given *schemas.Memory) {
		category, _ := schemas.CategoryOfPath(at)
		Note{Text: sentence, Given: given}.Complete(category)
	}, done)
}

// ErrAdopted means that there is a memory that was made of a note.
var ErrAdopted = errors.New("a memory was made of it before")

// AdoptingScope says whose memory a note becomes: the user's own if it is about the user, since
// others read the project's.
func AdoptingScope(note *schemas.Memory) files.Scope {
	if slices.Contains(note.Tags, "user") {
		return files.UserScope
	}
	return files.ProjectScope
}

// Adopt makes a memory of the note at a path of a root of notes.
func (s *Store) Adopt(
	ctx context.Context, policy Policy, notes files.Root, path string,
) (done writer.Saved, err error) {
	data, err := notes.ReadFile(path)
	if err != nil {
		return done, err
	}
	m, err := schemas.Decode(data)
	if err != nil {
		return done, err
	}
	if o := s.Options; AdoptingScope(&m) == files.UserScope && s.Scope != files.UserScope {
		o.Scope = files.UserScope
		s = Open(o)
	}
	root, err := s.Root()
	switch {
	case s.Scope == files.UserScope && errors.Is(err, files.ErrNoUserRoot):
		return done, text.WithHint(fmt.Errorf("%s is about you, and others read the project's memories",
			notes.ShownPath(path)),
			`"memctl init --user" makes a root for what is about you`)
	case err == nil:
		adopted := retrieve.AdoptedPath(path)
		if _, err := gate.Lstat(root.Join(adopted)); err == nil {
			return done, fmt.Errorf("%s: %w: %s", notes.ShownPath(path), ErrAdopted, root.ShownPath(adopted))
		}
	}
	category, _ := schemas.CategoryOfPath(path)
	m.ID = text.Slug(m.ID) // or the writer says that it made it so
	if data, err = m.Encode(); err != nil {
		return done, err
	}
	return s.Save(ctx, policy, func(w *writer.Writer) (writer.Saved, error) {
		return w.Create(ctx, category, "", writer.Input{Name: notes.ShownPath(path), Data: data})
	})
}
