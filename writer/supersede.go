package writer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"memctl/schemas"
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
// neither would hold. What the file says already does not stop other changes of it.
func (w *Writer) checkCircle(m *memory, doc *schemas.Memory) error {
	said := doc.Successions()
	if old, err := m.decode(); err == nil {
		before := old.Successions()
		said = slices.DeleteFunc(said, func(s schemas.Succession) bool { return slices.Contains(before, s) })
	}
	chain := w.chainTo(m.place, said, nil)
	if len(chain) == 0 {
		return nil
	}
	fix := fmt.Sprintf("memctl retire %s --reason %q", chain[0], "superseded by "+m.stem)
	if len(chain) > 1 {
		fix += ", and the same for " + strings.Join(chain[1:], ", ")
	}
	why := "it cannot supersede " + strings.Join(append(chain, m.stem), ", which supersedes ") +
		": with what came after it retired, it holds again"
	return refuse(UpdateError, m.shown, why, fix)
}

// chainTo returns the ids of the decisions between a place and itself, each superseding the next, nil if there are
// none. Those to follow are named by their ids.
func (w *Writer) chainTo(p place, said []schemas.Succession, chain []string) []string {
	for _, s := range said {
		for _, name := range s.Names() {
			switch data, err := w.Root.ReadFile(p.renamed(name).path()); {
			case err != nil || !s.Supersedes || slices.Contains(chain, name):
			case name == p.stem:
				if len(chain) > 0 {
					return chain
				}
			default:
				other, err := schemas.Decode(data)
				if err != nil || other.RecordStatus != schemas.Active {
					continue
				}
				if found := w.chainTo(p, other.Successions(), append(chain, name)); found != nil {
					return found
				}
			}
		}
	}
	return nil
}
