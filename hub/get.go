package hub

import (
	"cmp"
	"context"
	_ "embed"
	"net/http"
	"slices"
	"strings"

	"memctl/features/hub/remote"
	"memctl/schemas"
	"memctl/text"
)

// Get returns memories of any status, in the order of their ids. If the principal may not see one, it is not found.
func (s *Store) Get(ctx context.Context, by Principal, q remote.Selection) (remote.Details, error) {
	if len(q.IDs) < 1 || len(q.IDs) > remote.MaxIDs {
		return remote.Details{}, badRequest("ids", "expected 1 to %d, got %d", remote.MaxIDs, len(q.IDs))
	}
	ids, repositories, paths := slices.Clone(q.IDs), make([]string, len(q.IDs)), make([]string, len(q.IDs))
	for i, id := range ids {
		var err error
		if repositories[i], paths[i], err = splitID("ids", id); err != nil {
			return remote.Details{}, err
		}
		ids[i] = repositories[i] + ":" + strings.TrimSuffix(paths[i], ".json")
	}
	details, err := answer(ctx, s, by, nil, func(found []remote.Detail) entry {
		for i, id := range ids {
			if i == len(found) || found[i].ID != id {
				return entry{action: getAction, missing: notFound(id)}
			}
		}
		return entry{action: getAction, results: len(found), shown: ids}
	}, `
		SELECT `+rowColumns+`, m.document
		FROM unnest($1::text[], $2::text[]) WITH ORDINALITY q (repository, path, place)
		JOIN memory_rows m USING (repository, path)
		ORDER BY q.place`, repositories, paths)
	return remote.Details{Details: details}, err
}

// rowColumns are the columns of memory_rows in the order of the fields of remote.Row.
const rowColumns = `m.id, m.repository, m.commit_sha, m.published_at, m.path, m.category, m.title, m.tags,
	m.record_status, m.created_at, m.updated_at, m.tokens`

// notFound is the answer for a memory that is not there and for one that may not be seen.
func notFound(id string) error {
	return refusal(http.StatusNotFound, "not_found", "the hub has no memory %s that you may see", id)
}

// splitID returns the repository and the path that an id names. Field is that of the request.
func splitID(field, id string) (repository, path string, err error) {
	host, _, _ := strings.Cut(id, "/") // may have a port
	name, memory, _ := strings.Cut(id[len(host):], ":")
	repository, path = strings.ToLower(host+name), memory+".json"
	_, ok := schemas.CategoryOfPath(path)
	if !ok || len(path) > maxPath || remote.CheckRepository(repository) != nil || id != text.Printable(id) {
		return "", "", badRequest(field,
			"expected the id of a memory such as github.com/acme/payments:decisions/jwt, got %q",
			text.Truncate(text.Printable(id), maxPath))
	}
	return repository, path, nil
}

// Repositories lists the repositories that the principal may see, by name.
func (s *Store) Repositories(ctx context.Context, by Principal, _ struct{}) (remote.Repositories, error) {
	list, err := answer(ctx, s, by, nil, func(found []remote.Repository) entry {
		return entry{action: repositoriesAction, results: len(found)}
	}, `
		SELECT name, commit_sha, published_at, memories
		FROM repositories
		ORDER BY name`)
	return remote.Repositories{Repositories: list}, err
}

//go:embed timeline.sql
var timelineSQL string

const defaultWindow = 3

// Timeline returns a memory of any status with those that were created before and after it
// in the same repository. If the principal may not see it, it is not found.
func (s *Store) Timeline(ctx context.Context, by Principal, q remote.Moment) (remote.Timeline, error) {
	q.Window = cmp.Or(q.Window, defaultWindow)
	if q.Window < 1 || q.Window > remote.MaxWindow {
		return remote.Timeline{}, badRequest("window", "expected 1 to %d, got %d", remote.MaxWindow, q.Window)
	}
	repository, path, err := splitID("id", q.ID)
	if err != nil {
		return remote.Timeline{}, err
	}
	type event struct {
		remote.Row
		Side int // -1 before the memory, 0 the memory, 1 after it
	}
	events, err := answer(ctx, s, by, nil, func(found []event) entry {
		e := entry{action: timelineAction, results: len(found)}
		for _, event := range found {
			e.shown = append(e.shown, event.ID)
		}
		if len(found) == 0 {
			e.missing = notFound(q.ID)
		}
		return e
	}, timelineSQL, repository, path, q.Window)
	if err != nil {
		return remote.Timeline{}, err
	}
	t := remote.Timeline{Before: []remote.Row{}, After: []remote.Row{}}
	for _, e := range events {
		switch {
		case e.Side < 0:
			t.Before = append(t.Before, e.Row)
		case e.Side > 0:
			t.After = append(t.After, e.Row)
		default:
			t.Memory = e.Row
		}
	}
	return t, nil
}
