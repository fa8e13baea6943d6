package console

import (
	"io/fs"
	"strings"

	"github.com/urfave/cli/v2"
)

// Help is what a program says of its commands: a file help/NAME.txt for each. It begins with a line
// for the command and each of its subcommands: "PROGRAM NAME ARGUMENTS: what it does". The description
// follows after a blank line. A last line "@PART" stands for a file that several descriptions share.
type Help struct {
	Files   fs.FS
	Program string
}

// Command returns the command of a name, such as "config get", whose line is in the file of its group.
func (h Help) Command(name string, run cli.ActionFunc, flags ...cli.Flag) *cli.Command {
	cmd := &cli.Command{Name: name[strings.LastIndex(name, " ")+1:], Flags: flags, Action: run}
	group, _, below := strings.Cut(name, " ")
	heads, description, _ := strings.Cut(h.Read(group), "\n\n")
	for head := range strings.SplitSeq(heads, "\n") {
		if rest, ok := strings.CutPrefix(head, h.Program+" "+name); ok && strings.ContainsAny(rest[:1], " :") {
			cmd.ArgsUsage, cmd.Usage, _ = strings.Cut(rest, ": ")
			cmd.ArgsUsage = strings.TrimSpace(cmd.ArgsUsage)
			break
		}
	}
	if below {
		return cmd
	}
	cmd.Description = description
	if i := strings.LastIndex(description, "\n@") + 1; i > 0 {
		cmd.Description = description[:i] + h.Read(description[i+1:])
	}
	return cmd
}

// Read returns the text of a file.
func (h Help) Read(name string) string {
	data, err := fs.ReadFile(h.Files, "help/"+name+".txt")
	if err != nil {
		panic(err) // a test makes every command
	}
	return strings.TrimSuffix(string(data), "\n")
}
