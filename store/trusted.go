package store

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"memctl/files"
	"memctl/files/trust"
	"memctl/indexer"
	"memctl/retrieve"
	"memctl/schemas"
)

// Judge says which memories are new. A repository that trust.team of the user's settings names has none.
func (s *Store) Judge() *trust.Judge {
	if s.judge == nil {
		s.judge = &trust.Judge{Team: IsTeams}
		if s.Depth == Full { // a command has the time, and says the same as "memctl trust"
			s.judge.Look = func(root files.Root) { _, _ = s.NewNow(context.Background(), root) }
		}
	}
	return s.judge
}

// marking gives sources the judge of the store, and the dates that git says.
func (s *Store) marking(ctx context.Context, source retrieve.Source) retrieve.Source {
	s.date(ctx, source)
	source.NewBy = func(content string) string { return s.Judge().By(source.Root, content) }
	return source
}

// LookForNew says which memories of a root are new since the last session, and notes it for the hooks of this one.
func (s *Store) LookForNew(ctx context.Context, root files.Root) (found trust.Found, err error) {
	if files.IsUsers(root) {
		return found, nil
	}
	return trust.Look(ctx, root, IsTeams(root), func(last trust.Last) (files []trust.File, state string, err error) {
		err = indexer.Use(ctx, root, s.Depth, func(ix *indexer.Index) error { // git was asked before, if it is to be
			source := retrieve.Source{DB: ix.DB, Root: root}
			if state, _, err = source.DB.Noted(ctx, ""); err != nil || state == last.State && state != "" {
				return err
			}
			files, err = retrieve.Contents[trust.File](ctx, source, last.Since, last.Paths)
			return err
		})
		return files, state, err
	})
}

// NewNow is LookForNew for a person who looks between two starts of sessions.
func (s *Store) NewNow(ctx context.Context, root files.Root) ([]trust.New, error) {
	if files.IsUsers(root) {
		return nil, nil
	}
	if err := Meet(ctx, root); err != nil {
		return nil, err
	}
	found, err := s.LookForNew(ctx, root)
	return found.New, err
}

// Meet notes that a person is at work in a root, as a session's start does: what the person commits from now on is the
// person's own.
func Meet(ctx context.Context, root files.Root) error {
	known, err := files.Known([]files.Root{root})
	if err != nil {
		return err
	}
	return trust.Meet(ctx, root, len(known) == 0)
}

// IsTeams reports whether the user trusts all of the repository that a root is in.
func IsTeams(root files.Root) bool {
	cfg, err := files.UserConfig()
	if err != nil || len(cfg.Trust.Team) == 0 {
		return false
	}
	name := TeamOf(root)
	return name != "" && slices.ContainsFunc(cfg.Trust.Team, func(team string) bool { return remoteName(team) == name })
}

// TeamOf returns the name of the repository that a root is in by its remote, such as github.com/acme/payments, "" if it
// has none.
func TeamOf(root files.Root) string { return remoteName(repositoryOf(root.Path).remote) }

// remoteName returns HOST/PATH of the address of a remote, or the path of one on this machine.
func remoteName(address string) string {
	address = strings.TrimSpace(address)
	if u, err := url.Parse(address); err == nil && strings.Contains(address, "://") {
		address = strings.ToLower(u.Host) + u.Path
	} else if host, path, found := strings.Cut(address, ":"); found && len(host) > 1 && !strings.Contains(host, "/") {
		address = strings.ToLower(host[strings.LastIndex(host, "@")+1:]) + "/" + strings.TrimPrefix(path, "/")
	}
	return strings.TrimSuffix(strings.TrimRight(address, "/"), ".git")
}

// NewMemory is a memory of a project that the user has not seen.
type NewMemory struct {
	Title    string           `json:"title"`
	Sentence string           `json:"sentence,omitempty"` // that carries it, if it is not the title
	Path     string           `json:"path"`               // as memctl shows it
	Category schemas.Category `json:"category"`
	NewBy    string           `json:"new_by"`
	Date     string           `json:"date,omitempty"` // of the commit
	Content  string           `json:"-"`
}

// NewMemories lists the active memories of a root that the user has not seen, from the files themselves.
func (s *Store) NewMemories(ctx context.Context, root files.Root) (list []NewMemory, err error) {
	if files.IsUsers(root) {
		return nil, nil
	}
	if err := Meet(ctx, root); err != nil {
		return nil, err
	}
	memories := map[string]schemas.Memory{}
	found, err := trust.Look(ctx, root, IsTeams(root), func(trust.Last) (files []trust.File, state string, err error) {
		paths, err := root.MemoryPaths()
		for _, path := range paths {
			data, err := root.ReadFile(path)
			if err != nil {
				continue // validate says why
			}
			if m, err := schemas.Decode(data); err == nil && (m.RecordStatus == schemas.Active ||
				m.RecordStatus == "") {
				memories[path] = m
				files = append(files, trust.File{Path: path, Content: trust.Content(data),
					MtimeNS: root.Written(path).UnixNano()})
			}
		}
		return files, "", err
	})
	for _, n := range found.New {
		m := memories[n.Path]
		sentence := m.Sentence()
		if strings.TrimSuffix(sentence, ".") == m.Title {
			sentence = ""
		}
		category, _ := schemas.CategoryOfPath(n.Path)
		list = append(list, NewMemory{m.Title, sentence, root.ShownPath(n.Path), category, n.By(), n.Date, n.Content})
	}
	return list, err
}
