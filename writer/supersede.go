package writer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// Supersede has an accepted decision say that it stands in place of another one, which has that id. The other one stays
// as it is. The status is "unchanged" if the decision says so already.
func (w *Writer) Supersede(ctx context.Context, target, id string) (Saved, error) {
	return w.revise(ctx, target, "updated", func(m *memory, doc *schemas.Memory) (*schemas.Memory, string, error) {
		c, isDecision := doc.Content.(*schemas.DecisionContent)
		if !isDecision || statusOf(doc) != string(schemas.Active) || c.Status != "accepted" {
			return nil, "", refuse(UpdateError, m.shown, "it is not an active, accepted decision",
				"memctl retire retires the other memory")
		}
		if slices.ContainsFunc(doc.Successions(), func(s schemas.Succession) bool {
			return s.Supersedes && slices.Contains(s.Names(), id)
		}) {
			return nil, "", nil
		}
		said := supersedes + id
		if c.Consequences = append(c.Consequences, said); !w.Config.Git.History {
			doc.UpdatedAt = w.now()
			doc.TimesUpdated = max(0, doc.TimesUpdated) + 1
		}
		return doc, said, nil
	})
}

// checkCircle refuses a change by which a decision supersedes one that supersedes it already, itself or over others:
// neither would hold. Decisions between the two are found by their ids.
func (w *Writer) checkCircle(m *memory, doc *schemas.Memory) error {
	var before []schemas.Succession // what the file says already does not stop other changes of it
	if old, err := m.decode(); err == nil {
		before = old.Successions()
	}
	var follow func(*schemas.Memory, []string) error
	follow = func(later *schemas.Memory, chain []string) error {
		for _, s := range later.Successions() {
			if !s.Supersedes || len(chain) == 0 && slices.Contains(before, s) {
				continue
			}
			names := s.Names()
			if len(chain) > 0 && (slices.Contains(names, m.stem) || slices.Contains(names, text.Lower(doc.Title))) {
				return inCircle(m, chain)
			}
			for _, name := range names {
				data, err := w.Root.ReadFile(m.place.renamed(name).path())
				if err != nil || slices.Contains(chain, name) {
					continue
				}
				earlier, err := schemas.Decode(data)
				if err != nil || earlier.RecordStatus != schemas.Active {
					continue
				}
				if err := follow(&earlier, append(chain, name)); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return follow(doc, nil)
}

// inCircle is the error for a decision that would supersede the first of a chain of decisions. Each of them supersedes
// the one after it, and the last one the decision.
func inCircle(m *memory, chain []string) error {
	why := "it cannot supersede " + strings.Join(append(slices.Clone(chain), m.stem), ", which supersedes ") +
		": with what came after it retired, it holds again"
	fix := fmt.Sprintf("memctl retire %s --reason %q", chain[0], "superseded by "+m.stem)
	if len(chain) > 1 {
		fix += ", and the same for " + strings.Join(chain[1:], ", ")
	}
	return refuse(UpdateError, m.shown, why, fix)
}
