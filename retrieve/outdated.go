package retrieve

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/files/git"
	"memctl/observe"
	"memctl/schemas"
	"memctl/text"
)

// maxMark is how many code points say why a memory may be outdated.
const maxMark = 120

// MarkOutdated says of each result that may no longer be true why, in Result.Outdated: by what
// the memory says of itself, by whether the files exist that it names, and by what the last
// review found. It reads the memory's file and runs no git.
func MarkOutdated(results []Result, now time.Time) {
	var root files.Root
	var findings observe.Findings
	for i, r := range results {
		if at, m, ok := readMemory(r.Root, r.Path); ok {
			if findings == nil || !root.Is(r.Root) {
				root, findings = r.Root, observe.ReadFindings(r.Root)
			}
			reasons := outdated(r, &m, findings.Of(at.Version()), now)
			results[i].Outdated = text.Ellipsis(text.Printable(strings.Join(reasons, "; ")), maxMark)
		}
	}
}

// Noted begins the line of a memory that may be outdated. It is "" without a reason.
func Noted(outdated string) string {
	if outdated == "" {
		return ""
	}
	return "(" + outdated + ") "
}

// outdated says why a memory may no longer be true.
func outdated(r Result, m *schemas.Memory, findings []observe.Finding, now time.Time) (reasons []string) {
	switch c := m.Content.(type) {
	case *schemas.ConstraintContent:
		if over, ok := schemas.EndOf(c.Expires); ok && !now.Before(over) {
			reasons = append(reasons, "expired on "+strings.TrimSpace(c.Expires))
		} else if c.Active != nil && !*c.Active {
			reasons = append(reasons, "no longer active")
		}
	case *schemas.DecisionContent:
		if by := strings.TrimSuffix(path.Base(r.Successor), ".json"); r.Successor != "" {
			reason := "superseded by " + by
			_, later, _ := readMemory(r.Root, r.Successor)
			if until := day(later.CreatedAt); until > day(m.CreatedAt) { // imported together, they say nothing
				reason = "until " + until + ", " + reason
			}
			reasons = append(reasons, reason)
		} else if c.Status != "" && c.Status != "accepted" {
			reasons = append(reasons, c.Status)
		}
	case *schemas.TechDebtContent:
		if c.Status == "resolved" || c.Status == "wont_fix" {
			reasons = append(reasons, strings.ReplaceAll(c.Status, "_", " "))
		}
	}
	if missing := goneFile(r.Root, m.RelatedFiles, findings); missing != "" {
		reasons = append(reasons, missing)
	}
	for _, f := range findings {
		if len(reasons) == 0 && f.File == "" { // else a worse reason is known
			reasons = append(reasons, strings.TrimPrefix(f.Reason, "it is "))
		}
	}
	return reasons
}

// goneFile says which of the files that a memory names is gone, and what the last review knew of it. In a
// repository only a review knows: the file may be on another branch, or be made by a build.
func goneFile(root files.Root, names []string, findings []observe.Finding) string {
	if root.Scope == files.UserScope {
		return "" // its files are no project's
	}
	for _, name := range names {
		isGone := root.Gone(name) && root.Gone(text.WithoutPlace(name))
		for _, f := range findings {
			switch {
			case f.File != name:
			case IsPattern(name):
				return name + " matches no file since " + f.Since
			case !isGone:
			case f.To != "" && !root.Gone(f.To):
				return name + " is now " + f.To + ", since " + f.Since
			default:
				return name + " is gone since " + f.Since
			}
		}
		if isGone && !git.InRepository(root.Project) {
			return name + " is gone"
		}
	}
	return ""
}

// maxSuccession is how many decisions are followed from one to the last of its successors.
const maxSuccession = 10

// succeed puts the decisions that supersede others before those, whether or not they were
// found. For a prompt the others are overridden.
func (s Sources) succeed(ctx context.Context, q Query, results []Result) ([]Result, error) {
	if !slices.ContainsFunc(results, func(r Result) bool { return r.Successor != "" }) {
		return results, nil
	}
	var list []Result
	at := func(in []Result, r Result) int {
		return slices.IndexFunc(in, func(other Result) bool { return other.Path == r.Path && other.Root.Is(r.Root) })
	}
	for _, r := range results {
		if at(list, r) >= 0 {
			continue
		}
		last, err := s.of(r.Root).lastSuccessor(ctx, r)
		if err != nil {
			return nil, err
		}
		if last.Path != r.Path {
			if q.Selects(last.Entry) && at(list, last) < 0 {
				list = append(list, r.inPlace(last))
			}
			if q.Current {
				r.Overridden = r.Root.Shown + "/" + last.Path
			}
		}
		list = append(list, r)
	}
	return list, nil
}

// inPlace returns a successor with the points of the result that it follows.
func (r Result) inPlace(successor Result) Result {
	r.Entry, r.Sentence, r.Successor = successor.Entry, successor.Sentence, ""
	r.Size, r.MtimeNS, r.ReadNS = successor.Size, successor.MtimeNS, successor.ReadNS
	return r
}

// lastSuccessor follows the successors of a result, and returns the result itself if there
// is none or if they lead in a circle.
func (s Source) lastSuccessor(ctx context.Context, r Result) (Result, error) {
	last := r
	for range maxSuccession {
		// another root of the catalogue has it
		if last.Successor == "" || path.Dir(last.Successor) != path.Dir(r.Path) {
			return last, nil
		}
		next, err := db.QueryRow[Result](ctx, s.DB, `
			SELECT
				m.id,
				m.path,
				m.category,
				m.title,
				m.tags,
				m.record_status,
				m.updated_at,
				m.folder,
				m.sentence,
				coalesce((SELECT n.path FROM successors n WHERE n.memory_id = m.memory_id LIMIT 1), '') AS successor,
				f.size_bytes,
				f.mtime_ns,
				f.read_ns
			FROM files f
			JOIN memories m ON m.memory_id = f.memory_id
			WHERE f.path = ?`, last.Successor)
		if err != nil || next.Path == "" {
			return last, err
		}
		last, last.Root = next, r.Root
	}
	return r, nil
}
