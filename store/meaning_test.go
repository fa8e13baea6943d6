package store

import (
	"errors"
	"testing"

	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
)

// Without the feature, and with settings that are wrong, memories are found by words alone. Only the latter is worth a
// warning.
func TestWithoutAModelMemoriesAreFoundByWords(t *testing.T) {
	root := newRoot(t, newHome(t), "shop", "Kafka keeps messages for a week")
	wrong := func(*schemas.Config) (retrieve.Model, error) { return nil, errors.New("meaning.model is not set") }
	for name, tt := range map[string]struct {
		userModel retrieve.UserModel
		warnings  int
	}{
		"without the feature": {nil, 0},
		"wrong settings":      {wrong, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var warnings []error
			warn := func(err error) { warnings = append(warnings, err) }
			s := At(root, Options{Depth: Full, UserModel: tt.userModel, Warn: warn})
			cfg := schemas.DefaultConfig()
			cfg.Retrieval.MatchStrategy = schemas.Hybrid
			searcher := s.SearcherWith(root, cfg)
			filter := retrieve.Filter{Statuses: []schemas.Status{schemas.Active}, Limit: 5}
			err := s.Ask(t.Context(), []files.Root{root}, func(sources retrieve.Sources) error {
				rows, err := searcher.Rows(t.Context(), sources, "kafka messages", filter)
				if len(rows) != 1 {
					t.Errorf("found %v by words", rows)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
			all := Catalogue{Own: root, UserModel: tt.userModel}
			if found, err := all.Search(t.Context(), searcher.Query("kafka", 5)); err != nil || len(found) != 1 {
				t.Errorf("found %v in all projects: %v", found, err)
			}
			if n, err := s.MakeVectors(t.Context(), root, nil); n != 0 || err != nil {
				t.Errorf("made %d vectors: %v", n, err)
			}
			if len(warnings) != tt.warnings {
				t.Errorf("warned of %v", warnings)
			}
		})
	}
}
