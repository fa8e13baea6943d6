package writer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"memctl/indexer"
	"memctl/retrieve"
	"memctl/schemas"
)

// large is the size, in bytes, above which create advises to split a memory.
const large = 16 << 10

// AlreadySaid is the error for a new memory that says what another one says.
type AlreadySaid struct{ retrieve.Entry }

func (a *AlreadySaid) Error() string { return fmt.Sprintf("%s says this already: %q", a.Path, a.Title) }

// Hint says what to do instead.
func (a *AlreadySaid) Hint() string {
	return fmt.Sprintf(`"memctl edit %s" changes that memory; --anyway saves this one too`, a.ID)
}

// checkNew returns an *AlreadySaid if a memory of the category says what a title says.
func (w *Writer) checkNew(ctx context.Context, category schemas.Category, title string) error {
	if _, err := os.Stat(w.Root.Path); errors.Is(err, fs.ErrNotExist) {
		return nil // a root that does not exist yet has no memories
	}
	var similar *retrieve.Entry
	err := indexer.Use(ctx, w.Root, indexer.Usual, func(ix *indexer.Index) (err error) {
		similar, err = retrieve.Similar(ctx, ix.DB, category, title)
		return err
	})
	if err == nil && similar != nil {
		return &AlreadySaid{*similar}
	}
	return err
}

// warnOfSize warns of a memory that is long to read.
func (w *Writer) warnOfSize(data []byte) {
	if len(data) > large {
		w.warn("the memory has %d KB: one over %d KB is better split, or kept in a file that related_files names", len(data)>>10, large>>10)
	}
}
