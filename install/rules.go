package install

import (
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// AgentCommands are the commands that an agent runs of its own accord. Commands that
// delete are not among them, and neither are those that only a user asks for.
const AgentCommands = "candidate create explain list retire search show stage status timeline update validate"

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

// serverRules allow an agent to use the server's tools without asking.
func serverRules() []string {
	var rules []string
	for _, tool := range ServerTools {
		rules = append(rules, "mcp__"+ServerName+"__"+tool)
	}
	return rules
}

// addRules adds to permissions.allow what no rule there allows already.
func (d *document) addRules(rules []string) error {
	permissions, err := d.makeSection("permissions")
	if err != nil {
		return err
	}
	allow, err := d.makeArray(permissions, "allow", "permissions.allow")
	if err != nil {
		return err
	}
	for _, rule := range rules {
		if !slices.ContainsFunc(ruleList(allow), func(existing string) bool { return allows(existing, rule) }) {
			d.addElement(allow, inEvent, hujson.String(rule))
		}
	}
	return nil
}

// memctlRules lists the rules that memctl adds, with their pointers.
func (d *document) memctlRules() (rules, pointers []string, err error) {
	permissions, err := d.section("permissions")
	if err != nil || permissions == nil {
		return nil, nil, err
	}
	v := member(permissions, "allow")
	if v == nil {
		return nil, nil, nil
	}
	allow, err := d.array(v, "permissions.allow")
	if err != nil {
		return nil, nil, err
	}
	for i, rule := range ruleList(allow) {
		if slices.Contains(agentRules(), rule) || slices.Contains(serverRules(), rule) {
			rules, pointers = append(rules, rule), append(pointers, pointer("permissions", "allow", i))
		}
	}
	return rules, pointers, nil
}

// ruleList has one rule for each element; an element that is no string gives "".
func ruleList(allow *hujson.Array) []string {
	rules := make([]string, len(allow.Elements))
	for i := range rules {
		decode(&allow.Elements[i], &rules[i])
	}
	return rules
}

// allows reports whether a rule allows everything that another one does. A rule for a
// command is a prefix that ends with a word: Bash(memctl:*), Bash(memctl list *).
func allows(rule, other string) bool {
	wide, ok := commandPrefix(rule)
	narrow, isCommand := commandPrefix(other)
	return rule == other || ok && isCommand && (wide == "" || strings.HasPrefix(narrow+" ", wide+" "))
}

func commandPrefix(rule string) (string, bool) {
	if rule == "Bash" || rule == "Bash(*)" {
		return "", true
	}
	rest, ok := strings.CutPrefix(rule, "Bash(")
	for _, end := range []string{":*)", " *)"} {
		if prefix, found := strings.CutSuffix(rest, end); ok && found && !strings.Contains(prefix, "*") {
			return prefix, true
		}
	}
	return "", false
}
