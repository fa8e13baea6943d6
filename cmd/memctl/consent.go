package main

import (
	"bufio"
	"context"
	"fmt"
	"memctl/render"
	"strings"

	"memctl/install"

	"github.com/urfave/cli/v2"
)

// consent is the user's decision, by a flag or an answer.
type consent int

const (
	undecided consent = iota
	granted
	declined
)

// consentArg reads a flag and its opposite, --no-NAME.
func consentArg(c *cli.Context, name string) (consent, error) {
	yes, no := c.Bool(name), c.Bool("no-"+name)
	switch {
	case yes && no:
		return undecided, usagef("--%s and --no-%s contradict each other", name, name)
	case yes:
		return granted, nil
	case no:
		return declined, nil
	}
	return undecided, nil
}

// ask asks on a terminal, where no answer means no. Elsewhere the question stays open.
func ask(ctx context.Context, std streams, question string) (consent, error) {
	if !canAsk(std) {
		return undecided, nil
	}
	fmt.Fprintf(std.Err, "%s\n[y/N] ", question)
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(std.In).ReadString('\n')
		answer <- line
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(std.Err)
		return declined, ctx.Err()
	case line := <-answer:
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "y", "yes":
			return granted, nil
		}
		return declined, nil
	}
}

func canAsk(std streams) bool { return render.IsTerminal(std.In) && render.IsTerminal(std.Err) }

// permissionsQuestion asks for the rules.
func (in *installation) permissionsQuestion() string {
	question := fmt.Sprintf("Let the agent run these without asking, by rules in %s?\n  memctl %s", in.Settings, install.AgentCommands)
	if in.Server {
		question += "\n  the tools of the MCP server: " + strings.Join(install.ServerTools, " ")
	}
	return question
}
