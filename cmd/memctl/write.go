package main

import (
	"fmt"
	"time"

	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// What every command that writes says in its help.
const writeContract = `The answer is JSON on stdout. A refusal is a code, such as MERGE_ERROR, on a line of
stderr, then lines that say what was wrong and what to do; nothing was written then.
[AUTO-FIX] and [WARN] lines on stderr say what was mended and what to look at.
Exit status: 0 done, 1 refused, 2 wrong usage.`

func targetFlag(usage string) cli.Flag {
	return &cli.StringFlag{Name: "target", Usage: usage}
}

func inputFlag() cli.Flag {
	return &cli.StringFlag{Name: "input", Usage: "read the memory from `FILE` in the temporary folder, removed when done; - is stdin"}
}

// required refuses a command line that leaves out a flag, or has an argument
// that is none of a flag.
func required(c *cli.Context, names ...string) error {
	if err := noArguments(c, "; use --target PATH"); err != nil {
		return err
	}
	for _, name := range names {
		if c.String(name) == "" {
			return usagef("%s needs --%s", c.Command.Name, name)
		}
	}
	return nil
}

// writeStep is called between the steps of a change: tests kill the process there.
var writeStep func()

// newWriter makes the writer of the root in use. Where there is none, planned is
// set and the root is the one that create would make.
func newWriter(c *cli.Context, std streams) (w *writer.Writer, planned bool, err error) {
	root, planned, err := memdir.FindOrPlan(memdir.PlacesFromEnv(rootArg(c), ""))
	if err != nil {
		return nil, false, err
	}
	if planned {
		return writerWith(root, schemas.DefaultConfig(), std), true, nil
	}
	w, err = writerOf(root, std)
	return w, false, err
}

// writerOf makes the writer of a root that is there.
func writerOf(root memdir.Root, std streams) (*writer.Writer, error) {
	cfg, err := loadConfig(root, std)
	if err != nil {
		return nil, err
	}
	return writerWith(root, cfg, std), nil
}

func writerWith(root memdir.Root, cfg schemas.Config, std streams) *writer.Writer {
	notify := func(n writer.Notice) { fmt.Fprintln(std.Err, text.Printable(n.String())) }
	return &writer.Writer{Root: root, Config: cfg, Now: time.Now, Notify: notify, Step: writeStep}
}

// existingWriter is newWriter for a root that must be there.
func existingWriter(c *cli.Context, std streams) (*writer.Writer, error) {
	w, planned, err := newWriter(c, std)
	if err == nil && planned {
		err = memdir.ErrNoRoot
	}
	return w, err
}

// used removes a draft whose memory is safe.
func used(std streams, in writer.Input) {
	if err := in.Remove(); err != nil {
		fmt.Fprintf(std.Err, "memctl: warning: the draft could not be removed: %v\n", err)
	}
}
