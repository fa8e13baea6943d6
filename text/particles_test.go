package text_test

import (
	"testing"

	"memctl/text"
)

func TestParticles(t *testing.T) {
	for phrase, want := range map[string]string{
		"기억을(를) 서버은(는) 파일이(가) 색인과(와)": "기억을 서버는 파일이 색인과", "서울(으)로 부산(으)로 제주(으)로": "서울로 부산으로 제주로",
		"1을(를) 2을(를) 3을(를) 10을(를) 1,000을(를)":      "1을 2를 3을 10을 1,000을",
		"7(으)로 5(으)로 6(으)로":                       "7로 5로 6으로",
		"git을(를) URL(으)로 API은(는) json이(가) PR(으)로": "git을 URL로 API는 json이 PR로",
		"\"hook\"을(를) `server`(으)로 (값)이(가)":       "\"hook\"을 `server`로 (값)이",
		"decisions/use-pnpm.json(으)로":             "decisions/use-pnpm.json으로",
		"fix(으)로 test은(는) rule을(를)":               "fix로 test는 rule을", "없음 (이유)": "없음 (이유)",
	} {
		if got := text.Particles(phrase); got != want {
			t.Errorf("%s is %s, want %s", phrase, got, want)
		}
	}
}
