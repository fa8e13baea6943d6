package main

import (
	"fmt"

	"github.com/urfave/cli/v2"
)

const completionDescription = `Prints a script that completes memctl's commands and flags.

   bash   memctl completion bash > ~/.local/share/bash-completion/completions/memctl
   zsh    memctl completion zsh > "${fpath[1]}/_memctl"
   fish   memctl completion fish > ~/.config/fish/completions/memctl.fish`

// The scripts ask memctl itself what may come next.
var completions = map[string]string{
	"bash": `_memctl() {
    local words=("${COMP_WORDS[@]:0:COMP_CWORD}")
    local current="${COMP_WORDS[COMP_CWORD]}"
    [[ "$current" == -* ]] && words+=("$current")
    COMPREPLY=($(compgen -W "$("${words[@]}" --generate-bash-completion 2>/dev/null)" -- "$current"))
}
complete -o bashdefault -o default -F _memctl memctl
`,
	"zsh": `#compdef memctl
_memctl() {
    local -a asked options
    asked=("${(@)words[1,CURRENT-1]}")
    [[ "${words[CURRENT]}" == -* ]] && asked+=("${words[CURRENT]}")
    options=("${(@f)$(_CLI_ZSH_AUTOCOMPLETE_HACK=1 "${asked[@]}" --generate-bash-completion 2>/dev/null)}")
    if [[ -n "${options[1]}" ]]; then _describe values options; else _files; fi
}
compdef _memctl memctl
`,
	"fish": `function __memctl_complete
    set -l asked (commandline -opc)
    set -l current (commandline -ct)
    string match -q -- '-*' $current; and set -a asked $current
    $asked --generate-bash-completion 2>/dev/null
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
