package retrieve

import (
	"context"
	"strings"

	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"

	"golang.org/x/text/unicode/norm"
)

// maxTopical is how many preferences that mention a topic are compared.
const maxTopical = 50

// standsFor returns the path of the memory of a source before that stands in place of r,
// "" if there is none: an active memory of the same category and id, or an active
// preference for the same topic.
func (s Sources) standsFor(ctx context.Context, r Result) (path string, err error) {
	if s.first(r.Root) {
		return "", nil
	}
	topic := ""
	if r.Category == schemas.Preference {
		topic = topicOf(r.Root, r.Path)
	}
	for _, source := range s {
		if path != "" || err != nil || source.Root.Is(r.Root) {
			break
		}
		if path, err = source.standing(ctx, r.Path, topic); path != "" {
			path = source.Root.Shown + "/" + path
		}
		if err != nil {
			err = &sourceError{source.Root, err}
		}
	}
	return path, err
}

// standing returns the path of the active memory that has a path, or of a preference for
// a topic.
func (s Source) standing(ctx context.Context, path, topic string) (string, error) {
	same, err := queryRow[string](ctx, s.DB, `
		SELECT m.path
		FROM files f
		JOIN memories m ON m.memory_id = f.memory_id
		WHERE f.path = ?
			AND m.record_status = 'active'`, path)
	if err != nil || same != "" || topic == "" {
		return same, err
	}
	mentioned, err := query[string](ctx, s.DB, `
		SELECT m.path
		FROM memories_fts f
		JOIN memories m ON m.memory_id = f.rowid
		WHERE memories_fts MATCH ?
			AND m.category = 'preference'
			AND m.record_status = 'active'
		ORDER BY m.path
		LIMIT ?`, "body : "+quote(beginning(topic)), maxTopical)
	for _, path := range mentioned {
		if topicOf(s.Root, path) == topic {
			return path, err
		}
	}
	return "", err
}

// beginning returns the first words of a topic, which the full text of a preference has
// side by side.
func beginning(topic string) string {
	words := strings.Fields(topic)
	return strings.Join(words[:min(len(words), maxWords)], " ")
}

// topicOf returns the topic of a preference in the form in which topics are compared, ""
// if it has none.
func topicOf(root memdir.Root, path string) string {
	data, err := root.ReadFile(path)
	if err != nil {
		return ""
	}
	m, err := schemas.Decode(data)
	if err != nil {
		return ""
	}
	topic, _ := m.ContentValues()["topic"].(string)
	return text.Lower(norm.NFC.String(strings.TrimSpace(topic)))
}
