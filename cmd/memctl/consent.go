package main

import (
	"bufio"
	"context"
	"fmt"
	"memctl/render"
	"strings"

	"github.com/urfave/cli/v2"
)

// agentCommands are what an agent runs of its own accord. What deletes is not
// among them, nor what only a user asks for.
const agentCommands = "candidate create explain list retire search show stage status timeline update validate"

// agentRules allow an agent these commands, as the client writes such rules. They
// go by the words of a command line, so the agent has to call memctl by its name.
func agentRules() []string {
	var rules []string
	for name := range strings.FieldsSeq(agentCommands) {
		rules = append(rules, "Bash(memctl "+name+":*)")
	}
	return rules
}

// serverTools are the tools of the MCP server, in the order of their use.
var serverTools = []string{"search", "timeline", "get", "save"}

// serverRules allow an agent these tools, as the client names them.
func serverRules() []string {
	var rules []string
	for _, tool := range serverTools {
		rules = append(rules, "mcp__"+serverName+"__"+tool)
	}
	return rules
}

// consent is what the user says to something.
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

// ask asks on a terminal; elsewhere it leaves the question open. No answer is a
// refusal.
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
func permissionsQuestion(p place) string {
	question := fmt.Sprintf("Let the agent run these without asking, by rules in %s?\n  memctl %s", p.path, agentCommands)
	if p.server {
		question += "\n  the tools of the MCP server: " + strings.Join(serverTools, " ")
	}
	return question
}
