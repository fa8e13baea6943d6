package hooks

import "testing"

func TestVisible(t *testing.T) {
	for name, test := range map[string]struct{ markdown, want string }{
		"no marks":                    {"# Rules\n\n- Lint.\n", "# Rules\n\n- Lint.\n"},
		"front matter":                {"---\r\ntitle: x\r\n---\r\nLint.\n", "Lint.\n"},
		"front matter with spaces":    {"\ufeff--- \na\n---\t\nLint.\n", "Lint.\n"},
		"a rule, no front matter":     {"\n---\nLint.\n---\n", "\n---\nLint.\n---\n"},
		"front matter without an end": {"---\nLint.\n", "---\nLint.\n"},
		"a comment on a line":         {"a\n<!-- b -->\nc\n", "a\nc\n"},
		"a comment on lines":          {"a\n<!--\nb\n\n-->  \nc\n", "a\nc\n"},
		"words after a comment":       {"<!-- a\n-->b\n", "[comment]b\n"},
		"a comment within a line":     {"- <!-- a --> b <!-- c\nd --> e\n", "- [comment] b [comment] e\n"},
		"two comments on a line":      {"<!-- a --><!-- b -->\nc", "[comment][comment]\nc"},
		"a comment without an end":    {"a <!-- b\nc\n", "a [comment]"},
		"code":                        {"a\n```sh\n<!-- b -->\n~~~\n```\nc\n", "a\n[code]\nc\n"},
		"code in longer fences":       {"~~~~\n~~~\na\n~~~~~\nb", "[code]\nb"},
		"code without an end":         {"- a\n  ```\n  b\n", "- a\n  [code]\n"},
		"fences within a comment":     {"<!--\n```\n-->\na\n", "a\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Visible(test.markdown); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
