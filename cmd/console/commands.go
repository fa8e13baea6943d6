package console

import (
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"memctl/text"

	"github.com/urfave/cli/v2"
)

// Prepare sets up what all commands of a program have in common. withHint adds a hint to an
// error that has none.
func Prepare(commands []*cli.Command, withHint func(*cli.Context, error) error) {
	for _, command := range commands {
		command.OnUsageError = UsageError
		command.HideHelpCommand = true
		if check := command.Before; check != nil {
			command.Before = func(c *cli.Context) error { return withHint(c, check(c)) }
		}
		if act := command.Action; act != nil {
			command.Action = func(c *cli.Context) error { return withHint(c, act(c)) }
		}
		for _, flag := range command.Flags {
			if yes, ok := flag.(*cli.BoolFlag); ok {
				yes.DisableDefaultText = true // "(default: false)" says nothing
			}
		}
		Prepare(command.Subcommands, withHint)
	}
}

// NoCommand is the action of a program that is called without a command that it knows.
func NoCommand(c *cli.Context) error {
	name, program := c.Args().First(), c.App.Name
	switch name {
	case "":
		return cli.ShowAppHelp(c)
	case "help":
		return c.App.RunContext(c.Context, append(append([]string{program}, c.Args().Tail()...), "--help"))
	}
	var names []string
	for _, command := range c.App.VisibleCommands() {
		names = append(names, command.Name)
	}
	hint := fmt.Sprintf(`run "%s --help" for the commands`, program)
	if meant := text.Nearest(name, names); meant != "" {
		hint = fmt.Sprintf(`did you mean "%s %s"?`, program, meant)
	}
	return &Failure{Err: fmt.Errorf("unknown command %q", name), Hint: hint, Code: ExitUsage}
}

// Interspersed lets flags stand after arguments ("memctl search words --json"). The
// flag package looks for flags only before them, so it moves them there. What
// follows "--" stays, and so do the arguments of a command that passes them on.
func Interspersed(app *cli.App, args []string) []string {
	commands, flags := app.Commands, app.Flags
	sorted, words := args[:min(1, len(args)):1], args[min(1, len(args)):]
	var rest []string
	for len(words) > 0 {
		word, n := words[0], 1
		command := CommandNamed(commands, word)
		switch {
		case word == "--":
			n = len(words)
			rest = append(rest, words[1:]...)
		case isFlag(word):
			n = min(Width(flags, word), len(words))
			sorted = append(sorted, words[:n]...)
		case command != nil && len(rest) == 0 && command.SkipFlagParsing:
			return append(sorted, words...)
		case command != nil && len(rest) == 0:
			sorted = append(sorted, word)
			commands, flags = command.Subcommands, command.Flags
		default:
			rest = append(rest, word)
		}
		words = words[n:]
	}
	if len(rest) > 0 {
		sorted = append(append(sorted, "--"), rest...)
	}
	return sorted
}

// CommandNamed returns the command with a name, nil if there is none.
func CommandNamed(commands []*cli.Command, name string) *cli.Command {
	i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(name) })
	if i < 0 {
		return nil
	}
	return commands[i]
}

// isFlag reports whether a word is a flag: "-" and negative numbers are not.
func isFlag(word string) bool {
	_, notANumber := strconv.ParseFloat(word, 64)
	return strings.HasPrefix(word, "-") && word != "-" && notANumber != nil
}

// Width is the number of arguments that a flag takes up, itself included.
func Width(flags []cli.Flag, word string) int {
	name := strings.TrimLeft(word, "-")
	for _, flag := range flags {
		if _, isBool := flag.(*cli.BoolFlag); !isBool && slices.Contains(flag.Names(), name) {
			return 2
		}
	}
	return 1
}

