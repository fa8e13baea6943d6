// Package store is the way in to memories for every door: commands, hooks, the MCP server,
// the pages, imports and reviews. It finds the roots, reads their settings, opens their
// indexes, says whether a text is new, makes the writer of a change and lists a changed root
// in the catalogue. It prints nothing, and knows no client.
package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/files/git"
	"memctl/files/trust"
	"memctl/indexer"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"
)

// Options say where memories are, and how a door works with them.
type Options struct {
	Places files.Places
	// Folders are those that a client works in, if it says so. The project's root is that
	// of the first that has one, and not looked for at Places.
	Folders []string
	// Scope says whose memories are changed: a project's, or the user's.
	Scope files.Scope
	// Alone asks questions of the root of Scope only.
	Alone bool
	// Notes returns the root of the notes that a client's agent keeps on the project in a
	// folder, without a Path if there are none or they are not wanted; nil for none at all.
	Notes func(project string, wanted bool, cfg schemas.Config) (files.Root, error)
	// UserModel is nil for searches by words alone.
	UserModel retrieve.UserModel
	// Strict refuses settings that a later memctl wrote.
	Strict bool
	// Depth says how closely a question compares the files with the index.
	Depth Depth
	// Warn receives what cannot be used, but stops nothing.
	Warn func(problem error)
	// Notify receives what a writer.Writer notifies of.
	Notify func(writer.Notice)
	// Agent is set where an agent asks or saves: of what it saves among the user's own memories,
	// the person is told.
	Agent bool
	// Propose keeps what an agent would save for a person, where capture.review says so; nil if nothing does.
	Propose func(ctx context.Context, root files.Root, p writer.Proposal) (number int, err error)
	// Client is the name of the agent's client, as far as it is known.
	Client string
	// Sessions are the ids of the agent's sessions, as far as its shell names them.
	Sessions []string
	// Lasting is set in a process that goes on after a change.
	Lasting bool
	// Step is writer.Writer.Step.
	Step func()
}

// Depth says how closely a question compares the files with the index.
type Depth = indexer.Depth

// The depths, from the quickest to the one that compares every file.
const (
	Quick = indexer.Quick
	Usual = indexer.Usual
	Full  = indexer.Full
)

// Store is the memories of a project and of its user. It finds a root and reads its settings
// when they are first needed, and keeps both. It is not safe for concurrent use.
type Store struct {
	Options
	root     files.Root // of Scope
	rootErr  error
	planned  bool
	looked   bool // for root
	asked    []files.Root
	configs  map[string]schemas.Config // by the path of the root
	writer   *writer.Writer
	user     *schemas.Config // the user's configuration, if Roots has read it
	judge    *trust.Judge    // nil before it is needed
	model    retrieve.Model
	hasModel bool // for model
}

// Open returns the store for options.
func Open(o Options) *Store { return &Store{Options: o, configs: map[string]schemas.Config{}} }

// At returns the store of a root that is known.
func At(root files.Root, o Options) *Store {
	s := Open(o)
	s.root, s.looked, s.Scope = root, true, root.Scope
	return s
}

// Root returns the root of Scope. The error is files.ErrNoRoot or files.ErrNoUserRoot if
// there is none.
func (s *Store) Root() (files.Root, error) {
	if !s.looked {
		s.root, s.rootErr = s.find(s.Scope)
		s.looked = true
	}
	return s.root, s.rootErr
}

func (s *Store) find(scope files.Scope) (files.Root, error) {
	if scope == files.UserScope {
		root, found, err := files.UserRoot()
		if err == nil && !found {
			err = files.ErrNoUserRoot
		}
		return root, err
	}
	for _, folder := range s.Folders {
		if root, err := files.Find(files.Places{Cwd: folder}); err == nil {
			return root, nil
		}
	}
	if len(s.Folders) > 0 {
		return files.Root{}, files.ErrNoRoot
	}
	return files.Find(s.Places)
}

// RootOrPlanned returns the root of Scope or, if there is none, the one that its first memory
// makes.
func (s *Store) RootOrPlanned() (root files.Root, planned bool, err error) {
	root, err = s.Root()
	switch {
	case errors.Is(err, files.ErrNoUserRoot):
		return files.FindOrPlanUser()
	case errors.As(err, new(*files.ForeignError)):
	case errors.Is(err, files.ErrNoRoot):
		root, err = files.Planned(s.Places)
		return root, true, err
	}
	return root, false, err
}

// Other returns the root of the other scope, its zero value if there is none or it is the
// same.
func (s *Store) Other() files.Root {
	root, _ := s.Root()
	other, err := s.find(s.Scope.Other())
	if err != nil || other.Is(root) {
		return files.Root{}
	}
	return other
}

// ConfigError is the error for settings that cannot be read.
type ConfigError struct{ error }

func (e *ConfigError) Unwrap() error { return e.error }

// Hint says what helps.
func (*ConfigError) Hint() string { return "make the file readable, or remove it to use the defaults" }

