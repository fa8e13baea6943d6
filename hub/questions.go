package hub

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"memctl/remote"
	"memctl/text"

	"github.com/jackc/pgx/v5"
)

// The actions of the audit.
const (
	searchAction       = "search"
	getAction          = "get"
	timelineAction     = "timeline"
	repositoriesAction = "repositories"
	publishAction      = "publish"
)

// The questions below are those of the API and of MCP. Each is counted and kept in the
// audit before the asking person sees the answer.

func (s *Server) search(ctx context.Context, by Principal, q remote.Query) (remote.Results, error) {
	if err := errors.Join(checkText("query", q.Query), checkText("category", q.Category)); err != nil {
		return remote.Results{}, err
	}
	results, err := s.store.Search(ctx, by, q)
	detail := ""
	if s.AuditQueries {
		detail = q.Query
	}
	return results, s.keep(ctx, by, searchAction, len(results.Results), detail, err)
}

func (s *Server) get(ctx context.Context, by Principal, q remote.Selection) (remote.Details, error) {
	if err := checkText("ids", q.IDs...); err != nil {
		return remote.Details{}, err
	}
	details, err := s.store.Get(ctx, by, q)
	var found []string
	for _, d := range details.Details {
		found = append(found, d.ID)
	}
	return details, s.keep(ctx, by, getAction, len(found), strings.Join(found, " "), err)
}

func (s *Server) timeline(ctx context.Context, by Principal, q remote.Moment) (remote.Timeline, error) {
	if err := checkText("id", q.ID); err != nil {
		return remote.Timeline{}, err
	}
	t, err := s.store.Timeline(ctx, by, q)
	return t, s.keep(ctx, by, timelineAction, len(t.Before)+1+len(t.After), t.Memory.ID, err)
}

func (s *Server) repositories(ctx context.Context, by Principal, _ struct{}) (remote.Repositories, error) {
	list, err := s.store.Repositories(ctx, by)
	return list, s.keep(ctx, by, repositoriesAction, len(list.Repositories), "", err)
}

func (s *Server) publish(ctx context.Context, by Principal, p remote.Publication) (remote.Published, error) {
	detail := fmt.Sprintf("%s %s %d", p.Repository, p.Commit, p.Sequence)
	done, err := s.store.Publish(ctx, by, p)
	if err == nil {
		s.metrics.published(done)
	}
	return done, s.keep(ctx, by, publishAction, done.Added+done.Changed+done.Removed, detail, err)
}

// keep counts a question and writes it to the audit. What cannot be audited is not
// answered. It returns the error of the question, if that had one: a memory that was not
// found is audited as no result, other errors are not.
func (s *Server) keep(ctx context.Context, by Principal, action string, results int, detail string, err error) error {
	var refused *remote.Error
	if err != nil {
		if !errors.As(err, &refused) || refused.Status != http.StatusNotFound {
			return err
		}
		results, detail = 0, ""
	}
	s.metrics.answered(action, results)
	return errors.Join(err, s.store.audit(ctx, by, action, results, detail))
}

// checkText returns an error for text that PostgreSQL cannot hold.
func checkText(field string, values ...string) error {
	for _, value := range values {
		if strings.ContainsRune(value, 0) {
			return badRequest(field, "it has a NUL character")
		}
	}
	return nil
}

// maxDetail is how many characters of a query the audit keeps.
const maxDetail = 2000

// audit keeps who asked what, and with how many results.
func (s *Store) audit(ctx context.Context, by Principal, action string, results int, detail string) error {
	var kept *string
	if detail != "" {
		cut := text.Truncate(text.Printable(detail), maxDetail)
		kept = &cut
	}
	return s.as(ctx, by, "", func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `
			INSERT INTO audit (person, action, results, detail)
			VALUES ($1, $2, $3, $4)`, by.Person, action, results, kept)
		return err
	})
}
