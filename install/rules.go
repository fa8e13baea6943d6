package install

import (
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// AgentCommands are the commands that an agent runs on its own initiative. They do not
// include commands that delete, or that only a user asks for.
const AgentCommands = "candidate create explain list retire review search show stage status timeline update validate"

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

// allowed lists the rules of what an agent may do without asking.
func (d *document) allowed() []string {
	return d.strings(member(d.section("permissions"), "allow"), "permissions.allow")
}

// strings returns a list. An element that is not a string gives "".
func (d *document) strings(v *hujson.Value, name string) []string {
	array := d.array(v, name)
	list := make([]string, len(array.Elements))
	for i := range list {
		decode(&array.Elements[i], &list[i])
	}
	return list
}

// addRules adds what no other rule allows already.
func (d *document) addRules(rules []string) {
	existing := d.allowed()
	if len(existing) == 0 {
		d.put("/permissions/allow", encode([]string{}))
	}
	for _, rule := range rules {
		if !slices.ContainsFunc(widerRules(rule), func(wider string) bool { return slices.Contains(existing, wider) }) {
			d.put("/permissions/allow/-", encode(rule))
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
