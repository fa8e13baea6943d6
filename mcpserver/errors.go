package mcpserver

import (
	"errors"
	"io/fs"
	"strings"

	"memctl/memdir"
	"memctl/retrieve"
	"memctl/writer"
)

var errNoRoot = errors.New(`this project has no memory root; the user can make one with "memctl init"`)

// pathless makes an error fit for a client, which is told ids and never paths, and
// gives it the hint that the command line prints.
func pathless(err error) error {
	unclear, refused, file := new(retrieve.Unclear), new(writer.Error), new(fs.PathError)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, memdir.ErrNoRoot):
		return errNoRoot
	case errors.As(err, &unclear):
		if hint := unclear.Hint(); hint != "" {
			return errors.New(unclear.Error() + "; " + hint)
		}
		return unclear
	case errors.As(err, &refused):
		return errors.New(refusal(refused))
	case errors.As(err, &file):
		return file.Err
	}
	return err
}

// refusal is a refusal of the writer without its paths.
func refusal(e *writer.Error) string {
	shown := writer.Error{Code: e.Code}
	for _, d := range e.Details {
		if d.Key != "target" && d.Key != "path" && !strings.Contains(d.Value, "memctl ") {
			shown.Details = append(shown.Details, d)
		}
	}
	return shown.Error()
}
