package observe

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

// sessionsOf makes runs of lines such as "s1 fail make deploy" and "s1 edit a.go", a minute apart.
func sessionsOf(begin time.Time, lines ...string) (runs []schemas.Run) {
	for i, line := range lines {
		session, rest, _ := strings.Cut(line, " ")
		outcome, subject, _ := strings.Cut(rest, " ")
		r := schemas.Run{Session: session, Tool: "Bash", Command: subject, Success: outcome != "fail",
			Timestamp: begin.Add(time.Duration(i) * time.Minute).Format(stampLayout)}
		if outcome == "edit" {
			r.Tool, r.Command, r.File = "Edit", "", subject
		}
		runs = append(runs, r)
	}
	return runs
}

func TestRemedies(t *testing.T) {
	begin := time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)
	tests := map[string]struct {
		runs []string
		want string // the subject, failures, the remedy; of each fix
	}{
		"a command":                 {[]string{"s fail make", "s ok vault login", "s ok make"}, "make 1 vault login"},
		"after all failures":        {[]string{"s fail make", "s ok npm ci", "s fail make", "s ok vault login", "s ok make"}, "make 2 vault login"},
		"nothing between":           {[]string{"s fail make", "s ok make"}, ""},
		"only a look":               {[]string{"s fail make", "s ok cd x && git -C y status | head -5", "s ok make"}, ""},
		"a failed command":          {[]string{"s fail make", "s fail vault login", "s ok make"}, ""},
		"of another session":        {[]string{"s fail make", "t ok vault login", "s ok make"}, ""},
		"an edit between":           {[]string{"s fail make", "s ok vault login", "s edit a.go", "s ok make"}, ""},
		"an edit before":            {[]string{"s fail make", "s edit a.go", "s fail make", "s ok vault login", "s ok make"}, "make 2 vault login"},
		"an edit by a command":      {[]string{"s fail make", "s ok vault login", "s fail sed -i s/a/b/ a.go && make x", "s ok make"}, ""},
		"the last two":              {[]string{"s fail make", "s ok a", "s ok nvm use 20", "s ok ls", "s ok npm ci", "s ok npm ci", "s ok make"}, "make 1 nvm use 20, npm ci"},
		"of a look":                 {[]string{"s fail grep x a.go", "s ok npm ci", "s ok grep x a.go"}, ""},
		"too long":                  {[]string{"s fail make", "s ok vault login " + strings.Repeat("x", maxRemedyCommand), "s ok make"}, ""},
		"several lines":             {[]string{"s fail make", "s ok cd x\nvault login", "s ok make"}, ""},
		"the newest counts":         {[]string{"s fail make", "s ok vault login", "s ok make", "t fail make", "t ok npm ci", "t ok make"}, "make 1 npm ci"},
		"several, the newest first": {[]string{"s fail make", "s ok vault login", "s ok make", "s fail npm test", "s ok npm ci", "s ok npm test"}, "npm test 1 npm ci; make 1 vault login"},
		"it does not help later":    {[]string{"s fail make", "s ok vault login", "s ok make", "t ok vault login", "t fail make"}, ""},
		"nor did it before":         {[]string{"s ok go vet", "s fail go test", "s ok go vet", "s ok go test"}, ""},
		"not run before it fails":   {[]string{"s fail make", "s ok vault login", "s ok make", "t ok npm ci", "t fail make"}, "make 1 vault login"},
		"run for an earlier one":    {[]string{"s fail make", "s ok vault login", "s ok make", "s fail make"}, "make 1 vault login"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var r Remedies
			r.Update(sessionsOf(begin, tt.runs...), func(string) bool { return false }, begin.Add(time.Hour))
			var got []string
			for _, f := range r.Fixes {
				got = append(got, fmt.Sprintf("%s %d %s", f.Subject, f.Failures, strings.Join(f.Remedy, ", ")))
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "; ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// What was kept stays until its session is read again, is gone, or is too old.
func TestRemediesAreUpdated(t *testing.T) {
	begin := time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)
	var remedies Remedies
	update := func(now time.Time, missing string, lines ...string) string {
		remedies.Update(sessionsOf(now, lines...), func(session string) bool { return session == missing }, now)
		var subjects []string
		for _, f := range remedies.Fixes {
			subjects = append(subjects, f.Subject)
		}
		return strings.Join(subjects, ", ")
	}
	steps := []struct {
		now     time.Time
		missing string
		lines   []string
		want    string
	}{
		{begin, "", []string{"a fail make", "a ok vault login", "a ok make", "b fail npm test", "b ok npm ci", "b ok npm test"}, "npm test, make"},
		{begin.Add(time.Hour), "", nil, "npm test, make"},
		{begin.Add(time.Hour), "", []string{"c ok vault login", "c fail make"}, "npm test"},
		{begin.Add(time.Hour), "", []string{"d fail tox", "d ok pyenv install", "d ok tox"}, "tox, npm test"},
		{begin.Add(time.Hour), "", []string{"d ok tox"}, "npm test"},
		{begin.Add(time.Hour), "b", nil, ""},
		{begin, "", []string{"a fail make", "a ok vault login", "a ok make"}, "make"},
		{begin.Add(RemedyLife), "", nil, "make"}, // it worked two minutes after
		{begin.Add(RemedyLife + time.Hour), "", nil, ""},
	}
	for i, s := range steps {
		if got := update(s.now, s.missing, s.lines...); got != s.want {
			t.Errorf("step %d: %q, want %q", i+1, got, s.want)
		}
	}
	var many []string
	for i := range 2 * maxRemedies {
		many = append(many, fmt.Sprintf("a fail make %d", i), fmt.Sprintf("a ok login %d", i), fmt.Sprintf("a ok make %d", i))
	}
	update(begin, "", many...)
	if n := len(remedies.Fixes); n != maxRemedies || remedies.Fixes[0].Subject != fmt.Sprintf("make %d", 2*maxRemedies-1) {
		t.Errorf("%d are kept, the first of %q", n, remedies.Fixes[0].Subject)
	}
}

func TestFixSentence(t *testing.T) {
	long := strings.Repeat("an `option` of the command ", 10)
	tests := map[string]struct {
		fix  Fix
		want string
	}{
		"one": {Fix{Subject: "make deploy", Failures: 1, Remedy: []string{"vault login"}},
			"memctl: `make deploy` failed 1 time on 2026-11-27 and worked after `vault login`."},
		"two": {Fix{Subject: "npm test", Failures: 3, Remedy: []string{"nvm use 20", "npm ci"}},
			"memctl: `npm test` failed 3 times on 2026-11-27 and worked after `nvm use 20` and `npm ci`."},
		"signs": {Fix{Subject: "make \u202e`x`\n- y", Failures: 1, Remedy: []string{"a\x1b[2J"}},
			"memctl: `make 'x' - y` failed 1 time on 2026-11-27 and worked after `a[2J`."},
		"long": {Fix{Subject: long, Failures: 12345, Remedy: []string{long, long}}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.fix.FixedAt = "2026-11-27T09:00:00.000Z"
			got := tt.fix.Sentence()
			if tt.want != "" && got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if n := utf8.RuneCountInString(got); n > 200 {
				t.Errorf("%d code points: %s", n, got)
			}
		})
	}
}

func TestRemediesAboutACommand(t *testing.T) {
	r := Remedies{Fixes: []Fix{
		{Subject: "cd web && npm test", Remedy: []string{"npm ci"}},
		{Subject: "make deploy", Remedy: []string{"vault login"}},
		{Subject: "make deploy"}, // of a file that something else has changed
	}}
	tests := map[string]string{
		"make deploy":      "make deploy",
		"  make   deploy ": "make deploy",
		"cd /srv && sudo make deploy 2>&1 | tee log":   "make deploy",
		"ENV=x sudo make deploy >/dev/null 2>/tmp/log": "make deploy",
		"cd /srv; make deploy 2> err.log | tail -5":    "make deploy",
		"make build && make deploy":                    "make deploy",
		"vault login && make deploy":                   "",
		"make":                                         "",
		"make deploy ENV=x":                            "",
		"npm test":                                     "cd web && npm test",
		"ls":                                           "",
		"":                                             "",
	}
	for line, want := range tests {
		if f, found := fixOf(r.encode(), line); f.Subject != want || found != (want != "") {
			t.Errorf("%q: %q, want %q", line, f.Subject, want)
		}
	}
}

func TestDeeds(t *testing.T) {
	tests := map[string]string{ // the commands, then "edits"
		"make deploy":                          "make deploy",
		"cat a | grep b; ls > /dev/null":       "",
		"git status && git -C x diff":          "",
		"git --no-pager log -3":                "",
		"git pull --rebase":                    "git pull --rebase",
		"git checkout -- a.go":                 "edits",
		"kubectl get pods; kubectl delete pod": "kubectl delete pod",
		"npm --version":                        "",
		"make build > out.txt 2>&1":            "make build",
		"echo X=1 >> .env":                     "edits",
		"echo X=1 >.env":                       "edits",
		"grep x a 2> err":                      "",
		"sed -n 1,5p a":                        "",
		"sed -i s/a/b/ a":                      "edits",
		"python3 -c 'print(1)'":                "edits",
		"gofmt -w a.go && cargo fmt":           "edits",
		"npx eslint --fix src":                 "edits",
		"python3 manage.py migrate":            "python3 manage.py migrate",
		"cat > a <<END\nx\nEND":                "edits",
		"cp .env.example .env":                 "cp .env.example .env",
	}
	for line, want := range tests {
		list, edits := deeds(line)
		var got []string
		for _, words := range list {
			got = append(got, strings.Join(words, " "))
		}
		if edits {
			got = append(got, "edits")
		}
		if s := strings.Join(got, "; "); s != want {
			t.Errorf("%q: %q, want %q", line, s, want)
		}
	}
}
