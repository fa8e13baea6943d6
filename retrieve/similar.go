package retrieve

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"

	"memctl/db"
	"memctl/schemas"
	"memctl/text"
)

// Verdict says whether a new memory repeats an existing one.
type Verdict string

// The verdicts on a memory.
const (
	New Verdict = "new"
	// a memory has most of its title's words; only a reader can tell whether both are needed
	Similar   Verdict = "similar"
	Duplicate Verdict = "duplicate" // a memory has all of its words, and no others in the title
)

const (
	// leastOfNew is how much of a new title another memory's title and tags have that says
	// the same, by the rarity of the words. Issue trackers have many titles that share half:
	// two steps of one migration, the same test of two commands.
	leastOfNew = 0.6
	// leastOfOld is how much of the other memory's title the new one has: half is enough.
	leastOfOld = 0.5
	// rounding is more than the error of a sum of weights.
	rounding = 1e-9
	// mostLike is how many memories are compared whole.
	mostLike = 20
	// mostCounted bounds the count of memories that have a word.
	mostCounted = 1000
)

// Comparison is the result of Compare: a verdict, and the memory that it rests on.
type Comparison struct {
	Verdict Verdict
	Other   Entry // unless the verdict is New
}

// Compare compares a new memory with the active ones of a category, of any if that is "". It is the only rule for
// that: every door asks it before it saves. A memory is compared unless except is true for its path.
// Of several similar ones it is the one that shares the most with the title.
//
// What two titles share is weighed by the rarity of their words, in any form. Tags help to
// recognize the new title, but are not part of the other statement.
func (s Source) Compare(
	ctx context.Context, category schemas.Category, m *schemas.Memory, except func(path string) bool,
) (Comparison, error) {
	words := text.Words(m.Title)
	if len(words) == 0 { // an emoji, or function words alone
		same, err := Titled(ctx, s.DB, m.Title, "")
		if err == nil && same.Path != "" && (category == "" || category == same.Category) && s.repeats(m, same.Path) {
			return Comparison{Duplicate, same}, nil
		}
		return Comparison{Verdict: New}, err
	}
	w, err := s.idf(ctx, words)
	if err != nil {
		return Comparison{Verdict: New}, err
	}
	alike, err := s.alike(ctx, category, words, w)
	best, result := 0.0, Comparison{Verdict: New}
	for _, other := range alike {
		ofNew := other.shared / w.Sum(words)
		if ofNew <= leastOfNew || except != nil && except(other.Path) {
			continue
		}
		old := text.Words(other.Title)
		inOld, err := s.idf(ctx, old)
		if err != nil {
			return result, err
		}
		share := sameTitle(ofNew, other.inTitle/inOld.Sum(old))
		if share > 0 && s.repeats(m, other.Path) {
			return Comparison{Duplicate, other.Entry}, nil
		}
		if share > best {
			best, result = share, Comparison{Similar, other.Entry}
		}
	}
	if err != nil || result.Verdict != New {
		return result, err
	}
	return s.sameSubject(ctx, category, m.Title, except)
}

// repeats reports whether the memory at a path says all that a new one says.
func (s Source) repeats(m *schemas.Memory, path string) bool {
	data, err := s.Root.ReadFile(path)
	if err != nil {
		return false
	}
	other, err := schemas.Decode(data)
	return err == nil && m.Repeats(&other)
}

// sameTitle returns how much two titles share that say the same, 0 for others: the lesser of the part
// of the new one that the other memory has in its title and tags, and the part of the other title
// that the new one has.
func sameTitle(ofNew, ofOld float64) float64 {
	if ofNew <= leastOfNew || ofOld <= leastOfOld-rounding {
		return 0
	}
	return min(ofNew, ofOld)
}

// Headed is a memory as its title and tags tell it.
type Headed struct {
	Title string
	Tags  []string
	words []string        // of the title, the rarest first
	title map[string]bool // those
	all   map[string]bool // and the words of the tags
	total float64         // weight of words
}

// mostCompared is how many memories EachSimilar compares one with: titles that are all made of the
// same few words would take a time that grows with the square of their number.
const mostCompared = 400

