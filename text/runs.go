package text

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// script says how a run is split.
type script int

const (
	// alphabetic words have spaces between them.
	alphabetic script = iota
	// hangul words do too, but particles and endings are attached to them.
	hangul
	// ideographic is Han and Kana, which have nothing between words.
	ideographic
)

// run is a series of letters, digits and underscores of one script.
type run struct {
	text string
	script
	joined bool // to a run of another script, with nothing between: FTS5 sees one word
}

// runs yields the runs of s in order. Names with signs become words: C++ cpp, C#
// csharp, .NET dotnet.
func runs(s string) iter.Seq[run] {
	return func(yield func(run) bool) {
		before := -1 // where the run before ends
		for i := 0; i < len(s); {
			r, size := utf8.DecodeRuneInString(s[i:])
			if !inRun(r) {
				i += size
				continue
			}
			end, kind := runEnd(s, i)
			next, _ := utf8.DecodeRuneInString(s[end:])
			word := run{s[i:end], kind, i == before || inRun(next)}
			if name, length := signedName(s, i, end); name != "" {
				word.text = name
				end = i + length
			}
			if !yield(word) {
				return
			}
			i, before = end, end
		}
	}
}

func runEnd(s string, start int) (int, script) {
	first, _ := utf8.DecodeRuneInString(s[start:])
	kind := scriptOf(first)
	for i, r := range s[start:] {
		if !inRun(r) || !unicode.IsMark(r) && scriptOf(r) != kind {
			return start + i, kind
		}
	}
	return len(s), kind
}

func inRun(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r))
}

func scriptOf(r rune) script {
	switch {
	case r < 0x1100:
		return alphabetic
	case unicode.Is(unicode.Hangul, r):
		return hangul
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana), r == 'ー':
		return ideographic
	}
	return alphabetic
}

// isSignedName reports whether a word stands for a name with signs. The index must
// hold it, for FTS5 sees only the letters of the name.
func isSignedName(word string) bool {
	return word == "cpp" || word == "csharp" || word == "fsharp" || word == "dotnet"
}

// signedName returns the word for the name with signs around s[start:end], and the
// length of the name from start; "" for none.
func signedName(s string, start, end int) (name string, length int) {
	after := s[end:]
	switch word := s[start:end]; {
	case strings.EqualFold(word, "c") && strings.HasPrefix(after, "++"):
		return "cpp", 3
	case strings.EqualFold(word, "c") && strings.HasPrefix(after, "#"):
		return "csharp", 2
	case strings.EqualFold(word, "f") && strings.HasPrefix(after, "#"):
		return "fsharp", 2
	case strings.EqualFold(word, "net") && dotBefore(s, start):
		return "dotnet", 3
	}
	return "", 0
}

// dotBefore reports whether a dot stands before i that follows no word: ".net", not
// "example.net".
func dotBefore(s string, i int) bool {
	if i == 0 || s[i-1] != '.' {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s[:i-1])
	return i == 1 || !inRun(before)
}
