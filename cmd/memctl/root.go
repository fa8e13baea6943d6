package main

import (
	"context"
	"fmt"

	"memctl/memdir"
	"memctl/schemas"

	"github.com/urfave/cli/v2"
)

func rootFlag() cli.Flag {
	return &cli.StringFlag{
		Name:  "root",
		Usage: "use the project or memory root `DIR`",
	}
}

// rootArg returns --root wherever on the command line it stands.
func rootArg(c *cli.Context) string {
	for _, level := range c.Lineage() {
		if level.IsSet("root") {
			return level.String("root")
		}
	}
	return ""
}

// wholeRootCommand is a command on all of a memory root, which takes no arguments.
func wholeRootCommand(name, usage, description string, run func(ctx context.Context, root memdir.Root, asJSON bool) error) *cli.Command {
	return &cli.Command{
		Name:        name,
		Usage:       usage,
		Description: description,
		Flags:       []cli.Flag{rootFlag(), jsonFlag()},
		Action: func(c *cli.Context) error {
			if err := noArguments(c, ""); err != nil {
				return err
			}
			root, err := findRoot(c)
			if err != nil {
				return err
			}
			return run(c.Context, root, c.Bool("json"))
		},
	}
}

func findRoot(c *cli.Context) (memdir.Root, error) {
	return memdir.Find(memdir.PlacesFromEnv(rootArg(c), ""))
}

// findConfigured returns the root and its configuration; the configuration's
// warnings go to stderr.
func findConfigured(c *cli.Context, std streams) (memdir.Root, schemas.Config, error) {
	root, err := findRoot(c)
	if err != nil {
		return root, schemas.Config{}, err
	}
	cfg, err := loadConfig(root, std)
	return root, cfg, err
}

func loadConfig(root memdir.Root, std streams) (schemas.Config, error) {
	cfg, warnings, err := root.Config()
	if err != nil {
		return schemas.Config{}, &failure{err: fmt.Errorf("read %s: %w", memdir.ConfigName, err), hint: configHint, code: exitFailed}
	}
	for _, w := range warnings {
		fmt.Fprintf(std.Err, "memctl: warning: %s\n", w)
	}
	return cfg, nil
}

const configHint = "make the file readable, or remove it to use the defaults"