// Config returns the settings of a root, and warns of what is wrong in them.
func (s *Store) Config(root files.Root) (schemas.Config, error) {
	if cfg, known := s.configs[root.Path]; known {
		return cfg, nil
	}
	cfg, warnings, err := root.Config()
	if err != nil {
		return cfg, &ConfigError{fmt.Errorf("read %s: %w", files.ConfigName, err)}
	}
	if s.Strict {
		if err := cfg.CheckVersion(); err != nil {
			return cfg, err
		}
	}
	for _, w := range warnings {
		s.warn(errors.New(w.String()))
	}
	s.configs[root.Path] = cfg
	return cfg, nil
}

// Searcher returns the Searcher of a root. It warns of synonyms that cannot be read.
func (s *Store) Searcher(root files.Root) (retrieve.Searcher, error) {
	cfg, err := s.Config(root)
	if err != nil {
		return retrieve.Searcher{}, err
	}
	return s.SearcherWith(root, cfg), nil
}

// SearcherWith is Searcher with other settings than the root's.
func (s *Store) SearcherWith(root files.Root, cfg schemas.Config) retrieve.Searcher {
	searcher, err := retrieve.NewSearcher(root, cfg)
	searcher.Model, searcher.Cwd = s.Model(), cmp.Or(s.Places.Cwd, ".")
	if err != nil { // validate reports the lines of a file that can be read
		s.warn(fmt.Errorf("%s: %s; none are used", files.SynonymsName, text.Printable(err.Error())))
	}
	return searcher
}

func (s *Store) warn(problem error) {
	if s.Warn != nil {
		s.Warn(problem)
	}
}

func (s *Store) warnEach(problems []error) {
	for _, problem := range problems {
		s.warn(problem)
	}
}

// Writer returns the writer of the root of Scope, which may be planned. Whatever it changes
// is listed in the catalogue.
func (s *Store) Writer() (*writer.Writer, error) {
	if s.writer != nil {
		return s.writer, nil
	}
	root, planned, err := s.RootOrPlanned()
	cfg := schemas.DefaultConfig()
	if err == nil && !planned {
		if cfg, err = s.Config(root); err == nil {
			err = cfg.CheckVersion()
		}
	}
	if err != nil {
		return nil, err
	}
	s.planned, s.writer = planned, s.WriterWith(root, cfg)
	return s.writer, nil
}

// WriterWith returns a writer of a root with other settings than the root's.
func (s *Store) WriterWith(root files.Root, cfg schemas.Config) *writer.Writer {
	return &writer.Writer{
		Root: root, Other: s.Other(), Config: cfg, Propose: s.proposing(root, cfg),
		Now: time.Now, Notify: s.Notify, Lasting: s.Lasting, Step: s.Step,
		Changed: func(ctx context.Context, paths []string) {
			_ = Catalogue{}.enlist(ctx, root, cfg) // or the next session lists it
			if s.Agent && cfg.Retrieval.Record {
				noteUses(root, paths)
			}
			if s.Agent && root.Scope == files.UserScope {
				tellOfOwn(root, paths)
			}
			s.makeSaved(ctx, root)
		},
	}
}

// proposing returns what keeps an agent's changes of a root for a person, nil if the agent may make them.
func (s *Store) proposing(root files.Root, cfg schemas.Config) func(context.Context, writer.Proposal) (int, error) {
	if !s.Agent || !cfg.Capture.Review {
		return nil
	}
	return func(ctx context.Context, p writer.Proposal) (int, error) {
		if s.Propose == nil {
			return 0, errors.New("capture.review is true, and this memctl keeps no proposals")
		}
		if p.Client = s.Client; len(s.Sessions) > 0 {
			p.Session = s.Sessions[0]
		}
		n, err := s.Propose(ctx, root, p)
		if err == nil && s.Notify != nil {
			user := ""
			if root.Scope == files.UserScope {
				user = " --user"
			}
			s.Notify(writer.Notice{Kind: writer.Waits, Message: fmt.Sprintf("NOT saved yet: it waits as proposal %d "+
				"until the user takes it (memctl proposals%s)", n, user)})
		}
		return n, err
	}
}

// tellOfOwn has the next hook tell the person of memories that an agent wrote among the person's own.
func tellOfOwn(root files.Root, paths []string) {
	for _, path := range paths {
		data, err := root.ReadFile(path)
		if err != nil {
			continue // it was renamed
		}
		m, err := schemas.Decode(data)
		if err != nil || m.RecordStatus != schemas.Active {
			continue
		}
		did := "changed a memory"
		if m.TimesUpdated == 0 {
			did = "saved a new memory"
		}
		files.AddNews(fmt.Sprintf("an agent %s among your own: %q %s", did, m.Title,
			files.NewsPlace(root.ShownPath(path))))
	}
}

// NoteOpened notes that an agent opened a memory, in a session if it is known, and keeps its title for the person.
func (s *Store) NoteOpened(session string, root files.Root, path string) {
	cfg, err := s.Config(root)
	if err != nil {
		return
	}
	if cfg.Retrieval.Record {
		_ = observe.RecordUse(root, session, observe.Opened, []string{path}) // no one waits for it
	}
	project, err := s.Root()
	if err != nil || !cfg.Retrieval.Announce {
		return
	}
	data, _ := root.ReadFile(path) // without a file there is no title
	if m, err := schemas.Decode(data); err == nil {
		project.AddOpened(m.Title)
	}
}

