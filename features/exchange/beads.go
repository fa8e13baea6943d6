package exchange

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

const beadsName = "beads"

// bead is a line of issues.jsonl or of "bd export": an issue, or a text of "bd remember".
type bead struct {
	Record string `json:"_type"` // "issue" or "memory"; "" is an issue of an early release
	Key    string `json:"key"`
	Value  string `json:"value"`

	ID           string   `json:"id"`
	Title        string   `json:"title"`
	Description  string   `json:"description"`
	Design       string   `json:"design"`
	Acceptance   string   `json:"acceptance_criteria"`
	Notes        string   `json:"notes"`
	Status       string   `json:"status"`
	Type         string   `json:"issue_type"`
	CreatedAt    string   `json:"created_at"`
	UpdatedAt    string   `json:"updated_at"`
	CloseReason  string   `json:"close_reason"`
	Labels       []string `json:"labels"`
	Pinned       bool     `json:"pinned"`
	IsTemplate   bool     `json:"is_template"`
	Dependencies []struct {
		On   string `json:"depends_on_id"`
		Type string `json:"type"`
	} `json:"dependencies"`
	Comments []struct {
		Author string `json:"author"`
		Text   string `json:"text"`
	} `json:"comments"`
}

func beadsIssues(root files.Root) string {
	return filepath.Join(root.Project, ".beads", "issues.jsonl")
}

// readBeads reads the issues of beads: its decisions and the texts that it remembers. Its other issues are tasks.
func readBeads(r *reader, name string) error {
	isDatabase, err := r.src.startsLikeDatabase(name)
	if err != nil {
		return err
	}
	if isDatabase && filepath.Ext(name) != ".jsonl" {
		return errors.New("a database of beads; export it: bd export --include-memories -o beads.jsonl")
	}
	f, others := &file{origin: r.src.origin(name)}, leftOut{}
	f.modified, err = r.eachLine(name, func(number int, line []byte) {
		var b bead
		if err := json.Unmarshal(line, &b); err != nil {
			r.refuse(f.origin, number, "no JSON of an issue: "+text.Brief(err.Error()))
		} else if b.Record == "memory" && b.Value != "" {
			r.rememberedBead(f, number, b)
		} else if b.ID != "" && b.Title != "" && (b.Record == "" || b.Record == "issue") {
			r.issueBead(f, others, number, b.filtered(r.filtered))
		} else {
			r.refuse(f.origin, number, "neither an issue nor a memory of beads")
		}
	})
	r.leaveOutAll(f.part(""), others)
	return err
}

// filtered returns the issue without private text and secrets.
func (b bead) filtered(filter func(string) string) bead {
	for _, s := range []*string{&b.ID, &b.Title, &b.Description, &b.Design, &b.Acceptance, &b.Notes, &b.CloseReason} {
		*s = filter(*s)
	}
	b.Labels, b.Comments = slices.Clone(b.Labels), slices.Clone(b.Comments)
	for i := range b.Labels {
		b.Labels[i] = filter(b.Labels[i])
	}
	for i := range b.Comments {
		b.Comments[i].Text = filter(b.Comments[i].Text)
	}
	return b
}

// rememberedBead adds a text of "bd remember", which names no kind.
func (r *reader) rememberedBead(f *file, number int, b bead) {
	value, part := strings.TrimSpace(r.filtered(b.Value)), "memory/"+r.filtered(b.Key)
	if r.options.Category == "" || value == "" {
		r.leaveToReader(f.part(part), number, value, unfit, time.Time{})
		return
	}
	title := titleFrom(value)
	r.draft(f, part, number, draft{category: r.options.Category, title: title, topic: title, raw: value, text: value})
}

// closedIssue is why an issue that was closed with a reason, or is pinned, is left out.
const closedIssue = "an issue; a reader may find a memory in it: memctl import SOURCE"

// issueBead adds a decision. Of the other issues those that were closed may be worth reading; open ones are tasks.
func (r *reader) issueBead(f *file, others leftOut, number int, b bead) {
	said := b.Design + b.Notes + pick(b.CloseReason == "Closed", "", b.CloseReason) // by default
	switch {
	case b.Status == "tombstone":
		others.count("deleted in beads")
	case b.IsTemplate || b.Type == "event" || b.Type == "gate" || b.Type == "message" || b.Type == "molecule":
		others.count("templates, gates and the like of beads")
	case b.Type == "decision":
		r.decisionBead(f, number, b)
	case b.Pinned || b.Status == "pinned" || b.Status == "closed" && (said != "" || len(b.Comments) > 0):
		when, _ := schemas.ParseTime(b.UpdatedAt)
		r.leaveToReader(f.part(b.ID), number, b.text(), closedIssue, when)
	case b.Status == "closed":
		others.count("issues that were closed without a reason")
	default:
		others.count("open issues, which are tasks")
	}
}

// text returns all that the issue says.
func (b bead) text() string {
	lines := []string{b.Title, b.Description}
	for _, part := range [][2]string{{"Design", b.Design}, {"Notes", b.Notes}, {"Closed", b.CloseReason}} {
		if part[1] != "" {
			lines = append(lines, part[0]+": "+part[1])
		}
	}
	for _, comment := range b.Comments {
		lines = append(lines, "Comment: "+comment.Text)
	}
	return strings.Join(slices.DeleteFunc(lines, isEmpty), "\n")
}

// decisionBead adds an issue of the type decision, with the sections that "bd lint" asks for. It is proposed until it
// is closed.
func (r *reader) decisionBead(f *file, number int, b bead) {
	c := &schemas.DecisionContent{Status: pick(b.Status == "closed", "accepted", "proposed"), Rationale: []string{}}
	var context, decision []string
	for _, s := range sections(b.Description, 1) {
		body := joined(s.blocks)
		switch text.Lower(s.title) {
		case "decision":
			decision = append(decision, body)
		case "rationale":
			c.Rationale = append(c.Rationale, nonEmptyLines(body)...)
		case "alternatives considered":
			context = append(context, "Alternatives considered:", body)
		default:
			context = append(context, s.title, body)
		}
	}
	if len(c.Rationale) == 0 {
		c.Rationale = []string{""} // required, and the issue gives none
	}
	decision = append(decision, b.Design)
	c.Decision = strings.Join(slices.DeleteFunc(decision, isEmpty), "\n")
	c.Context = strings.Join(slices.DeleteFunc(context, isEmpty), "\n")
	if c.Decision == "" {
		c.Decision, c.Context = cmp.Or(c.Context, b.Title), ""
	}
	for _, line := range [][2]string{{"Acceptance criteria", b.Acceptance}, {"Notes", b.Notes},
		{"Closed", b.CloseReason}} {
		if line[1] != "" && line[1] != "Closed" {
			c.Consequences = append(c.Consequences, line[0]+": "+line[1])
		}
	}
	for _, comment := range b.Comments {
		c.Consequences = append(c.Consequences, "Comment: "+comment.Text)
	}
	d := draft{category: schemas.Decision, title: titleFrom(b.Title), tags: b.Labels, content: c, name: b.ID,
		raw: fmt.Sprintf("%s\n%s\n%s", b.Status, b.text(), b.Acceptance)}
	d.created, _ = schemas.ParseTime(b.CreatedAt)
	d.when, _ = schemas.ParseTime(b.UpdatedAt)
	for _, on := range b.Dependencies {
		d.links = append(d.links, link{kind: strings.ReplaceAll(on.Type, "-", " "), to: on.On, maybe: true})
	}
	r.draft(f, b.ID, number, d)
}
