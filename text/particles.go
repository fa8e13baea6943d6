package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// particle matches a Korean particle in both of its forms, after a word that is not known before: 파일을(를).
var particle = Pattern("(\\pL+|\\pN+|[^\\s])([\"'”’»`)\\]]*)" +
	`(을\(를\)|은\(는\)|이\(가\)|과\(와\)|\(으\)로)`)

// Particles chooses the form of each Korean particle that has two, such as 을(를), by the sound before it.
func Particles(s string) string {
	return particle().ReplaceAllStringFunc(s, func(found string) string {
		part := particle().FindStringSubmatch(found)
		after, without, _ := strings.Cut(strings.TrimSuffix(part[3], ")"), "(") // a final consonant, and none
		if part[3] == "(으)로" {
			after, without = "으로", "로"
		}
		if end := final(part[1]); end == 0 || end == 'ㄹ' && without == "로" {
			after = without
		}
		return part[1] + part[2] + after
	})
}

// final is the consonant with which a word ends as a Korean says it: 'ㄹ', 'x' for any other, 0 for none.
func final(word string) rune {
	if n := len(word) - 2; n > 0 && word[n+1] == 'e' && strings.ContainsRune("lmn", rune(word[n])) { // 룰, 네임, 라인
		word = word[:n+1]
	}
	last, width := utf8.DecodeLastRuneInString(word)
	before, _ := utf8.DecodeLastRuneInString(word[:len(word)-width])
	lower := unicode.ToLower(last)
	switch {
	case last >= '가' && last <= '힣':
		switch (last - '가') % 28 {
		case 0:
			return 0
		case 8:
			return 'ㄹ'
		}
		return 'x'
	case strings.ContainsRune("178lL", last), last == 'R' && word == strings.ToUpper(word): // 일, 칠, 팔; 엘, 알
		return 'ㄹ'
	case strings.ContainsRune("036mnMN", last), strings.HasSuffix(word, "ng"): // 영, 삼, 육; 엠, 엔
		return 'x'
	case last == lower && strings.ContainsRune("bckpt", lower) && strings.ContainsRune("aeiou", before): // 깃, 훅
		return 'x'
	}
	return 0
}
