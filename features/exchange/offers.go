package exchange

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"memctl/cmd/command"
	"memctl/files"
	"memctl/files/gate"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// decisionFolders are where projects keep their architecture decision records.
var decisionFolders = []string{"docs/adr", "docs/adrs", "docs/decisions", "docs/architecture/decisions", "doc/adr",
	"adr"}

// lookForImports reads what lies in the project and could become memories. It writes nothing.
func lookForImports(c *cli.Context, std command.Streams, project string) ([]*command.Offer, error) {
	_, w, err := command.NewWriter(c, std)
	if errors.As(err, new(*files.ForeignError)) {
		return nil, nil // the folder of another tool becomes a root first
	}
	if err != nil {
		return nil, err
	}
	w.Lasting = true
	var list []*command.Offer
	for _, source := range decisionFolders {
		if info, err := gate.Stat(filepath.Join(project, filepath.FromSlash(source))); err != nil || !info.IsDir() {
			continue
		}
		format, _ := FormatNamed("adr")
		im, err := Read(c.Context, w, format, filepath.Join(project, filepath.FromSlash(source)), Options{})
		if c.Context.Err() != nil {
			return nil, c.Context.Err()
		}
		if err == nil && im.Counts[New] > 0 { // what cannot be read is for memctl import to say
			write := func(ctx context.Context) (int, error) { err := im.Write(ctx); return im.Written, err }
			list = append(list, &command.Offer{Format: format.Name, Source: source, New: im.Counts[New], Write: write})
		}
	}
	if prose := offerProse(c.Context, w, project, len(list) > 0); prose.New > 0 {
		list = append(list, prose)
	}
	return list, c.Context.Err()
}

// offerProse offers the items of the project's prose that would wait in a work list, once its records are imported if
// they are offered.
func offerProse(ctx context.Context, w *writer.Writer, project string, recordsToo bool) *command.Offer {
	offer := &command.Offer{Format: proseFormat, Source: "."}
	src, err := openSource(project, w.Root)
	if err != nil {
		return offer // memctl import reports the error
	}
	defer src.close()
	p, err := readProse(ctx, w, src, false)
	if err != nil {
		return offer
	}
	count := map[string]int{}
	for _, item := range p.items {
		if item.State == Waiting && p.saved[item.Hash] == "" && !(item.Record && recordsToo) {
			file, _, _ := strings.Cut(item.File, "#")
			count[file]++
			offer.New++
		}
	}
	for file, n := range count {
		offer.Files = append(offer.Files, command.OfferedFile{Path: file, New: n})
	}
	slices.SortFunc(offer.Files, func(a, b command.OfferedFile) int {
		return cmp.Or(cmp.Compare(b.New, a.New), strings.Compare(a.Path, b.Path))
	})
	return offer
}
