package writer

import (
	"bytes"
	"context"
	"errors"
	"io/fs"

	"memctl/memdir"
)

// Configure changes memory-config.json as memories are changed: under the write lock,
// whole or not at all. Change gets nil if there is no such file.
func (w *Writer) Configure(ctx context.Context, change func(data []byte) ([]byte, error)) error {
	return w.locked(ctx, ConfigError, func() ([]string, error) {
		folder, err := w.Root.OpenFolder(".")
		if err != nil {
			return nil, err
		}
		defer folder.Close()
		folder.Step = w.step
		old, _, err := folder.Read(memdir.ConfigName)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, badConfig(err)
		}
		data, err := change(old)
		if err != nil {
			return nil, badConfig(err)
		}
		if bytes.Equal(data, old) {
			return nil, nil
		}
		return nil, folder.Replace(memdir.ConfigName, data)
	})
}

func badConfig(err error) error {
	e := refuse(ConfigError, "", err.Error(), "give another value, or fix the file by hand")
	e.Path = memdir.ConfigName
	return e
}
