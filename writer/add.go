package writer

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
)

// carries are the fields that carry a memory, as schemas.Memory.Sentence has them. Add fills them from
// the first sentence of a text, and the other required texts but the topic from the rest. Those
// for which the text has nothing are empty.
var carries = map[string]bool{
	"decision": true, "rule": true, "value": true, "trigger": true, "description": true, "goal": true,
}

// ErrNoText means that there is nothing to make a memory of.
var ErrNoText = errors.New("there is no text to save")

// Add makes a memory of a text. The given memory has the fields that are known
// already. The first sentence is the title, unless one is given. The text also fills the
// required fields that are missing; those with a default get that. For a constraint that forbids code it proposes a
// check.
func (w *Writer) Add(
	ctx context.Context, category schemas.Category, line string, fields *schemas.Memory,
) (Saved, error) {
	removed, err := w.Draft(category, line, fields)
	if err != nil {
		return Saved{}, err
	}
	fields.ProposeCheck()
	saved, err := w.createMemory(ctx, category, "", fields, redactions(removed)...)
	saved.Check = fields.ProposedCheck()
	return saved, err
}

// Draft fills a memory as Add does, and saves nothing. It returns the fields from which something private was removed.
func (w *Writer) Draft(category schemas.Category, line string, fields *schemas.Memory) ([]privacy.Field, error) {
	line, removed, err := w.redactText(line, fields)
	if err != nil {
		return nil, err
	}
	w.fill(schemas.FormOf(category), fields, line)
	if fields.Title == "" {
		return nil, ErrNoText
	}
	return removed, nil
}

// Restate gives a memory another text, and the fields of the given one. The fields that a
// text does not fill stay as they are.
func (w *Writer) Restate(ctx context.Context, target, line string, fields *schemas.Memory) (Saved, error) {
	line, removed, err := w.redactText(line, fields)
	if err != nil {
		return Saved{}, err
	}
	if line == "" {
		return Saved{}, ErrNoText
	}
	var proposed *schemas.Check
	restated := func(m *memory, fields *schemas.Memory) (*schemas.Memory, place, error) {
		doc, err := m.decode()
		if err != nil {
			return nil, place{}, err
		}
		form := schemas.FormOf(m.category)
		content := doc.ContentValues()
		for _, field := range form.Content {
			if field.Required && (carries[field.Name] || takesRest(field)) {
				delete(content, field.Name)
			}
		}
		doc.SetContent(content)
		doc.Title = fields.Title
		doc.Tags = append(doc.Tags, without(fields.Tags, doc.Tags)...)
		doc.RelatedFiles = append(doc.RelatedFiles, without(fields.RelatedFiles, doc.RelatedFiles)...)
		doc.Folder = cmp.Or(fields.Folder, doc.Folder)
		for name, value := range fields.ContentFields() {
			content[name] = value
		}
		doc.SetContent(content)
		created := doc.CreatedAt
		before, isSummary := doc.Content.(*schemas.SessionContent)
		if isSummary { // it says where the work stands now
			doc.Content = schemas.NewContent(m.category)
		}
		w.fill(form, doc, line)
		doc.CreatedAt = created
		if isSummary {
			w.goOn(before, doc)
		}
		doc.ProposeCheck()
		proposed = doc.ProposedCheck()
		return w.edited(m, doc)
	}
	saved, err := w.replaceWith(ctx, target, fields, redactions(removed), restated)
	saved.Check = proposed
	return saved, err
}

// goOn keeps the completed items and key changes of the summary before, and the rest of it in the history.
func (w *Writer) goOn(before *schemas.SessionContent, doc *schemas.Memory) {
	now := doc.Content.(*schemas.SessionContent)
	for _, list := range []struct{ before, now *[]string }{
		{&before.Completed, &now.Completed}, {&before.KeyChanges, &now.KeyChanges},
	} {
		isKnown := func(item string) bool { return slices.Contains(*list.before, item) }
		*list.now = append(slices.Clone(*list.before), slices.DeleteFunc(*list.now, isKnown)...)
	}
	for _, list := range []struct {
		field       string
		before, now []string
	}{
		{"next_actions", before.NextActions, now.NextActions},
		{"in_progress", before.InProgress, now.InProgress},
		{"blockers", before.Blockers, now.Blockers},
	} {
		if !w.Config.Git.History && len(list.before) > 0 && !slices.Equal(list.before, list.now) {
			entry := change(w.now(), "The work went on", "content."+list.field, list.before, list.now)
			doc.Changes = append(doc.Changes, entry)
		}
	}
}

