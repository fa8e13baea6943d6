package retrieve

import (
	"context"
	"path"
	"slices"
)

// maxSuccession is how many decisions are followed from one to the last of its successors.
const maxSuccession = 10

// succeed puts the decisions that supersede others before those. For a prompt a successor
// that was not found takes its place too, and the others are overridden.
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
			if (q.Current || at(results, last) >= 0) && at(list, last) < 0 {
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
		if last.Successor == "" || path.Dir(last.Successor) != path.Dir(r.Path) { // another root of the catalogue has it
			return last, nil
		}
		next, err := queryRow[Result](ctx, s.DB, `
			SELECT
				m.id,
				m.path,
				m.category,
				m.title,
				m.tags,
				m.record_status,
				m.updated_at,
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
