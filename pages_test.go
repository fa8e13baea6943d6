package memctl_test

import (
	"path"
	"regexp"
	"strings"
	"testing"
)

// What the pages may have at most, in words. The reference is made from the program.
var mostWords = map[string]int{
	"README.md": 900, "docs/guide.md": 3500, "docs/how-it-finds.md": 1500, "docs/trust.md": 1500, "docs/agents.md": 1500,
	"hub/README.md": 2000,
}

const (
	mostForUsers   = 12_000 // words of the pages above together
	mostForMakers  = 8000   // of CONTRIBUTING.md and docs/dev
	mostForAll     = 20_000
	mostOfAnAnswer = 150
	reference      = "docs/reference.md"
)

func TestPagesAreShort(t *testing.T) {
	users, makers, all := 0, 0, 0
	for page, content := range docPages(t) {
		n := len(strings.Fields(content))
		all += n
		if page == "CONTRIBUTING.md" || strings.HasPrefix(page, "docs/dev/") {
			makers += n
		}
		if most, ok := mostWords[page]; ok {
			if users += n; n > most {
				t.Errorf("%s has %d words, and %d is the bound", page, n, most)
			}
		}
	}
	if users > mostForUsers || makers > mostForMakers || all > mostForAll {
		t.Errorf("the pages for users have %d words, those for developers %d, all %d; the bounds are %d, %d and %d",
			users, makers, all, mostForUsers, mostForMakers, mostForAll)
	}
	t.Logf("%d words for users, %d for developers, %d in all", users, makers, all)
}

// questions are what people ask first, and where the answer is.
var questions = map[string]string{
	"where is my data": "docs/guide.md#where-is-my-data",
	"how do I stop it: me, for a while, for good": "docs/guide.md#how-do-i-stop-it",
	"why did it not recall something":             "docs/guide.md#why-did-it-not-recall-something",
	"how with Codex":                              "docs/agents.md#with-codex-and-other-agents",
	"what do I commit":                            "docs/guide.md#what-to-commit",
	"how with a team":                             "docs/guide.md#in-a-team",
	"what does it cost":                           "docs/guide.md#what-does-it-cost",
	"a second machine and a backup":               "docs/guide.md#a-second-machine-and-a-backup",
	"writing a memory by hand":                    "docs/guide.md#writing-a-memory-by-hand",
	"how does ranking work":                       "docs/how-it-finds.md#how-does-ranking-work",
}

// Each question has an answer within two clicks from README.md, and in few words.
func TestQuestionsHaveAnswers(t *testing.T) {
	pages := docPages(t)
	first := linksOf(pages, "README.md")
	for question, place := range questions {
		clicks := 0
		if first[place] {
			clicks = 1
		}
		for link := range first {
			page, _, _ := strings.Cut(link, "#")
			if clicks == 0 && linksOf(pages, page)[place] {
				clicks = 2
			}
		}
		if clicks == 0 {
			t.Errorf("%s: no link leads from README.md to %s within two clicks", question, place)
		}
		page, anchor, _ := strings.Cut(place, "#")
		answer, found := sections(pages[page])["#"+anchor]
		n := countWords(answer)
		if !found || n == 0 || n > mostOfAnAnswer {
			t.Errorf("%s: %s has a heading (%t) and %d words below it, of at most %d", question, place, found, n, mostOfAnAnswer)
		}
		t.Logf("%s: %d clicks, %d words", question, clicks, n)
	}
}

// linksOf returns the targets of the links of a page, as paths from the root with their headings.
func linksOf(pages map[string]string, page string) map[string]bool {
	links := map[string]bool{}
	for _, link := range docLink.FindAllStringSubmatch(pages[page], -1) {
		links[linkTarget(page, link[1])+link[2]] = true
	}
	return links
}

// linkTarget is the path from the root of what a page links to; a link to a heading alone is to the page.
func linkTarget(page, link string) string {
	if link == "" {
		return page
	}
	return path.Join(path.Dir(page), link)
}

var (
	blocks      = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	notInAnchor = regexp.MustCompile(`[^\pL\pN _-]`)
	wordOf      = regexp.MustCompile(`[\pL\pN]`)
)

// sections returns the text below each heading of a page, until the next one, by the anchor that forges give it.
func sections(page string) map[string]string {
	found, anchor := map[string]string{}, ""
	isCode := false
	for line := range strings.Lines(page) {
		isCode = isCode != strings.HasPrefix(strings.TrimSpace(line), "```")
		if title := strings.TrimLeft(line, "#"); title != line && strings.HasPrefix(title, " ") && !isCode {
			title = notInAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
			anchor = "#" + strings.ReplaceAll(title, " ", "-")
			found[anchor] = ""
			continue
		}
		found[anchor] += line
	}
	return found
}

// countWords leaves out the bars of tables.
func countWords(text string) (n int) {
	for word := range strings.FieldsSeq(text) {
		if wordOf.MatchString(word) {
			n++
		}
	}
	return n
}

// No sentence of eight words or more is in two pages. Code and tables may repeat.
func TestNoSentenceIsInTwoPages(t *testing.T) {
	const long = 8
	link := regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	apart := regexp.MustCompile(`(?m)^ *(?:[-*]|\d+\.) |^ *$|^\|.*$|^#+ .*$|^    .*$|[.!?:;](?:\s|$)`)
	where := map[string]string{}
	for page, content := range docPages(t) {
		if page == reference {
			continue
		}
		text := link.ReplaceAllString(blocks.ReplaceAllString(content, "\n"), "$1")
		for _, sentence := range apart.Split(text, -1) {
			words := strings.Fields(notInAnchor.ReplaceAllString(strings.ToLower(sentence), ""))
			key := strings.Join(words, " ")
			if other, ok := where[key]; ok && len(words) >= long {
				t.Errorf("%s and %s both say: %s", other, page, key)
			}
			where[key] = page
		}
	}
	if len(where) < 300 {
		t.Errorf("the pages have only %d sentences", len(where))
	}
}
