package exchange

import (
	"fmt"
	"strings"
	"testing"
)

// brief writes items as lines of "line under | text".
func brief(items []WorkItem) (lines []string) {
	for _, item := range items {
		under := item.Under
		if item.Record {
			under = "(record)"
		}
		if item.For != "" {
			under += " for " + item.For
		}
		if item.Part != "" {
			under += " " + item.Part
		}
		lines = append(lines, under+" | "+strings.ReplaceAll(item.Text, "\n", "/"))
	}
	return lines
}

func TestProseIsSplit(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"a section has its headings, and its lines as they are": {"# A\n\none\n1. two\n   - three\n\n    code\n\n## B\n\nfour",
			[]string{"A | one/1. two/   - three//    code", "A > B | four"}},
		"a heading in code begins no section":      {"# A\n\n```sh\n# no\nmake\n```\n", []string{"A | ```sh/# no/make/```"}},
		"an underlined heading, and a link in one": {"[A](http://x)\n===\n\none", []string{"A | one"}},
		"text before a heading":                    {"one\n# A\ntwo", []string{" | one", "A | two"}},
		"comments are no text":                     {"<!-- a\nb -->\n\nc <!-- d --> e", []string{" | c  e"}},
		"headings and rules alone are no items":    {"# A\n\n---\n\n## B\n", nil},
		"front matter says what it is for":         {"---\npaths: src/**\n---\n\na b", []string{" for src/** | a b"}},
		"a decision record is one item": {"# 1. Q\n\n## Status\n\nAccepted\n\n## Decision\n\nKafka.",
			[]string{"(record) | # 1. Q//## Status//Accepted//## Decision//Kafka."}},
		"a long text is several": {strings.Repeat("a", 8_000) + "\n\n" + strings.Repeat("é", 4_000) + "\n\nend",
			[]string{" part 1 of 2 | " + strings.Repeat("a", 8_000), " part 2 of 2 | " + strings.Repeat("é", 4_000) + "//end"}},
		"a long line is cut between letters": {"a" + strings.Repeat("é", 6_000), []string{
			" part 1 of 2 | a" + strings.Repeat("é", 5_999), " part 2 of 2 | é"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := brief(splitProse("a.md", test.text))
			if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// prosed makes items of paragraphs, each a section.
func prosed(file, document string) []WorkItem {
	items := splitProse(file, strings.ReplaceAll(document, "\n\n", "\n# A\n"))
	for i := range items {
		items[i].File = file
	}
	return items
}

func never(string) bool { return false }

func TestASecondImportAddsOnlyNewItems(t *testing.T) {
	var list Worklist
	if done, err := list.Add([]string{"a.md"}, prosed("a.md", "one\n\ntwo\n\nthree"), never); err != nil || done.Added != 3 {
		t.Fatalf("%+v %v", done, err)
	}
	list.Items[0].State = Done
	done, err := list.Add([]string{"a.md"}, prosed("a.md", "new\n\none\n\ntwo\n\ntwo"), never)
	if err != nil || done != (WorkAdded{Added: 1, Known: 2, Gone: 1, Waiting: 2}) {
		t.Errorf("%+v %v", done, err)
	}
	if one := list.Items[0]; one.State != Done || one.Line != 3 {
		t.Errorf("the settled item is %+v", one)
	}
	if three := list.Items[2]; three.State != Gone {
		t.Errorf("the item that is no longer there is %+v", three)
	}
	if last := list.Items[3]; last.Number != 4 {
		t.Errorf("the new item is %+v", last)
	}
	// A text that moves to another file is the same item, and one that comes back waits again.
	files := []string{"a.md", "b.md"}
	done, _ = list.Add(files, append(prosed("a.md", "new"), prosed("b.md", "three\n\ntwo")...), never)
	if done.Added != 0 || list.Items[1].File != "b.md" || list.Items[2].State != Waiting {
		t.Errorf("%+v, %+v, %+v", done, list.Items[1], list.Items[2])
	}
}

func TestWhatIsAMemoryAlreadyIsNotAdded(t *testing.T) {
	var list Worklist
	items := prosed("a.md", "one\n\ntwo")
	done, err := list.Add([]string{"a.md"}, items, func(hash string) bool { return hash == items[1].Hash })
	if err != nil || done.Added != 1 || done.Known != 1 || list.Items[0].Text != "one" {
		t.Errorf("%+v %v", done, err)
	}
}

func TestAWorkListIsBounded(t *testing.T) {
	var list Worklist
	many := func(from, to int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			b.WriteString(strings.Repeat("a", i%89+1) + " " + strings.Repeat("b", i/89+1) + "\n\n")
		}
		return b.String()
	}
	if _, err := list.Add(nil, prosed("a.md", many(0, maxNewWork+1)), never); err == nil {
		t.Error("too many new items were added")
	}
	list = Worklist{}
	for from := 0; from < maxWork; from += 1_000 {
		if _, err := list.Add(nil, prosed("a.md", many(from, from+1_000)), never); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := list.Add(nil, prosed("a.md", "one more"), never); err == nil {
		t.Error("an item was added to a full list")
	}
	list.Items = list.Items[:maxWork]
	list.Items[0].State, list.Items[7].State = Done, Done
	if _, err := list.Add(nil, prosed("a.md", "one more"), never); err != nil || len(list.Items) != maxWork ||
		list.Items[0].Number != 2 || list.Items[6].State != Done {
		t.Errorf("%v, %d items, the first is %d", err, len(list.Items), list.Items[0].Number)
	}
}

func TestATurnHasABound(t *testing.T) {
	var list Worklist
	long := strings.Repeat("long ", 2_000)
	for i := range 8 {
		text := fmt.Sprint(i, " ", long)
		if _, err := list.Add(nil, prosed(pick(i == 7, "docs/b.md", "a.md"), text), never); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(list.Next(maxNext, "")); n != 2 {
		t.Errorf("a turn has %d items of 10,000 bytes", n)
	}
	if next := list.Next(maxNext, "docs"); len(next) != 1 || next[0].File != "docs/b.md" {
		t.Errorf("of the folder: %v", next)
	}
	for name, want := range map[string]int{"3": 1, "2-4": 3, "docs/": 1, "7-8": 2} {
		if items, err := list.named(name); err != nil || len(items) != want {
			t.Errorf("%s names %d items: %v", name, len(items), err)
		}
	}
	for _, name := range []string{"9", "5-2", "7-9", "1-999999999", "-1", "b.md", "doc"} {
		if items, err := list.named(name); err == nil {
			t.Errorf("%s names %d items", name, len(items))
		}
	}
}

func TestAChangedSectionNamesItsMemories(t *testing.T) {
	var list Worklist
	_, _ = list.Add([]string{"a.md"}, splitProse("a.md", "# A\n\none"), never)
	list.Items[0].File = "a.md"
	list.Items[0].addMemory("one-is-one")
	items := splitProse("a.md", "# A\n\none and two")
	items[0].File = "a.md"
	_, _ = list.Add([]string{"a.md"}, items, never)
	if next := list.Next(1, ""); len(next) != 1 || len(next[0].Before) != 1 || next[0].Before[0] != "one-is-one" {
		t.Errorf("the changed section is %+v", next)
	}
}

func TestWhatIsARecordByItsName(t *testing.T) {
	for name, want := range map[string]struct{ record, notice bool }{
		"docs/adr/0001-use-kafka.md":           {true, false},
		"docs/adr/0007-use-template-engine.md": {true, false},
		"documentation/decisions/ADR-12.md":    {true, false},
		"docs/adr/README.md":                   {false, true},
		"docs/adr/template.md":                 {false, true},
		"docs/adr/0000-template.md":            {true, true},
		"docs/adr/AGENTS.md":                   {false, false},
		"docs/0001-notes.md":                   {false, false},
		"README.md":                            {false, false},
	} {
		if record, notice := isRecordName(name), isNotice(name); record != want.record || notice != want.notice {
			t.Errorf("%s: record %v, list or template %v", name, record, notice)
		}
	}
}
