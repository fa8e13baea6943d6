package db

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"

	"memctl/schemas"
	"memctl/text"

	"github.com/google/go-cmp/cmp"
)

// analysed is the digest of the full text of the sample notes and of text's lists of
// words, at analysedVersion.
const (
	analysedVersion = 19
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
func TestAnalyserAgreesWithTheIndex(t *testing.T) {
	var memories []schemas.Memory
	for i, title := range []string{"Running JWT_keys in C++", "", "마이그레이션을 느려졌다", "it's createdAt", "the db"} {
		content := &schemas.OtherContent{Rest: schemas.Rest{"said": []string{title, fmt.Sprint("more ", i)}}}
		memories = append(memories, schemas.Memory{Title: title, Tags: []string{"Tag", "two words", "a,b"}, Content: content})
	}
	d := newIndex(t)
	if err := d.Update(t.Context(), func(tx *Tx) error {
		l := tx.Load()
		for i := range memories {
			if err := l.Add(Entry{File{Path: fmt.Sprint(i)}, &memories[i]}); err != nil {
				return err
			}
		}
		return l.Close()
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.sql.ExecContext(t.Context(), `CREATE VIRTUAL TABLE temp.v USING fts5vocab(main, memories_fts, instance)`); err != nil {
		t.Fatal(err)
	}
	var want []Occurrence
	if err := d.Select(t.Context(), &want, `SELECT doc, col, "offset", term FROM temp.v WHERE doc > 0 ORDER BY doc, col DESC, "offset"`); err != nil {
		t.Fatal(err)
	}
	a := newAnalyser(t)
	for range 2 { // nothing stays from one call to the next
		got, err := a.Memories(t.Context(), memories)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
	}
}

func TestAnalyserWords(t *testing.T) {
	a := newAnalyser(t)
	got, err := a.Words(t.Context(), []string{"running", "cross site scripting", "", "it's", "느려", "a\x00b", "\xff"})
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

func newAnalyser(t *testing.T) *Analyser {
	t.Helper()
	a, err := NewAnalyser(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}
