package main

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"memctl/memdir"
	"memctl/render"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

const showDescription = `Prints all of memories and of observations of tools. An ID is the name of a file without
.json, or enough of its beginning to be unambiguous. If two categories have the same
id, give CATEGORY:ID or the path. --json prints each file as it is stored. The MD5 is
what "memctl update --hash" takes. --details adds what an agent judges by: the cost in
tokens, whether there is code, files, tools, and relations to other memories. With
--json it prints one list of all.

   memctl show postgres-connection-pool-limit
   memctl show postgres-conn --details --json
   memctl show .claude/memory/decisions/use-kafka.json --json`

func showCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "show",
		Usage:       "print memories whole",
		ArgsUsage:   "ID|PATH...",
		Description: showDescription,
		Flags: []cli.Flag{
			rootFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print each file as it is stored"},
			&cli.BoolFlag{Name: "details", Usage: "add cost, code, files, tools and relations"},
		},
		Action: func(c *cli.Context) error {
			if !c.Args().Present() {
				return usagef("show needs an id or a path")
			}
			root, err := findRoot(c)
			if err != nil {
				return err
			}
			return runShow(c, std, root)
		},
	}
}

// document is a memory, which may be a broken file, or an observation.
type document struct {
	retrieve.Ref
	stored []byte
	detail retrieve.Detail // of an observation, and with --details
}

// runShow prints the documents before the first that it cannot find or read. With
// --details it prints all or none.
func runShow(c *cli.Context, std streams, root memdir.Root) error {
	asJSON, details := c.Bool("json"), c.Bool("details")
	list, err := readIndex(c.Context, root, func(source retrieve.Source) ([]document, error) {
		return readDocuments(c.Context, source, c.Args().Slice(), details)
	})
	switch {
	case details && err != nil:
		return err
	case details && asJSON:
		all := make([]retrieve.Detail, len(list))
		for i, d := range list {
			all[i] = d.detail
		}
		return writeJSON(std.Out, all)
	}
	for i, d := range list {
		if i > 0 && !asJSON {
			fmt.Fprintln(std.Out)
		}
		if err := d.print(std.Out, root, asJSON); err != nil {
			return err
		}
		if details {
			render.Detail(std.Out, d.detail)
		}
	}
	return err
}

func readDocuments(ctx context.Context, source retrieve.Source, names []string, details bool) (list []document, err error) {
	for _, name := range names {
		var d document
		if d.Ref, err = source.Resolve(ctx, name); err != nil {
			return list, err
		}
		if details || d.Type == retrieve.ObservationType {
			d.detail, err = source.Detail(ctx, d.Ref)
			d.stored = d.detail.Stored
		} else if d.stored, err = source.Root.ReadFile(d.Path); err != nil {
			err = fmt.Errorf("%s: %w", d.Path, err)
		}
		if err != nil {
			return list, err
		}
		list = append(list, d)
	}
	return list, nil
}

func (d document) print(out io.Writer, root memdir.Root, asJSON bool) error {
	isObservation := d.Type == retrieve.ObservationType
	switch {
	case asJSON && isObservation:
		return writeJSON(out, json.RawMessage(d.stored))
	case asJSON:
		_, err := out.Write(text.EscapeJSON(withNewline(d.stored)))
		return err
	case isObservation:
		render.Observation(out, d.detail)
		return nil
	}
	m, err := schemas.Decode(d.stored)
	if err != nil {
		return &failure{err: fmt.Errorf("%s: %w", d.Path, err), hint: "fix the file in an editor; memctl show --json prints it as it is", code: exitFailed}
	}
	folder, name, _ := strings.Cut(d.Path, "/")
	category, _ := schemas.CategoryOfFolder(folder)
	m.Complete(category, strings.TrimSuffix(name, ".json"))
	render.Memory(out, root.Shown+"/"+d.Path, m, fmt.Sprintf("%x", md5.Sum(d.stored)))
	return nil
}

func withNewline(data []byte) []byte {
	if bytes.HasSuffix(data, []byte("\n")) {
		return data
	}
	return append(data, '\n')
}
