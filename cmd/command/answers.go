package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"reflect"
	"strings"
	"text/tabwriter"
	"text/template"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// answers are templates, named for what they print to people. What comes from a memory or a file goes through line,
// which keeps it on its line, or lines. A command needs few of them: a template is parsed when it is asked for.
type answers struct {
	parsed *template.Template
	source map[string]string // by name, until it is parsed
}

func (std Streams) readAnswers() *answers {
	a := &answers{template.New("").Funcs(words()), map[string]string{}}
	for _, f := range std.Features {
		a.parsed.Funcs(f.Words)
		if f.Texts == nil {
			continue
		}
		names, _ := fs.Glob(f.Texts, "answers/*.tmpl")
		for _, name := range names {
			data, _ := fs.ReadFile(f.Texts, name) // it is in the program
			for definition := range strings.SplitSeq(string(data), "{{define \"") {
				name, _, _ := strings.Cut(definition, `"`)
				a.source[name] = "{{define \"" + definition
			}
		}
	}
	return a
}

// named returns the template of a name, nil if there is none. It parses the templates that this one calls, too.
func (a *answers) named(name string) *template.Template {
	if source, found := a.source[name]; found {
		delete(a.source, name)
		template.Must(a.parsed.Parse(source))
		for call := range strings.SplitSeq(source, "template \"") {
			called, _, _ := strings.Cut(call, `"`)
			a.named(called)
		}
	}
	return a.parsed.Lookup(name)
}

func words() template.FuncMap {
	return template.FuncMap{
		"line":      func(v any) string { return text.Printable(fmt.Sprint(v)) },
		"lines":     text.Paragraph,
		"brief":     text.Brief,
		"ellipsis":  text.Ellipsis,
		"oneLine":   text.OneLine,
		"indent":    indent,
		"hasPrefix": strings.HasPrefix,
		"join":      strings.Join,
		"replace":   strings.ReplaceAll,
		"trim":      strings.TrimSpace,
		"slash":     filepath.ToSlash,
		"home":      AtHome,

		"bold":  func(s string) string { return console.Mark(console.Bold, s) },
		"faint": func(s string) string { return console.Mark(console.Faint, s) },
		"cyan":  func(s string) string { return console.Mark(console.Cyan, s) },

		"plural":    text.Plural,
		"memories":  Memories,
		"megabytes": func(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) },
		"size":      SizeOf,
		"score":     shortScore,
		"shell":     text.ShellWord,
		"strength":  func(s float64) string { s = max(s, 0); return shortScore(s / (1 + s)) }, // docs/how-it-finds.md
		"day":       Day,
		"minute":    minute,
		"second":    second,
		"done":      doneOr,
		"onOff":     onOff,

		// list joins what is there of its arguments, as in (and .Count "some").
		"list": func(parts ...any) string {
			var list []string
			for _, part := range parts {
				if s, ok := part.(string); ok && s != "" {
					list = append(list, s)
				}
			}
			return strings.Join(list, ", ")
		},
		"head": func(list any, n int) any {
			v := reflect.ValueOf(list)
			return v.Slice(0, min(n, v.Len())).Interface()
		},
		"rest": func(list any, n int) int { return max(0, reflect.ValueOf(list).Len()-n) },
		// row is a row of a table.
		"row": func(cells ...any) string {
			var row []string
			for _, cell := range cells {
				row = append(row, text.Printable(fmt.Sprint(cell)))
			}
			return strings.Join(row, "\t") + "\n"
		},
		"less":   func(n, of int) int { return n - of },
		"unless": func(condition bool, s string) string { return Choose(condition, "", s) },
		"both":   func(first, second any) map[string]any { return map[string]any{"First": first, "Second": second} },

		"categories": func() []schemas.CategoryInfo { return schemas.Categories },
		"statuses":   func() []schemas.Status { return schemas.Statuses },
		"heavy":      func() int { return retrieve.HeavyUpdates },

		"client":    clients.Named,
		"gone":      func(gone bool) string { return Choose(gone, " (its project is gone)", "") },
		"noted":     retrieve.Noted,
		"newMark":   retrieve.NewMark,
		"plain":     func(v json.RawMessage) string { return cmp.Or(schemas.String(v), string(v)) },
		"rootPath":  func() string { return files.RootPath },
		"shownPath": shownPath,
		"realTags":  schemas.RealTags,
		"tagsOf":    text.Tags,
		"unusual":   unusual,
		"side":      schemas.Side,
		"open":      func(inConflict bool) string { return Choose(inConflict, " (in conflict)", "") },
		"kind":      func(c schemas.Category) string { return strings.TrimSuffix(string(c), "_summary") },
	}
}

