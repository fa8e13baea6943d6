package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"memctl/cmd/console"
	"memctl/schemas"

	"github.com/urfave/cli/v2"
)

// texts is the value of a flag that may be repeated. Commas do not split it.
type texts []string

func (t *texts) Set(value string) error {
	*t = append(*t, value)
	return nil
}

func (t *texts) String() string { return strings.Join(*t, "; ") }

// shortFlags are the flags that have another name than their field.
var shortFlags = map[string]string{"tags": "tag", "related_files": "related"}

func flagOf(f schemas.Field) string {
	if name := shortFlags[f.Name]; name != "" {
		return name
	}
	return strings.ReplaceAll(f.Name, "_", "-")
}

func formFlags(form schemas.Form) []cli.Flag {
	var flags []cli.Flag
	for _, field := range append(form.Head, form.Content...) {
		flags = append(flags, fieldFlags(field)...)
	}
	return flags
}

func fieldFlags(f schemas.Field) []cli.Flag {
	name, usage := flagOf(f), strings.TrimSuffix(f.Help(), ".")
	switch f.Type {
	case "object":
		var flags []cli.Flag
		for _, field := range f.Fields {
			flags = append(flags, fieldFlags(field)...)
		}
		return flags
	case "array":
		if f.Fields != nil {
			usage += ", as \"" + f.Fields[0].Name + ": " + f.Fields[1].Name + "\""
		}
		return []cli.Flag{&cli.GenericFlag{Name: name, Value: &texts{}, Usage: usage + "; may be repeated"}}
	case "boolean":
		return []cli.Flag{&cli.BoolFlag{Name: name, Value: f.Default == true,
			Usage: usage + "; --" + name + "=false if not"}}
	case "number":
		return []cli.Flag{&cli.Float64Flag{Name: name, Usage: usage, DefaultText: "not said"}}
	}
	flag := &cli.StringFlag{Name: name, Usage: usage}
	if f.Choices != nil {
		if flag.Value, _ = f.Default.(string); slices.Contains(worded, f.Name) {
			flag.Value, flag.DefaultText = "", "by the wording"
		}
		flag.Action = oneOf(name, f.Choices)
	}
	return []cli.Flag{flag}
}

// worded are the fields that the wording of a text decides.
var worded = []string{"kind", "severity", "strength"}

func readForm(c *cli.Context, form schemas.Form, m *schemas.Memory) {
	values, content := m.Values(), map[string]any{}
	readFields(c, form.Head, values)
	readFields(c, form.Content, content)
	values["content"] = content
	*m = *schemas.MemoryOf(values)
}

func readFields(c *cli.Context, fields []schemas.Field, into map[string]any) {
	for _, f := range fields {
		name := flagOf(f)
		switch {
		case f.Type == "object":
			within := map[string]any{}
			if readFields(c, f.Fields, within); len(within) > 0 {
				into[f.Name] = within
			}
		case !c.IsSet(name):
		case f.Type == "array":
			into[f.Name] = listOf(f, *c.Generic(name).(*texts))
		case f.Type == "boolean":
			into[f.Name] = c.Bool(name)
		case f.Type == "number":
			into[f.Name] = json.Number(strconv.FormatFloat(c.Float64(name), 'f', -1, 64))
		default:
			into[f.Name] = c.String(name)
		}
	}
}

// listOf returns the entries of a list as they are typed: tags with commas between them,
// and the two parts of an object with a colon between them.
func listOf(f schemas.Field, typed []string) []any {
	list := []any{}
	for _, entry := range typed {
		switch {
		case f.Name == "tags":
			for tag := range strings.SplitSeq(entry, ",") {
				list = append(list, tag)
			}
		case f.Fields != nil:
			first, second, _ := strings.Cut(entry, ":")
			list = append(list, map[string]any{f.Fields[0].Name: strings.TrimSpace(first),
				f.Fields[1].Name: strings.TrimSpace(second)})
		default:
			list = append(list, entry)
		}
	}
	return list
}

// dialog asks a person on a terminal. All questions of a command share one, because it
// reads ahead what is typed ahead.
type dialog struct {
	ctx context.Context
	in  *bufio.Reader
	out io.Writer
}

func newDialog(ctx context.Context, std streams) *dialog {
	return &dialog{ctx, bufio.NewReader(std.In), std.Err}
}

func (d *dialog) say(format string, args ...any) { fmt.Fprintf(d.out, format+"\n", args...) }

// line returns what is typed after a prompt, without outer white space. The error is
// io.EOF at the end of input, and that of the context after Ctrl-C.
func (d *dialog) line(prompt string) (string, error) {
	for {
		fmt.Fprint(d.out, prompt)
		line, err := console.Interruptible(d.ctx, func() (string, error) { return d.in.ReadString('\n') })
		if err != nil {
			fmt.Fprintln(d.out)
		}
		if line = strings.TrimSpace(line); err == nil && strings.ContainsFunc(line, unicode.IsControl) {
			d.say("that has control characters (arrow keys do not work here): type it again")
			continue
		}
		return line, err
	}
}

// yes asks a question whose answer is yes unless another one is typed.
func (d *dialog) yes(question string) (bool, error) {
	answer, err := d.line(question + " [Y/n] ")
	return err == nil && isYes(answer, true), err
}

// isYes reports whether an answer is yes, which an empty one may be.
func isYes(answer string, byDefault bool) bool {
	word := strings.ToLower(answer)
	return word == "y" || word == "yes" || word == "" && byDefault
}

// errNothingSaved ends a dialog whose input ended early.
var errNothingSaved = errors.New("the answers ended early; nothing was saved")

// consent is the user's decision, by a flag or an answer; nil if there is none yet.
type consent *bool

