package clients

import (
	"slices"
	"strings"

	"memctl/jsonedit"
)

// AgentCommands are the commands that an agent runs on its own initiative. They do not
// include commands that delete, or that only a user asks for.
const AgentCommands = "add candidate create explain list retire review search show stage status timeline update validate"

// ServerTools are the tools of the MCP server, in the order of their use.
var ServerTools = []string{"search", "timeline", "get", "save"}

// agentRules allow an agent to run its commands without asking. They match the words
// of a command line, so the agent has to call memctl by its name.
func agentRules() []string {
	var rules []string
	for name := range strings.FieldsSeq(AgentCommands) {
		rules = append(rules, "Bash(memctl "+name+":*)")
	}
	return rules
}

// toolRules allow an agent to use the tools of a server without asking.
func toolRules(server string) []string {
	var rules []string
	for _, tool := range ServerTools {
		rules = append(rules, "mcp__"+server+"__"+tool)
	}
	return rules
}

// allRules are the rules that Install may add.
func allRules() []string {
	return slices.Concat(agentRules(), toolRules(ServerName), toolRules(pluginServer))
}

// allowed is the list of what an agent may do without asking.
func (s settings) allowed() jsonedit.Value { return s.Root().Member("permissions").Member("allow") }

// addRules adds what no other rule allows already.
func (s settings) addRules(rules []string) {
	list := s.allowed().Pointer
	existing := s.allowed().Strings()
	if len(existing) == 0 {
		s.Put(list, []string{})
	}
	for _, rule := range rules {
		isThere := func(wider string) bool { return slices.Contains(existing, wider) }
		if !slices.ContainsFunc(widerRules(rule), isThere) {
			s.Put(list+"/-", rule)
		}
	}
}

// widerRules lists the rules that allow what a rule allows, itself included.
func widerRules(rule string) []string {
	if command, ok := strings.CutSuffix(rule, ":*)"); ok {
		return []string{rule, command + " *)", "Bash(memctl:*)", "Bash(memctl *)", "Bash(*)", "Bash"}
	}
	server := rule[:strings.LastIndex(rule, "__")] // a tool's rule is mcp__SERVER__TOOL
	return []string{rule, server, server + "__*"}
}
