package exchange

import (
	"context"
	"fmt"
	"slices"

	"memctl/text"
)

// foreign says what a source is that the readers of memctl's own files and of notes find nothing in, and which command
// reads it. It is nil if they found something, or notes that no other reader knows.
func (im *Import) foreign(ctx context.Context, format Format) error {
	left := func(i *Item) bool { return i.State == LeftOut }
	if im.options.Update || !slices.Contains([]string{"json", "jsonl", "markdown", "basic-memory"}, format.Name) ||
		slices.ContainsFunc(im.Items, func(i *Item) bool { return !left(i) && i.State != Refused }) {
		return nil
	}
	notes := slices.ContainsFunc(im.Items, left) // any note may be left out
	mayBeProse := !notes && (format.match == nil || !format.match("a.md"))
	if looks, hint := im.looksLike(ctx, mayBeProse); looks != "" {
		return text.WithHint(fmt.Errorf("%s: expected %s; this looks like %s", im.Source, format.From, looks),
			hint+" "+text.ShellWord(im.label))
	}
	if len(im.Items) == 0 || notes || len(im.Items) > 1 && format.match != nil {
		return nil
	}
	return text.WithHint(fmt.Errorf("%s: expected %s: %s", im.Source, format.From, im.Items[0].Reason),
		"memctl import --help lists the formats")
}

// looksLike says what the source is, "" for nothing that is known, and the command that reads it.
func (im *Import) looksLike(ctx context.Context, orProse bool) (looks, command string) {
	src, err := openSource(im.label, im.w.Root)
	if err != nil {
		return "", ""
	}
	defer src.close()
	name, _, err := src.tool(ctx)
	if other, known := FormatNamed(name); known && err == nil && name != im.Format &&
		(name != transcriptsName || hasTurns(ctx, im.w, src)) {
		return other.From, "memctl import " + name
	}
	names, _, err := src.files(ctx, isMarkdown, nil)
	if orProse && err == nil && slices.ContainsFunc(names, isMarkdown) {
		return "prose", "memctl import"
	}
	return "", ""
}
