package text

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/text/unicode/norm"
)

// noCount leaves out what TestCounts tests.
var noCount = cmpopts.IgnoreFields(Terms{}, "Words")

func TestTermsOf(t *testing.T) {
	tests := map[string]struct {
		prompt string
		want   Terms
	}{
		"words and their neighbours":  {"Kafka partition limits", Terms{Topics: []string{"kafka", "partition", "limits"}, Pairs: []string{"kafka partition", "partition limits"}}},
		"a function word separates":   {"limits of kafka", Terms{Topics: []string{"limits", "kafka"}}},
		"instructions are plain":      {"rerunning the builds", Terms{Plain: []string{"rerunning", "builds"}}},
		"nouns of agents are topics":  {"worker scheduler", Terms{Topics: []string{"worker", "scheduler"}, Pairs: []string{"worker scheduler"}}},
		"things of any program":       {"toggles of the kafka page", Terms{Topics: []string{"kafka"}, Common: []string{"toggles"}, Plain: []string{"page"}, Pairs: []string{"kafka page"}}},
		"small numbers are common":    {"kafka 24 limit 412", Terms{Topics: []string{"kafka", "limit", "412"}, Common: []string{"24"}, Pairs: []string{"kafka 24", "24 limit", "limit 412"}}},
		"prod is not the past of pro": {"push to prod", Terms{Topics: []string{"prod"}, Plain: []string{"push"}}},
		"conjugated Korean":           {"느린데 밀려요", Terms{Topics: []string{"느리", "밀리"}, Pairs: []string{"린데", "려요"}}},
		"an identifier":               {"tenantCursor", Terms{Topics: []string{"tenant", "cursor"}, Pairs: []string{"tenant cursor", "tenantcursor"}}},
		"underscores":                 {"tenant_cursor", Terms{Topics: []string{"tenant", "cursor"}, Pairs: []string{"tenant cursor", "tenantcursor"}}},
		"short names":                 {"ci db ui s3 x509", Terms{Topics: []string{"ci", "ui", "s3", "x509"}, Common: []string{"database"}, Pairs: []string{"ci database", "database ui", "ui s3", "s3 x509"}}},
		"names with signs":            {"C++ c# .NET example.net", Terms{Topics: []string{"cpp", "csharp", "dotnet", "net"}, Plain: []string{"example"}, Pairs: []string{"cpp csharp", "csharp dotnet", "dotnet example", "example net"}}},
		"abbreviations":               {"k8s auth", Terms{Topics: []string{"kubernetes", "authentication"}, Pairs: []string{"kubernetes authentication"}}},
		"loanwords":                   {"마이그레이션을 롤백", Terms{Topics: []string{"migration", "rollback"}}},
		"a compound":                  {"롤백절차", Terms{Topics: []string{"rollback", "절차"}}},
		"the beginning of a word":     {"재정산하려면", Terms{Topics: []string{"settlement"}, Pairs: []string{"하려", "려면"}}},
		"Korean instructions":         {"다시 돌려줘", Terms{Pairs: []string{"다시", "돌려", "려줘"}}},
		"longer than an instruction":  {"사용자 저장소", Terms{Topics: []string{"repository"}, Common: []string{"user"}}},
		"forms of a word":             {"renderer, render and rendering; implement the implementation", Terms{Topics: []string{"renderer"}, Plain: []string{"implement"}, Pairs: []string{"renderer render", "rendering implement"}}},
		"a word and its plural":       {"shipment of shipments, shipping", Terms{Topics: []string{"shipment", "shipping"}, Pairs: []string{"shipments shipping"}}},
		"contractions":                {"don't lets kafka", Terms{Topics: []string{"kafka"}}},
		"forms of function words":     {"using kafka", Terms{Topics: []string{"kafka"}, Plain: []string{"using"}, Pairs: []string{"using kafka"}}},
		"French":                      {"est-ce que les webhooks marchent pour une commande", Terms{Topics: []string{"webhooks", "marchent", "commande"}, Pairs: []string{"webhooks marchent"}}},
		"Spanish without accents":     {"que hacen los webhooks tambien aqui", Terms{Topics: []string{"webhooks"}}},
		"Russian":                     {"что это за вебхук и почему он не работает", Terms{Topics: []string{"вебхук", "работает"}, Pairs: []string{"вебхук и"}}},
		"English with foreign words":  {"the die and the mit license", Terms{Topics: []string{"die", "mit", "license"}, Pairs: []string{"mit license"}}},
		"function words of Chinese":   {"但是我们的数据", Terms{Pairs: []string{"数据"}}},
		"endings of Japanese":         {"データを消した", Terms{Pairs: []string{"デー", "ータ", "タを", "を消", "消し"}}},
		"no borders between words":    {"数据迁移", Terms{Pairs: []string{"数据", "据迁", "迁移"}}},
		"particles say nothing":       {"API는 DB에서", Terms{Common: []string{"api", "database"}, Pairs: []string{"에서"}}},
		"nothing":                     {"!!! 🙂🙂 …", Terms{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for form, prompt := range map[string]string{"NFC": tt.prompt, "NFD": norm.NFD.String(tt.prompt)} {
				if diff := cmp.Diff(tt.want, TermsOf(prompt), cmpopts.EquateEmpty(), noCount); diff != "" {
					t.Errorf("%s (-want +got):\n%s", form, diff)
				}
			}
		})
	}
}

