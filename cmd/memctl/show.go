package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/md5"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memctl/cmd/console"
	"memctl/memdir"
	"memctl/remote"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/term"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func showCommand(std streams) *cli.Command {
	return newCommand(std, "show", runShowCommand, append(ownFlags(),
		rootFlag(),
		targetFlag("show the memory at `PATH`; an id will do"),
		&cli.BoolFlag{Name: "json", Usage: "print each file as it is stored"},
		colorFlag(),
		&cli.BoolFlag{Name: "full", Usage: "show all of a long memory on a terminal too"},
		&cli.BoolFlag{Name: "details", Usage: "add cost, code, files, tools and relations"},
		hubFlag("print memories of the hub, by their ids there"),
		plainHTTPFlag(),
	)...)
}

func runShowCommand(c *cli.Context, std streams) error {
	names, err := memoryNames(c)
	if err != nil {
		return err
	}
	if c.Bool("hub") {
		return showHub(c, std, names)
	}
	if i := slices.IndexFunc(names, remote.IsID); i >= 0 {
		return console.Refused("memctl show --hub asks the hub for it", "%s is the id of a memory of a hub", names[i])
	}
	st, roots, err := findRoots(c, std)
	if err != nil {
		return err
	}
	return runShow(c, std, st, roots, names)
}

// document is a memory, which may be a broken file, or an observation.
type document struct {
	retrieve.Ref
	stored []byte
	detail retrieve.Detail // of an observation, and with --details
}

// runShow prints the documents before the first that it cannot find or read. With
// --details it prints all or none.
func runShow(c *cli.Context, std streams, st *store.Store, roots []memdir.Root, names []string) error {
	details := c.Bool("details")
	list, err := readSources(c.Context, st, roots, func(sources retrieve.Sources) ([]document, error) {
		return readDocuments(c.Context, sources, names, details)
	})
	switch {
	case details && err != nil:
		return err
	case c.Bool("json"):
		return errors.Join(writeDocuments(std, list, details), err)
	}
	printErr := paged(c, std, func(s term.Screen) error { return printDocuments(s, list, c.Bool("full"), details) })
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
		if err != nil {
			return list, err
		}
		list = append(list, d)
	}
	return list, nil
}

// writeDocuments writes the documents as they are stored, or with details. A memory's
// hash, which the file cannot contain, goes to stderr.
func writeDocuments(std streams, list []document, details bool) error {
	if details {
		all := make([]retrieve.Detail, len(list))
		for i, d := range list {
			all[i] = d.detail
		}
		return writeJSON(std.Out, all)
	}
	for _, d := range list {
		if d.Type == retrieve.ObservationType {
			if err := writeJSON(std.Out, json.RawMessage(d.stored)); err != nil {
				return err
			}
			continue
		}
		if _, err := std.Out.Write(text.EscapeJSON(withNewline(d.stored))); err != nil {
			return err
		}
		term.Note(std.Err, "md5 %s of %s, for update --hash", d.hash(), d.Shown())
	}
	return nil
}

func printDocuments(s term.Screen, list []document, full, details bool) error {
	for i, d := range list {
		if i > 0 {
			fmt.Fprintln(s)
		}
		if err := d.print(s, full); err != nil {
			return err
		}
		if details {
			printDetail(s, d.detail)
		}
	}
	return nil
}

func (d document) print(s term.Screen, full bool) error {
	if d.Type == retrieve.ObservationType {
		printObservation(s, d.detail, full)
		return nil
	}
	m, err := schemas.Decode(d.stored)
	if err != nil {
		return console.Refused("fix the file in an editor; memctl show --json prints it as it is",
			"%s: %w", d.Path, err)
	}
	folder, name, _ := strings.Cut(d.Path, "/")
	category, _ := schemas.CategoryOfFolder(folder)
	m.Complete(category, strings.TrimSuffix(name, ".json"))
	printMemory(s, d.Shown(), m, d.stored, "md5: "+d.hash(), full)
	return nil
}

// hash is what an update compares with the file.
func (d document) hash() string { return fmt.Sprintf("%x", md5.Sum(d.stored)) }

func withNewline(data []byte) []byte {
	if bytes.HasSuffix(data, []byte("\n")) {
		return data
	}
	return append(data, '\n')
}
