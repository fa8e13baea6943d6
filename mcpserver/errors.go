package mcpserver

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"memctl/memdir"
	"memctl/retrieve"
	"memctl/store"
	"memctl/writer"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// errNoRoot tells an agent to ask the user: the server runs in every project that is
// opened, and none gets a memory root unasked.
var errNoRoot = fmt.Errorf(`%w: nothing to search, nowhere to save; `+
	`ask the user to run "memctl init" in this project`, memdir.ErrNoRoot)

// errNoUserRoot likewise.
var errNoUserRoot = errors.New(`the user has no memories of their own yet; ` +
	`ask the user to run "memctl init --user", or save it in the project`)

// pathless rewrites an error for a client, which sees ids and never paths. It adds the
// hint that the command line prints.
func pathless(err error) error {
	unclear, refused, file := new(retrieve.Unclear), new(writer.Error), new(fs.PathError)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, memdir.ErrNoRoot):
		return errNoRoot
	case errors.Is(err, memdir.ErrNoUserRoot):
		return errNoUserRoot
	case errors.As(err, new(*store.ConfigError)):
		return errors.New(memdir.ConfigName + " cannot be read")
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

// resourceError is how a request for resources fails: with an error that has a code.
func resourceError(err error) error {
	if err == nil {
		return nil
	}
	code := int64(jsonrpc.CodeInternalError)
	if errors.As(err, new(*retrieve.Unclear)) || errors.Is(err, retrieve.ErrNotAnID) || errors.Is(err, memdir.ErrNoRoot) {
		code = jsonrpc.CodeInvalidParams // so the newest protocol has it
	}
	return &jsonrpc.Error{Code: code, Message: pathless(err).Error()}
}

// refusal is the text of an error of the writer, without its paths.
func refusal(e *writer.Error) string {
	return e.Words(func(d writer.Detail) bool {
		return d.Key != "target" && d.Key != "path" && !strings.Contains(d.Value, "memctl ")
	})
}
