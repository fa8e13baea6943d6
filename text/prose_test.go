package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestProse(t *testing.T) {
	wrapped := strings.Repeat("We should do what all of the\nothers do and retry until the\nqueue is empty, and then\nwait for it\n", 3) + "or not"
	tests := map[string]struct{ prompt, want string }{
		"prose stays as it is":  {"Fix the toast.\nIt shows twice\n\n- once on load\n- once after", "Fix the toast.\nIt shows twice\n\n- once on load\n- once after"},
		"a fence":               {"why?\n```go\nfunc main() {}\n```\nand how", "why?\n\nand how"},
		"a fence without end":   {"why?\n\n~~~\nlong line of text", "why?"},
		"code within a line":    {"```go vet``` says nothing", "```go vet``` says nothing"},
		"a log":                 {"It fails:\n\n2025-09-18T23:15:24.72Z Current version\n2025-09-18T23:15:25.01Z Hosted agent", "It fails:"},
		"a log without a gap":   {"these are the logs\n09:37:51 [ERROR] Unexpected\n09:37:52 [INFO] done", "these are the logs"},
		"levels":                {"INFO: started\n[WARN] slow disk", ""},
		"a stack trace":         {"what is this\n\nTypeError: x is undefined\n    at f (src/a.ts:1:2)\n    at g (src/b.ts:3:4)", "what is this"},
		"a Python traceback":    {"Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\nValueError: bad", ""},
		"a diff":                {"review\n\ndiff --git a/x b/x\n@@ -1 +1 @@\n-old words\n+new words", "review"},
		"a table":               {"compare\n\n| name | size |\n|---|---|\n| a | 3 |", "compare"},
		"a quotation":           {"> we should retry\n> twice\n\nno, never", "no, never"},
		"results of tests":      {"still red\n\nFAIL src/a.test.ts (18.1 s)\n  ✓ returns health\n  ✕ handles types\n\nTests:       1 failed, 21 passed\nTime:        18.3 s", "still red"},
		"the menu of a page":    {"what failed here?\n\nSkip to content\nIssues\nPull requests\nActions\nProjects\nWiki\nSettings", "what failed here?"},
		"a list of short items": {"12 add the needed slogs\n7 just drop the parenthetical part\nFix 10\n17 helper\n43 change it to not found\nW19 add analytics", "12 add the needed slogs\n7 just drop the parenthetical part\nFix 10\n17 helper\n43 change it to not found\nW19 add analytics"},
		"a page without marks":  {"what failed?\n\nSearch logs\n1s\nRun details of the job\nfailed one minute ago in 6m\nCleaning up data of run 1\nCleaning up data of run 2\nCleaning up data of run 3\nCleaning up data of run 4", "what failed?"},
		"short answers":         {"1. yes\n2. no\n3. the second\n4. skip", "1. yes\n2. no\n3. the second\n4. skip"},
		"broken lines":          {wrapped, wrapped},
		"between two pastes":    {"first:\n\nERROR a\nERROR b\n\nsome words of it\n\nAnd this one comes after a restart.\n\nERROR c", "first:\n\nAnd this one comes after a restart."},
		"after the paste":       {"ERROR a\nERROR b\n\nplease fix it", "please fix it"},
		"after it in Chinese":   {"ERROR a\n\n我发现单独运行可以通过", "我发现单独运行可以通过"},
		"a client's element":    {"<system-reminder>\nThe user opened a file.\n</system-reminder>\nrename it\n<ide_selection>x</ide_selection>", "rename it"},
		"arguments of command":  {"<command-name>/deploy</command-name>\n<command-args>the staging server</command-args>", "the staging server"},
		"an element of a page":  {"<my-button> stays grey", "<my-button> stays grey"},
		"nested items":          {"do\n- this\n    - and that", "do\n- this\n    - and that"},
		"an environment":        {"API_KEY: ***\nNODE_ENV=test", ""},
		"a time in a sentence":  {"at 09:37:51 it stopped", "at 09:37:51 it stopped"},
		"code in a sentence":    {"Why don't we have a template.RenderTrusted() instead?", "Why don't we have a template.RenderTrusted() instead?"},
		"nothing":               {"", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Prose(tt.prompt)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, Prose(strings.ReplaceAll(tt.prompt, "\n", "\r\n"))); strings.ReplaceAll(tt.want, "\n", "") == tt.want && diff != "" {
				t.Errorf("with CRLF (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOwn(t *testing.T) {
	page := strings.Repeat("A line of a long page that somebody copied.\n", 200)
	tests := map[string]struct{ prompt, want string }{
		"a short prompt":        {"fix the cache", "fix the cache"},
		"a plan":                {"Implement the following plan:\n\n# Cache for sessions\n\n## Context\n\nSlow.\n\n## Steps\n\n1. Add it", "Implement the following plan:\n\nCache for sessions"},
		"a copied page":         {"Is this still so?\n\nSummary\n" + strings.Repeat("The first part of it. ", 5) + "\nDetails\n" + strings.Repeat("The other part of it. ", 5), "Is this still so?"},
		"a single heading":      {"# Fix the cache\n\nIt is slow.", "# Fix the cache\n\nIt is slow."},
		"all of it is a log":    {strings.Repeat("ERROR a\n", 50), ""},
		"a single message":      {"DB::Exception: too many parts", "DB::Exception: too many parts"},
		"a number is no header": {"#12 and #13 are wrong\n#14 too", "#12 and #13 are wrong\n#14 too"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Own(tt.prompt)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("both ends of a long one", func(t *testing.T) {
		got := Own("Summarise this:\n\n" + page + "\nand save it as notes.md")
		if !strings.HasPrefix(got, "Summarise this:\n") || !strings.HasSuffix(got, "and save it as notes.md") {
			t.Errorf("an end is missing: %q", got)
		}
		if n := utf8.RuneCountInString(got); n > ownHead+ownTail+2 {
			t.Errorf("%d code points remain", n)
		}
	})
	t.Run("both ends of a huge one", func(t *testing.T) {
		got := Own("Why does it fail?\n\n" + strings.Repeat("2025-09-18T23:15:24.72Z a line\n", 9000) + "\nSee the first error.")
		if want := "Why does it fail?\n\nSee the first error."; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func FuzzOwn(f *testing.F) {
	for _, s := range []string{
		"fix it\n\n```\ncode\n```\nplease", "<system-reminder>\nx\n</system-reminder>\n", "# a\n## b\nc", "ERROR a\r\n\r\nwhy?",
		"| a |\n", strings.Repeat("我发现 ", 900), strings.Repeat("a b\n\n", 20_000), "\xff\n\n@@ ", "<a-b>\n<a-b>",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		prose := Prose(s)
		for line := range strings.Lines(prose) {
			if line = strings.TrimRight(line, "\n"); len(s) <= maxProse && !strings.Contains(s, line) {
				t.Fatalf("%q is no line of %q", line, s)
			}
		}
		if again := Own(s); utf8.RuneCountInString(again) > ownHead+ownTail+2 {
			t.Fatalf("%d code points remain of %q", utf8.RuneCountInString(again), s)
		}
	})
}
