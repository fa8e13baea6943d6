package db

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"regexp"
	"testing"

	"memctl/text"
)

// analysed is the digest of the full text of the sample notes and of text's lists of
// words, at analysedVersion.
const (
	analysedVersion = 13
	analysed        = "97eaaf4c14b392ac"
)

// wordList matches a list of words in a Go file. Package text does not export them.
var wordList = regexp.MustCompile("(?s)= `\n.*?`")

// An index stores what FullText returns: if that changes, every index must be rebuilt.
func TestContentVersionFollowsTheAnalyser(t *testing.T) {
	sample := readFile(t, "../testdata/quality/podcast/notes.jsonl")
	for _, name := range []string{"../text/abbreviations.go", "../text/loanwords.go"} {
		list := wordList.Find(readFile(t, name))
		if list == nil {
			t.Fatalf("%s has no list of words", name)
		}
		sample = append(sample, list...)
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
