package exchange

import (
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
		lines = append(lines, under+" | "+strings.ReplaceAll(item.Text, "\n", "/"))
	}
	return lines
}

func TestProseIsSplit(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"paragraphs have their headings": {"# A\n\none\ntwo\n\n## B\n\nthree", []string{"A | one/two", "A > B | three"}},
		"an item of a list has the sentence that introduces it": {"# A\n\nNever:\n\n- push\n- pull\n\nend",
			[]string{"A > Never: | push", "A > Never: | pull", "A | end"}},
		"code stays with the paragraph above it": {"Run it:\n\n```sh\nmake\n```\n\nDone.",
			[]string{" | Run it:/```sh/make/```", " | Done."}},
		"code below a list stays with its last item": {"- a\n- b\n\n```\nx\n```", []string{" | a", " | b/```/x/```"}},
		"a numbered list is one item":                {"1. stop\n2. start", []string{" | - stop/- start"}},
		"comments and rules are no items":            {"<!-- a\nb -->\n\n---\n\nc <!-- d --> e", []string{" | c  e"}},
		"headings alone are no items":                {"# A\n\n## B\n", nil},
		"front matter is no item":                    {"---\ntitle: x\n---\n\na b", []string{" | a b"}},
		"a decision record is one item": {"# 1. Q\n\n## Status\n\nAccepted\n\n## Decision\n\nKafka.",
			[]string{"(record) | # 1. Q//## Status//Accepted//## Decision//Kafka."}},
	} {
		t.Run(name, func(t *testing.T) {
			got := brief(splitProse(test.text))
			if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

func prosed(file, document string) []WorkItem {
	items := splitProse(document)
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