// consentArg reads a flag and its opposite, --no-NAME.
func consentArg(c *cli.Context, name string) (consent, error) {
	yes, no := c.Bool(name), c.Bool("no-"+name)
	switch {
	case yes && no:
		return nil, console.Usagef("--%s and --no-%s contradict each other", name, name)
	case yes || no:
		return &yes, nil
	}
	return nil, nil
}

func canAsk(std streams) bool { return console.IsTerminal(std.In) && console.IsTerminal(std.Err) }

// ask asks a question on a terminal. An empty line is the default answer; the end of
// input, and what is neither yes nor empty, means no.
func ask(ctx context.Context, std streams, question string, byDefault bool) (yes bool, err error) {
	choices := "[y/N]"
	if byDefault {
		choices = "[Y/n]"
	}
	answer, err := newDialog(ctx, std).line(question + "\n" + choices + " ")
	if err != nil {
		return false, ctx.Err()
	}
	return isYes(answer, byDefault), nil
}

// fillIn asks for what a memory lacks of a form: the category, if it is "", and then
// each field.
func (d *dialog) fillIn(category *schemas.Category, m *schemas.Memory) error {
	err := d.fillAll(category, m)
	if errors.Is(err, io.EOF) {
		return errNothingSaved
	}
	return err
}

func (d *dialog) fillAll(category *schemas.Category, m *schemas.Memory) (err error) {
	if *category == "" {
		if *category, err = d.category(); err != nil {
			return err
		}
	}
	form := schemas.FormOf(*category)
	for i := range form.Head {
		form.Head[i].Required = form.Head[i].Name == "title" // without tags a memory is "untagged"
	}
	m.SetCategory(*category)
	values, content := m.Values(), m.ContentValues()
	d.say("%s Return skips an optional field; Ctrl-C quits without saving.", form.Description)
	for _, part := range []struct {
		fields []schemas.Field
		into   map[string]any
	}{
		{form.Head[:1], values}, // the title
		{form.Content, content},
		{form.Head[1:], values},
	} {
		if err := d.fields(part.fields, part.into); err != nil {
			return err
		}
	}
	values["content"] = content
	*m = *schemas.MemoryOf(values)
	return nil
}

func (d *dialog) category() (schemas.Category, error) {
	for i, info := range schemas.Categories {
		d.say("  %d  %-15s  %s", i+1, info.Category, schemas.FormOf(info.Category).Description)
	}
	for {
		answer, err := d.line("category? ")
		if err != nil {
			return "", err
		}
		if n, err := strconv.Atoi(answer); err == nil && 1 <= n && n <= len(schemas.Categories) {
			return schemas.Categories[n-1].Category, nil
		}
		category, err := readCategory(answer)
		if err == nil {
			return category, nil
		}
		d.say("type a number from 1 to %d, or a name", len(schemas.Categories))
	}
}

func (d *dialog) fields(fields []schemas.Field, into map[string]any) error {
	for _, f := range fields {
		if into[f.Name] != nil {
			continue
		}
		value, err := d.field(f)
		if err != nil {
			return err
		}
		if value != nil {
			into[f.Name] = value
		}
	}
	return nil
}

// field asks for one field. It returns nil for an optional one that is skipped.
func (d *dialog) field(f schemas.Field) (any, error) {
	name := strings.ReplaceAll(f.Name, "_", " ")
	if f.Type == "object" {
		return d.object(f)
	}
	d.say("\n%s: %s", name, f.Help()+instruction(f))
	if f.Type == "array" && f.Name != "tags" {
		return d.list(f)
	}
	for {
		answer, err := d.line("> ")
		if err != nil {
			return nil, err
		}
		value, problem := valueOf(f, answer)
		if problem == "" {
			return value, nil
		}
		d.say("%s", problem)
	}
}

func instruction(f schemas.Field) string {
	how := ""
	switch {
	case f.Name == "tags":
		how = " Separate them with commas."
	case f.Type == "array" && f.Fields != nil:
		how = fmt.Sprintf(" One a line, as %q; an empty line ends.", f.Fields[0].Name+": "+f.Fields[1].Name)
	case f.Type == "array":
		how = " One a line; an empty line ends."
	case f.Type == "boolean":
		how = " yes or no."
	}
	switch {
	case f.Default != nil:
		how += fmt.Sprintf(" Return: %v.", shown(f.Default))
	case !f.Required:
		how += " Optional."
	}
	return how
}

func shown(value any) any {
	switch value {
	case true:
		return "yes"
	case false:
		return "no"
	}
	return value
}

// needsText answers an empty line where the memory needs a value.
const needsText = "this field is required (Ctrl-C quits without saving)"

// valueOf reads an answer. If it cannot be used, the problem says why.
func valueOf(f schemas.Field, answer string) (value any, problem string) {
	switch {
	case answer == "" && f.Default != nil:
		return f.Default, ""
	case answer == "" && f.Required:
		return nil, needsText
	case answer == "":
		return nil, ""
	case f.Name == "tags":
		return listOf(f, []string{answer}), ""
	}
	value, err := f.Parse(answer)
	if err != nil {
		return nil, err.Error()
	}
	return value, ""
}

func (d *dialog) list(f schemas.Field) (any, error) {
	var typed []string
	for {
		answer, err := d.line("- ")
		switch {
		case err != nil:
			return nil, err
		case answer != "":
			typed = append(typed, answer)
		case len(typed) == 0 && f.NotEmpty:
			d.say(needsText)
		case len(typed) == 0 && !f.Required:
			return nil, nil
		default:
			return listOf(f, typed), nil
		}
	}
}

func (d *dialog) object(f schemas.Field) (any, error) {
	within := map[string]any{}
	if err := d.fields(f.Fields, within); err != nil || len(within) == 0 {
		return nil, err
	}
	return within, nil
}
