package mcpserver

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"memctl/memdir"
	"memctl/retrieve"
	"memctl/writer"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// errNoRoot goes to an agent, which does not make one unasked: the server runs in
// every project that the user opens.
var errNoRoot = fmt.Errorf(`%w: nothing to search, nowhere to save; ask the user to run "memctl init" in this project`, memdir.ErrNoRoot)

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

// unserved is the error of a request for resources, which has a code and no result.
func unserved(err error) error {
	if err == nil {
		return nil
	}
	code := int64(jsonrpc.CodeInternalError)
	if errors.As(err, new(*retrieve.Unclear)) || errors.Is(err, retrieve.ErrNotAnID) || errors.Is(err, memdir.ErrNoRoot) {
		code = jsonrpc.CodeInvalidParams // so the newest protocol has it
	}
	return &jsonrpc.Error{Code: code, Message: pathless(err).Error()}
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
