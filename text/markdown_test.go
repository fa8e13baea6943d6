package text

import "testing"

func TestPlain(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"nothing":             {"", ""},
		"a line that goes on": {"We use\nPostgreSQL.", "We use PostgreSQL."},
		"a line that was broken": {"Chosen option: B\nWe will also shard, but\nPostgreSQL keeps all\nof it\n\nGo\nOn",
			"Chosen option: B. We will also shard, but PostgreSQL keeps all of it. Go On"},
		"paragraphs":                 {"Chosen option: B\n\nWe will also *not* shard.", "Chosen option: B. We will also not shard."},
		"a list":                     {"We use\n- Go\n* [x] SQL\n\nand more", "We use: Go; SQL. and more"},
		"steps":                      {"Do\n\n1. Stop it\n2. Start it", "Do. 1. Stop it 2. Start it"},
		"a list with stops":          {"We use:\n\n- Go.\n- SQL.", "We use: Go. SQL."},
		"headings":                   {"## Decision ##\n\nWe will\n\n### Why\nIt is fast", "Decision: We will. Why: It is fast"},
		"a heading by its underline": {"Decision\n---\nWe will", "Decision. We will"},
		"quotes":                     {"> It is\n> so.", "It is so."},
		"a table":                    {"| a | b |\n|---|---|\n| c | d |", "a | b; c | d"},
		"emphasis": {"**Never** *ever* __push to__ _main_, ***please***: **굵게**는 (*not*)",
			"Never ever push to main, please: 굵게는 (not)"},
		"an emphasised sentence": {"**We use Go.**\n\nIt is *fast*\n\nToo", "We use Go. It is fast. Too"},
		"emphasis of two lines":  {"**We use\nGo**", "We use Go"},
		"links": {"[ADR 3](0003-x.md), ![i](a.png \"t\"), [r][1], [[Note]], [[a/b|Alias]], [w](https://e.org/a_(b))",
			"ADR 3, i, r, Note, Alias, w"},
		"code":                      {"Run `make *all* [x](y)` in **`a_b`**", "Run `make *all* [x](y)` in `a_b`"},
		"a block of code":           {"Run\n```sh\nmake a\n\nmake *b*\n```\nthen wait", "Run: `make a`; `make *b*`. then wait"},
		"a block that does not end": {"Run\n```\nmake a", "Run: `make a`"},
		"patterns":                  {"*.go and *.ts, src/**/*.js, 2 * 3 * 4, 2**3**4", "*.go and *.ts, src/**/*.js, 2 * 3 * 4, 2**3**4"},
		"names":                     {"snake_case_name, __init__, **kwargs and *args", "snake_case_name, __init__, **kwargs and *args"},
		"no marks":                  {"a[0][1], f[int](x), -1, #3, ~~old~~", "a[0][1], f[int](x), -1, #3, ~~old~~"},
		"what nobody sees":          {"a\u202eb\u200b\r\n\tc", "ab c"},
		"stops of Chinese":          {"使用 Go。\n\n- 不用 **C**", "使用 Go。 不用 C"},
		"a hidden mark":             {"`\uE003` and `x`", "`\uE003` and `x`"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Plain(tt.in); got != tt.want {
				t.Errorf("Plain(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzPlain(f *testing.F) {
	for _, s := range []string{"# a\n- b `c`\n\n> d", "**a *b* c** [x](y)", "```\n`\n```", "`\uE003``\uE003`*"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := Plain(s); got != Printable(got) {
			t.Errorf("Plain(%q) = %q", s, got)
		}
	})
}

func TestQuoted(t *testing.T) {
	for name, tt := range map[string]struct {
		text     string
		commands []string
		want     string
	}{
		"where it stands":        {"Never run kubectl apply by hand.", []string{"kubectl apply"}, "Never run `kubectl apply` by hand."},
		"in backquotes already":  {"Never run `kubectl apply`.", []string{"kubectl apply"}, "Never run `kubectl apply`."},
		"a part of another word": {"Undeploy it by hand.", []string{"deploy"}, "Undeploy it by hand (`deploy`)."},
		"with a version":         {"Run pnpm add sdk@2.", []string{"pnpm add sdk"}, "Run pnpm add sdk@2 (`pnpm add sdk`)."},
		"not in the text":        {"Deploys go through CI. Nobody must deploy by hand.", []string{"make deploy"}, "Deploys go through CI. Nobody must deploy by hand (`make deploy`)."},
		"in the only sentence":   {"Deploys go through CI", []string{"make deploy", "make deploy"}, "Deploys go through CI (`make deploy`)"},
		"within code":            {"Use `make deploy now`.", []string{"deploy"}, "Use `make deploy now` (`deploy`)."},
		"none":                   {"Deploys go through CI.", []string{"", "`"}, "Deploys go through CI."},
		"no text":                {"", []string{"make"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Quoted(tt.text, tt.commands); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
