package exchange

import (
	"context"
	"fmt"
	"slices"

	"memctl/files/gate"
	"memctl/text"
)

// lookalikes are the formats that another tool's file may have, those with the plainest signs first.
var lookalikes = []string{"mcp-memory", "claude-mem", engramName, memoryServiceName, beadsName, "jsonl", "json",
	transcriptsName, "adr", "markdown"}

// foreign says what a source is that the readers of memctl's own files and of notes find nothing in, and which command
// reads it. It is nil if they found something, or notes that no other reader knows.
func (im *Import) foreign(ctx context.Context, format Format) error {
	left := func(i *Item) bool { return i.State == LeftOut }
	if im.options.Update || !slices.Contains([]string{"json", "jsonl", "markdown", "basic-memory"}, format.Name) ||
		slices.ContainsFunc(im.Items, func(i *Item) bool { return !left(i) && i.State != Refused }) {
		return nil
	}
	notes := slices.ContainsFunc(im.Items, left) // any note may be left out
	for _, name := range lookalikes {
		other, _ := FormatNamed(name)
		if name != format.Name && (!notes || name != "adr" && name != "markdown") && im.reads(ctx, other) {
			return text.WithHint(fmt.Errorf("%s: expected %s; this looks like %s", im.Source, format.From, other.From),
				"memctl import "+name+" "+text.ShellWord(im.label))
		}
	}
	if len(im.Items) == 0 || notes || len(im.Items) > 1 && format.match != nil {
		return nil
	}
	return text.WithHint(fmt.Errorf("%s: expected %s: %s", im.Source, format.From, im.Items[0].Reason),
		"memctl import --help lists the formats")
}

// reads reports whether the reader of a format finds something in the source.
func (im *Import) reads(ctx context.Context, format Format) bool {
	src, err := openSource(im.label, im.w.Root)
	if err != nil {
		return false
	}
	defer src.close()
	if src.name == "" && format.Place != nil || src.name != "" && format.match != nil && !format.match(src.name) {
		return false // by their names
	}
	if _, err := gate.Stat(src.at(format.alone)); src.name == "" && format.match == nil && err != nil {
		return false
	}
	if format.Name == transcriptsName {
		return hasTurns(ctx, im.w, src)
	}
	other := &Import{Format: format.Name, w: im.w, options: Options{Project: im.options.Project}}
	if err := (&reader{Import: other, ctx: ctx, src: src}).readAll(format); err != nil {
		return false
	}
	foreign := func(i *Item) bool { return i.State == Refused }
	return slices.ContainsFunc(other.Items, func(i *Item) bool { return i.State == New }) ||
		len(other.Items) > 0 && (format.Place != nil || format.Name == "markdown") && !slices.ContainsFunc(other.Items, foreign)
}
