package writer

import (
	"context"

	"memctl/schemas"
)

// enforce applies the limits of a category's settings (DESIGN §6.8) after a
// memory came. The caller holds the write lock.
//
// Its rules come with the command of that name.
func (w *Writer) enforce(context.Context, schemas.Category) error { return nil }
