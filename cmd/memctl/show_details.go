package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// runShowDetails prints the third layer of disclosure.
func runShowDetails(ctx context.Context, std streams, root memdir.Root, names []string, asJSON bool) error {
	return indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) error {
		source := retrieve.Source{DB: ix.DB, Root: root}
		list := make([]retrieve.Detail, len(names))
		for i, name := range names {
			ref, err := resolve(ctx, source, name)
			if err != nil {
				return err
			}
			if list[i], err = source.Detail(ctx, ref); err != nil {
				return err
			}
		}
		if asJSON {
			return writeJSON(std.Out, list)
		}
		for i, d := range list {
			if i > 0 {
				fmt.Fprintln(std.Out)
			}
			if err := show(ctx, std.Out, source, names[i], false); err != nil {
				return err
			}
			printDetail(std.Out, d)
		}
		return nil
	})
}

func printDetail(out io.Writer, d retrieve.Detail) {
	fmt.Fprintf(out, "\ndetails\n  about %s, code: %s\n", text.Plural(d.TokenCount, "token", "tokens"), yesNo(d.HasCode))
	if len(d.Tools) > 0 {
		fmt.Fprintf(out, "  tools: %s\n", text.Printable(strings.Join(d.Tools, ", ")))
	}
	for _, r := range d.Relations {
		fmt.Fprintf(out, "  %s\n", strings.ReplaceAll(r.String(), "_", " "))
	}
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// showObservation prints what a tool did: for people field by field, as a memory's
// content.
func showObservation(ctx context.Context, out io.Writer, source retrieve.Source, ref retrieve.Ref, asJSON bool) error {
	d, err := source.Detail(ctx, ref)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(out, d.Stored)
	}
	p := &printer{out: out}
	p.line(0, "[%s] %s", d.Category, d.ID)
	for name, value := range schemas.Members(d.Stored) {
		if name == "payload" {
			p.content(value)
		}
	}
	return p.err
}
