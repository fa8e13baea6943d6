package text

import "strings"

// PromptTerms splits what a person wrote of a prompt, with the words of its paths and
// addresses apart, and returns the files that it names.
func PromptTerms(prompt string) (t Terms, files []string) {
	rest, files, addresses := withoutPaths(prompt)
	t = TermsOf(rest)
	var places []string
	for _, file := range files {
		places = append(places, lastParts(file, 2))
	}
	for _, address := range addresses {
		_, address, _ = strings.Cut(address, "://")
		if _, path, found := strings.Cut(address, "/"); found {
			places = append(places, lastParts(path, 1))
		}
	}
	named := TermsOf(strings.Join(places, ". "))
	b := termBuilder{Terms: t, seen: map[string]bool{}}
	for _, list := range [][]string{t.Topics, t.Common, t.Plain} {
		for _, term := range list {
			b.seen[root(term)] = true
		}
	}
	for _, list := range [][]string{named.Topics, named.Common, named.Plain} {
		b.add(&b.Places, list...)
	}
	return b.Terms, files
}

// lastParts returns the last n parts of a path without its extension, as words.
func lastParts(path string, n int) string {
	stem, _ := cutExtension(path)
	parts := strings.FieldsFunc(stem, func(r rune) bool { return r == '/' || r == '\\' })
	return strings.Join(parts[max(0, len(parts)-n):], " ")
}

// withoutPaths removes the files, paths and addresses of a text, which name places and no
// subjects.
func withoutPaths(s string) (rest string, paths, addresses []string) {
	var b strings.Builder
	for s != "" {
		length := pathLength(s)
		if length == 0 {
			next := strings.IndexFunc(s, func(r rune) bool { return r < 0x80 && isPathByte(byte(r)) })
			if next < 0 {
				next = len(s)
			}
			b.WriteString(s[:next])
			s = s[next:]
			continue
		}
		word := strings.TrimRight(s[:length], ".,:;?")
		name := strings.TrimLeft(word, "@#")
		switch {
		case isAddress(name):
			addresses = append(addresses, name)
			b.WriteByte(' ')
		case isPath(name):
			paths = append(paths, name)
			b.WriteByte(' ')
		default:
			b.WriteString(word)
		}
		b.WriteString(s[len(word):length])
		s = s[length:]
	}
	return b.String(), paths, addresses
}

// pathLength returns how many bytes of s may be a path.
func pathLength(s string) int {
	for i := range len(s) {
		if !isPathByte(s[i]) {
			return i
		}
	}
	return len(s)
}

func isPathByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		strings.IndexByte(`_-./\~@#:%+=?&`, c) >= 0
}

func isAddress(word string) bool {
	return strings.Contains(word, "://") || strings.HasPrefix(word, "www.")
}

// isPath distinguishes pay.go, src/ and a/b/c from and/or, and from names such as Node.js.
func isPath(word string) bool {
	stem, extension := cutExtension(word)
	separators := strings.Count(word, "/") + strings.Count(word, `\`)
	return separators > 1 || separators == 1 && strings.HasSuffix(word, "/") ||
		extension != "" && (extension != "js" || stem[0] < 'A' || stem[0] > 'Z')
}

// cutExtension cuts the extension of a file: up to four small letters and digits after the
// last dot, with a letter among them.
func cutExtension(word string) (stem, extension string) {
	i := strings.LastIndexByte(word, '.')
	if i < 1 || len(word)-i > 5 {
		return word, ""
	}
	extension = word[i+1:]
	if strings.Trim(extension, "0123456789abcdefghijklmnopqrstuvwxyz") != "" || strings.Trim(extension, "0123456789") == "" {
		return word, ""
	}
	return word[:i], extension
}
