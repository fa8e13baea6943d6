package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/urfave/cli/v2"
)

const mcpDescription = `Serves memories to an MCP client on stdin and stdout: the tools search, timeline, get
and save, and each memory as a resource. The client starts it:

   claude mcp add memctl -- memctl mcp

The root is the one that --root or MEMCTL_ROOT names, else that of the folders the
client says it works in, else that of the working folder. It runs until the client
closes stdin. The server is the program memctl-mcp, which lies beside memctl.`

// mcpProgram is the server's name. It is a program of its own: what it links would
// make every prompt slower.
const mcpProgram = "memctl-mcp"

const mcpHint = `put it beside memctl: "make build" and "make install" build both`

func mcpCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "mcp",
		Usage:       "serve memories to an MCP client",
		Description: mcpDescription,
		Flags:       []cli.Flag{rootFlag()},
		Action: func(c *cli.Context) error {
			if err := noArguments(c, ""); err != nil {
				return err
			}
			path, err := mcpPath()
			if err != nil {
				return err
			}
			args := []string{"-as-version", version}
			if root := rootArg(c); root != "" {
				args = append(args, "-root", root)
			}
			return become(c.Context, std, path, args)
		},
	}
}

// mcpPath is the server beside this program, links resolved: nothing else on the
// PATH is started.
func mcpPath() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return "", err
	}
	path := filepath.Join(filepath.Dir(self), mcpProgram)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", &failure{
			err:  fmt.Errorf("%s is not there", path),
			hint: mcpHint,
			code: exitFailed,
		}
	}
	return path, nil
}