// Help is the help of a program's commands: a file help/NAME.txt for each. It begins with a line
// for the command and each of its subcommands: "PROGRAM NAME ARGUMENTS: what it does". Below it, indented,
// are the flags: "--name, -n: usage", or names of flags that are declared elsewhere. One whose usage names
// its `VALUE` takes one, or several if "..." follows the name. The description follows after a blank line. A last line
// "@PART" includes help/PART.txt, which several descriptions share. A subcommand may have its own file,
// help/NAME-SUBCOMMAND.txt.
type Help struct {
	Files   fs.FS
	Program string
	Shared  func(name string) []cli.Flag // flags that several commands have; nil for none
}

// Command returns the command of a name, such as "config get", whose line is in the file of its group.
func (h Help) Command(name string, run cli.ActionFunc, flags ...cli.Flag) *cli.Command {
	cmd := &cli.Command{Name: name[strings.LastIndex(name, " ")+1:], Flags: flags, Action: run}
	group, _, below := strings.Cut(name, " ")
	if own := strings.ReplaceAll(name, " ", "-"); below && h.has(own) {
		group, below = own, false
	}
	heads, description, _ := strings.Cut(h.Read(group), "\n\n")
	for head := range strings.SplitSeq("\n"+heads, "\n"+h.Program+" ") {
		if rest, ok := strings.CutPrefix(head, name); ok && strings.ContainsAny(rest[:1], " :") {
			line, declared, _ := strings.Cut(rest, "\n")
			cmd.ArgsUsage, cmd.Usage, _ = strings.Cut(line, ": ")
			cmd.ArgsUsage = strings.TrimSpace(cmd.ArgsUsage)
			cmd.Flags = h.flags(declared, flags)
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

// flags are those that the help declares or names, and then the rest of a command's own.
func (h Help) flags(declared string, own []cli.Flag) (flags []cli.Flag) {
	own = slices.Clone(own)
	for line := range strings.SplitSeq(declared, "\n") {
		if names, usage, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			flags = append(flags, newFlag(names, usage))
			continue
		}
		for name := range strings.FieldsSeq(line) {
			if i := slices.IndexFunc(own, func(f cli.Flag) bool { return f.Names()[0] == name }); i >= 0 {
				flags, own = append(flags, own[i]), slices.Delete(own, i, i+1)
			} else {
				flags = append(flags, h.Shared(name)...)
			}
		}
	}
	return append(flags, own...)
}

func newFlag(names, usage string) cli.Flag {
	var aliases []string
	for name := range strings.SplitSeq(names, ", ") {
		aliases = append(aliases, strings.TrimLeft(name, "-"))
	}
	name, aliases := aliases[0], aliases[1:]
	if name, several := strings.CutSuffix(name, "..."); several {
		return &cli.StringSliceFlag{Name: name, Aliases: aliases, Usage: usage}
	}
	if strings.Contains(usage, "`") {
		return &cli.StringFlag{Name: name, Aliases: aliases, Usage: usage}
	}
	return &cli.BoolFlag{Name: name, Aliases: aliases, Usage: usage}
}

func (h Help) has(name string) bool {
	_, err := fs.Stat(h.Files, "help/"+name+".txt")
	return err == nil
}

// Read returns the text of a file.
func (h Help) Read(name string) string {
	data, err := fs.ReadFile(h.Files, "help/"+name+".txt")
	if err != nil {
		panic(err) // a test makes every command
	}
	return strings.TrimSuffix(string(data), "\n")
}

// Version is the release of all programs. The manifests of the plugin name it too: its
// client offers an update only where the number is another one.
const Version = "0.2.0"

// Build describes the build, for a program that installs or updates memctl.
type Build struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

// ThisBuild returns the build of this program, whose linker knew the commit.
func ThisBuild(commit string) Build {
	return Build{Version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH}
}

func (b Build) String() string {
	return fmt.Sprintf("%s (%s, %s %s/%s)", b.Version, b.Commit, b.Go, b.OS, b.Arch)
}

// Together reads from the first of several file systems that has a file.
type Together []fs.FS

func (t Together) Open(name string) (file fs.File, err error) {
	err = &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	for _, files := range t {
		if file, err = files.Open(name); err == nil {
			return file, nil
		}
	}
	return nil, err
}
