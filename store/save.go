package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"
)

// Policy is what Save does with a memory that is known already.
type Policy int

// The policies of a save.
const (
	Refuse Policy = iota // it returns an *Already
	Tell                 // it saves the memory and notifies of the other one
	Anyway               // it saves the memory
)

// Already is the error for a new memory that another one says, or changes.
type Already struct {
	retrieve.Known
	Text string // of the other memory
}

func (a *Already) Error() string {
	how := "already"
	if a.Standing == retrieve.Changes {
		how = "otherwise"
	}
	return fmt.Sprintf("%s says this %s: %q", a.Other.Path, how, cmp.Or(a.Text, a.Other.Title))
}

// Hint says what to do instead.
func (a *Already) Hint() string {
	return fmt.Sprintf(`"memctl edit %s" changes that memory; --anyway saves this one too`, a.Other.ID)
}

// Save runs save, which makes one new memory with the writer. Before anything is written, the
// memory is compared with the others of its category, by the policy. The index is open
// meanwhile, once for the comparison, the new rows and the limits of the category.
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
	if w.Index = ix; ix != nil {
		w.Known = func(ctx context.Context, category schemas.Category, title string) error {
			if guessed {
				category = ""
			}
			return s.compare(ctx, w, policy, category, title)
		}
		defer func() {
			if w.Index != nil {
				_ = w.Index.Release(nil) // the next one that opens it does what is left
			}
			w.Index, w.Known = nil, nil
		}()
	}
	saved, err := save(w)
	if err == nil && s.Agent && w.Root.Scope == memdir.UserScope {
		below, _ := w.Root.Below(saved.Target)
		memdir.AddNews(fmt.Sprintf("an agent saved a new memory among your own: %q (%s)", saved.Title, path.Join(w.Root.Shown, below)))
	}
	return saved, err
}

// openFor opens the index for a save, nil if there is none to open yet. The memory is saved
// even if its index cannot be used.
func (s *Store) openFor(ctx context.Context, w *writer.Writer) (*indexer.Index, error) {
	if _, err := os.Stat(w.Root.Path); errors.Is(err, fs.ErrNotExist) {
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

// compare compares a new memory with the others of its category.
func (s *Store) compare(
	ctx context.Context, w *writer.Writer, policy Policy, category schemas.Category, title string,
) error {
	if policy == Anyway {
		return nil
	}
	known, err := retrieve.Source{DB: w.Index.DB, Root: w.Root}.Compare(ctx, category, title, nil)
	if w.Index.Failed(err) {
		if w.Index, err = w.Index.Another(ctx, err); err == nil {
			known, err = retrieve.Source{DB: w.Index.DB, Root: w.Root}.Compare(ctx, category, title, nil)
		}
	}
	if err != nil {
		return s.uncompared(ctx, err)
	}
	if known.Standing == retrieve.New {
		return nil
	}
	already := &Already{Known: known}
	if policy == Refuse {
		already.Text = textOf(w.Root, known.Other)
		return already
	}
	if text.Lower(title) != text.Lower(known.Other.Title) { // or the writer warns of the title
		w.Notify(writer.Notice{Kind: writer.Warned, Message: already.Error()})
	}
	return nil
}

// textOf returns what a memory says, its title if the file cannot be read.
func textOf(root memdir.Root, other retrieve.Entry) string {
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
	Given    *schemas.Memory // the fields that are known already
}

// Added is what Add has saved.
type Added struct {
	writer.Saved
	Category schemas.Category `json:"category"`
	Guessed  bool             `json:"guessed,omitempty"` // the category, from the text
}

// Add makes a memory of a note, which needs nothing but its text.
func (s *Store) Add(ctx context.Context, policy Policy, n Note) (Added, error) {
	w, err := s.Writer()
	if err != nil {
		return Added{}, err
	}
	done := Added{Category: n.Category}
	if n.Category == "" {
		done.Category, done.Guessed = guess(cmp.Or(n.Text, n.Given.Title), w.Config), true
	}
	done.Saved, err = s.save(ctx, policy, done.Guessed, func(w *writer.Writer) (writer.Saved, error) {
		return w.Add(ctx, done.Category, n.Text, n.Given)
	})
	return done, err
}

// guess returns the category of a text. One that says nothing of its kind is a decision, and
// so is one of a category that is switched off.
func guess(phrase string, cfg schemas.Config) schemas.Category {
	category, found := schemas.Guess(phrase)
	if !found || !cfg.Categories[category].Enabled {
		return schemas.Decision
	}
	return category
}

// ErrAdopted means that there is a memory that was made of a note.
var ErrAdopted = errors.New("a memory was made of it before")

// AdoptingScope says whose memory a note becomes: the user's own if it is about the user, since
// others read the project's.
func AdoptingScope(note *schemas.Memory) memdir.Scope {
	if slices.Contains(note.Tags, "user") {
		return memdir.UserScope
	}
	return memdir.ProjectScope
}

// Adopt makes a memory of the note at a path of a root of notes.
func (s *Store) Adopt(ctx context.Context, policy Policy, notes memdir.Root, path string) (done writer.Saved, err error) {
	data, err := notes.ReadFile(path)
	if err != nil {
		return done, err
	}
	m, err := schemas.Decode(data)
	if err != nil {
		return done, err
	}
	if o := s.Options; AdoptingScope(&m) == memdir.UserScope && s.Scope != memdir.UserScope {
		o.Scope = memdir.UserScope
		s = Open(o)
	}
	root, err := s.Root()
	switch {
	case s.Scope == memdir.UserScope && errors.Is(err, memdir.ErrNoUserRoot):
		return done, text.WithHint(fmt.Errorf("%s is about you, and others read the project's memories", notes.ShownPath(path)),
			`"memctl init --user" makes a root for what is about you`)
	case err == nil:
		adopted := retrieve.AdoptedPath(path)
		if _, err := os.Lstat(root.Join(adopted)); err == nil {
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
