package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

func Places(c *cli.Context) files.Places { return files.PlacesFromEnv(RootArg(c), "") }

// OpenStore returns the store of the memories that the command line names.
func OpenStore(c *cli.Context, std Streams) (*store.Store, error) {
	scope, err := ReadScope(c)
	if err != nil {
		return nil, err
	}
	return ScopedStore(c, std, scope), nil
}

// ScopedStore is OpenStore for a scope.
func ScopedStore(c *cli.Context, std Streams, scope files.Scope) *store.Store {
	o := StoreOptions(std)
	o.Places, o.Scope, o.Alone = Places(c), scope, c.IsSet("scope") || c.IsSet("user")
	return store.Open(o)
}

// WriteStep runs between the steps of a change. Tests kill the process there.
var WriteStep func()

func StoreOptions(std Streams) store.Options {
	return store.Options{
		Agent: clients.InAgentShell(), Client: clients.AgentClient(), Sessions: clients.AgentSessions(),
		Propose: std.Propose(),
		Notes:   std.Notes(), UserModel: std.UserModel(),
		Strict: true,
		Depth:  store.Full,
		Warn:   func(problem error) { console.Warning(std.Err, "%s", text.Printable(problem.Error())) },
		Notify: func(notice writer.Notice) { fmt.Fprintln(std.Err, notice) },
		Step:   WriteStep,
	}
}

// FindRoot returns the project's root, or the user's if the command line says so.
func FindRoot(c *cli.Context) (files.Root, error) {
	scope, err := ReadScope(c)
	if err != nil {
		return files.Root{}, err
	}
	return store.Open(store.Options{Places: Places(c), Scope: scope}).Root()
}

func FindConfigured(c *cli.Context, std Streams) (files.Root, schemas.Config, error) {
	root, err := FindRoot(c)
	if err != nil {
		return root, schemas.Config{}, err
	}
	cfg, err := store.At(root, StoreOptions(std)).Config(root)
	return root, cfg, err
}

// SearcherOf returns the Searcher of a root, with --strategy in place of the configured
// strategy.
func SearcherOf(c *cli.Context, s *store.Store, root files.Root) (retrieve.Searcher, error) {
	cfg, err := s.Config(root)
	if err != nil {
		return retrieve.Searcher{}, err
	}
	if strategy := c.String("strategy"); strategy != "" {
		if err := OneOf("strategy", schemas.Strategies)(c, strategy); err != nil {
			return retrieve.Searcher{}, err
		}
		cfg.Retrieval.MatchStrategy = strategy
	}
	searcher := s.SearcherWith(root, cfg)
	searcher.Strict = c.String("strategy") != ""
	return searcher, nil
}

// ReadIndex brings the index of a root up to date and returns what read finds in it.
func ReadIndex[T any](ctx context.Context, root files.Root, read func(retrieve.Source) (T, error)) (T, error) {
	var found T
	err := store.At(root, store.Options{Depth: store.Full}).Look(ctx, root,
		func(source retrieve.Source) (err error) {
			found, err = read(source)
			return err
		})
	return found, err
}

// Asker is a store with the roots that a question is asked of, and the Searcher of the first.
type Asker struct {
	*store.Store
	Roots    []files.Root
	Searcher retrieve.Searcher
}

// FindAsker returns what answers the question of a command.
func FindAsker(c *cli.Context, std Streams) (a Asker, err error) {
	if a.Store, a.Roots, err = FindRoots(c, std); err == nil {
		a.Searcher, err = SearcherOf(c, a.Store, a.Roots[0])
	}
	return a, err
}

// FindRoots returns the store, and the roots that a question is asked of.
func FindRoots(c *cli.Context, std Streams) (*store.Store, []files.Root, error) {
	s, err := OpenStore(c, std)
	if err != nil {
		return nil, nil, err
	}
	roots, err := s.Roots()
	return s, roots, err
}

