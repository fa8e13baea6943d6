package main

import (
	"memctl/memdir"
	"memctl/render"
	"memctl/schemas"

	"github.com/urfave/cli/v2"
)

// textconvCommand prints a file for git diff. What is not a memory is printed as it is.
func textconvCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:      "textconv",
		Usage:     "print a memory as text for git diff",
		ArgsUsage: "FILE",
		Hidden:    true,
		Action: func(c *cli.Context) error {
			if err := arguments(c, "FILE"); err != nil {
				return err
			}
			return runTextconv(std, c.Args().First())
		},
	}
}

func runTextconv(std streams, name string) error {
	file, _, err := memdir.OpenRegular(name)
	if err != nil {
		return err
	}
	defer file.Close()
	data, err := memdir.ReadLimited(file, schemas.MaxFileBytes)
	if err != nil {
		return err // git then prints the file
	}
	m, err := schemas.Decode(data)
	if err != nil {
		_, err = std.Out.Write(data)
		return err
	}
	render.MemoryText(std.Out, m)
	return nil
}
