package main

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

const showDescription = `Prints memories and observations of tools whole. An ID is a file's name without
.json, or so much of its beginning that it is clear; where two categories have the
same id, give CATEGORY:ID or the path. --json prints each file as it is stored. The
MD5 is what "memctl update --hash" takes. --details adds what an agent judges by: the
cost in tokens, whether there is code, files, tools, and what the memory has to do with
others; with --json it makes one list of all.

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
			if c.Bool("details") {
				return runShowDetails(c.Context, std, root, c.Args().Slice(), c.Bool("json"))
			}
			return runShow(c.Context, std, root, c.Args().Slice(), c.Bool("json"))
		},
	}
}

func runShow(ctx context.Context, std streams, root memdir.Root, names []string, asJSON bool) error {
	return indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) error {
		for i, name := range names {
			if i > 0 && !asJSON {
				fmt.Fprintln(std.Out)
			}
			if err := show(ctx, std.Out, retrieve.Source{DB: ix.DB, Root: root}, name, asJSON); err != nil {
				return err
			}
		}
		return nil
	})
}

// show prints one memory, broken ones too, or one observation.
func show(ctx context.Context, out io.Writer, source retrieve.Source, name string, asJSON bool) error {
	ref, err := resolve(ctx, source, name)
	if err != nil {
		return err
	}
	if ref.Type == retrieve.ObservationType {
		return showObservation(ctx, out, source, ref, asJSON)
	}
	data, err := source.Root.ReadFile(ref.Path)
	if err != nil {
		return fmt.Errorf("%s: %w", ref.Path, err)
	}
	if asJSON {
		_, err := out.Write(withNewline(data))
		return err
	}
	return printMemory(out, source.Root, ref.Path, data)
}

func withNewline(data []byte) []byte {
	if bytes.HasSuffix(data, []byte("\n")) {
		return data
	}
	return append(data, '\n')
}

// printMemory renders a memory for people: the head, then its content as
// headings and lists.
func printMemory(out io.Writer, root memdir.Root, path string, data []byte) error {
	m, err := schemas.Decode(data)
	if err != nil {
		return &failure{err: fmt.Errorf("%s: %w", path, err), hint: "mend the file in an editor; memctl show --json prints it as it is", code: exitFailed}
	}
	folder, file, _ := strings.Cut(path, "/")
	category, _ := schemas.CategoryOfFolder(folder)
	m.Complete(category, strings.TrimSuffix(file, ".json"))
	p := &printer{out: out}
	p.line(0, "[%s] %s", m.Category.Display(), m.Title)
	p.line(0, "%s/%s", root.Shown, path)
	p.line(0, "%s, created %s, updated %s (%s)", m.RecordStatus, day(m.CreatedAt), day(m.UpdatedAt), text.Plural(m.TimesUpdated, "time", "times"))
	p.some("retired", strings.TrimSpace(day(m.RetiredAt)+" "+m.RetiredReason), m.RetiredAt)
	p.some("archived", strings.TrimSpace(day(m.ArchivedAt)+" "+m.ArchivedReason), m.ArchivedAt)
	p.some("tags", strings.Join(text.Tags(m.Tags), ", "), strings.Join(m.Tags, ""))
	p.some("files", strings.Join(m.RelatedFiles, ", "), strings.Join(m.RelatedFiles, ""))
	if m.Confidence != nil {
		p.line(0, "confidence: %g", *m.Confidence)
	}
	p.line(0, "md5: %x", md5.Sum(data))
	p.content(m.Content)
	p.changes(m.Changes)
	return p.err
}

// printer writes lines and remembers the first error.
type printer struct {
	out io.Writer
	err error
}

func (p *printer) line(depth int, format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.out, text.Indent(text.Paragraph(fmt.Sprintf(format, args...)), strings.Repeat("  ", depth)))
	}
}

// some prints a labelled line where there is anything to say.
func (p *printer) some(label, value, present string) {
	if present != "" {
		p.line(0, "%s: %s", label, value)
	}
}

func (p *printer) changes(changes []schemas.Change) {
	if len(changes) == 0 {
		return
	}
	p.line(0, "\nhistory")
	for _, c := range changes {
		p.line(1, "%s %s", day(c.Date), c.Summary)
	}
}

func (p *printer) content(raw json.RawMessage) {
	if len(raw) == 0 {
		return
	}
	p.line(0, "")
	p.value(json.NewDecoder(bytes.NewReader(raw)), 0, "")
}

// value walks JSON in file order. A label stands before what it names: on the
// same line before a scalar, on a line of its own before a list or an object.
func (p *printer) value(dec *json.Decoder, depth int, label string) {
	token, err := dec.Token()
	if err != nil {
		p.err = errors.Join(p.err, err)
		return
	}
	delim, nested := token.(json.Delim)
	if !nested {
		if label == "" {
			label = "-"
		}
		p.line(depth, "%s %v", label, scalar(token))
		return
	}
	if label != "" {
		p.line(depth, "%s", label)
		depth++
	}
	for dec.More() && p.err == nil {
		name := ""
		if delim == '{' {
			key, err := dec.Token()
			if err != nil {
				p.err = err
				return
			}
			name = strings.ReplaceAll(key.(string), "_", " ") + ":"
		}
		p.value(dec, depth, name)
	}
	dec.Token()
}

func scalar(token json.Token) any {
	if token == nil {
		return "null"
	}
	return token
}
