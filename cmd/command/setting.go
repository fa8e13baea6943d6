package command

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"memctl/schemas"
	"memctl/writer"
)

// SetTo sets a setting of a root to a bool or a word, as memctl config set does.
func SetTo(ctx context.Context, w *writer.Writer, key string, to any) error {
	settings := schemas.Settings()
	i := slices.IndexFunc(settings, func(s schemas.Setting) bool { return s.Key == key })
	if i < 0 {
		return fmt.Errorf("there is no setting %q", key)
	}
	value, err := json.Marshal(to)
	if err != nil {
		return err
	}
	return w.Configure(ctx, func(data []byte) ([]byte, error) { return settings[i].Set(data, value) })
}