// ReadSources returns what read finds in the indexes of roots.
func ReadSources[T any](ctx context.Context, s *store.Store, roots []files.Root,
	read func(retrieve.Sources) (T, error)) (found T, err error) {
	err = s.Ask(ctx, roots, func(sources retrieve.Sources) (err error) {
		found, err = read(sources)
		return err
	})
	return found, err
}

// ReadInput reads the draft that --input names. Drafts are staged for the project, also
// if they become the user's memories.
func ReadInput(c *cli.Context, std Streams, root files.Root) (writer.Input, error) {
	name := c.String("input")
	if name == "-" {
		NoteWaiting(std, "the memory")
	}
	if scope, _ := ReadScope(c); scope == files.UserScope {
		if project, _, err := ScopedStore(c, std, files.ProjectScope).RootOrPlanned(); err == nil {
			root = project
		}
	}
	return console.Interruptible(c.Context,
		func() (writer.Input, error) { return writer.ReadInput(root, name, std.In) })
}

// NoteWaiting tells a person at a terminal that memctl reads what they type.
func NoteWaiting(std Streams, what string) {
	if console.IsTerminal(std.In) {
		console.Note(std.Err, "reading %s from the terminal; press Ctrl-D on an empty line to end it", what)
	}
}

// NewWriter returns the store and the writer of the root in use, or of the one that create
// would make.
func NewWriter(c *cli.Context, std Streams) (*store.Store, *writer.Writer, error) {
	s, err := OpenStore(c, std)
	if err != nil {
		return nil, nil, err
	}
	w, err := s.Writer()
	return s, w, err
}

// ExistingWriter is NewWriter for commands that need a root.
func ExistingWriter(c *cli.Context, std Streams) (*writer.Writer, error) {
	s, err := OpenStore(c, std)
	if err != nil {
		return nil, err
	}
	return s.ExistingWriter()
}

// RemoveDraft removes the file of a draft that has been written as a memory.
func RemoveDraft(std Streams, in writer.Input) {
	if err := in.Remove(); err != nil {
		console.Warning(std.Err, "the draft could not be removed: %v", err)
	}
}

// MemoryNames returns the ids and paths that a command is given: its arguments and
// --target.
func MemoryNames(c *cli.Context) ([]string, error) {
	names := c.Args().Slice()
	if target := c.String("target"); target != "" {
		names = append(names, target)
	}
	if len(names) == 0 {
		return nil, console.Usagef("%s needs an id or a path", c.Command.Name)
	}
	return names, nil
}

// MemoryName is MemoryNames for a command on one memory.
func MemoryName(c *cli.Context) (string, error) {
	names, err := MemoryNames(c)
	if err != nil {
		return "", err
	}
	if len(names) > 1 {
		return "", console.Usagef("%s takes one memory, got %s", c.Command.Name, strings.Join(names, " and "))
	}
	return names[0], nil
}

