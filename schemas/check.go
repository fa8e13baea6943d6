package schemas

import (
	"errors"
	"reflect"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"memctl/text"
)

// Check says what breaks a constraint, so that nothing has to be guessed from its words.
type Check struct {
	ForbiddenCommand string `json:"forbidden_command,omitempty"` // as code between backquotes in a text
	ForbiddenLines   string `json:"forbidden_lines,omitempty"`   // a regular expression that added lines must not match
	Instead          string `json:"instead,omitempty"`
	// Proposed is set while the check is memctl's own reading of the text, which a person has not confirmed.
	Proposed bool `json:"proposed,omitempty"`
	Rest     `json:"-"`
}

// maxChecked is how many code points a command or an expression of a check has at most, as the schema states it.
const maxChecked = 200

// Check returns the check of a constraint if it applies, nil if there is none or it is only proposed.
func (m *Memory) Check() *Check {
	c, ok := m.Content.(*ConstraintContent)
	if !ok || !c.Check.applies() {
		return nil
	}
	return c.Check
}

// ProposedCheck returns the check that memctl has proposed for a constraint, nil if there is none.
func (m *Memory) ProposedCheck() *Check {
	c, ok := m.Content.(*ConstraintContent)
	if !ok || c.Check == nil || !c.Check.Proposed {
		return nil
	}
	return c.Check
}

// applies reports whether a check has an effect. One whose "proposed" is not a boolean has none.
func (c *Check) applies() bool {
	if c == nil || c.Proposed {
		return false
	}
	other, isThere := c.Rest["proposed"]
	return !isThere || other == false
}

// command returns the forbidden command of a check that applies, with one space between its words.
func (c *Check) command() string {
	if !c.applies() {
		return ""
	}
	return strings.Join(strings.Fields(c.ForbiddenCommand), " ")
}

// Lines returns the expression of the forbidden lines, nil if there is none that can be used.
func (c *Check) Lines() *regexp.Regexp {
	if c == nil || c.ForbiddenLines == "" {
		return nil
	}
	return Expression(c.ForbiddenLines)
}

// Expression compiles an expression for lines, nil for one that a check cannot have.
func Expression(s string) *regexp.Regexp {
	if utf8.RuneCountInString(s) > maxChecked || badExpression(s) != "" {
		return nil
	}
	return regexp.MustCompile(s)
}

// String says what a check forbids.
func (c *Check) String() string {
	said := "forbidden command " + c.ForbiddenCommand
	if c.ForbiddenCommand == "" {
		said = "forbidden lines " + c.ForbiddenLines
	}
	if c.Instead != "" {
		said += ", instead " + c.Instead
	}
	return said
}

// badExpression says why a text is not an expression for lines, "" if it is one. It leaves the length to the schema.
func badExpression(s string) string {
	if utf8.RuneCountInString(s) > maxChecked {
		return ""
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' }) {
		return "a tab or a line break"
	}
	_, err := regexp.Compile(s)
	if wrong := (*syntax.Error)(nil); errors.As(err, &wrong) {
		return string(wrong.Code)
	}
	return ""
}

// unchecked returns the content without a check, whose strings are for programs.
func (m *Memory) unchecked() reflect.Value {
	if c, ok := m.Content.(*ConstraintContent); ok && c.Check != nil {
		bare := *c
		bare.Check = nil
		return reflect.ValueOf(bare)
	}
	return m.content()
}

// ShowsBreach reports whether it can be seen in a session that a memory is not kept: it forbids a command of several
// words everywhere, or its check applies. Other code that a text forbids may be no command.
func (m *Memory) ShowsBreach() bool {
	return m.Check() != nil || slices.ContainsFunc(m.Code().Always(), command().MatchString)
}

// command matches code that looks like a command: two words or more of letters, digits and a few signs.
var command = text.Pattern(`^(?:\./|[a-z])[A-Za-z0-9._/:=@<>…-]* [A-Za-z0-9 ._/:=@<>…-]+$`)

// plainWord matches code that is a word of prose too, such as the name of a branch.
var plainWord = text.Pattern(`^[A-Z]?[a-z]+$`)

// ProposeCheck gives a constraint a check that its text states, unless it has one that applies: of the code that it
// forbids, and of the first other code. What a check cannot say as the text does, it does not propose: two
// commands, a plain word, or a condition. The check has no effect before a person confirms it.
func (m *Memory) ProposeCheck() {
	c, ok := m.Content.(*ConstraintContent)
	if !ok || c.Check.applies() {
		return
	}
	c.Check = nil
	var forbidden, limited, wanted []string
	for _, said := range append([]string{c.Rule, m.Title}, c.Impact...) {
		code := text.Code(said)
		forbidden, limited = append(forbidden, code.Forbidden...), append(limited, code.Limited...)
		wanted = slices.Concat(wanted, code.Wanted, code.Run)
	}
	slices.Sort(forbidden)
	forbidden = slices.Compact(forbidden)
	isCommand := slices.ContainsFunc(forbidden, command().MatchString)
	if len(forbidden) == 0 || len(limited) > 0 || isCommand && len(forbidden) > 1 ||
		slices.ContainsFunc(forbidden, plainWord().MatchString) {
		return
	}
	proposed := &Check{Proposed: true}
	if isCommand {
		proposed.ForbiddenCommand = forbidden[0]
	} else {
		for i, code := range forbidden {
			forbidden[i] = linesWith(code)
		}
		proposed.ForbiddenLines = strings.Join(forbidden, "|")
	}
	if len(wanted) > 0 {
		proposed.Instead = wanted[0]
	}
	if utf8.RuneCountInString(proposed.ForbiddenCommand+proposed.ForbiddenLines) <= maxChecked {
		c.Check = proposed
	}
}

// wordSign is what \b of an expression may stand beside in code.
var wordSign = text.Pattern(`^[A-Za-z0-9]$`)

// linesWith returns the expression of the lines that have some code, which is no part of a longer word there.
func linesWith(code string) string {
	expression := regexp.QuoteMeta(code)
	if wordSign().MatchString(code[:1]) {
		expression = `\b` + expression
	}
	if wordSign().MatchString(code[len(code)-1:]) {
		expression += `\b`
	}
	return expression
}