// Say writes a result by the template of a name. On a terminal it is a table if there is a template "NAME table".
// The tabs of a template "NAME columns" align what follows them.
func (std Streams) Say(out io.Writer, name string, result any) error {
	s, isScreen := out.(console.Screen)
	table := isScreen && s.IsTerminal() && std.answers().named(name+" table") != nil
	if table {
		name += " table"
	}
	printed, err := std.rendered(name, result)
	switch {
	case err != nil:
		return err
	case table:
		console.TableOf(printed).Print(s)
		return nil
	case isScreen:
		s.PrintMarked(printed)
		return nil
	}
	_, err = io.WriteString(out, printed)
	return err
}

// rendered fills the template of a name in.
func (std Streams) rendered(name string, result any) (string, error) {
	var b strings.Builder
	all := std.answers()
	if all.named(name+" columns") == nil {
		all.named(name)
		err := all.parsed.ExecuteTemplate(&b, name, result)
		return b.String(), err
	}
	aligned := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	err := cmp.Or(all.parsed.ExecuteTemplate(aligned, name+" columns", result), aligned.Flush())
	return b.String(), err
}

// PrintResult prints the result of a command: as JSON with --json, else by the template of a name.
func PrintResult(c *cli.Context, std Streams, result any, name string) error {
	if c.Bool("json") {
		return WriteJSON(std.Out, result)
	}
	return onScreen(c, std, func(s console.Screen) error { return std.Say(s, name, result) }, nil)
}

// unlessFailed is print for what may have failed.
func unlessFailed[T any](print func(T) error) func(T, error) error {
	return func(result T, err error) error {
		if err != nil {
			return err
		}
		return print(result)
	}
}

func Printed(c *cli.Context, std Streams, name string) func(any, error) error {
	return unlessFailed(func(result any) error { return PrintResult(c, std, result, name) })
}

// PrintFindings is PrintResult for a command that fails if it found something wrong.
func PrintFindings(c *cli.Context, std Streams, result any, name string, wrong bool) error {
	if err := PrintResult(c, std, result, name); err != nil || !wrong {
		return err
	}
	return console.ErrFindings
}

// PrintPaged is PrintResult for long results: in colours, and through a pager.
func PrintPaged(c *cli.Context, std Streams, result any, name string) error {
	return PrintParts(c, std, result, func(s console.Screen, result any) error { return std.Say(s, name, result) })
}

func PagedFor(c *cli.Context, std Streams, name string) func(any, error) error {
	return unlessFailed(func(result any) error { return PrintPaged(c, std, result, name) })
}

// Listed is PagedFor a list. For a person it says why the list is empty.
func Listed[T any](c *cli.Context, std Streams, name, none string) func([]T, error) error {
	return unlessFailed(func(list []T) error {
		NoteNone(c, std, len(list), none)
		return PrintPaged(c, std, NotNil(list), name)
	})
}

// EachApart prints each of a list, with a blank line between two.
func EachApart[T any](s console.Screen, list []T, print func(T) error) error {
	for i, each := range list {
		if i > 0 {
			fmt.Fprintln(s)
		}
		if err := print(each); err != nil {
			return err
		}
	}
	return nil
}

// PrintParts is PrintPaged for what several templates print.
func PrintParts[T any](c *cli.Context, std Streams, result T, rendered func(console.Screen, T) error) error {
	if c.Bool("json") {
		return WriteJSON(std.Out, result)
	}
	return Paged(c, std, func(s console.Screen) error { return rendered(s, result) })
}

func Memories(n int) string { return text.Plural(n, "memory", "memories") }
