package web

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"memctl/features/review"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

var (
	namedText = regexp.MustCompile(`\bt "([\w.-]+)"|\.t\("([\w.-]+)"|translate\(lang(?:Of\(r\))?, "([\w.-]+)"`)
	textStart = regexp.MustCompile(`\bt \(print "([\w.-]+)" |\.t\("([\w.-]+)" ?\+|Sprintf\("([\w.-]+-)%d"|translate\(lang, "([\w.-]+)"\+|` +
		`wordText\((?:v\.)?lang, "([\w.-]+)"|\bword "([\w.-]+)"`)
	verbs = regexp.MustCompile(`%[.\d]*[a-z]`)
)

// sources returns what the pages are made of.
func sources(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, pattern := range []string{"*.go", "templates/*.html"} {
		names, err := fs.Glob(os.DirFS("."), pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(name, "_test.go") {
				all.Write(data)
			}
		}
	}
	return all.String()
}

// matches returns the first group of each match that is not empty.
func matches(expression *regexp.Regexp, in string) []string {
	var list []string
	for _, match := range expression.FindAllStringSubmatch(in, -1) {
		for _, group := range match[1:] {
			if group != "" {
				list = append(list, group)
			}
		}
	}
	return list
}

func TestEveryTextIsInTheTableAndUsed(t *testing.T) {
	source := sources(t)
	names, starts := matches(namedText, source), matches(textStart, source)
	for _, key := range names {
		if texts()[key] == nil && !slices.Contains(starts, key) {
			t.Errorf("the table has no text %q", key)
		}
	}
	for key := range texts() {
		begun := func(start string) bool { return strings.HasPrefix(key, start) }
		if !slices.Contains(names, key) && !slices.ContainsFunc(starts, begun) {
			t.Errorf("no page shows the text %q", key)
		}
	}
}

func TestTextsHaveEveryLanguage(t *testing.T) {
	for key, forms := range texts() {
		if len(forms) != len(languages) {
			t.Errorf("%s has %d languages, want %d", key, len(forms), len(languages))
			continue
		}
		want := verbs.FindAllString(strings.Split(forms[0], "|")[len(strings.Split(forms[0], "|"))-1], -1)
		for i, form := range forms {
			_, many, two := strings.Cut(form, "|")
			if !two {
				many = form
			}
			if got := verbs.FindAllString(many, -1); !slices.Equal(got, want) || form == "" || two != strings.Contains(forms[0], "|") {
				t.Errorf("%s in %s is %q", key, languages[i], form)
			}
		}
	}
}

// What comes from other packages has a text.
func TestWordsOfOtherPackagesHaveTexts(t *testing.T) {
	var keys []string
	for _, info := range schemas.Categories {
		keys = append(keys, "category."+string(info.Category), "about."+string(info.Category))
		form := schemas.FormOf(info.Category)
		for _, field := range slices.Concat(form.Head, form.Content) {
			keys = append(keys, "field."+field.Name)
			for _, inner := range field.Fields {
				keys = append(keys, "field."+inner.Name)
			}
		}
	}
	for _, sort := range retrieve.SortNames {
		keys = append(keys, "sort."+sort)
	}
	for _, status := range schemas.Statuses {
		keys = append(keys, "status."+string(status))
		for _, move := range movesFrom(status) {
			keys = append(keys, "move."+move, "help."+move)
		}
	}
	for _, age := range ages {
		keys = append(keys, "age."+age)
	}
	for _, info := range review.Kinds {
		keys = append(keys, "need.review."+string(info.Kind))
	}
	for _, key := range keys {
		if texts()[key] == nil {
			t.Errorf("the table has no text %q", key)
		}
	}
}

func TestLanguageOf(t *testing.T) {
	for header, want := range map[string]string{
		"": "en", "ko": "ko", "KO-kr": "ko", "fr": "en", "ko;q=0.1,en;q=0.9": "en", "en;q=0.1, ko;q=0.2": "ko",
		"ko;q=0": "en", "ko;q=x": "en", ";;,,;q=": "en", strings.Repeat("fr,", 10_000) + "ko": "ko",
	} {
		if got := languageOf(header); got != want {
			t.Errorf("languageOf(%.40q) = %s, want %s", header, got, want)
		}
	}
}

// What the schemas say of fields and settings is in Korean too.
func TestTheSchemasSpeakKorean(t *testing.T) {
	used, korean := map[string]bool{}, readKorean("korean.json")
	needs := func(english string) {
		used[english] = true
		if english != "" && korean[english] == "" {
			t.Errorf("no Korean for %q", english)
		}
	}
	var walk func(schemas.Field)
	walk = func(f schemas.Field) {
		needs(f.Description)
		for _, choice := range f.Choices {
			needs(fmt.Sprint(choice))
		}
		for _, inner := range f.Fields {
			walk(inner)
		}
	}
	for _, info := range schemas.Categories {
		form := schemas.FormOf(info.Category)
		needs(form.Description)
		walk(form.Field())
	}
	for _, setting := range schemas.Settings() {
		needs(setting.Purpose)
		needs(setting.Condition())
	}
	for english := range korean {
		if !used[english] {
			t.Errorf("no schema says %q", english)
		}
	}
}

// What doctor and review say is in Korean too.
func TestFindingsSpeakKorean(t *testing.T) {
	formats, korean := map[string]bool{}, readKorean("findings.json")
	for file, call := range callsIn(t, "doctor", "hub", "meaning", "review") {
		if !strings.HasSuffix(file, "_test.go") {
			collectFormats(call, formats)
		}
	}
	placeholder := regexp.MustCompile(`%(\[\d\])?[a-z]`)
	for english := range formats {
		translation := korean[english]
		if translation == "" && strings.ContainsFunc(placeholder.ReplaceAllString(english, ""), unicode.IsLetter) && english != "%s (%d ms)" {
			t.Errorf("no Korean for %q", english)
		}
		if translation != "" && len(placeholder.FindAllString(translation, -1)) != len(placeholder.FindAllString(english, -1)) {
			t.Errorf("%q has other arguments than %q", translation, english)
		}
	}
	for english := range korean {
		if !formats[english] && strings.Contains(english, "%") {
			t.Errorf("nothing says %q", english)
		}
	}
	phrase := text.Say("%s from %s: %s", text.Counted(2, "next action", "next actions"), text.Say("%s ago", text.Counted(70, "day", "days")), "Deploy")
	if got, want := phrase.In(inLanguage("ko")), "70일 전의 다음 할 일 2개: Deploy"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := phrase.In(inLanguage("en")), "2 next actions from 70 days ago: Deploy"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := checkName("ko", "your folders"); got != "내 폴더" {
		t.Errorf("the check is called %q", got)
	}
}

// collectFormats adds the formats of a call that makes a phrase.
func collectFormats(call *ast.CallExpr, formats map[string]bool) {
	called := ""
	switch f := call.Fun.(type) {
	case *ast.Ident:
		called = f.Name
	case *ast.SelectorExpr:
		called = f.Sel.Name
	}
	for _, at := range map[string][]int{"Say": {0}, "why": {0}, "OK": {1}, "Warn": {2}, "Fail": {2}, "Counted": {1, 2}}[called] {
		if at >= len(call.Args) {
			continue
		}
		if value, err := types.Eval(token.NewFileSet(), nil, token.NoPos, types.ExprString(call.Args[at])); err == nil && value.Value != nil {
			english := constant.StringVal(value.Value)
			if called == "Counted" {
				english = "%d " + english
			}
			formats[english] = true
		}
	}
}
