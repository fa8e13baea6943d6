package writer

import (
	"bytes"
	"context"
	"errors"
	"io/fs"

	"memctl/memdir"
)

// Configure makes a change to the bytes of memory-config.json, nil where there is
// no such file: alone, whole and on disk, as memories are written.
func (w *Writer) Configure(ctx context.Context, change func(data []byte) ([]byte, error)) error {
	return w.locked(ctx, ConfigError, nil, func() ([]string, error) {
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
	return failed(ConfigError, Detail{"path", memdir.ConfigName}, Detail{"error", err.Error()}, Detail{"fix", "give another value, or mend the file by hand"})
}
