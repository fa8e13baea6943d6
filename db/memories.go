package db

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"memctl/schemas"
	"memctl/text"
)

// memoryTables are the tables with rows of memories, parents before children, and their columns after memory_id.
var memoryTables = []struct {
	name    string
	columns []string
}{
	{"memories", []string{
		"id", "path", "category", "title", "title_key", "title_words", "tags", "record_status",
		"created_at", "created_unix", "updated_at", "updated_unix", "times_updated", "confidence", "sentence",
		"standing", "line_length",
		"retired_at", "retired_unix", "retired_reason", "archived_at", "archived_unix", "archived_reason",
		"folder",
	}},
	{"bodies", []string{"body"}},
	{"changes", []string{"position", "date", "summary", "field", "old_value", "new_value"}},
	{"related_files", []string{"file"}},
	{"commands", []string{"command"}},
	{"forbidden_lines", []string{"expression"}},
	{"successions", []string{"name", "supersedes"}},
}

// memoryRows are the rows of one memory, without its memory_id.
type memoryRows struct {
	body     string
	tables   map[string][][]any // in the order of memoryTables' columns
	postings []posting
	text     fullText
}

// add adds a row of a table.
func (r *memoryRows) add(table string, row ...any) { r.tables[table] = append(r.tables[table], row) }

// rowsOf makes the rows of a memory that is cut to the limits of the index.
func rowsOf(path string, m schemas.Memory) *memoryRows {
	tags, body, sentence := text.Tags(m.Tags), bodyText(m), text.CutSentence(m.Addition(), MaxSentence)
	r := &memoryRows{
		body:     body,
		tables:   map[string][][]any{},
		postings: postingsOf(m.Title, tags),
		text:     fullTextOf(m.Title, strings.Join(tags, ","), body),
	}
	r.add("memories", m.ID, path, string(m.Category), m.Title, text.Lower(m.Title), text.TermsOf(m.Title).Words,
		strings.Join(tags, ","), string(m.RecordStatus),
		m.CreatedAt, unix(m.CreatedAt), m.UpdatedAt, unix(m.UpdatedAt), m.TimesUpdated, m.Confidence,
		sentence, m.IsStandingRule(), utf8.RuneCountInString(schemas.StartLine(m.Title, sentence)),
		nullable(m.RetiredAt), unix(m.RetiredAt), nullable(m.RetiredReason),
		nullable(m.ArchivedAt), unix(m.ArchivedAt), nullable(m.ArchivedReason), m.Folder)
	r.add("bodies", body)
	for i, c := range m.Changes {
		r.add("changes", i, c.Date, c.Summary,
			nullable(c.Field), nullable(string(c.OldValue)), nullable(string(c.NewValue)))
	}
	for _, file := range slices.Compact(slices.Sorted(slices.Values(m.RelatedFiles))) {
		r.add("related_files", file)
	}
	for _, command := range limitedList(m.Commands(), MaxList, MaxTitle) {
		r.add("commands", command)
	}
	if check := m.Check(); check.Lines() != nil {
		r.add("forbidden_lines", check.ForbiddenLines)
	}
	for name, supersedes := range successionsOf(&m) {
		r.add("successions", name, supersedes)
	}
	return r
}

// successionsOf yields the names that a decision gives to others, and whether it supersedes
// them.
func successionsOf(m *schemas.Memory) iter.Seq2[string, bool] {
	type successor struct {
		name       string
		supersedes bool
	}
	seen := map[successor]bool{}
	return func(yield func(string, bool) bool) {
		for _, s := range m.Successions() {
			for _, name := range s.Names() {
				n := successor{name, s.Supersedes}
				if seen[n] || len(seen) == MaxList {
					continue
				}
				if seen[n] = true; !yield(name, s.Supersedes) {
					return
				}
			}
		}
	}
}

// unix is nil for an invalid timestamp, which then is neither older nor newer than any
// other.
func unix(stamp string) any {
	if t, ok := schemas.ParseTime(stamp); ok {
		return t.Unix()
	}
	return nil
}

// Counts returns the number of memories of each status.
func (t *Tx) Counts() (map[schemas.Status]int, error) {
	var rows []struct {
		Status string `db:"record_status"`
		N      int    `db:"n"`
	}
	counts := map[schemas.Status]int{}
	// By category too, as the index memories_by_category has them: nothing is sorted.
	err := t.Select(&rows, `SELECT record_status, count(*) AS n FROM memories GROUP BY category, record_status`)
	for _, row := range rows {
		counts[schemas.Status(row.Status)] += row.N
	}
	return counts, err
}

