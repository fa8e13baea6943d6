package store

import (
	"cmp"
	"context"

	"memctl/schemas"
	"memctl/writer"
)

// Note is a text to make a memory of.
type Note struct {
	Text string
	// Category is "" if the text has to say what it is.
	Category schemas.Category
	Given    *schemas.Memory // the fields that are known already
}

// Added is what Add has saved.
type Added struct {
	writer.Saved
	Category schemas.Category `json:"category"`
	Guessed  bool             `json:"guessed,omitempty"` // the category, from the text
}

// Add makes a memory of a note, which needs nothing but its text.
func (s *Store) Add(ctx context.Context, policy Policy, n Note) (Added, error) {
	w, err := s.Writer()
	if err != nil {
		return Added{}, err
	}
	done := Added{Category: n.Category}
	if n.Category == "" {
		done.Category, done.Guessed = guess(cmp.Or(n.Text, n.Given.Title), w.Config), true
	}
	done.Saved, err = s.save(ctx, policy, done.Guessed, func(w *writer.Writer) (writer.Saved, error) {
		return w.Add(ctx, done.Category, n.Text, n.Given)
	})
	return done, err
}

// guess returns the category of a text. One that says nothing of its kind is a decision, and
// so is one of a category that is switched off.
func guess(phrase string, cfg schemas.Config) schemas.Category {
	category, found := schemas.Guess(phrase)
	if !found || !cfg.Categories[category].Enabled {
		return schemas.Decision
	}
	return category
}
