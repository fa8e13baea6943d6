package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memctl/files"
)

// adr is a record of a folder, by its name in records.
type adr struct{ title, status, body string }

type records map[string]adr

// add puts a record under a number and a name that may have a folder before it.
func (r records) add(name, title, body string) { r[name] = adr{title, "Accepted", body} }

func (r records) move(from, to string) {
	r[to] = r[from]
	delete(r, from)
}

func (r records) set(name string, change func(*adr)) {
	a := r[name]
	change(&a)
	r[name] = a
}

// dates are what happened to a folder of records, a commit each.
var dates = []struct {
	name   string
	change func(records)
}{
	{"the first", func(r records) {
		for i, of := range []string{"invoices", "labels", "depots", "tariffs", "scanners", "drivers"} {
			r.add(fmt.Sprintf("%04d-%s.md", i+1, of), "Keep the "+of+" in PostgreSQL",
				"The "+of+" need transactions, and a host of their own has them.")
		}
	}},
	{"one more", func(r records) {
		r.add("0007-queue.md", "Send events by RabbitMQ", "Depots lose the network at night.")
	}},
	{"one is renumbered", func(r records) { r.move("0007-queue.md", "0010-queue.md") }},
	{"one gets another name", func(r records) { r.move("0002-labels.md", "0002-label-store.md") }},
	{"one is inserted", func(r records) {
		for _, of := range []string{"drivers", "scanners", "tariffs"} {
			at := slices.Index([]string{"", "", "", "", "tariffs", "scanners", "drivers"}, of)
			r.move(fmt.Sprintf("%04d-%s.md", at, of), fmt.Sprintf("%04d-%s.md", at+1, of))
		}
		r.add("0004-maps.md", "Draw maps in the browser", "A server for maps costs a machine.")
	}},
	{"the folder is split", func(r records) {
		r.move("0006-scanners.md", "hardware/0001-scanners.md")
		r.move("0010-queue.md", "backend/0001-queue.md")
	}},
	{"one is edited and renamed", func(r records) {
		r.move("0005-tariffs.md", "0005-prices.md")
		r.set("0005-prices.md", func(a *adr) { a.body += " A price has a day on which it begins." })
	}},
	{"one gets another title and number", func(r records) {
		r.move("0003-depots.md", "0012-depots.md")
		r.set("0012-depots.md", func(a *adr) { a.title = "Keep the depots in SQLite" })
	}},
	{"one is superseded", func(r records) {
		r.set("0001-invoices.md", func(a *adr) { a.status = "Superseded by 0013" })
		r.add("0013-ledger.md", "Write invoices to a ledger", "An auditor reads every line of them.")
	}},
	{"one is deleted", func(r records) { delete(r, "0004-maps.md") }},
	{"two are swapped", func(r records) {
		r.move("0012-depots.md", "x")
		r.move("0013-ledger.md", "0012-ledger.md")
		r.move("x", "0013-depots.md")
		r.set("0001-invoices.md", func(a *adr) { a.status = "Superseded by 0012" })
	}},
	{"two swap what they say", func(r records) {
		r["0012-ledger.md"], r["0013-depots.md"] = r["0013-depots.md"], r["0012-ledger.md"]
	}},
	{"all are renumbered", func(r records) {
		for name := range maps.Clone(r) {
			r.move(name, path.Join(path.Dir(name), "1"+path.Base(name)))
		}
	}},
}

// A record is one memory under all its numbers and names, whichever command reads the folder again.
func TestRecordsThatMoveStayOneMemory(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		args    []string
		commits bool
	}{
		"import":                 {[]string{"import", "adr", "docs/adr", "--yes"}, true},
		"update before a commit": {[]string{"import", "--update", "adr", "docs/adr", "--yes"}, false},
		"update after a commit":  {[]string{"import", "--update", "adr", "docs/adr", "--yes"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t, false)
			all := records{}
			for _, date := range dates {
				date.change(all)
				r.check(os.RemoveAll(filepath.Join(r.dir, "docs/adr")))
				for name, a := range all {
					number, _, _ := strings.Cut(path.Base(name), "-")
					said := fmt.Sprintf("# %s. %s\n\n## Status\n\n%s\n\n## Context\n\n%s\n\n## Decision\n\nWe will "+
						"%s.\n",
						strings.TrimLeft(number, "0"), a.title, a.status, a.body, strings.ToLower(a.title))
					file := filepath.Join(r.dir, "docs/adr", name)
					r.check(os.MkdirAll(filepath.Dir(file), 0o755))
					r.check(os.WriteFile(file, []byte(said), 0o644))
				}
				if tt.commits {
					r.commit(date.name)
				}
				cmd, out, _ := process(r.dir, "", tt.args...)
				err := cmd.Run()
				if gone := date.name == "one is deleted"; (err != nil) != (gone && slices.Contains(tt.args, "--update")) {
					t.Errorf("%s: status %v\n%s", date.name, err, out)
				}
				if date.name == "one is deleted" { // import --update says so and keeps it
					memctl(t, r.dir, "", "retire", "--target", "draw-maps-in-the-browser")
				}
				r.checkRecords(date.name, all, out.String())
			}
		})
	}
}

func (r repository) sources() []files.ImportRecord {
	root, err := files.At(r.path("."))
	r.check(err)
	list, err := root.Sources()
	r.check(err)
	return list
}

// checkRecords compares the active memories with the records.
func (r repository) checkRecords(date string, all records, out string) {
	r.t.Helper()
	listed, _ := memctl(r.t, r.dir, "", "list", "--category", "decision", "--json")
	var list []struct{ Title string }
	r.check(json.Unmarshal([]byte(listed), &list))
	titles, origins := map[string]bool{}, map[string]string{}
	for _, m := range list {
		titles[m.Title] = true
	}
	for _, s := range r.sources() {
		if _, err := os.Lstat(filepath.Join(r.dir, s.Origin.String())); err == nil {
			origins[s.Memory] = s.Origin.String()
		}
	}
	if len(list) != len(all) || len(titles) != len(all) || len(origins) != len(all) {
		r.t.Fatalf("%s: %d records, %d memories with %d titles and %d sources\n%s",
			date, len(all), len(list), len(titles), len(origins), out)
	}
}
