package exchange

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

const engramName = "engram"

// engramEntry is an observation of engram, as its database and its export have it.
type engramEntry struct {
	ID        json.Number `json:"id"`
	Type      string      `json:"type"`
	Title     string      `json:"title"`
	Content   string      `json:"content"`
	Project   string      `json:"project"`
	Scope     string      `json:"scope"`
	TopicKey  string      `json:"topic_key"`
	CreatedAt string      `json:"created_at"` // in UTC
	UpdatedAt string      `json:"updated_at"`
	DeletedAt string      `json:"deleted_at"`
}

// engramExport is the file that "engram export" writes.
type engramExport struct {
	Version      string             `json:"version"`
	Observations *[]engramEntry     `json:"observations"`
	Prompts      []*json.RawMessage `json:"prompts"`
}

var (
	engramObservations = foreignTable{"observations", []string{"id", "type", "title", "content", "project",
		"created_at"},
		[]string{"scope", "topic_key", "updated_at", "deleted_at"}}
	engramPrompts = foreignTable{"user_prompts", []string{"id"}, nil}
)

func engramDatabase(files.Root) string { return filepath.Join(userHome(), ".engram", "engram.db") }

// readEngram reads engram's database, or its export.
func readEngram(r *reader, name string) error {
	isDatabase, err := r.src.startsLikeDatabase(name)
	if err != nil {
		return err
	}
	f, others, prompts := &file{origin: r.src.origin(name)}, leftOut{}, 0
	if isDatabase {
		err = r.readDatabase(engramName, name, func(d foreignDB) error {
			err := d.rows(engramObservations, func(row map[string]string) {
				r.engram(f, others, engramEntry{json.Number(row["id"]), row["type"], row["title"], row["content"],
					row["project"], row["scope"], row["topic_key"], row["created_at"], row["updated_at"],
					row["deleted_at"]})
			})
			return cmp.Or(err, d.rows(engramPrompts, func(map[string]string) { prompts++ }))
		})
	} else {
		prompts, err = r.engramExport(f, others, name)
	}
	if err != nil {
		return err
	}
	if prompts > 0 {
		others["prompts, which are not memories"] = prompts
	}
	r.leaveOutAll(f.part(""), others)
	return nil
}

// engramExport reads an export, and returns how many prompts it has.
func (r *reader) engramExport(f *file, others leftOut, name string) (prompts int, err error) {
	opened, info, err := r.src.open(name)
	if err != nil {
		return 0, err
	}
	defer opened.Close()
	if info.Size() > maxText {
		return 0, tooMuch(fmt.Sprintf("more than %d MiB of text", maxText>>20))
	}
	var export engramExport
	if err := json.NewDecoder(io.LimitReader(opened, maxText)).Decode(&export); err != nil {
		return 0, errors.New("neither a database nor an export of engram: " + text.Brief(err.Error()))
	}
	if export.Version == "" || export.Observations == nil {
		return 0, errors.New("no export of engram: it has no version, or no observations")
	}
	for _, e := range *export.Observations {
		for _, value := range []*string{&e.Type, &e.Title, &e.Content, &e.Project, &e.TopicKey} {
			*value = r.filtered(*value)
		}
		if r.engram(f, others, e); r.stopped() {
			return 0, r.err
		}
	}
	return len(export.Prompts), nil
}

// engram adds an observation.
func (r *reader) engram(f *file, others leftOut, e engramEntry) {
	own := r.w.Root.Scope == files.UserScope
	switch {
	case e.DeletedAt != "":
		others.count("deleted in engram")
		return
	case e.Scope == "personal" && !own:
		others.count("about you, but others read this root: memctl import engram --user takes them")
		return
	case e.Scope == "personal":
	case !r.ofProject(e.Project, others):
		return
	}
	d := draft{category: cmp.Or(categoryOf(e.Type), r.options.Category), title: titleFrom(e.Title), topic: e.Title,
		tags: []string{e.Type, path.Base(e.TopicKey)}, raw: e.Title + "\n" + e.Content}
	d.created, _ = schemas.ParseTime(e.CreatedAt)
	d.when, _ = schemas.ParseTime(cmp.Or(e.UpdatedAt, e.CreatedAt))
	part := "observations/" + e.ID.String()
	if d.category == "" || d.title == "" || strings.TrimSpace(e.Content) == "" {
		r.leaveToReader(f.part(part), 0, strings.TrimSpace(d.raw), unfit, d.when)
		return
	}
	if d.category == schemas.SessionSummary {
		d.content = engramSummary(e.Title, e.Content)
	} else {
		fields := engramFields(e.Content)
		d.text = cmp.Or(strings.Join(slices.DeleteFunc([]string{fields[""], fields["What"], fields["Learned"]},
			isEmpty),
			"\n"), e.Content)
		d.why, d.lead, d.files = fields["Why"], unless(d.title, e.Title), r.projectFiles(placesOf(fields["Where"]))
	}
	r.draft(f, part, 0, d)
}

// engramField begins a field of an observation, as engram asks its agent for them.
var engramField = text.Pattern(`(?m)^\*\*(What|Why|Where|Learned)\*\*:[ \t]*`)

// engramFields returns the fields of an observation by their names, and the text before them as "".
func engramFields(content string) map[string]string {
	fields, name, from := map[string]string{}, "", 0
	add := func(to int) {
		fields[name] = strings.TrimSpace(fields[name] + "\n" + content[from:to])
	}
	for _, at := range engramField().FindAllStringSubmatchIndex(content, -1) {
		add(at[0])
		name, from = content[at[2]:at[3]], at[1]
	}
	add(len(content))
	return fields
}

// placesOf returns the paths of a list such as "a/b.go, c.go — the function f".
func placesOf(where string) (list []string) {
	for _, place := range strings.FieldsFunc(where, func(r rune) bool { return r == ',' || r == '\n' }) {
		words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(place), "- "))
		if len(words) > 0 && strings.ContainsAny(words[0], "/.") {
			list = append(list, strings.Trim(words[0], "`"))
		}
	}
	return list
}

// engramSummary takes a summary of a session apart by the headings that engram asks for.
func engramSummary(title, content string) *schemas.SessionContent {
	s := &schemas.SessionContent{Outcome: "success", Completed: []string{}, NextActions: []string{}}
	var goal []string
	under := ""
	for line := range strings.SplitSeq(content, "\n") {
		heading, isHeading := strings.CutPrefix(line, "## ")
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "- "))
		open, isOpen := strings.CutPrefix(line, "🔲")
		switch {
		case isHeading:
			under = strings.TrimSpace(heading)
		case line == "":
		case isOpen, under == "Next Steps":
			s.NextActions = append(s.NextActions, strings.TrimSpace(pick(isOpen, open, line)))
			s.Outcome = "partial"
		case under == "Goal":
			goal = append(goal, line)
		case under == "Accomplished":
			s.Completed = append(s.Completed, strings.TrimSpace(strings.TrimPrefix(line, "✅")))
		case under == "":
			s.KeyChanges = append(s.KeyChanges, line)
		default:
			s.KeyChanges = append(s.KeyChanges, under+": "+line)
		}
	}
	s.Goal = cmp.Or(strings.Join(goal, "\n"), title)
	return s
}
