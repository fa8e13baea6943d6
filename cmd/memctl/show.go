package main

import (
	"cmp"
	"context"
	"crypto/md5"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func runShow(c *cli.Context, std command.Streams) error {
	names, err := command.MemoryNames(c)
	if err != nil {
		return err
	}
	for _, f := range std.Features {
		for flag, show := range f.Shows {
			if c.Bool(flag) {
				return show(c, std, names)
			}
		}
		for _, name := range names {
			if f.CheckName == nil {
				continue
			}
			if err := f.CheckName(name); err != nil {
				return err
			}
		}
	}
	if c.Bool("path") {
		return showPaths(c, std, names)
	}
	return showDocuments(c, std, names)
}

type location struct {
	ID   string `json:"id"`
	Path string `json:"path"`
}

// showPaths prints the paths of memories, which may be broken files.
func showPaths(c *cli.Context, std command.Streams, names []string) error {
	st, roots, err := command.FindRoots(c, std)
	if err != nil {
		return err
	}
	list, err := command.ReadSources(c.Context, st, roots, func(sources retrieve.Sources) (list []retrieve.Ref,
		err error) {
		for _, name := range names {
			ref, err := sources.Resolve(c.Context, name)
			if err == nil && ref.Type != retrieve.MemoryType {
				err = fmt.Errorf("%s is an observation, not a memory", name)
			}
			if err != nil {
				return list, err
			}
			list = append(list, ref)
		}
		return list, nil
	})
	for _, ref := range list {
		file := ref.Root.Join(ref.Path)
		if !c.Bool("json") {
			fmt.Fprintln(std.Out, command.FromHere(file))
		} else if err := command.WriteJSON(std.Out, location{command.StemOf(ref.Path),
			filepath.ToSlash(file)}); err != nil {
			return err
		}
	}
	return err
}

// document is a memory, which may be a broken file, or an observation.
type document struct {
	retrieve.Ref
	stored []byte
	memory schemas.Memory
	broken error           // why there is no memory
	newBy  string          // who wrote it, if the user has not seen it
	detail retrieve.Detail // of an observation, and with --details

	conflicts []schemas.Conflict // that a merge left
}

// showDocuments prints the documents before the first that it cannot find or read. With
// --details it prints all or none.
func showDocuments(c *cli.Context, std command.Streams, names []string) error {
	st, roots, err := command.FindRoots(c, std)
	if err != nil {
		return err
	}
	details := c.Bool("details")
	list, err := command.ReadSources(c.Context, st, roots, func(sources retrieve.Sources) ([]document, error) {
		return readDocuments(c.Context, sources, names, details)
	})
	for _, d := range list {
		if st.Agent && d.Type == retrieve.MemoryType {
			st.NoteOpened("", d.Root, d.Path)
		}
	}
	switch {
	case details && err != nil:
		return err
	case c.Bool("json"):
		return errors.Join(writeDocuments(std, list, details), err)
	}
	printErr := command.Paged(c, std, func(s console.Screen) error {
		return printDocuments(std, s, list, c.Bool("full"), details)
	})
	return cmp.Or(printErr, err)
}

func readDocuments(ctx context.Context, sources retrieve.Sources, names []string, details bool) (list []document,
	err error) {
	for _, name := range names {
		var d document
		if d.Ref, err = sources.Resolve(ctx, name); err != nil {
			return list, err
		}
		if details || d.Type == retrieve.ObservationType {
			d.detail, err = sources.Detail(ctx, d.Ref)
			d.stored = d.detail.Stored
		} else if d.stored, err = d.Root.ReadFile(d.Path); err != nil {
			err = fmt.Errorf("%s: %w", d.Path, err)
		}
		d.newBy = sources.NewBy(d.Ref, d.stored)
		if err == nil && d.Type != retrieve.ObservationType {
			d.conflicts = d.Root.ConflictsOf(d.Path, d.stored)
			if d.memory, d.broken = schemas.Decode(d.stored); d.broken == nil {
				err = sources.Recount(ctx, d.Ref, &d.memory)
			}
		}
		if err != nil {
			return list, err
		}
		list = append(list, d)
	}
	return list, nil
}

// writeDocuments writes the documents as they are stored, or with details. A memory's
// hash, which the file cannot contain, goes to stderr.
func writeDocuments(std command.Streams, list []document, details bool) error {
	if details {
		all := make([]retrieve.Detail, len(list))
		for i, d := range list {
			all[i] = d.detail
		}
		return command.WriteJSON(std.Out, all)
	}
	for _, d := range list {
		if d.Type == retrieve.ObservationType {
			if err := command.WriteJSON(std.Out, json.RawMessage(d.stored)); err != nil {
				return err
			}
			continue
		}
		data, err := d.withConflicts()
		if err != nil {
			return err
		}
		if _, err := std.Out.Write(text.EscapeJSON(command.WithNewline(data))); err != nil {
			return err
		}
		if d.newBy != "" {
			console.Note(std.Err, "%s is %s", d.Shown(), strings.TrimSpace(retrieve.NewMark(d.newBy)))
		}
		if d.Root.Scope == files.NotesScope {
			console.Note(std.Err, "%s is %s", d.Shown(), d.Root.Scope.Kind())
			continue
		}
		console.Note(std.Err, "md5 %s of %s, for update --hash", d.hash(), d.Shown())
	}
	return nil
}

// withConflicts is the file with both sides of its conflicts. A file with git's markers is not JSON.
func (d document) withConflicts() ([]byte, error) {
	if len(d.conflicts) == 0 {
		return d.stored, nil
	}
	data, err := schemas.EncodeJSON(d.conflicts)
	if err != nil {
		return nil, err
	}
	list, err := schemas.DecodeAny(data)
	if err != nil {
		return nil, err
	}
	values := map[string]any{"id": command.StemOf(d.Path)}
	if m, err := schemas.DecodeExact(d.stored); err == nil {
		values = m.Values()
	}
	values["conflicts"] = list
	return schemas.MemoryOf(values).Encode()
}

func printDocuments(std command.Streams, s console.Screen, list []document, full, details bool) error {
	return command.EachApart(s, list, func(d document) error {
		if err := d.print(std, s, full); err != nil || !details {
			return err
		}
		return std.Say(s, "details", d.detail)
	})
}

func (d document) print(std command.Streams, s console.Screen, full bool) error {
	if d.Type == retrieve.ObservationType {
		return printObservation(std, s, d.detail, full)
	}
	if len(d.conflicts) > 0 {
		if err := std.Say(s, "open conflicts", d.conflicts); err != nil {
			return err
		}
	}
	switch resolve := d.Root.ResolveCommand(d.Path); {
	case d.broken != nil && schemas.ConflictLine(d.stored) > 0:
		return console.Refused(fmt.Sprintf("run %q", resolve),
			"%s: git left a merge conflict in the file", d.Path)
	case d.broken != nil:
		return console.Refused("fix the file in an editor; memctl show --json prints it as it is",
			"%s: %w", d.Path, d.broken)
	case len(d.conflicts) > 0:
		fmt.Fprintf(s, "resolve it: %s\n\n", resolve)
	}
	m := d.memory
	folder, name, _ := strings.Cut(d.Path, "/")
	category, _ := schemas.CategoryOfFolder(folder)
	m.Complete(category, strings.TrimSuffix(name, ".json"))
	version := ""
	if d.Root.Scope == files.NotesScope {
		version = d.Root.Scope.Kind() + `; "memctl adopt ` + d.ID + `" makes a memory of it`
	}
	if d.newBy != "" {
		version = strings.TrimSpace("new: by " + text.Printable(d.newBy) +
			"; \"memctl trust\" says that you have seen it\n" + version)
	}
	return std.PrintMemory(s, d.Shown(), m, d.stored, version, full)
}

func (d document) hash() string { return fmt.Sprintf("%x", md5.Sum(d.stored)) }

func printObservation(std command.Streams, out console.Screen, d retrieve.Detail, all bool) error {
	var stored struct{ Payload json.RawMessage }
	_ = json.Unmarshal(d.Stored, &stored) // without a payload, nothing is shown
	return std.Say(out, "observation", struct {
		retrieve.Detail
		Content string
	}{d, command.ContentOf(out, stored.Payload, all)})
}
