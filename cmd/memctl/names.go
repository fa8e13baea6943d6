package main

import (
	"context"
	"errors"
	"strings"

	"memctl/cmd/console"
	"memctl/retrieve"
	"memctl/store"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

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
		return name, nil
	}
	return "", &writer.Error{Code: writer.PathError, Target: name, Problems: []writer.Problem{
		{Reason: unclear.Error(), Fix: unclear.Hint()},
	}}
}
