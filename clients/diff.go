package clients

import (
	"regexp"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/diff"
)

const mask = "…"

// jsonToken matches a key with its colon, another string, or a literal.
var jsonToken = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"(?:[^"\\]|\\.)*"(?:\s*:)?|[^\s"{}\[\],:]+`)
})

// diff returns a unified diff. It shows keys and the values of memctl's entries that
// change. It masks all other values, which may be secrets: a line can change by a comma
// alone.
func (form settingsForm) diff(path string, before, after []byte) (string, error) {
	ours := map[string]bool{}
	for _, data := range [][]byte{before, after} {
		entries, err := form.find(data)
		if err != nil {
			return "", err
		}
		if data, err = form.add(nil, entries); err != nil {
			return "", err
		}
		for _, token := range jsonToken().FindAllString(string(data), -1) {
			ours[token] = true
		}
	}
	var out strings.Builder
	for i, line := range strings.SplitAfter(plainDiff(path, before, after), "\n") {
		switch {
		case i > 1 && strings.HasPrefix(line, " "):
			line = maskValues(line, nil)
		case i > 1 && (strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-")):
			line = line[:1] + maskValues(line[1:], ours)
		}
		out.WriteString(line)
	}
	return out.String(), nil
}

// plainDiff returns a unified diff, without the command line of a diff that comes first.
func plainDiff(path string, before, after []byte) string {
	lines := string(diff.Diff(diffName(path, before), before, diffName(path, after), after))
	_, lines, _ = strings.Cut(lines, "\n")
	return lines
}

// maskValues replaces every value on a line of JSON that is not in shown.
func maskValues(line string, shown map[string]bool) string {
	return jsonToken().ReplaceAllStringFunc(line, func(token string) string {
		switch {
		case strings.HasSuffix(token, ":") || shown[token]:
			return token
		case strings.HasPrefix(token, `"`):
			return `"` + mask + `"`
		}
		return mask
	})
}

func diffName(path string, data []byte) string {
	if data == nil {
		return "/dev/null" // as git has it on every system
	}
	return path
}