// redactText removes what is private from a text, once before it goes into several fields,
// and from the given memory.
func (w *Writer) redactText(line string, fields *schemas.Memory) (string, []privacy.Field, error) {
	raw := &schemas.Memory{Title: strings.TrimSpace(line)}
	removed := append(raw.Redact(w.Filter()), w.redact(fields)...)
	return raw.Title, removed, checkTitle(raw, removed)
}

// redactions returns the fields from which something was removed, without their warnings:
// they come up again when the whole memory is filtered.
func redactions(fields []privacy.Field) []privacy.Field {
	var list []privacy.Field
	for _, field := range fields {
		if field.Report.Found() {
			field.Report.Warnings, field.Emptied = nil, false
			list = append(list, field)
		}
	}
	return list
}

// fill gives a memory what its form requires and what memctl sets. The rest of the text goes into one
// field: a list before a text.
func (w *Writer) fill(form schemas.Form, doc *schemas.Memory, line string) {
	line = cmp.Or(line, doc.Title)
	first, rest := text.FirstSentence(line)
	content := doc.ContentValues()
	if form.Category == schemas.SessionSummary {
		summary := &schemas.Memory{Category: form.Category, Content: schemas.SummaryOf(line)}
		for name, value := range summary.ContentFields() {
			if content[name] == nil {
				content[name] = value
			}
		}
		if goal, _ := content["goal"].(string); goal != "" {
			first = goal
		}
	}
	if doc.Title == "" {
		first := text.Printable(strings.TrimRight(first, ".。"))
		doc.Title = text.CutSentence(first, schemas.MaxTitle)
		if strings.HasSuffix(doc.Title, "…") && !strings.HasSuffix(first, "…") {
			w.warnOf("title", "the first sentence is cut off at %d characters where titles are listed; "+
				"give a shorter title", schemas.MaxTitle)
		}
	}
	if doc.Get("tags") == nil {
		doc.Tags = []string{schemas.Untagged}
	}
	if doc.Get("id") == nil {
		doc.ID = text.Name(string(form.Category), doc.Title)
	}
	doc.Category, doc.SchemaVersion = form.Category, schemas.Version
	doc.CreatedAt, doc.UpdatedAt = w.now(), w.now()
	missing := slices.DeleteFunc(form.Content, func(f schemas.Field) bool {
		return !f.Required || content[f.Name] != nil
	})
	taker := slices.IndexFunc(missing, func(f schemas.Field) bool { return takesRest(f) && f.Type == "array" })
	if taker < 0 {
		taker = slices.IndexFunc(missing, takesRest)
	}
	if rest == "" || taker < 0 {
		first, rest = line, ""
	}
	if form.Category == schemas.Runbook && rest == "" {
		fillRunbook(content, line)
	}
	for i, field := range missing {
		switch {
		case content[field.Name] != nil:
		case field.Default != nil:
			content[field.Name] = field.Default
		case i == taker && rest != "" && field.Type == "array":
			content[field.Name] = text.Sentences(rest)
		case i == taker && rest != "":
			content[field.Name] = rest
		case carries[field.Name]:
			content[field.Name] = first
		case field.NotEmpty:
			content[field.Name] = []string{""}
		case field.Type == "array":
			content[field.Name] = []string{}
		default:
			content[field.Name] = ""
		}
	}
	doc.SetContent(content)
}

// fillRunbook gives a runbook of one sentence what it says: when, and then what. It does not
// say how to tell that it worked.
func fillRunbook(content map[string]any, line string) {
	when, step := text.Halves(line)
	if content["steps"] != nil {
		when = line
	}
	for name, value := range map[string]any{"trigger": when, "steps": []string{step}, "verification": ""} {
		if content[name] == nil {
			content[name] = value
		}
	}
}

// takesRest reports whether a required field takes what follows the first sentence. A
// list that may be empty takes nothing, and few texts on a debt say why it was put off.
func takesRest(f schemas.Field) bool {
	return f.Default == nil && !carries[f.Name] && f.Name != "topic" && f.Name != "reason_deferred" &&
		(f.Type == "string" || f.NotEmpty)
}
