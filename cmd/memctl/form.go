package main

import (
	"encoding/json"
	"strconv"
	"strings"

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

// formFlags returns a flag for each field of a form.
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
		flag.Value, _ = f.Default.(string)
		flag.Action = oneOf(name, f.Choices)
	}
	return []cli.Flag{flag}
}

// readForm puts the fields that flags give into a memory.
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
