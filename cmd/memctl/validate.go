package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"memctl/db"
	"memctl/indexer"
	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

const validateDescription = `Checks every memory file against the schema of its category, memory-config.json
against its own, the lines of observations, and the index against the files. It
changes nothing.

Index findings: missing (the file is not indexed), stale (the file is gone),
changed (the file is another one than was indexed). They end by themselves with
the next command that reads. A root without an index is in order: it is made when
it is needed.

Exit status: 0 all in order, 1 something was found, 2 wrong usage.`

func validateCommand(std streams) *cli.Command {
	return wholeRootCommand("validate", "check every file, and the index against the files", validateDescription, func(ctx context.Context, root memdir.Root, asJSON bool) error {
		return runValidate(ctx, std, root, asJSON)
	})
}

// finding is one thing that is not as it should be.
type finding struct {
	Path string `json:"path"`
	*schemas.Violation
	Index   string `json:"index,omitempty"` // missing, stale, changed or damaged
	Message string `json:"message"`         // all of it in one line
}

type validateReport struct {
	Files    int       `json:"files"`
	Findings []finding `json:"findings"`
}

func runValidate(ctx context.Context, std streams, root memdir.Root, asJSON bool) error {
	r := validateReport{Findings: []finding{}}
	for _, info := range schemas.Categories {
		if err := r.checkFolder(ctx, root, info); err != nil {
			return err
		}
	}
	r.checkConfig(root)
	r.checkSynonyms(root)
	r.checkObservations(root)
	if err := r.checkIndex(ctx, root); err != nil {
		return err
	}
	if asJSON {
		if err := writeJSON(std.Out, r); err != nil {
			return err
		}
	} else {
		r.print(std.Out)
	}
	if len(r.Findings) > 0 {
		return errFindings
	}
	return nil
}

func (r *validateReport) add(path string, v schemas.Violation) {
	r.Findings = append(r.Findings, finding{Path: path, Violation: &v, Message: path + ": " + v.String()})
}

func (r *validateReport) checkFolder(ctx context.Context, root memdir.Root, info schemas.CategoryInfo) error {
	folder, err := root.OpenFolder(info.Folder)
	if err != nil {
		r.add(info.Folder, writer.Unreadable(err))
		return nil
	}
	if folder == nil {
		return nil
	}
	defer folder.Close()
	entries, err := folder.List()
	if err != nil {
		r.add(info.Folder, writer.Unreadable(err))
		return nil
	}
	for _, name := range memdir.Names(entries) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.Files++
		for _, v := range writer.CheckFile(folder, name, info.Category) {
			r.add(folder.Name+"/"+name, v)
		}
	}
	return nil
}

func (r *validateReport) checkConfig(root memdir.Root) {
	data, err := root.ReadConfig()
	if err != nil {
		r.add(memdir.ConfigName, schemas.Violation{Rule: "file", Expected: "a readable file", Got: text.Printable(err.Error())})
	}
	if data == nil {
		return
	}
	_, warnings := schemas.DecodeConfig(data)
	for _, w := range warnings {
		v := schemas.Violation{Field: w.Key, Rule: "config", Expected: "a setting that can be used (in use now: " + w.Used + ")", Got: w.Problem}
		r.Findings = append(r.Findings, finding{Path: memdir.ConfigName, Violation: &v, Message: w.String()})
	}
}

func (r *validateReport) checkSynonyms(root memdir.Root) {
	data, err := root.ReadSynonyms()
	if err != nil {
		r.add(memdir.SynonymsName, writer.Unreadable(err))
	}
	_, problems := text.ParseSynonyms(string(data))
	for _, p := range problems {
		v := schemas.Violation{Rule: "synonyms", Expected: "words or phrases with commas between them", Got: p.Reason}
		r.Findings = append(r.Findings, finding{Path: memdir.SynonymsName, Violation: &v, Message: memdir.SynonymsName + ": " + p.String()})
	}
}

func (r *validateReport) checkIndex(ctx context.Context, root memdir.Root) error {
	list, err := indexer.Check(ctx, root)
	switch {
	case errors.Is(err, db.ErrMissing), errors.Is(err, db.ErrVersion):
		return nil // made anew when it is needed
	case errors.Is(err, db.ErrDamaged):
		list = []indexer.Discrepancy{{Path: memdir.IndexName, State: "damaged"}}
	case err != nil:
		return err
	}
	for _, d := range list {
		r.Findings = append(r.Findings, finding{Path: d.Path, Index: d.State, Message: d.Path + ": index: " + d.State})
	}
	return nil
}

func (r validateReport) print(out io.Writer) {
	for _, f := range r.Findings {
		fmt.Fprintln(out, text.Printable(f.Message))
	}
	fmt.Fprintf(out, "%s checked: %s\n", text.Plural(r.Files, "file", "files"), text.Plural(len(r.Findings), "finding", "findings"))
}