func TestLone(t *testing.T) {
	for prompt, want := range map[string]bool{
		"commit this":            true,
		"커밋해줘":                   true,
		"commit the changes":     false,
		"commit the kafka topic": false,
		"테스트 다시 돌려보고 결과 알려줘": false,
		"what is this": false,
	} {
		if got := TermsOf(prompt).Lone(); got != want {
			t.Errorf("%q: %v", prompt, got)
		}
	}
}

func TestVerbStem(t *testing.T) {
	for stem, pairs := range map[string]string{
		"느리": "느리 느려 느린 느릴 느림 느립 느렸",
		"바꾸": "바꾸 바꿔 바꿨",
		"정산": "정산",
		"값과": "값과",
		"배포": "배포",
		"갔":  "갔",
		"ab": "ab",
	} {
		for pair := range strings.FieldsSeq(pairs) {
			if got := verbStem(pair); got != stem {
				t.Errorf("%s: %s, want %s", pair, got, stem)
			}
		}
	}
}

func TestFullTextKeepsTheTextInFront(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"nothing to add":     {"kafka limits", "kafka limits"},
		"camelCase":          {"createdAt", "createdAt\ncreated At "},
		"underscores":        {"order_id", "order_id\norderid "},
		"abbreviations":      {"the db, found", "the db, found\ndatabase find "},
		"Hangul":             {"롤백을", "롤백을\n롤백 백을 rollback "},
		"conjugated Korean":  {"느려졌다", "느려졌다\n느려 려졌 졌다 느리 "},
		"two syllables":      {"롤백", "롤백\nrollback "},
		"a Korean ending":    {"Redis를 2대", "Redis를 2대\nRedis 를 2 대 "},
		"a word in Chinese":  {"用Redis缓存", "用Redis缓存\n用 Redis 缓存 "},
		"signs":              {"C++", "C++\ncpp "},
		"encoded data stays": {strings.Repeat("aB", 80), strings.Repeat("aB", 80)},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := FullText(tt.in); got != tt.want {
				t.Errorf("FullText(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestSynonyms(t *testing.T) {
	groups, problems := ParseSynonyms("# a comment\nthrottle, rate limit, 속도 제한\n\nalone\n,,\nscan photo, label picture\n")
	if len(groups) != 2 || len(problems) != 2 || problems[0].Line != 4 || problems[1].Line != 5 {
		t.Fatalf("%q, %v", groups, problems)
	}
	tests := map[string]struct {
		prompt string
		topics []string
	}{
		"one brings the others":     {"throttle it", []string{"throttle", "rate limit", "속도", "limit"}},
		"a phrase, in any case":     {"the Rate-Limit of hanbit", []string{"rate", "limit", "hanbit", "throttle", "속도"}},
		"Korean with a particle":    {"속도 제한을 넘었어", []string{"속도", "limit", "넘었", "throttle", "rate limit"}},
		"a part of a word does not": {"throttled moderate limits", []string{"throttled", "moderate", "limits"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := TermsOf(tt.prompt).AddSynonyms(tt.prompt, groups).Topics
			if diff := cmp.Diff(tt.topics, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A word with a capital or a stray character would never be found.
func TestListsAreClean(t *testing.T) {
	for name, file := range map[string]string{
		"function": wordFile("stop") + wordFile("function"), "instruction": wordFile("instruction"), "common": wordFile("common"),
		"beginnings": wordFile("korean-beginnings"), "syllables": wordFile("korean-syllables"),
	} {
		words := strings.Fields(strings.Join(slices.Collect(DataLines(file)), " "))
		sorted := slices.Sorted(slices.Values(words))
		if len(slices.Compact(sorted)) != len(words) {
			t.Errorf("%s: a word is listed twice", name)
		}
		for _, word := range words {
			if word != norm.NFC.String(Lower(word)) {
				t.Errorf("%s: %q cannot be found", name, word)
			}
		}
	}
	for word := range loanwords() {
		if n := len([]rune(word)); n > longestLoanword || scriptOf([]rune(word)[0]) != hangul {
			t.Errorf("loanword %q cannot be found", word)
		}
	}
}

func FuzzTerms(f *testing.F) {
	for _, seed := range []string{
		"why is the parcel list slow?", `"NEAR(a b, 2)" AND title:x* OR -y`, "마이그레이션을 다시 돌려줘", "数据库", "e\u0301\u0301 ك\u200fתא", "🙂", "a_B9C_" + strings.Repeat("Z", 200), "\xff\xfe C++ c# .net",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		terms := TermsOf(s).AddSynonyms(s, Synonyms{{" rate limit ", " 속도 제한 "}})
		prompt, _ := PromptTerms(s)
		for _, list := range [][]string{terms.Topics, terms.Common, terms.Plain, terms.Pairs, prompt.Topics, prompt.Places} {
			if len(list) > 4*maxTerms {
				t.Errorf("%d terms", len(list))
			}
			for _, term := range list {
				if term == "" || strings.ContainsAny(term, "\"*():^+-") {
					t.Errorf("term %q", term)
				}
			}
		}
		full := FullText(s)
		if !strings.HasPrefix(full, norm.NFC.String(s)) {
			t.Errorf("the text is not in front: %q", full)
		}
		if len(full) > 16*len(s)+100 {
			t.Errorf("%d bytes of %d", len(full), len(s))
		}
	})
}

func FuzzSynonyms(f *testing.F) {
	f.Add("# words\nrate limit, 속도 제한\n\ufeffkafka,events\n,\nalone", "what is the rate limit of kafka?")
	f.Fuzz(func(t *testing.T, file, prompt string) {
		groups, problems := ParseSynonyms(file)
		for _, group := range groups {
			if len(group) < 2 || slices.ContainsFunc(group, func(member string) bool { return strings.TrimSpace(member) == "" }) {
				t.Errorf("group %q", group)
			}
		}
		if lines := strings.Count(file, "\n") + 1; len(groups)+len(problems) > lines {
			t.Errorf("%d groups and %d problems on %d lines", len(groups), len(problems), lines)
		}
		for _, p := range problems {
			if p.String() != Printable(p.String()) {
				t.Errorf("the problem %q is not printable", p)
			}
		}
		terms := TermsOf(prompt).AddSynonyms(prompt, groups)
		for _, list := range [][]string{terms.Topics, terms.Common, terms.Plain, terms.Pairs} {
			for _, term := range list {
				if term == "" || strings.ContainsAny(term, "\"*():^+-") {
					t.Errorf("term %q", term)
				}
			}
		}
	})
}

func TestCounts(t *testing.T) {
	for prompt, want := range map[string]Terms{
		"":                         {},
		"commit this":              {Words: 1},
		"the kafka toggle":         {Words: 2},
		"tenantCursor":             {Words: 2},
		"마이그레이션을 롤백":               {Words: 2 * koreanWord},
		"API 마이그레이션":               {Words: 1 + koreanWord},
		"数据迁移":                     {Words: 3 * pairWord},
		"修改 kafka line":            {Words: 2 + pairWord},
		"kafka and kafka and more": {Words: 1},
	} {
		got := TermsOf(prompt)
		if math.Abs(got.Words-want.Words) > 1e-9 {
			t.Errorf("%q: got %g, want %g", prompt, got.Words, want.Words)
		}
	}
}

func TestPromptTerms(t *testing.T) {
	tests := map[string]struct {
		prompt string
		want   Terms
		files  []string
	}{
		"a path":              {"fix src/app/pay_hook.go", Terms{Plain: []string{"fix"}, Places: []string{"pay", "hook", "application"}, Others: []string{"src", "go"}}, []string{"src/app/pay_hook.go"}},
		"a path in Chinese":   {"看packages/slider/a.ts中", Terms{Pairs: []string{"看", "中"}, Places: []string{"slider"}, Others: []string{"packages", "typescript"}}, []string{"packages/slider/a.ts"}},
		"a file":              {"@outbox.md please", Terms{Places: []string{"outbox"}, Others: []string{"md"}}, []string{"outbox.md"}},
		"a name with a dot":   {"upgrade Node.js", Terms{Topics: []string{"upgrade", "node", "javascript"}, Pairs: []string{"upgrade node", "node javascript"}}, nil},
		"an address":          {"see https://github.com/acme/bumper", Terms{Places: []string{"bumper"}, Others: []string{"github", "com", "acme", "https"}}, nil},
		"two words":           {"kafka and/or outbox", Terms{Topics: []string{"kafka", "outbox"}}, nil},
		"a version":           {"kafka 3.27", Terms{Topics: []string{"kafka"}, Common: []string{"27"}, Pairs: []string{"kafka 3", "3 27"}}, nil},
		"the words elsewhere": {"the outbox of lib/outbox.go", Terms{Topics: []string{"outbox"}, Places: []string{"library"}, Others: []string{"go"}}, []string{"lib/outbox.go"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, files := PromptTerms(tt.prompt)
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty(), noCount); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.files, files, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

// TestLanguages holds the order in which languagesWith searches.
func TestLanguages(t *testing.T) {
	var words []string
	languages := map[string]bool{}
	for line := range DataLines(languagesFile) {
		word, list, _ := strings.Cut(line, " ")
		words = append(words, word)
		if got := languagesWith(word); got != list {
			t.Fatalf("%s: got %q, want %q", word, got, list)
		}
		for language := range strings.FieldsSeq(list) {
			languages[language] = true
		}
	}
	if !slices.IsSorted(words) || len(languages) < 15 {
		t.Errorf("sorted: %t, %d languages", slices.IsSorted(words), len(languages))
	}
	for _, word := range []string{"", "a", "zzzz", "\uffff"} {
		if got := languagesWith(word); got != "" {
			t.Errorf("%q: got %q", word, got)
		}
	}
}