// EachSimilar compares each memory of one category with those before it in the list, by the rules of
// Compare for similar ones, those for titles on one subject too, and with their own words for an index.
// It calls use with the position of each that is similar to one before it, with that of the one with which
// it shares the most, whether the two seem to contradict each other, and how much they share.
func EachSimilar(ctx context.Context, list []Headed, use func(at, before int, contradicts bool, share float64)) {
	f := Frequencies{Memories: len(list), firstPages: map[string]int{}}
	for i := range list {
		t := &list[i]
		t.title, t.all, t.words = map[string]bool{}, map[string]bool{}, text.Words(t.Title)
		for _, word := range t.words {
			t.title[word], t.all[word] = true, true
		}
		for _, word := range text.Words(strings.Join(t.Tags, " ")) {
			t.all[word] = true
		}
		for word := range t.all {
			f.firstPages[word]++
		}
	}
	w := text.Weights{}
	for word := range f.firstPages {
		w[word] = f.rarity(word)
	}
	subjects := subjects{any: map[string]int{}, verb: map[string]int{}}
	with := map[string][]int{} // those that repeat none, by the words of their titles
	for i := range list {
		t := &list[i]
		if ctx.Err() != nil {
			return
		}
		slices.SortFunc(t.words, func(a, b string) int {
			return cmp.Or(cmp.Compare(w[b], w[a]), strings.Compare(a, b))
		})
		t.total = max(w.Sum(t.words), rounding)
		best, before, seen := 0.0, -1, map[int]bool{}
		for _, word := range w.Rarest(t.words, leastOfOld-rounding) {
			for _, j := range with[word] {
				if len(seen) == mostCompared {
					break
				}
				if seen[j] {
					continue
				}
				seen[j] = true
				if share := sameTitle(list[j].partIn(t.all, w), t.partIn(list[j].title, w)); share > best {
					best, before = share, j
				}
			}
		}
		stated := statementOf(t.Title)
		if other, known := subjects.before(stated); before < 0 && known {
			best, before = leastOfOld, other
		}
		if before >= 0 {
			use(i, before, contradict(list[before].Title, t.Title), best)
			continue
		}
		for _, word := range t.words {
			with[word] = append(with[word], i)
		}
		subjects.add(stated, i)
	}
}

// subjects are the first positions of statements in a list, by what they are about.
type subjects struct{ any, verb map[string]int }

// before finds a statement that gives the same subject a value, as Source.sameSubject does.
func (k subjects) before(s statement) (at int, known bool) {
	if s.verb {
		at, known = k.any[s.key()]
	} else {
		at, known = k.verb[s.key()]
	}
	return at, known
}

func (k subjects) add(s statement, at int) {
	key := s.key()
	if key == "" {
		return
	}
	if _, known := k.any[key]; !known {
		k.any[key] = at
	}
	if _, known := k.verb[key]; !known && s.verb {
		k.verb[key] = at
	}
}

// partIn is the part of the title's weight that a memory with some words has.
func (h Headed) partIn(has map[string]bool, w text.Weights) float64 {
	shared := 0.0
	for _, word := range h.words {
		if has[word] {
			shared += w[word]
		}
	}
	return shared / h.total
}

// sameSubject finds the memory that gives the subject of a title another value: one of the two
// names it before a verb, the other before a verb or a colon. "Redis eviction: allkeys-lfu" and
// "Redis eviction is noeviction" do. What two titles have before a colon is often only a topic.
func (s Source) sameSubject(
	ctx context.Context, category schemas.Category, title string, except func(path string) bool,
) (Comparison, error) {
	stated := statementOf(title)
	if stated.key() == "" {
		return Comparison{Verdict: New}, nil
	}
	entries, err := db.Query[Entry](ctx, s.DB, `
		SELECT
			m.id,
			m.path,
			m.title
		FROM memories_fts f
		JOIN memories m ON m.memory_id = f.rowid
		WHERE f.memories_fts MATCH ?1
			AND ?2 IN ('', m.category)
			AND m.record_status = 'active'
		ORDER BY m.path
		LIMIT ?3`, "title : ("+db.MatchAll(stated.subject)+")", category, mostLike)
	for _, other := range entries {
		if stated.sameSubject(statementOf(other.Title)) && (except == nil || !except(other.Path)) {
			return Comparison{Similar, other}, err
		}
	}
	return Comparison{Verdict: New}, err
}

// statement is a title that gives a subject a value: after a verb, or after a colon.
type statement struct {
	subject []string // its words, sorted; none if the title gives no value
	value   []string // its words
	verb    bool
}

func statementOf(title string) (s statement) {
	title = text.Lower(title)
	end, rest := len(title), ""
	for _, mark := range []string{": ", " is ", " are ", " ist ", " sind "} {
		if i := strings.Index(title, mark); i >= 0 && i < end {
			end, rest, s.verb = i, title[i+len(mark):], mark != ": "
		}
	}
	if rest != "" {
		s.subject, s.value = slices.Sorted(slices.Values(text.Words(title[:end]))), text.Words(rest)
	}
	return s
}

// key is the subject, "" for one of a single word, on which memories say much.
func (s statement) key() string {
	if len(s.subject) < 2 {
		return ""
	}
	return strings.Join(s.subject, " ")
}

func (s statement) sameSubject(other statement) bool {
	return (s.verb || other.verb) && len(s.subject) > 0 && slices.Equal(s.subject, other.subject)
}

// otherValue reports whether two titles on one subject have no word of its value in common,
// or only one word replaced: "on Tuesdays" and "on Fridays".
func (s statement) otherValue(other statement) bool {
	if !s.sameSubject(other) || len(s.value)*len(other.value) == 0 {
		return false
	}
	own := 0
	for _, word := range s.value {
		if !slices.Contains(other.value, word) {
			own++
		}
	}
	return own == len(s.value) || own == 1 && len(s.value) == len(other.value)
}

