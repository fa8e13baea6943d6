package writer

import (
	"errors"
	"strings"
	"testing"

	"memctl/schemas"
)

// Any text becomes a valid memory of any category, or is refused with a writer's error.
func FuzzAdd(f *testing.F) {
	f.Add("Kafka keeps events for 14 days. A replay takes a week.", "")
	f.Add("\x00\u200b\n\n.", "kafka")
	f.Add("재시도는 세 번이다。 <private>Hanbit</private>", "a,b")
	f.Fuzz(func(t *testing.T, line, tag string) {
		for _, info := range schemas.Categories {
			w, _ := testWriter()
			form := schemas.FormOf(info.Category)
			doc := &schemas.Memory{}
			if tag != "" {
				doc.Tags = []string{tag}
			}
			w.fill(form, doc, strings.TrimSpace(strings.ToValidUTF8(line, "?")))
			if doc.Title == "" {
				continue // Add refuses it
			}
			_, data, _, err := w.newMemory(info.Category, "", doc)
			if refused := new(Error); err != nil && !errors.As(err, &refused) {
				t.Errorf("refused with %v", err)
			}
			if violations := schemas.Validate(data); err == nil && violations != nil {
				t.Errorf("%s is not valid: %v", data, violations)
			}
		}
	})
}