// FullName returns what the writer takes for the name of a memory of an existing root.
// The writer knows paths and whole ids. Other names are looked up as "memctl show" does:
// the beginning of an id, and CATEGORY:ID. An unknown name stays as it is, for the
// writer to refuse.
func FullName(ctx context.Context, st *store.Store, name string) (string, error) {
	root, planned, err := st.RootOrPlanned()
	if planned || err != nil || strings.ContainsAny(name, `/\`) {
		return name, err
	}
	id := strings.TrimSuffix(name, ".json")
	if paths, err := root.Named(id); err != nil || len(paths) > 0 {
		return name, err
	}
	ref, err := ReadIndex(ctx, root, func(s retrieve.Source) (retrieve.Ref, error) {
		return s.Alone().LookupMemory(ctx, id)
	})
	if err == nil {
		return root.Shown + "/" + ref.Path, nil
	}
	unclear := new(retrieve.Unclear)
	switch {
	case !errors.As(err, &unclear):
		return "", err
	case !unclear.Ambiguous:
		return name, checkNote(st, id)
	}
	return "", &writer.Error{Code: writer.PathError, Target: name, Problems: []writer.Problem{
		{Reason: unclear.Error(), Fix: unclear.Hint()},
	}}
}

// checkNote returns an error for the id of a note of Claude Code, which memctl does not change.
func checkNote(st *store.Store, id string) error {
	roots, err := st.Roots()
	if err != nil {
		return nil // the writer knows no such name
	}
	for _, root := range roots {
		if root.Scope != files.NotesScope {
			continue
		}
		if paths, err := root.Named(id); err == nil && len(paths) > 0 {
			return console.Refused(fmt.Sprintf(`"memctl adopt %s" makes a memory of it, which can be changed`, id),
				"%s is a note of Claude Code, which memctl only reads", root.ShownPath(paths[0]))
		}
	}
	return nil
}

func AnywayFlag() cli.Flag {
	return &cli.BoolFlag{Name: "anyway", Usage: "save it even if another memory says the same"}
}

func Anyway(c *cli.Context) store.Policy {
	if c.Bool("anyway") {
		return store.Anyway
	}
	return store.Refuse
}

// StemOf returns the id that the path of a memory gives it, also one whose file is
// broken.
func StemOf(file string) string { return strings.TrimSuffix(path.Base(file), ".json") }

// FindMemory returns the memory that a command is given by an id, the beginning of one,
// or a path.
func FindMemory(c *cli.Context, std Streams) (root files.Root, ref retrieve.Ref, err error) {
	name, err := MemoryName(c)
	if err != nil {
		return root, ref, err
	}
	scope, err := ReadScope(c)
	if err != nil {
		return root, ref, err
	}
	s := ScopedStore(c, std, scope)
	if root, err = s.Root(); err == nil {
		ref, err = ResolveMemory(c.Context, root, name)
	}
	if err != nil {
		err = lookInOther(c, s, name, err)
	}
	return root, ref, err
}

// ResolveMemory returns the memory of a root that a name stands for.
func ResolveMemory(ctx context.Context, root files.Root, name string) (retrieve.Ref, error) {
	ref, err := ReadIndex(ctx, root,
		func(s retrieve.Source) (retrieve.Ref, error) { return s.Alone().Resolve(ctx, name) })
	if err == nil && ref.Type != retrieve.MemoryType {
		err = fmt.Errorf("%s is an observation, not a memory", name)
	}
	return ref, err
}

// InOther is the error for a memory that is in the root of the other scope.
type InOther struct {
	cause error
	root  files.Root
	ref   retrieve.Ref
}

func (e *InOther) Error() string { return e.cause.Error() }

func (e *InOther) Unwrap() error { return e.cause }

// Hint says how to name it.
func (e *InOther) Hint() string {
	return fmt.Sprintf("add --scope %s: it is among %s", e.root.Scope, e.root.Scope.Own())
}

// lookInOther makes an InOther of err if the root of the other scope has the memory.
func lookInOther(c *cli.Context, s *store.Store, name string, err error) error {
	other := s.Other()
	if other.Path == "" {
		return err
	}
	ref, otherErr := ResolveMemory(c.Context, other, name)
	if otherErr != nil {
		return err
	}
	return &InOther{err, other, ref}
}

// MaxLimit bounds --limit. A longer answer is a listing.
const MaxLimit = 1000

const NoMatch, NoMemories = "no memory matches", "no memories"

func ReadRows(ctx context.Context, a Asker, words string, f retrieve.Filter) ([]retrieve.IndexEntry, error) {
	return ReadSources(ctx, a.Store, a.Roots, func(sources retrieve.Sources) ([]retrieve.IndexEntry, error) {
		rows, err := a.Searcher.Rows(ctx, sources, words, f)
		return retrieve.ListIndex(rows), err
	})
}

func WithNewline(data []byte) []byte {
	if bytes.HasSuffix(data, []byte("\n")) {
		return data
	}
	return append(data, '\n')
}
