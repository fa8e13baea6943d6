package main

import (
	"fmt"
	"strings"

	"memctl/cmd/console"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

const completionDescription = `Prints a script that completes memctl's commands and flags, the values of flags, ids of
memories and keys of settings.

   bash   memctl completion bash > ~/.local/share/bash-completion/completions/memctl
   zsh    memctl completion zsh > "${fpath[1]}/_memctl"
   fish   memctl completion fish > ~/.config/fish/completions/memctl.fish

   PowerShell   memctl completion powershell >> $PROFILE

For this shell only, in bash and zsh: source <(memctl completion bash), or zsh.`

// The scripts ask memctl itself what may come next: "memctl complete -- WORDS" prints
// a word, a tab and what it means on each line. PowerShell may drop an empty argument, so
// its script gives the word that is being completed as a flag.
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
	"powershell": `Register-ArgumentCompleter -Native -CommandName memctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    $arguments = @('complete', "--typed=$wordToComplete", '--') + $before
    & $commandAst.CommandElements[0].ToString() @arguments 2>$null | ForEach-Object {
        $word, $meaning = $_ -split "\t", 2
        if (-not $meaning) { $meaning = $word }
        [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $meaning)
    }
}
`,
}

// shells are the names of the completions.
var shells = []string{"bash", "zsh", "fish", "powershell"}

func completionCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "completion",
		Usage:       "print a completion script for bash, zsh, fish or PowerShell",
		ArgsUsage:   "SHELL",
		Description: completionDescription,
		Action: func(c *cli.Context) error {
			script, ok := completions[c.Args().First()]
			if !ok || c.NArg() != 1 {
				return console.Usagef("completion: expected one of %s, got %q", strings.Join(shells, ", "), c.Args().First())
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
		Flags:  []cli.Flag{&cli.StringFlag{Name: "typed", Usage: "the `WORD` to complete, after the others"}},
		Action: func(c *cli.Context) error {
			words := c.Args().Slice()
			if c.IsSet("typed") {
				words = append(words, c.String("typed"))
			}
			for _, s := range suggest(c.App, words) {
				fmt.Fprintf(std.Out, "%s\t%s\n", text.Printable(s.word), s.meaning)
			}
			return nil
		},
	}
}
