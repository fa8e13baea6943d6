package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// families are ten forms of a fact. Of each there are ten facts, which differ by a name, a number or both.
var families = []string{
	"The variable %[1]s_DSN is required before %[1]s can boot",
	"Nobody changes files below %[1]s/out by hand",
	"The %[1]s image is built with Node %[2]d",
	"Status %[2]d means that the session has ended",
	"The table %[1]s_events is partitioned by day",
	"Requests to %[1]s give up after %[2]d seconds",
	"%[1]s listens on port %[2]d",
	"Ask the %[1]s team before you change its protocol",
	"%[1]s 서비스는 %[2]d번 포트를 쓴다",
	"Run `make %[1]s-lint` before each push",
}

var familyNames = []string{"billing", "search", "ledger", "mailer", "gateway", "parcel", "tracker", "invoice", "label", "route"}

// factsOf returns the ten facts of a family.
func factsOf(form string) (facts []string) {
	for i, name := range familyNames {
		facts = append(facts, fmt.Sprintf(strings.ReplaceAll(form, "%[2]d", fmt.Sprint(21+i*7)), name))
	}
	return facts
}

// Facts of one form are different facts. In a store of nothing else, every door keeps all of them, and
// no answer names a command that would change another one.
func TestFactsOfOneFormAreKept(t *testing.T) {
	for name, save := range map[string]func(door, []string) string{
		"add": door.addFacts, "save": door.saveFacts, "the page": door.pageFacts, "import": door.importFacts,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i, form := range families {
				if i%soak(4, 1) != 0 { // all forms go the same way
					continue
				}
				d := door{newProject(t)}
				facts := factsOf(form)
				answers := save(d, facts)
				if kept := d.titles(); len(kept) != len(facts) {
					t.Errorf("%q: %d of %d facts are kept: %q\n%s", form, len(kept), len(facts), kept, answers)
				}
				for _, command := range []string{"memctl edit", "memctl update", "memctl retire", "with its id"} {
					if strings.Contains(answers, command) {
						t.Errorf("%q: an answer says %q:\n%s", form, command, answers)
					}
				}
			}
		})
	}
}

// titles returns the titles of a store's memories.
func (d door) titles() (titles []string) {
	files, err := filepath.Glob(d.path("*", "*.json"))
	d.check(err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		d.check(err)
		var m struct{ Title string }
		d.check(json.Unmarshal(data, &m))
		titles = append(titles, m.Title)
	}
	return titles
}

func (d door) addFacts(facts []string) (answers string) {
	for _, fact := range facts {
		_, messages, ok := d.run(nil, "add", fact)
		if !ok {
			d.t.Errorf("%q: %s", fact, messages)
		}
		answers += messages
	}
	return answers
}

func (d door) saveFacts(facts []string) (answers string) {
	session := connect(d.t, d.dir)
	for _, fact := range facts {
		result := session.try("save", map[string]any{"text": fact})
		answers += said(result)
	}
	return answers
}

func (d door) pageFacts(facts []string) (answers string) {
	b := openUI(d.project)
	for _, fact := range facts {
		_, _, body := b.fetch(http.MethodGet, b.base+"/new", nil)
		form := url.Values{"form_token": {formToken.FindStringSubmatch(body)[1]}, "text": {fact}}
		code, _, body := b.fetch(http.MethodPost, b.base+"/new/sentence", form)
		if code != http.StatusSeeOther {
			answers += body
		}
	}
	return answers
}

// importFacts imports the first half of a list, and then all of it from another file.
func (d door) importFacts(facts []string) (answers string) {
	for i, half := range [][]string{facts[:5], facts} {
		folder := filepath.Join(d.dir, fmt.Sprintf("list%d", i))
		d.check(os.Mkdir(folder, 0o755))
		for j, fact := range half {
			d.check(os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d.md", j)), []byte("# "+fact+"\n\n"+fact+"\n"), 0o644))
		}
		out, messages, _ := d.run(nil, "import", "markdown", folder, "--category", "constraint", "--yes")
		answers += out + messages
	}
	return answers
}
