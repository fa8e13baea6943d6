package exchange

import (
	"encoding/json"
	"fmt"
	"strings"

	"memctl/text"
)

// graphLine is a line of the reference server's memory.jsonl.
type graphLine struct {
	Type         string   `json:"type"`
	Name         string   `json:"name"`
	EntityType   string   `json:"entityType"`
	Observations []string `json:"observations"`
	From         string   `json:"from"`
	To           string   `json:"to"`
	RelationType string   `json:"relationType"`
}

// readGraph reads a knowledge graph: entities with observations, and relations.
func readGraph(r *reader, name string) error {
	var notes []*note
	byName := map[string]*note{}
	var relations []graphLine
	size := 0
	f := &file{origin: r.src.origin(name)}
	modified, err := r.eachLine(name, func(number int, line []byte) {
		var l graphLine
		err := json.Unmarshal(line, &l)
		switch {
		case err != nil:
			r.refuse(f.origin, number, "no JSON of an entity or a relation: "+text.Brief(err.Error()))
		case l.Type == "entity" && l.Name != "":
			n := &note{title: r.filtered(l.Name), kind: r.filtered(l.EntityType), names: []string{r.filtered(l.Name)},
				line: number}
			for _, phrase := range l.Observations {
				n.observations = append(n.observations, observation{text: r.filtered(phrase), line: number})
			}
			notes = append(notes, n)
			byName[l.Name] = n
		case l.Type == "relation":
			l.From, l.To, l.RelationType = r.filtered(l.From), r.filtered(l.To), r.filtered(l.RelationType)
			relations = append(relations, l)
		default:
			r.refuse(f.origin, number, "neither an entity nor a relation")
		}
		if size += len(line); size > maxText {
			r.err = tooMuch(fmt.Sprintf("more than %d MiB of text", maxText>>20))
		} else if len(notes)+len(relations) > maxItems {
			r.err = tooMuch(fmt.Sprintf("more than %d lines", maxItems))
		}
	})
	f.modified = modified
	for _, l := range relations {
		if n := byName[l.From]; n != nil {
			n.links = append(n.links, link{kind: strings.ReplaceAll(l.RelationType, "_", " "), to: l.To})
		} else {
			r.leaveOut(f.origin, 0, l.From+" "+l.RelationType+" "+l.To, "a relation of an entity that is not there")
		}
	}
	for _, n := range notes {
		r.note(f, *n)
	}
	return err
}
