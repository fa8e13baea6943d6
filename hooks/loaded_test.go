package hooks

import (
	"strings"
	"testing"

	"memctl/schemas"
)

// A memory is withheld only if the client loads all of it, as it stands.
func TestIsLoaded(t *testing.T) {
	const (
		fridays = `{"title": "Never push on Fridays", "category": "constraint", "content": {"kind": "policy",
			"rule": "Never push on Fridays.", "impact": ["Never push on Fridays."], "severity": "high", "active": true}}`
		robot = `{"title": "Never push on Fridays", "category": "constraint", "content": {"kind": "policy",
			"rule": "Never push on Fridays.", "impact": ["The robot sleeps until Monday."], "severity": "high", "active": true}}`
		imported = `{"title": "Never push on Fridays", "category": "constraint", "content": {"kind": "policy",
			"rule": "Never push on Fridays.", "impact": ["Stated in CLAUDE.md, Shop > Git."], "severity": "high", "active": true}}`
		led = `{"title": "Agents must never: push on Fridays", "category": "constraint", "content": {"kind": "policy",
			"rule": "Agents must never: push on Fridays", "impact": ["Stated in CLAUDE.md, Rules."], "severity": "high", "active": true}}`
		pnpm = `{"title": "Always use pnpm", "category": "preference", "content": {"topic": "Packages",
			"value": "Always use **pnpm** for packages, never npm.", "reason": "Stated in CLAUDE.md, Rules.", "strength": "strong"}}`
		queue = `{"title": "If the queue hangs, restart it", "category": "runbook", "content": {"trigger": "If the queue hangs",
			"steps": ["restart it"], "verification": ""}}`
		timeout = `{"title": "Timeouts", "category": "constraint", "content": {"kind": "technical", "rule": "Timeouts: > 5 s",
			"impact": ["Timeouts: > 5 s"], "severity": "low", "active": true}}`
		untitled = `{"title": "Never push on Fridays"}`
		cut      = `{"title": "Kafka carries all events of the shop, becau…", "category": "decision", "content": {"status": "accepted",
			"context": "Kafka carries all events of the shop, because the old queue lost messages.",
			"decision": "Kafka carries all events of the shop, because the old queue lost messages.",
			"rationale": ["Kafka carries all events of the shop, because the old queue lost messages."]}}`
		korean  = `{"title": "데이터베이스는 매일 밤 초기화된다"}`
		chinese = `{"title": "数据库每天晚上重置", "category": "constraint", "content": {"kind": "technical", "rule": "数据库每天晚上重置。",
			"impact": ["三点开始。"], "severity": "low", "active": true}}`
		steps = `{"title": "Releasing", "category": "runbook", "content": {"trigger": "Releasing", "steps": ["Tag the commit.", "Run make release."],
			"verification": "Stated in CLAUDE.md, Releasing."}}`
	)
	for name, test := range map[string]struct {
		file, memory string
		want         bool
	}{
		// What the file says as a whole item.
		"an item of a list":                {"# Rules\n\n- Lint first.\n- Never push on Fridays\n", fridays, true},
		"a paragraph":                      {"Lint first.\n\nNever push\non **Fridays**.\n\nAlways test.\n", fridays, true},
		"an item that goes on":             {"- Never push\n  on Fridays.\n- Lint first.", fridays, true},
		"a numbered item":                  {"Rules.\n\n# Rules\n1. Never push on Fridays.\n2) Lint.", fridays, true},
		"below a comment":                  {"<!-- our rules -->\nNever push on Fridays.\n", fridays, true},
		"after code":                       {"```\nmake\n```\n\nNever push on Fridays.\n", fridays, true},
		"a heading that names the file":    {"# CLAUDE.md\n\n## Project rules\n\n- Never push on Fridays.\n", fridays, true},
		"two sentences":                    {"- Never push on Fridays. The robot sleeps until Monday.\n", robot, true},
		"two items":                        {"- Never push on Fridays.\n- The robot sleeps until Monday.\n", robot, true},
		"imported from there":              {"# Shop\n\n## Git\n\n- Never push on Fridays.\n", imported, true},
		"imported with its introduction":   {"# Rules\n\nAgents must never:\n\n- push on Fridays\n- force a push\n", led, true},
		"imported, with emphasis and code": {"# Rules\n\n* Always use `pnpm` for packages,\n  never npm.\n", pnpm, true},
		"the halves of a sentence":         {"- If the queue hangs, restart it.\n", queue, true},
		"a title alone":                    {"Never push on Fridays!\n", untitled, true},
		"a title that is cut":              {"- Kafka carries all events of the shop, because the old queue lost messages.\n", cut, true},
		"Korean":                           {"- 데이터베이스는 매일 밤\n  초기화된다\n", korean, true},
		"a script without spaces":          {"- 数据库每天晚上重置。三点开始。\n", chinese, true},
		"the steps of a list":              {"# Releasing\n\n1. Tag the commit.\n2. Run `make release`.\n", steps, true},
		"a heading that the topic of a memory is": {"## Packages\n- Always use pnpm for packages, never npm.\n", `{"title": "Always use pnpm", "category": "preference",
			"content": {"topic": "Packages", "value": "Always use pnpm for packages, never npm.", "reason": "Always use pnpm for packages, never npm.", "strength": "strong"}}`, true},

		// What it does not say, or not for everything.
		"not there any more":            {"# Shop\n\n## Git\n\n- Lint first.\n", imported, false},
		"under another heading now":     {"# Shop\n\n## Docs\n\n- Never push on Fridays.\n", imported, false},
		"a memory with more words":      {"- Never push on Fridays.\n", robot, false},
		"a memory with a workaround":    {"- Never push on Fridays.\n", `{"title": "Never push on Fridays", "category": "constraint", "content": {"kind": "policy", "rule": "Never push on Fridays.", "impact": [], "workarounds": ["Ask Ann."], "severity": "high", "active": true}}`, false},
		"a memory that expires":         {"- Never push on Fridays.\n", `{"title": "Never push on Fridays", "category": "constraint", "content": {"kind": "policy", "rule": "Never push on Fridays.", "impact": [], "severity": "high", "active": true, "expires": "2099-01-01"}}`, false},
		"a memory with another title":   {"- Never push on Fridays.\n", `{"title": "Pushing is allowed again", "category": "constraint", "content": {"kind": "policy", "rule": "Never push on Fridays.", "impact": [], "severity": "high", "active": true}}`, false},
		"a title with more words":       {"- Never push on Fridays.\n", `{"title": "Never push on Fridays or Mondays", "category": "constraint", "content": {"kind": "policy", "rule": "Never push on Fridays.", "impact": [], "severity": "high", "active": true}}`, false},
		"other words":                   {"- Do not push on Fridays.\n", fridays, false},
		"another number":                {"- Timeouts: > 50 s\n", timeout, false},
		"another sign":                  {"- Timeouts: < 5 s\n", timeout, false},
		"the opposite in other halves":  {"- Restart it: if the queue hangs not\n", queue, false},
		"a comment":                     {"<!-- Never push on Fridays. -->\n", fridays, false},
		"a comment on lines":            {"<!--\n- Never push on Fridays.\n-->\n- Lint first.\n", fridays, false},
		"a comment in an item":          {"- <!-- Never push on Fridays. -->\n", fridays, false},
		"an item with a comment":        {"- Never push on Fridays. <!-- until May -->\n", fridays, false},
		"a comment without an end":      {"<!-- \nNever push on Fridays.\n", fridays, false},
		"code":                          {"```md\n- Never push on Fridays.\n```\n", fridays, false},
		"code between tildes":           {"~~~\nNever push on Fridays.\n```\nNever push on Fridays.\n~~~", fridays, false},
		"indented code":                 {"Lint first.\n\n    Never push on Fridays.\n", fridays, false},
		"front matter":                  {"---\ndescription: >\n\n  Never push on Fridays.\n---\nLint first.\n", fridays, false},
		"a quote":                       {"> Never push on Fridays.\n", fridays, false},
		"a row of a table":              {"| Never push on Fridays. |\n|---|\n", fridays, false},
		"an element":                    {"<details>\n<summary>Old</summary>\n\n- Never push on Fridays.\n\n</details>\n", fridays, false},
		"struck out":                    {"- ~~Never push on Fridays.~~\n", fridays, false},
		"crossed out":                   {"- ❌ Never push on Fridays.\n", fridays, false},
		"done":                          {"- [x] Never push on Fridays.\n", fridays, false},
		"a narrower rule":               {"- For the docs site: never push on Fridays.\n", fridays, false},
		"the contrary":                  {"- Out of date, ignore: never push on Fridays.\n", fridays, false},
		"the contrary in a sentence":    {"- This is over. Never push on Fridays.\n", fridays, false},
		"the contrary after it":         {"- Never push on Fridays. That was so until May.\n", fridays, false},
		"an exception":                  {"- Never push on Fridays, except for hotfixes.\n", fridays, false},
		"an exception in brackets":      {"Never push on Fridays (but hotfixes).\n", fridays, false},
		"an exception on the next line": {"- Never push on Fridays\n  unless it burns.\n", fridays, false},
		"an exception below it":         {"- Never push on Fridays\n  - unless it burns\n", fridays, false},
		"exceptions below a paragraph":  {"Never push on Fridays\n- unless it burns\n", fridays, false},
		"an exception in a paragraph":   {"- Never push on Fridays.\n\n  Hotfixes are free.\n", fridays, false},
		"a narrower item above it":      {"- In the docs:\n  - Never push on Fridays.\n", fridays, false},
		"a heading that restricts it":   {"# Rules\n\n## Deprecated\n\n- Never push on Fridays.\n", fridays, false},
		"a heading above that":          {"# Only for packages/web\n\n## Rules\n\nNever push on Fridays.\n", fridays, false},
		"an underlined heading":         {"Deprecated\n----------\n\n- Never push on Fridays.\n", fridays, false},
		"a heading in bold":             {"**Deprecated**\n\nNever push on Fridays.\n", fridays, false},
		"an introduction":               {"The following is over:\n\n- Lint first.\n- Never push on Fridays.\n", fridays, false},
		"a sentence above a list":       {"These rules are over.\n\n- Never push on Fridays.\n", fridays, false},
		"the second half of a memory":   {"- 数据库每天晚上重置。\n", chinese, false},
		"a step less":                   {"# Releasing\n\n1. Tag the commit.\n", steps, false},
		"a title in a narrower rule":    {"- In the docs, never push on Fridays.\n- Ask Ann.\n", `{"title": "Never push on Fridays", "category": "constraint", "content": {"kind": "policy", "rule": "Ask Ann.", "impact": [], "severity": "high", "active": true}}`, false},
		"nothing":                       {"", fridays, false},
		"a memory without words":        {"- Never push on Fridays.\n", `{"title": ""}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := schemas.Decode([]byte(test.memory))
			if err != nil {
				t.Fatal(err)
			}
			if got := isLoaded(&m, loadedItems([]Loaded{{Path: "/shop/CLAUDE.md", Text: test.file}})); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// A short file may have many items with a long introduction, or items within items.
func TestItemsAreBounded(t *testing.T) {
	for name, text := range map[string]string{
		"a long introduction": strings.Repeat("word ", 20<<10) + ":\n" + strings.Repeat("- a\n", 30<<10),
		"nested items":        nested(500) + strings.Repeat(strings.Repeat(" ", 500)+"- a\n", 200),
		"one item":            "- a\n" + strings.Repeat("  b\n", 60<<10),
		"headings":            strings.Repeat("# a\n", 60<<10),
	} {
		t.Run(name, func(t *testing.T) {
			size := 0
			for _, i := range loadedItems([]Loaded{{Path: "CLAUDE.md", Text: text}, {Path: "b.md", Text: text}}) {
				size += len(i.full) + i.complete.Len()
			}
			if size > 3*maxItems {
				t.Errorf("the items take %d bytes", size)
			}
		})
	}
}

func FuzzItems(f *testing.F) {
	f.Add("# A\n\n- b:\n  - c\n\nd\n---\n<e>\n> f\n```\ng\n```\n<!-- h -->\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, i := range loadedItems([]Loaded{{Path: "CLAUDE.md", Text: text}}) {
			if !strings.HasPrefix(i.full, " stated in claude.md ") || !strings.HasSuffix(i.full, strings.TrimPrefix(i.complete.String(), " ")) {
				t.Errorf("%q", i.full)
			}
		}
	})
}

func nested(depth int) (text string) {
	for i := range depth {
		text += strings.Repeat(" ", i) + "- a\n"
	}
	return text
}
