package db

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"memctl/schemas"
	"memctl/text"

	"github.com/google/go-cmp/cmp"
)

// analysed is the digest of the full text of the sample notes and of text's lists of
// words, at analysedVersion.
const (
	analysedVersion = 24
	analysed        = "f4725573e7827a86"
)

// comment matches a line of a list of words that is none of them.
var comment = regexp.MustCompile("(?m)^(#.*)?\n")

// An index stores what FullText returns: if that changes, every index must be rebuilt.
func TestContentVersionFollowsTheAnalyser(t *testing.T) {
	sample := readFile(t, "../testdata/quality/podcast/notes.jsonl")
	for _, name := range []string{"abbreviations", "loanwords"} {
		list := comment.ReplaceAll(readFile(t, "../text/words/"+name+".txt"), nil)
		sample = append(sample, "= `\n"+string(list)+"`"...)
	}
	sum := sha256.Sum256([]byte(text.FullText(string(sample))))
	if got := hex.EncodeToString(sum[:8]); got != analysed || ContentVersion != analysedVersion {
		t.Errorf("the full text has the digest %s at version %d, recorded are %s and %d: raise ContentVersion and record both", got, ContentVersion, analysed, analysedVersion)
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// An analyser has the terms that an index has.
func FuzzAnalyserAgreesWithTheIndex(f *testing.F) {
	for _, title := range []string{"Running JWT_keys in C++", "", "마이그레이션을 느려졌다", "it's createdAt", "the db", "a\u0301 b\u0301-\u0301c",
		"naïve Ärger ÀÉ", "x—y…z\u200bq", "x509 a9b_0Z", "日本語のテスト", "٣٤ ½ Ⅷ", "\xff", strings.Repeat("long", 30), "e\ufeffmail", "𝒜𝒷 🎉ok"} {
		f.Add(title)
	}
	a := newAnalyser(f)
	f.Fuzz(func(t *testing.T, title string) {
		if !utf8.ValidString(title) || strings.Contains(title, "\x00") {
			return // a hub refuses it
		}
		d := newIndex(t)
		if _, err := d.sql.ExecContext(t.Context(), `CREATE VIRTUAL TABLE temp.v USING fts5vocab(main, memories_fts, instance)`); err != nil {
			t.Fatal(err)
		}
		content := &schemas.OtherContent{Rest: schemas.Rest{"said": []string{title, "more " + title, title + "more"}}}
		m := schemas.Memory{Title: title, Tags: []string{"Tag", "two words", "a,b", title}, Content: content}
		if err := d.Update(t.Context(), func(tx *Tx) error {
			l := tx.Load()
			if err := l.Add(Entry{File: File{Path: "m"}, Memory: &m}); err != nil {
				return err
			}
			return l.Close()
		}); err != nil {
			t.Fatal(err)
		}
		var terms []string
		if err := d.Select(t.Context(), &terms, `
			SELECT col || ' ' || "offset" || ' ' || term
			FROM temp.v
			WHERE doc > 0
			ORDER BY col DESC, "offset"`); err != nil {
			t.Fatal(err)
		}
		for range 2 { // nothing stays from one call to the next
			var got []string
			found, err := a.Memories(t.Context(), []schemas.Memory{m})
			for column, list := range found[0] {
				for i, term := range list {
					got = append(got, fmt.Sprint([]string{"title", "tags", "body"}[column], " ", i, " ", term))
				}
			}
			if diff := cmp.Diff(terms, got); err != nil || diff != "" {
				t.Errorf("%v %s", err, diff)
			}
		}
	})
}

func TestAnalyserWords(t *testing.T) {
	a := newAnalyser(t)
	got, err := a.Words(t.Context(), []string{"running", "cross site scripting", "", "it's", "느려", "\xff"})
	want := [][]string{{"run"}, {"cross", "site", "script"}, nil, {"it", "s"}, {"느려"}}
	if diff := cmp.Diff(want, got[:5]); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	if got, err := a.Words(t.Context(), nil); err != nil || len(got) > 0 {
		t.Errorf("%v, %q", err, got)
	}
}

// Many may ask one analyser at once.
func TestAnalyserAtOnce(t *testing.T) {
	a := newAnalyser(t)
	done := make(chan error)
	for i := range 8 {
		go func() {
			got, err := a.Words(t.Context(), []string{fmt.Sprint("word", i)})
			if err == nil && !slices.Equal(got[0], []string{fmt.Sprint("word", i)}) {
				err = fmt.Errorf("got %q", got)
			}
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func newAnalyser(t testing.TB) *Analyser {
	t.Helper()
	a, err := NewAnalyser(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}
