package main

import (
	"fmt"

	"memctl/text"

	"github.com/urfave/cli/v2"
)

const completionDescription = `Prints a script that completes memctl's commands and flags, the values of flags, ids of
memories and keys of settings.

   bash   memctl completion bash > ~/.local/share/bash-completion/completions/memctl
   zsh    memctl completion zsh > "${fpath[1]}/_memctl"
   fish   memctl completion fish > ~/.config/fish/completions/memctl.fish

For this shell only, in bash and zsh: source <(memctl completion bash), or zsh.`

// The scripts ask memctl itself what may come next: "memctl complete -- WORDS" prints
// a word, a tab and what it means on each line.
var completions = map[string]string{
	"bash": `_memctl() {
    local IFS=$'\n'
    COMPREPLY=($("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o bashdefault -o default -F _memctl memctl
`,
	"zsh": `#compdef memctl
_memctl() {
    local -a found
    found=("${(@f)$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -z "${found[1]}" ]]; then _files; return; fi
    found=("${(@)found//:/\\:}")
    found=("${(@)found/$'\t'/:}")
    _describe memctl found
}
if [[ "${funcstack[1]}" == _memctl ]]; then _memctl "$@"; else compdef _memctl memctl; fi
`,
	"fish": `function __memctl_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    $words[1] complete -- $words[2..-1] "$typed" 2>/dev/null
end
complete -c memctl -a '(__memctl_complete)'
`,
}

func completionCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "completion",
		Usage:       "print a completion script for bash, zsh or fish",
		ArgsUsage:   "SHELL",
		Description: completionDescription,
		Action: func(c *cli.Context) error {
			script, ok := completions[c.Args().First()]
			if !ok || c.NArg() != 1 {
				return usagef("completion: expected one of bash, zsh, fish, got %q", c.Args().First())
			}
			_, err := fmt.Fprint(std.Out, script)
			return err
		},
	}
}

// completeCommand answers the scripts.
func completeCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:   "complete",
		Usage:  "print what may come next on a command line: memctl complete -- WORD...",
		Hidden: true,
		Action: func(c *cli.Context) error {
			for _, s := range suggest(c.App, c.Args().Slice()) {
				fmt.Fprintf(std.Out, "%s\t%s\n", text.Printable(s.word), s.meaning)
			}
			return nil
		},
	}
}
