package settings

import (
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// addRules adds to permissions.allow what no rule there allows already.
func (d *document) addRules(rules []string) error {
	permissions, err := d.sectionOrNew("permissions")
	if err != nil {
		return err
	}
	allow, err := d.listOrNew(permissions, "allow", "permissions.allow")
	if err != nil {
		return err
	}
	for _, rule := range rules {
		if !slices.ContainsFunc(ruleList(allow), func(have string) bool { return allows(have, rule) }) {
			d.addElement(allow, inEvent, hujson.String(rule))
		}
	}
	return nil
}

// ruleList has an element for each of the array's; what is no string is "".
func ruleList(allow *hujson.Array) []string {
	rules := make([]string, len(allow.Elements))
	for i := range rules {
		decode(&allow.Elements[i], &rules[i])
	}
	return rules
}

// allows tells whether a rule allows all that another does. Rules of commands
// are prefixes that end with a word: Bash(memctl:*), Bash(memctl list *).
func allows(have, rule string) bool {
	wide, ok := commandPrefix(have)
	narrow, isCommand := commandPrefix(rule)
	return have == rule || ok && isCommand && (wide == "" || strings.HasPrefix(narrow+" ", wide+" "))
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
