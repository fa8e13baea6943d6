package review

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/files/git"
	"memctl/schemas"
	"memctl/text"
)

// memory is an active memory.
type memory struct {
	schemas.Memory
	path    string // below the root
	hash    string // of its file
	version files.Version
	name    string // for a command: the id, or the path if several have that id
	updated time.Time
	// taken is when prompts could first receive it: updated, or when an imported memory was written here.
	since   time.Time
	content content
	// successions are the statements of a decision about others.
	successions []schemas.Succession
	origins     map[string]bool // names of the files that it was imported from
	missing     []string        // related files that are missing
	tagged      bool            // somebody chose its tags, not an import
	stands      bool            // a standing rule
	text        string          // of the content, a line for each string
	sentence    string          // that carries it
}

// maxText limits how much of a memory's text is compared, in code points.
const maxText = 20_000

// maxSentence limits what is shown of a memory beside another, in code points.
const maxSentence = 300

// content has the parts of a memory's content that age.
type content struct {
	Status      string
	NextActions []string
	Priority    string
	Expires     string
	Inactive    bool
}

// readMemories returns the active memories of a root by path. It leaves out files that
// are no memories, which validate reports.
func (v *reviewer) readMemories(ctx context.Context) ([]*memory, error) {
	root := v.root
	var history schemas.History
	if !v.NoGit {
		var err error
		if history, err = git.HistoryAt(ctx, root, "HEAD"); err != nil {
			v.note("the times of changes are those of the files: %v", err)
		}
	}
	var list []*memory
	sharing := map[string]int{}
	for _, info := range schemas.Categories {
		folder, err := root.OpenFolder(info.Folder)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", info.Folder, err)
		}
		if folder == nil {
			continue
		}
		names, err := folder.List()
		for _, name := range names {
			if ctx.Err() != nil {
				break
			}
			id := strings.TrimSuffix(name, ".json")
			sharing[id]++
			if m := readMemory(folder, info.Category, name, history); m != nil {
				m.path, m.name = info.Folder+"/"+name, id
				m.version.Root, m.version.Path = root.Key(), m.path
				list = append(list, m)
			}
		}
		folder.Close()
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", info.Folder, err)
		}
	}
	for _, m := range list {
		if sharing[m.name] > 1 || strings.HasPrefix(m.name, "-") {
			m.name = m.path
		}
	}
	slices.SortFunc(list, func(a, b *memory) int { return strings.Compare(a.path, b.path) })
	return list, nil
}

// readMemory returns nil for what is no active memory.
func readMemory(
	folder *files.Folder, category schemas.Category, name string, history schemas.History,
) *memory {
	data, stat, err := folder.Read(name)
	if err != nil {
		return nil
	}
	m := &memory{version: files.Version{Size: stat.Size, MtimeNS: stat.MtimeNS}}
	if m.Memory, err = schemas.Decode(data); err != nil {
		return nil
	}
	m.hash = text.Hash(data, 8)
	m.Complete(category, strings.TrimSuffix(name, ".json"))
	if m.RecordStatus != schemas.Active {
		return nil
	}
	history.Date(&m.Memory, folder.Name+"/"+name, data, time.Unix(0, stat.MtimeNS))
	switch c := m.Content.(type) {
	case *schemas.DecisionContent:
		m.content.Status = c.Status
	case *schemas.TechDebtContent:
		m.content.Status, m.content.Priority = c.Status, c.Priority
	case *schemas.ConstraintContent:
		m.content.Expires, m.content.Inactive = c.Expires, c.Active != nil && !*c.Active
	case *schemas.SessionContent:
		m.content.NextActions = c.NextActions
	}
	m.updated, _ = schemas.ParseTime(m.UpdatedAt)
	m.since = m.updated
	m.origins = map[string]bool{}
	for _, c := range m.Changes {
		if c.Field == "origin" {
			var o struct{ Source, Origin string }
			_ = json.Unmarshal(c.NewValue, &o) // another tool's: it has no origin
			ours, _ := files.OriginIn(c)
			for _, name := range []string{ours.Source, o.Source, o.Origin} {
				name, _, _ = strings.Cut(name, "#")
				m.origins[path.Base(name)] = true
			}
			m.since = time.Unix(0, stat.MtimeNS)
		}
	}
	m.tagged = len(m.origins) == 0 || slices.ContainsFunc(m.Changes, func(c schemas.Change) bool {
		return c.Field == "tags"
	})
	m.successions, m.stands = m.Successions(), m.IsStandingRule()
	m.sentence = text.CutSentence(m.Sentence(), maxSentence)
	m.text = text.Truncate(m.Text(), maxText)
	m.Content, m.Changes, m.Rest = nil, nil, nil // there may be many memories
	return m
}
