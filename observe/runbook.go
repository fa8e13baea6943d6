package observe

import (
	"memctl/schemas"
	"memctl/text"
)

// Runbook drafts a runbook from a fix: what failed, how, and what was done before it
// worked. The person who saves it completes it.
func (f Fix) Runbook() schemas.Document {
	steps := []any{}
	for _, done := range f.Between {
		steps = append(steps, text.OneLine(done, maxStep))
	}
	subject := text.OneLine(f.Subject, maxStep)
	doc := schemas.Document{
		"category": string(schemas.Runbook),
		"title":    "Fix: " + text.OneLine(f.Subject, maxTitle),
		"content": map[string]any{
			"trigger":      f.Tool + " " + subject + " fails",
			"steps":        append(steps, "Run it again: "+subject),
			"verification": f.Tool + " " + subject + " works",
		},
	}
	if symptom := text.OneLine(f.Error, maxStep); symptom != "" {
		doc["content"].(map[string]any)["symptoms"] = []any{symptom}
	}
	return doc
}

const (
	maxTitle = 100 // code points of the subject in a title
	maxStep  = 500
)