// contradict reports whether two similar titles differ by a number, by a "not", or by the value that
// they give to one subject.
func contradict(title, other string) bool {
	a, b := numbers(title), numbers(other)
	return len(a)*len(b) > 0 && !maps.Equal(a, b) || negated(title) != negated(other) ||
		statementOf(title).otherValue(statementOf(other))
}

func numbers(s string) map[string]bool {
	found := map[string]bool{}
	for _, n := range strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' }) {
		found[n] = true
	}
	return found
}

// negated reports whether a title is a negation.
func negated(s string) bool {
	for _, word := range strings.Fields(text.Lower(s)) {
		switch word {
		case "no", "not", "never", "without", "nicht", "kein", "keine", "keinen", "nie", "ohne":
			return true
		}
		if strings.HasSuffix(word, "n't") || strings.ContainsAny(word, "않없못") {
			return true
		}
	}
	return false
}

// idf orders words by their rarity in the index, and returns it. A word that no memory has
// is as rare as that of one memory: so it will be once the new one is saved.
func (s Source) idf(ctx context.Context, words []string) (text.Weights, error) {
	f, err := frequenciesOf(ctx, s.DB, words, mostCounted)
	w := text.Weights{}
	for _, word := range words {
		f.firstPages[word] = max(f.firstPages[word], 1)
		w[word] = f.rarity(word)
	}
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(w[b], w[a]) })
	return w, err
}

// like is a memory that shares words with a title: their weight in its title and tags, and
// in the title alone.
type like struct {
	Entry
	shared, inTitle float64
}

// alike returns the memories that share the most with the words of a title.
func (s Source) alike(ctx context.Context, category schemas.Category, words []string, w text.Weights) ([]like, error) {
	rare := "{title tags} : (" + db.MatchAny(w.Rarest(words, leastOfNew)) + ")"
	type match struct {
		Word  int    `json:"word"`
		Query string `json:"query"`
		Title bool   `json:"title"`
	}
	var matches []match
	for i, word := range words {
		matches = append(matches, match{i, "{title tags} : " + db.Quote(word) + " AND " + rare, false},
			match{i, "title : " + db.Quote(word) + " AND " + rare, true})
	}
	type hit struct {
		Entry
		Word    int  `db:"word"`
		InTitle bool `db:"in_title"`
	}
	hits, err := db.Query[hit](ctx, s.DB, `
		SELECT
			m.id,
			m.path,
			m.title,
			word.value ->> 'word' AS word,
			word.value ->> 'title' AS in_title
		FROM json_each(?1) word
		CROSS JOIN memories_fts f ON f.memories_fts MATCH word.value ->> 'query'
		JOIN memories m ON m.memory_id = f.rowid
		WHERE ?2 IN ('', m.category)
			AND m.record_status = 'active'`, db.JSON(matches), category)
	byPath := map[string]*like{}
	for _, h := range hits {
		l := byPath[h.Path]
		if l == nil {
			l = &like{Entry: h.Entry}
			byPath[h.Path] = l
		}
		if h.InTitle {
			l.inTitle += w[words[h.Word]]
		} else {
			l.shared += w[words[h.Word]]
		}
	}
	var list []like
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		list = append(list, *byPath[path])
	}
	slices.SortStableFunc(list, func(a, b like) int { return cmp.Compare(b.shared, a.shared) })
	return list[:min(len(list), mostLike)], err
}

// Titled returns the active memory with a title, in any case, other than the one at
// path. It returns the zero value if there is none.
func Titled(ctx context.Context, d *db.DB, title, path string) (Entry, error) {
	return db.QueryRow[Entry](ctx, d, `
		SELECT
			id,
			path,
			category,
			title
		FROM memories
		WHERE title_key = ?
			AND record_status = 'active'
			AND path <> ?
		ORDER BY path
		LIMIT 1`, text.Lower(title), path)
}

// OnlyIn returns those of the sentences whose words no active memory has together,
// other than the one at path. No prompt would find them if that memory went.
func OnlyIn(ctx context.Context, d *db.DB, path string, sentences []string) ([]string, error) {
	var only []string
	for _, sentence := range sentences {
		words := strings.FieldsFunc(sentence, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsNumber(r)
		})
		if len(words) == 0 {
			continue
		}
		elsewhere, err := db.Query[int](ctx, d, `
			SELECT 1
			FROM memories_fts f
			JOIN memories m ON m.memory_id = f.rowid
			WHERE memories_fts MATCH ?
				AND m.path <> ?
				AND m.record_status = 'active'
			LIMIT 1`, db.MatchAll(words[:min(len(words), maxWords)]), path)
		if err != nil {
			return nil, err
		}
		if len(elsewhere) == 0 {
			only = append(only, sentence)
		}
	}
	return only, nil
}
