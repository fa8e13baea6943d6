package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/features/exchange"
	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

func places(c *cli.Context) files.Places { return files.PlacesFromEnv(rootArg(c), "") }

// openStore returns the store of the memories that the command line names.
func openStore(c *cli.Context, std streams) (*store.Store, error) {
	scope, err := readScope(c)
	if err != nil {
		return nil, err
	}
	return scopedStore(c, std, scope), nil
}

// scopedStore is openStore for a scope.
func scopedStore(c *cli.Context, std streams, scope files.Scope) *store.Store {
	o := storeOptions(std)
	o.Places, o.Scope, o.Alone = places(c), scope, c.IsSet("scope") || c.IsSet("user")
	return store.Open(o)
}

// writeStep runs between the steps of a change. Tests kill the process there.
var writeStep func()

func storeOptions(std streams) store.Options {
	return store.Options{
		Agent: clients.InAgentShell(), Sessions: clients.AgentSessions(),
		Notes: exchange.Notes, UserModel: userModel,
		Strict: true,
		Depth:  store.Full,
		Warn:   func(problem error) { console.Warning(std.Err, "%s", text.Printable(problem.Error())) },
		Notify: func(notice writer.Notice) { fmt.Fprintln(std.Err, notice) },
		Step:   writeStep,
	}
}

// findRoot returns the project's root, or the user's if the command line says so.
func findRoot(c *cli.Context) (files.Root, error) {
	scope, err := readScope(c)
	if err != nil {
		return files.Root{}, err
	}
	return store.Open(store.Options{Places: places(c), Scope: scope}).Root()
}

func findConfigured(c *cli.Context, std streams) (files.Root, schemas.Config, error) {
	root, err := findRoot(c)
	if err != nil {
		return root, schemas.Config{}, err
	}
	cfg, err := store.At(root, storeOptions(std)).Config(root)
	return root, cfg, err
}

// searcherOf returns the Searcher of a root, with --strategy in place of the configured
// strategy.
func searcherOf(c *cli.Context, s *store.Store, root files.Root) (retrieve.Searcher, error) {
	cfg, err := s.Config(root)
	if err != nil {
		return retrieve.Searcher{}, err
	}
	if strategy := c.String("strategy"); strategy != "" {
		if err := oneOf("strategy", schemas.Strategies)(c, strategy); err != nil {
			return retrieve.Searcher{}, err
		}
		cfg.Retrieval.MatchStrategy = strategy
	}
	searcher := s.SearcherWith(root, cfg)
	searcher.Strict = c.String("strategy") != ""
	return searcher, nil
}

// readIndex brings the index of a root up to date and returns what read finds in it.
func readIndex[T any](ctx context.Context, root files.Root, read func(retrieve.Source) (T, error)) (T, error) {
	var found T
	err := store.At(root, store.Options{Depth: store.Full}).Look(ctx, root,
		func(source retrieve.Source) (err error) {
			found, err = read(source)
			return err
		})
	return found, err
}

// asker is a store with the roots that a question is asked of, and the Searcher of the first.
type asker struct {
	*store.Store
	roots    []files.Root
	searcher retrieve.Searcher
}

// findAsker returns what answers the question of a command.
func findAsker(c *cli.Context, std streams) (a asker, err error) {
	if a.Store, a.roots, err = findRoots(c, std); err == nil {
		a.searcher, err = searcherOf(c, a.Store, a.roots[0])
	}
	return a, err
}

// findRoots returns the store, and the roots that a question is asked of.
func findRoots(c *cli.Context, std streams) (*store.Store, []files.Root, error) {
	s, err := openStore(c, std)
	if err != nil {
		return nil, nil, err
	}
	roots, err := s.Roots()
	return s, roots, err
}

// readSources returns what read finds in the indexes of roots.
func readSources[T any](ctx context.Context, s *store.Store, roots []files.Root,
	read func(retrieve.Sources) (T, error)) (found T, err error) {
	err = s.Ask(ctx, roots, func(sources retrieve.Sources) (err error) {
		found, err = read(sources)
		return err
	})
	return found, err
}

// readInput reads the draft that --input names. Drafts are staged for the project, also
// if they become the user's memories.
func readInput(c *cli.Context, std streams, root files.Root) (writer.Input, error) {
	name := c.String("input")
	if name == "-" {
		noteWaiting(std, "the memory")
	}
	if scope, _ := readScope(c); scope == files.UserScope {
		if project, _, err := scopedStore(c, std, files.ProjectScope).RootOrPlanned(); err == nil {
			root = project
		}
	}
	return console.Interruptible(c.Context,
		func() (writer.Input, error) { return writer.ReadInput(root, name, std.In) })
}

// noteWaiting tells a person at a terminal that memctl reads what they type.
func noteWaiting(std streams, what string) {
	if console.IsTerminal(std.In) {
		console.Note(std.Err, "reading %s from the terminal; press Ctrl-D on an empty line to end it", what)
	}
}

// newWriter returns the store and the writer of the root in use, or of the one that create
// would make.
func newWriter(c *cli.Context, std streams) (*store.Store, *writer.Writer, error) {
	s, err := openStore(c, std)
	if err != nil {
		return nil, nil, err
	}
	w, err := s.Writer()
	return s, w, err
}

// existingWriter is newWriter for commands that need a root.
func existingWriter(c *cli.Context, std streams) (*writer.Writer, error) {
	s, err := openStore(c, std)
	if err != nil {
		return nil, err
	}
	return s.ExistingWriter()
}

// removeDraft removes the file of a draft that has been written as a memory.
func removeDraft(std streams, in writer.Input) {
	if err := in.Remove(); err != nil {
		console.Warning(std.Err, "the draft could not be removed: %v", err)
	}
}

// memoryNames returns the ids and paths that a command is given: its arguments and
// --target.
func memoryNames(c *cli.Context) ([]string, error) {
	names := c.Args().Slice()
	if target := c.String("target"); target != "" {
		names = append(names, target)
	}
	if len(names) == 0 {
		return nil, console.Usagef("%s needs an id or a path", c.Command.Name)
	}
	return names, nil
}

// memoryName is memoryNames for a command on one memory.
func memoryName(c *cli.Context) (string, error) {
	names, err := memoryNames(c)
	if err != nil {
		return "", err
	}
	if len(names) > 1 {
		return "", console.Usagef("%s takes one memory, got %s", c.Command.Name, strings.Join(names, " and "))
	}
	return names[0], nil
}

// fullName returns what the writer takes for the name of a memory of an existing root.
// The writer knows paths and whole ids. Other names are looked up as "memctl show" does:
// the beginning of an id, and CATEGORY:ID. An unknown name stays as it is, for the
// writer to refuse.
func fullName(ctx context.Context, st *store.Store, name string) (string, error) {
	root, planned, err := st.RootOrPlanned()
	if planned || err != nil || strings.ContainsAny(name, `/\`) {
		return name, err
	}
	id := strings.TrimSuffix(name, ".json")
	if paths, err := root.Named(id); err != nil || len(paths) > 0 {
		return name, err
	}
	ref, err := readIndex(ctx, root, func(s retrieve.Source) (retrieve.Ref, error) {
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
