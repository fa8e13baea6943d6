package schemas

import (
	"fmt"
	"strings"
)

// Sentence returns the text that carries a memory: what an agent has to know of it if it
// reads nothing else. It is "" if the content has none.
func (m *Memory) Sentence() string {
	switch c := m.Content.(type) {
	case *ConstraintContent:
		return c.Rule
	case *PreferenceContent:
		return c.Value
	case *DecisionContent:
		return c.Decision
	case *RunbookContent:
		if c.Trigger == "" || len(c.Steps) == 0 {
			return c.Trigger
		}
		steps := fmt.Sprintf("%d steps", len(c.Steps))
		if len(c.Steps) == 1 {
			steps = "one step: " + c.Steps[0]
		}
		return strings.TrimRight(strings.TrimSpace(c.Trigger), ".:;") + ": " + steps
	case *TechDebtContent:
		return c.Description
	case *SessionContent:
		return c.Goal
	}
	return ""
}

// Standing reports whether a memory holds whatever the work is about: a strong preference,
// or a constraint of high severity.
func (m *Memory) Standing() bool {
	switch c := m.Content.(type) {
	case *ConstraintContent:
		return c.Severity == "high" && (c.Active == nil || *c.Active)
	case *PreferenceContent:
		return c.Strength == "strong"
	}
	return false
}
