package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"memctl/cmd/command"
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

func formFlags(form schemas.Form) []cli.Flag {
	var flags []cli.Flag
	for _, field := range append(form.Head, form.Content...) {
		flags = append(flags, fieldFlags(field)...)
	}
	return flags
}

func fieldFlags(f schemas.Field) []cli.Flag {
	name, usage := command.FlagOf(f), strings.TrimSuffix(f.Help(), ".")
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
		flag.Action = command.OneOf(name, f.Choices)
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
		name := command.FlagOf(f)
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

// formDialog asks a person for the fields of a memory.
type formDialog struct{ *command.Dialog }

// fillIn asks for what a memory lacks of a form: the category, if it is "", and then
// each field.
func (d formDialog) fillIn(category *schemas.Category, m *schemas.Memory) error {
	err := d.fillAll(category, m)
	if errors.Is(err, io.EOF) {
		return command.ErrNothingSaved
	}
	return err
}

func (d formDialog) fillAll(category *schemas.Category, m *schemas.Memory) (err error) {
	if *category == "" {
		if *category, err = d.category(); err != nil {
			return err
		}
	}
	form := schemas.FormOf(*category)
	isRare := func(f schemas.Field) bool { return f.Name == "folder" || f.Name == "check" }
	form.Head, form.Content = slices.DeleteFunc(form.Head, isRare), slices.DeleteFunc(form.Content, isRare)
	for i := range form.Head {
		form.Head[i].Required = form.Head[i].Name == "title"
	}
	for i := range form.Content { // what is skipped, the title fills, as it does for a text
		form.Content[i].Required, form.Content[i].NotEmpty = false, false
	}
	m.SetCategory(*category)
	values, content := m.Values(), m.ContentValues()
	d.Say("%s Return skips an optional field; Ctrl-C quits without saving.", form.Description)
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

func (d formDialog) category() (schemas.Category, error) {
	for i, info := range schemas.Categories {
		d.Say("  %d  %-15s  %s", i+1, info.Category, schemas.FormOf(info.Category).Description)
	}
	for {
		answer, err := d.Line("category? ")
		if err != nil {
			return "", err
		}
		if n, err := strconv.Atoi(answer); err == nil && 1 <= n && n <= len(schemas.Categories) {
			return schemas.Categories[n-1].Category, nil
		}
		category, err := command.ReadCategory(answer)
		if err == nil {
			return category, nil
		}
		d.Say("type a number from 1 to %d, or a name", len(schemas.Categories))
	}
}

func (d formDialog) fields(fields []schemas.Field, into map[string]any) error {
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
func (d formDialog) field(f schemas.Field) (any, error) {
	name := strings.ReplaceAll(f.Name, "_", " ")
	if f.Type == "object" {
		return d.object(f)
	}
	d.Say("\n%s: %s", name, f.Help()+instruction(f))
	if f.Type == "array" && f.Name != "tags" {
		return d.list(f)
	}
	for {
		answer, err := d.Line("> ")
		if err != nil {
			return nil, err
		}
		value, problem := valueOf(f, answer)
		if problem == "" {
			return value, nil
		}
		d.Say("%s", problem)
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

func (d formDialog) list(f schemas.Field) (any, error) {
	var typed []string
	for {
		answer, err := d.Line("- ")
		switch {
		case err != nil:
			return nil, err
		case answer != "":
			typed = append(typed, answer)
		case len(typed) == 0 && f.NotEmpty:
			d.Say(needsText)
		case len(typed) == 0 && !f.Required:
			return nil, nil
		default:
			return listOf(f, typed), nil
		}
	}
}

func (d formDialog) object(f schemas.Field) (any, error) {
	within := map[string]any{}
	if err := d.fields(f.Fields, within); err != nil || len(within) == 0 {
		return nil, err
	}
	return within, nil
}
