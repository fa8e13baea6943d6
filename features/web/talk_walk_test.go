package web_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// conversation reads a session, and saves what an agent said in it: the form comes in place, proposes what "memctl add"
// would, and the memory can be undone.
func (w *walk) conversation(t *testing.T) {
	p := play(t)
	tb := w.tab(t)
	tb.visit(serve(t, p.root, time.Hour).first)
	tb.open("/sessions")
	tb.audit("the list of sessions")
	tb.shot("conversations")
	tb.follow(chromedp.Click(`//a[contains(., "Add a retry to the webhook sender")]`))
	talk := js[string](tb, "location.pathname")[len(js[string](tb, "document.body.dataset.base")):]
	page := js[string](tb, "document.querySelector('main').innerText")
	for _, want := range []string{"5 prompts", "9 runs of tools · 1 failed", "Started with 4 memories", "received 2 memories",
		"We decided to double the delay", "The agent opened", "Packages come by pnpm, never by npm", "stopped",
		"The agent was asked once", "The agent saved", "4 tools: Edit, Bash · 1 failed"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q:\n%s", want, page)
		}
	}
	if strings.Contains(page, "TestRetry") {
		t.Error("what tools did is not folded")
	}
	tb.do(focus("#runs-1-3 summary"), chromedp.KeyEvent(kb.Enter),
		chromedp.WaitVisible(`//li[@class="failed"][contains(., "TestRetry")]`),
		chromedp.WaitVisible(`//a[text()="Draft a runbook"]`))
	for _, v := range views() {
		tb.as(v)
		tb.open(talk)
		name := fmt.Sprint("conversation-", v)
		tb.audit(name)
		picture := tb.shot(name)
		if v == views()[0] && os.Getenv("MEMCTL_SCREENS") != "" {
			keepForReadme(t, "session.png", picture)
		}
	}
	tb.fresh()
	tb.open(talk)
	tb.do(chromedp.Click(`//a[text()="Why memctl asked"]`), chromedp.WaitVisible(`//*[@id="why-asked"]//li[contains(., "makes a choice")]`))
	if points := js[bool](tb, `/\d\.\d\d/.test(document.querySelector("main").innerText)`); points {
		t.Error("the page shows points")
	}
	const answer = "#turn-2 .agent"
	keep := `document.querySelector("` + answer + ` .keep")`
	js[bool](tb, `(() => {
		const text = document.querySelector("`+answer+` .prose").firstChild;
		getSelection().setBaseAndExtent(text, text.data.indexOf("A little"), text, text.data.indexOf(", so that"));
		`+keep+`.click();
		return true;
	})()`)
	tb.do(chromedp.WaitVisible(css(answer + " .memory-form")))
	const said = `(({category, title, text}) => category.value + ": " + title.value + ": " + text.value.split("\n")[0])(document.querySelector(".passage .memory-form").elements)`
	if got := js[string](tb, said); got != "decision: A little chance is added: A little chance is added" &&
		got != "preference: A little chance is added: A little chance is added" {
		t.Errorf("of what was selected it proposes %q", got)
	}
	tb.audit("a form in a session")
	tb.do(chromedp.Click(css(answer+" .memory-form a.quiet")), chromedp.WaitNotPresent(css(".passage .memory-form")))
	if focused := js[bool](tb, keep+" === document.activeElement"); !focused {
		t.Error("after Cancel, the focus is lost")
	}
	js[bool](tb, "getSelection().removeAllRanges(), true")
	tb.do(chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible(css(answer+" .memory-form")))
	if got := js[string](tb, said); !strings.HasPrefix(got, "decision: We decided to double the delay with each attempt") {
		t.Errorf("of an answer it proposes %q", got)
	}
	tb.shot("keep")
	tb.do(fill(".memory-form [name=title]", "Delays of webhooks double"))
	tb.follow(saveForm)
	tb.do(chromedp.WaitVisible(css(".notice #undo")))
	if at := js[string](tb, "location.pathname"); !strings.HasSuffix(at, "/memories/decisions/delays-of-webhooks-double") {
		t.Errorf("leads to %s", at)
	}
	file := p.root.Join("decisions/delays-of-webhooks-double.json")
	stored, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(stored), "a receiver that is down stays down") {
		t.Errorf("saved: %v\n%s", err, stored)
	}
	tb.follow(chromedp.Click(css("#undo")))
	if _, err := os.Stat(file); err == nil {
		t.Error("undone, the memory is still there")
	}
	if at := js[string](tb, "location.hash"); at != "#turn-2" {
		t.Errorf("undone, it leads to %s", at)
	}
}
