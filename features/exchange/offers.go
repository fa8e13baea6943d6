package exchange

import (
	"context"
	"errors"
	"path/filepath"

	"memctl/cmd/command"
	"memctl/files"
	"memctl/files/gate"

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
	for _, source := range append(decisionFolders, ".") {
		if info, err := gate.Stat(filepath.Join(project, filepath.FromSlash(source))); err != nil || !info.IsDir() {
			continue
		}
		name := "adr"
		if source == "." {
			name = "claude-md"
		}
		format, _ := FormatNamed(name)
		im, err := Read(c.Context, w, format, filepath.Join(project, filepath.FromSlash(source)), Options{})
		if c.Context.Err() != nil {
			return nil, c.Context.Err()
		}
		if err == nil && im.Counts[New] > 0 { // what cannot be read is for memctl import to say
			write := func(ctx context.Context) (int, error) { err := im.Write(ctx); return im.Written, err }
			list = append(list, &command.Offer{Format: name, Source: source, New: im.Counts[New], Write: write})
		}
	}
	return list, nil
}