// noteUses notes what an agent made of memories.
func noteUses(root files.Root, paths []string) {
	uses := map[string][]string{}
	for _, path := range paths {
		use := observe.Retired
		if data, err := root.ReadFile(path); err == nil {
			m, err := schemas.Decode(data)
			switch {
			case err != nil || m.RecordStatus != schemas.Active:
			case m.TimesUpdated == 0 && m.CreatedAt == m.UpdatedAt:
				use = observe.Saved
			default:
				use = observe.Changed
			}
		}
		uses[use] = append(uses[use], path)
	}
	for _, use := range observe.Uses {
		_ = observe.RecordUse(root, "", use, uses[use]) // no one waits for it
	}
}

// ExistingWriter is Writer for changes of what is there. It makes no root.
func (s *Store) ExistingWriter() (*writer.Writer, error) {
	if _, err := s.Root(); err != nil {
		return nil, err
	}
	return s.Writer()
}

// Complete makes the rest of a root that was only planned. It reports whether it was.
func (s *Store) Complete() (made bool, err error) {
	if !s.planned {
		return false, nil
	}
	s.planned = false
	_, err = git.Init(context.Background(), s.writer.Root.Path)
	return err == nil, err
}

// Ask runs fn on the indexes of roots, which it first brings up to date. It warns of a root
// other than the first whose index cannot be used, and leaves it out.
func (s *Store) Ask(ctx context.Context, roots []files.Root, fn func(retrieve.Sources) error) error {
	skipped, err := retrieve.Use(ctx, roots, s.Depth, func(sources retrieve.Sources) error {
		for i := range sources {
			sources[i] = s.marking(ctx, sources[i])
		}
		return fn(sources)
	})
	s.warnEach(skipped)
	return err
}

// Look is Ask for one root.
func (s *Store) Look(ctx context.Context, root files.Root, fn func(retrieve.Source) error) error {
	return indexer.Use(ctx, root, s.Depth, func(ix *indexer.Index) error {
		return fn(s.marking(ctx, retrieve.Source{DB: ix.DB, Root: root}))
	})
}

// State is the result of updating an index.
type State struct {
	Active   int               // memories
	Broken   int               // files that are not readable as memories
	Problems []schemas.Problem // the first of them
	// Rebuilt, InMemory, Late and Unfinished are those of the indexer.Index.
	Rebuilt    *Summary
	InMemory   error
	Late       bool
	Unfinished int
}

// Refresh brings the index of a root up to date and reports its state. It leaves the index open for later questions of
// this process.
func (s *Store) Refresh(ctx context.Context, root files.Root) (found State, err error) {
	err = indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) error {
		ix.Keep()
		cfg, err := s.Config(root)
		if err == nil && !ix.Late && ix.InMemory == nil {
			if err := syncHistory(ctx, ix, root, cfg.Git.History, historyLimit); err != nil {
				s.warn(undated(err))
			}
		}
		if err == nil && !ix.Late && !ix.Unread {
			if err := keepRemedies(ctx, retrieve.Source{DB: ix.DB, Root: root}, cfg); err != nil {
				return err
			}
		}
		found = State{Rebuilt: ix.Rebuilt, InMemory: ix.InMemory, Late: ix.Late, Unfinished: ix.Unfinished}
		if found.Active, err = (retrieve.Source{DB: ix.DB}).Active(ctx); err != nil {
			return err
		}
		return ix.View(ctx, func(tx *db.Tx) (err error) {
			if found.Broken, err = tx.CountProblems(); err != nil {
				return err
			}
			found.Problems, err = tx.Problems(1)
			return err
		})
	})
	return found, err
}

// keepRemedies brings the remedies of a root up to date, and removes them where tools are not observed.
func keepRemedies(ctx context.Context, source retrieve.Source, cfg schemas.Config) error {
	if cfg.Observations.Enabled {
		return source.KeepRemedies(ctx, time.Now())
	}
	_ = observe.ForgetRemedies(source.Root) // else they are not given
	return nil
}

// Record brings the rows of a file up to date that something else has written.
func (s *Store) Record(ctx context.Context, root files.Root, path string) error {
	return indexer.Record(ctx, root, []string{path}, s.Lasting)
}

// Summary is the result of rebuilding an index.
type Summary = indexer.Summary

// Private says what a file of a root holds that memctl would not have stored, "" for nothing.
func Private(root files.Root, at string) (string, error) {
	cfg, _, err := root.Config()
	if err != nil {
		cfg = schemas.DefaultConfig()
	}
	data, err := root.ReadFile(at)
	if err != nil {
		return "", nil // removed since
	}
	m, err := schemas.DecodeExact(data)
	if err != nil {
		return "", err
	}
	return m.Withheld(cfg.Privacy.Filter()).String(), nil
}
