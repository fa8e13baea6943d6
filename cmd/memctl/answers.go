package main

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"text/tabwriter"
	"text/template"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/features/doctor"
	"memctl/features/exchange"
	"memctl/features/review"
	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// Answers for people are templates, named for what they print. What comes from a memory or a file goes
// through line, which keeps it on its line, or lines.
//
//go:embed answers
var answerFiles embed.FS

var answers = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(words()).ParseFS(answerFiles, "answers/*.tmpl"))
})

func words() template.FuncMap {
	return template.FuncMap{
		"line":      func(v any) string { return text.Printable(fmt.Sprint(v)) },
		"lines":     text.Paragraph,
		"brief":     text.Brief,
		"ellipsis":  text.Ellipsis,
		"excerpt":   excerpt,
		"oneLine":   text.OneLine,
		"indent":    indent,
		"hasPrefix": strings.HasPrefix,
		"join":      strings.Join,
		"replace":   strings.ReplaceAll,
		"trim":      strings.TrimSpace,
		"slash":     filepath.ToSlash,
		"home":      atHome,

		"bold":  func(s string) string { return console.Mark(console.Bold, s) },
		"faint": func(s string) string { return console.Mark(console.Faint, s) },
		"cyan":  func(s string) string { return console.Mark(console.Cyan, s) },
		"state": func(s doctor.State, printed string) string { return console.Mark(stateStyles[s], printed) },

		"plural":    text.Plural,
		"memories":  memories,
		"megabytes": func(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) },
		"size":      sizeOf,
		"score":     shortScore,
		"share":     shareOf,
		"shell":     text.ShellWord,
		"strength":  func(s float64) string { s = max(s, 0); return shortScore(s / (1 + s)) }, // of docs/ranking.md
		"whole":     wholeOf,
		"day":       day,
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
		"unless": func(condition bool, s string) string { return choose(condition, "", s) },
		"both":   func(first, second any) map[string]any { return map[string]any{"First": first, "Second": second} },

		"categories":  func() []schemas.CategoryInfo { return schemas.Categories },
		"statuses":    func() []schemas.Status { return schemas.Statuses },
		"heavy":       func() int { return retrieve.HeavyUpdates },
		"retiredDays": func() int { return doctor.RetiredDays },
		"reviewKinds": func() []review.KindInfo { return review.Kinds },
		"states":      func() []exchange.State { return exchange.States[1:] },
		"count":       func(im *exchange.Import, s exchange.State) int { return im.Counts[s] },

		"because":      because,
		"client":       clients.Named,
		"commit":       commitID,
		"gitSetting":   gitSetting,
		"fixed":        fixed,
		"given":        memoryUse.given,
		"gone":         func(gone bool) string { return choose(gone, " (its project is gone)", "") },
		"hubSource":    hubSource,
		"importFrom":   importFrom,
		"importReason": importReason,
		"importTitle":  importTitle,
		"meaningful":   meaningful,
		"noted":        retrieve.Noted,
		"newMark":      retrieve.NewMark,
		"outcome":      outcomeOf,
		"reasons":      reasonsOf,
		"plain":        func(v json.RawMessage) string { return cmp.Or(schemas.String(v), string(v)) },
		"rootPath":     func() string { return files.RootPath },
		"rootNote":     rootNote,
		"section":      sectionOf,
		"setting":      settingValue,
		"shownPath":    shownPath,
		"side":         sideOf,
		"subject":      subjectOf,
		"realTags":     schemas.RealTags,
		"tagsOf":       text.Tags,
		"importPlace":  importPlace,
		"shortSession": shortSession,
		"unusual":      unusual,
		"titleOf":      titleOf,
		"used":         memoryUse.used,
	}
}

var stateStyles = map[doctor.State]console.Style{doctor.OK: console.Green, doctor.Warning: console.Yellow,
	doctor.Failed: console.Red}

// say writes a result by the template of a name. On a terminal it is a table if there is a template "NAME table".
// The tabs of a template "NAME columns" align what follows them.
func say(out io.Writer, name string, result any) error {
	s, isScreen := out.(console.Screen)
	table := isScreen && s.IsTerminal() && answers().Lookup(name+" table") != nil
	if table {
		name += " table"
	}
	printed, err := rendered(name, result)
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
func rendered(name string, result any) (string, error) {
	var b strings.Builder
	if answers().Lookup(name+" columns") == nil {
		err := answers().ExecuteTemplate(&b, name, result)
		return b.String(), err
	}
	aligned := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	err := cmp.Or(answers().ExecuteTemplate(aligned, name+" columns", result), aligned.Flush())
	return b.String(), err
}

// printResult prints the result of a command: as JSON with --json, else by the template of a name.
func printResult(c *cli.Context, std streams, result any, name string) error {
	if c.Bool("json") {
		return writeJSON(std.Out, result)
	}
	return onScreen(c, std, func(s console.Screen) error { return say(s, name, result) }, nil)
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

func printed(c *cli.Context, std streams, name string) func(any, error) error {
	return unlessFailed(func(result any) error { return printResult(c, std, result, name) })
}

// printFindings is printResult for a command that fails if it found something wrong.
func printFindings(c *cli.Context, std streams, result any, name string, wrong bool) error {
	if err := printResult(c, std, result, name); err != nil || !wrong {
		return err
	}
	return console.ErrFindings
}

// printPaged is printResult for long results: in colours, and through a pager.
func printPaged(c *cli.Context, std streams, result any, name string) error {
	return printParts(c, std, result, func(s console.Screen, result any) error { return say(s, name, result) })
}

func pagedFor(c *cli.Context, std streams, name string) func(any, error) error {
	return unlessFailed(func(result any) error { return printPaged(c, std, result, name) })
}

// listed is pagedFor a list. For a person it says why the list is empty.
func listed[T any](c *cli.Context, std streams, name, none string) func([]T, error) error {
	return unlessFailed(func(list []T) error {
		noteNone(c, std, len(list), none)
		return printPaged(c, std, notNil(list), name)
	})
}

// eachApart prints each of a list, with a blank line between two.
func eachApart[T any](s console.Screen, list []T, print func(T) error) error {
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

// printParts is printPaged for what several templates print.
func printParts[T any](c *cli.Context, std streams, result T, rendered func(console.Screen, T) error) error {
	if c.Bool("json") {
		return writeJSON(std.Out, result)
	}
	return paged(c, std, func(s console.Screen) error { return rendered(s, result) })
}
