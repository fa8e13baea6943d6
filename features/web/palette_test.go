package web_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The page of the palette is for people without scripts: links only, and no keys.
func TestPalette(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	for query, want := range map[string][]string{
		"": {`/settings">`, `/new">`, "Last changed", `!data-key="r"`, "!Settings</h2>"},
		"kafka lag": {`/memories/runbooks/kafka-consumer-lag">`, "Memories</h2>",
			`/memories?q=kafka&#43;lag&amp;status=all`, "!Pages</h2>"},
		"max_inject":         {`/settings#retrieval.max_inject">`},
		"기억":                 {`/memories">`}, // in any language
		"charts":             {`/charts">`, "Pages</h2>"},
		"decision":           {`/new?category=decision">`},
		"dark":               {`/look?back=%2Ftoday&amp;theme=dark">`},
		"<script>x</script>": {"!<script>x"},
	} {
		s.says("/palette?q="+url.QueryEscape(query), want...)
	}
	s.says("/palette?keys=1&here=%2Fcharts&q=dark", "back=%2Fcharts")
	s.says("/palette?keys=1", `data-key="r"`, "Keys of this page")
	if page := s.get(s.base + "/palette?q=settings"); strings.Index(page, "Pages</h2>") > strings.Index(page,
		"Settings</h2>") {
		t.Error("the page Settings is not before the settings")
	}
}

// The scripts stay small: at most 40 kB in all.
func TestScriptsAreSmall(t *testing.T) {
	names, err := filepath.Glob("static/*.js")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	total := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		total += len(data)
	}
	if total > 40_000 {
		t.Errorf("%d bytes of scripts", total)
	}
}

// palette goes to a memory, a setting and a key by typing.
func (w *walk) palette(t *testing.T) {
	tb := w.tab(t)
	open := chromedp.KeyEvent("k", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	chosen := func(label string) chromedp.Action[chromedp.Void] {
		return chromedp.WaitVisible(fmt.Sprintf(`//*[@role="option"][@aria-selected="true"][contains(., %q)]`, label))
	}
	tb.open("/charts")
	tb.do(open, chosen("Today"))
	for _, look := range []struct {
		scheme string
		width  int64
	}{{"light", 1180}, {"dark", 360}} {
		tb.scheme(look.scheme)
		tb.width(look.width)
		tb.shot("palette-" + look.scheme)
		tb.audit("the palette in " + look.scheme)
	}
	tb.fresh()
	tb.do(chromedp.KeyEvent(kb.ArrowDown+kb.ArrowDown), chosen("Trust"),
		chromedp.KeyEvent(kb.ArrowUp+kb.ArrowUp+kb.ArrowUp))
	if last := js[bool](tb, `[...document.querySelectorAll("[role=option]")].at(-1).ariaSelected === "true"`); !last {
		t.Error("up from the first place is not the last")
	}
	if n := js[int](tb, `document.querySelectorAll("#palette [data-key=r], #palette [data-key=e]").length`); n != 0 {
		t.Errorf("%d keys that do nothing on this page", n)
	}
	tb.do(chromedp.KeyEvent("kafka lag"), chosen("Kafka consumer lag"))
	w.tree(tb)
	tb.shot("palette-typed")
	tb.audit("the palette with words")
	tb.follow(chromedp.KeyEvent(kb.Enter))
	tb.do(chromedp.WaitVisible(`//h1[contains(., "Kafka consumer lag")]`))

	// Enter opens what is typed, also before it is found.
	tb.do(chromedp.Click(css("#to-palette")))
	tb.do(chromedp.WaitVisible(css("#palette[open]")), chromedp.KeyEvent("max_inject"+kb.Enter),
		chromedp.WaitVisible(css(".setting:target")))
	if at := js[string](tb, "location.hash"); at != "#retrieval.max_inject" {
		t.Errorf("opened %s", at)
	}
	tb.do(open, chosen("Today"), chromedp.KeyEvent("this list"), chosen("this list"), chromedp.KeyEvent(kb.Enter),
		chromedp.WaitVisible(css("#keys[open]")), chromedp.KeyEvent(kb.Escape))
	tb.do(open, chosen("Today"), chromedp.KeyEvent(kb.Escape), chromedp.WaitNotPresent(css("#palette[open]")))
}

// tree checks the palette as a screen reader gets it.
func (w *walk) tree(tb tab) {
	tb.Helper()
	ctx, cancel := tb.step()
	defer cancel()
	tree, err := chromedp.Call(ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		tb.Fatal(err)
	}
	roles := map[string]int{}
	active := ""
	for _, node := range tree.Nodes {
		if node.Ignored || node.Role == nil {
			continue
		}
		roles[strings.Trim(string(node.Role.Value), `"`)]++
		for _, property := range node.Properties {
			if property.Name == "activedescendant" && len(property.Value.RelatedNodes) == 1 {
				active = property.Value.RelatedNodes[0].Idref
			}
		}
	}
	if roles["dialog"] != 1 || roles["combobox"] != 1 || roles["listbox"] != 1 || roles["option"] < 2 ||
		active != "place-0" {
		tb.Errorf("the active option is %q, and the roles are %v", active, roles)
	}
	if said := js[string](tb, `document.getElementById("palette-said").textContent`); !strings.HasSuffix(said,
		"places") {
		tb.Errorf("the live region says %q", said)
	}
}