// posting is one token in one memory.
type posting struct {
	token           string
	tokenID         int64
	memoryID        int64
	inTitle, inTags bool
}

// postingsOf lists the distinct tokens of a title and its whole tags.
func postingsOf(title string, tags []string) []posting {
	words := text.Tokens(title)
	list := make([]posting, 0, len(words)+len(tags))
	for _, word := range words {
		list = append(list, posting{token: word, inTitle: true, inTags: slices.Contains(tags, word)})
	}
	for _, tag := range tags {
		if !slices.Contains(words, tag) {
			list = append(list, posting{token: tag, inTags: true})
		}
	}
	return list
}

// maxTokens is how many ids of tokens a loader remembers.
const maxTokens = 20_000

// putPostings writes the queued postings, in the order of their table, and the tokens that are new.
func (l *Loader) putPostings() error {
	l.addTokens()
	for i, p := range l.postings {
		l.postings[i].tokenID = l.tokens[p.token]
	}
	slices.SortFunc(l.postings, func(a, b posting) int {
		return cmp.Or(cmp.Compare(a.tokenID, b.tokenID), cmp.Compare(a.memoryID, b.memoryID))
	})
	table := newInserter(l.tx, "postings", "token_id", "memory_id", "in_title", "in_tags")
	for _, p := range l.postings {
		table.queue(p.tokenID, p.memoryID, p.inTitle, p.inTags)
	}
	return table.flush()
}

// addTokens gives the tokens of the queued postings ids.
func (l *Loader) addTokens() error {
	if len(l.tokens) > maxTokens {
		clear(l.tokens)
	}
	unknown := map[string]bool{}
	for _, p := range l.postings {
		if l.tokens[p.token] == 0 {
			unknown[p.token] = true
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	list := JSON(slices.Collect(maps.Keys(unknown)))
	l.tx.exec("write tokens", `
		INSERT OR IGNORE INTO tokens (token)
		SELECT value FROM json_each(?)`, list)
	var rows []struct {
		ID    int64  `db:"token_id"`
		Token string `db:"token"`
	}
	err := l.tx.Select(&rows, `
		SELECT token_id, token
		FROM tokens
		WHERE token IN (SELECT value FROM json_each(?))`, list)
	for _, row := range rows {
		l.tokens[row.Token] = row.ID
	}
	return err
}

// removeUnusedTokens deletes the tokens that no memory has any more. It scans the
// whole table, so prompts leave it to TidyUp.
func (t *Tx) removeUnusedTokens() error {
	return t.exec("remove unused tokens", `
		DELETE FROM tokens
		WHERE NOT EXISTS (SELECT 1 FROM postings p WHERE p.token_id = tokens.token_id)`)
}

// What the index takes of one memory (docs/dev/audit.md). A valid memory is far below these
// limits, except for its body. The file keeps what the index leaves out.
const (
	MaxTitle = 1000    // code points of a title, and of every other short text
	MaxTags  = 100     // tags
	MaxTag   = 100     // code points of a tag
	MaxList  = 100     // changes, and related files
	MaxBody  = 100_000 // code points of the text of the content
	// MaxSentence is how many code points of a memory's sentence the index has.
	MaxSentence = 600
)

// Limited returns a memory cut to the limits of the index.
func Limited(m schemas.Memory) schemas.Memory {
	for _, short := range []*string{
		&m.ID, &m.Title, &m.CreatedAt, &m.UpdatedAt,
		&m.RetiredAt, &m.RetiredReason, &m.ArchivedAt, &m.ArchivedReason, &m.Folder,
	} {
		*short = text.Truncate(*short, MaxTitle)
	}
	m.Category = schemas.Category(text.Truncate(string(m.Category), MaxTitle))
	m.RecordStatus = schemas.Status(text.Truncate(string(m.RecordStatus), MaxTitle))
	m.Tags = limitedList(m.Tags, MaxTags, MaxTag)
	m.RelatedFiles = limitedList(m.RelatedFiles, MaxList, MaxTitle)
	m.Changes = m.Changes[:min(len(m.Changes), MaxList)]
	return m
}

func limitedList(list []string, most, length int) []string {
	short := make([]string, 0, min(len(list), most))
	for _, s := range list[:min(len(list), most)] {
		short = append(short, text.Truncate(s, length))
	}
	return short
}
