package web_test

import (
	"encoding/json"
	"slices"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
)

// operated are the roles of what a person operates. Each needs a name, or a screen reader says only what it is.
var operated = []string{"button", "checkbox", "combobox", "DisclosureTriangle", "link", "listbox", "menuitem", "option",
	"radio", "searchbox", "slider", "spinbutton", "switch", "textbox"}

// named are other roles without which a page cannot be told from hearing.
var named = []string{"columnheader", "dialog", "heading", "image", "navigation", "RootWebArea"}

// tree fails the test for what a screen reader would not be told, by the accessibility tree of the browser.
func (tb tab) tree(page string) {
	tb.Helper()
	ctx, cancel := tb.step()
	defer cancel()
	tree, err := chromedp.Call(ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		tb.Fatal(err)
	}
	said := func(value *accessibility.Value) (s string) {
		if value != nil {
			_ = json.Unmarshal(value.Value, &s) // else it is none
		}
		return s
	}
	roles, count := map[accessibility.NodeID]string{}, map[string]int{}
	for _, node := range tree.Nodes {
		role := said(node.Role)
		roles[node.NodeID] = role
		if node.Ignored {
			continue
		}
		count[role]++
		if said(node.Name) == "" && (slices.Contains(operated, role) || slices.Contains(named, role)) {
			tb.Errorf("%s: the tree has a %s without a name (node %d)", page, role, node.BackendDOMNodeID)
		}
		if outer := roles[node.ParentID]; slices.Contains(operated, role) && (outer == "link" || outer == "button") {
			tb.Errorf("%s: %s %q is in a %s", page, role, said(node.Name), outer)
		}
	}
	want := map[string]int{"main": 1, "banner": 1, "navigation": 1, "dialog": 0}
	if count["dialog"] > 0 { // it hides the page
		want = map[string]int{"main": 0, "banner": 0, "navigation": 0, "dialog": 1}
	}
	for role, n := range want {
		if count[role] != n {
			tb.Errorf("%s: the tree has %d of the role %s, want %d", page, count[role], role, n)
		}
	}
	if count["status"]+count["dialog"] == 0 { // the list of keys announces nothing
		tb.Errorf("%s: it has nowhere to announce anything", page)
	}
}
