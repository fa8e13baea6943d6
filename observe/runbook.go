package observe

import (
	"memctl/schemas"
	"memctl/text"
)

// Runbook drafts a runbook from a fix: what failed, how, and what was done before it
// worked. The person who saves it completes it.
func (f Fix) Runbook() *schemas.Memory {
	subject := text.OneLine(f.Subject, maxStep)
	content := &schemas.RunbookContent{
		Trigger:      f.Tool + " " + subject + " fails",
		Verification: f.Tool + " " + subject + " works",
	}
	for _, done := range f.Between {
		content.Steps = append(content.Steps, text.OneLine(done, maxStep))
	}
	content.Steps = append(content.Steps, "Run it again: "+subject)
	if symptom := text.OneLine(f.Error, maxStep); symptom != "" {
		content.Symptoms = []string{symptom}
	}
	return &schemas.Memory{
		Category: schemas.Runbook,
		Title:    "Fix: " + text.OneLine(f.Subject, maxTitle),
		Content:  content,
	}
}

const (
	maxTitle = 100 // code points of the subject in a title
	maxStep  = 500
)
