package db

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"testing"

	"memctl/text"
)

// analysed is the digest of what text.FullText makes of the sample notes and of
// the files with its lists, at this ContentVersion.
const (
	analysedVersion = 8
	analysed        = "cead96bf9ac96e09"
)

// An index keeps what FullText made: if that changes, every index must be rebuilt.
func TestContentVersionFollowsTheAnalyser(t *testing.T) {
	var sample []byte
	for _, name := range []string{"../testdata/quality/notes.jsonl", "../text/abbreviations.go", "../text/loanwords.go"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sample = append(sample, data...)
	}
	sum := sha256.Sum256([]byte(text.FullText(string(sample))))
	if got := hex.EncodeToString(sum[:8]); got != analysed || ContentVersion != analysedVersion {
		t.Errorf("the full text has the digest %s at version %d, recorded are %s and %d: raise ContentVersion and record both", got, ContentVersion, analysed, analysedVersion)
	}
}
