package text

import (
	"path"
	"strings"
)

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
	placeTerms := TermsOf(strings.Join(places, ". "))
	b := t.builder(t.Topics, t.Common, t.Plain)
	b.add(&b.Places, placeTerms.Unpaired()...)
	if len(places) > 0 {
		b.add(&b.Others, TermsOf(prompt).Unpaired()...)
	}
	return b.Terms, files
}

// lastParts returns the last n parts of a path without its extension, as words.
func lastParts(path string, n int) string {
	stem, _ := cutExtension(path)
	parts := strings.FieldsFunc(stem, func(r rune) bool { return r == '/' || r == '\\' })
	return strings.Join(parts[max(0, len(parts)-n):], " ")
}

// pathChars are the characters of paths and addresses.
const pathChars = alphanumeric + `_-./\~@#:%+=?&`

// withoutPaths removes the files, paths and addresses of a text, which name places and no
// subjects.
func withoutPaths(s string) (rest string, paths, addresses []string) {
	var b strings.Builder
	for s != "" {
		length := len(s) - len(strings.TrimLeft(s, pathChars))
		if length == 0 {
			next := strings.IndexAny(s, pathChars)
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
	if strings.Trim(extension, "0123456789abcdefghijklmnopqrstuvwxyz") != "" ||
		strings.Trim(extension, "0123456789") == "" {
		return word, ""
	}
	return word[:i], extension
}

// Names returns the names in a text that may be those of files (they have an extension, or are such as Makefile), and
// those that may be of folders (several parts, or a slash at the end). Of several, it leaves out those that the text
// gives as a place to put things.
func Names(s string) (files, folders []string) {
	bare, code := cutCode(s) // the file of a command is that of another act
	for _, piece := range code {
		if strings.Contains(piece, " ") {
			piece = ""
		}
		bare = strings.Replace(bare, "`", piece, 1)
	}
	var filePlaces, folderPlaces []string
	kinds := forbidding()
	for clause := range strings.SplitSeq(clauseEnds.Replace(bare), "\n") {
		if !strings.ContainsAny(clause, `./\`) && !strings.Contains(clause, "file") {
			continue // no path, and no name such as Makefile
		}
		names := pathsIn(clause)
		clauseFiles, clauseFolders := fileNames(names), folderNames(names)
		if len(clauseFiles)+len(clauseFolders) == 0 {
			continue
		}
		if words := plainClause(clause); kinds["place"].in(words) >= 0 && kinds["after"].in(words) < 0 {
			filePlaces, folderPlaces = append(filePlaces, clauseFiles...), append(folderPlaces, clauseFolders...)
		} else {
			files, folders = append(files, clauseFiles...), append(folders, clauseFolders...)
		}
	}
	if len(files) == 0 {
		files = filePlaces
	}
	if len(folders) == 0 {
		folders = folderPlaces
	}
	return files, folders
}

// pathsIn returns the words of a text that may be paths, without a place at the end.
func pathsIn(s string) (names []string) {
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return !strings.ContainsRune(pathChars+"[]*", r) }) {
		name := strings.ReplaceAll(strings.Trim(strings.TrimRight(word, ".,:;?"), "@#=~"), `\`, "/")
		if name = strings.TrimPrefix(WithoutPlace(name), "./"); !isAddress(word) {
			names = append(names, name)
		}
	}
	return names
}

func folderNames(paths []string) (names []string) {
	for _, name := range paths {
		bare := strings.TrimSuffix(name, "/")
		if strings.Contains(name, "/") && path.Ext(bare) == "" && !strings.Contains(name, "*") &&
			path.Clean(bare) == bare &&
			!path.IsAbs(name) {
			names = append(names, bare)
		}
	}
	return names
}

func fileNames(paths []string) (names []string) {
	for _, name := range paths {
		base := path.Base(name)
		dot := strings.LastIndexByte(base, '.')
		isFile := dot > 0 && base[dot+1:] != "" && strings.Trim(base[dot+1:], alphanumeric) == "" &&
			strings.Trim(base[dot+1:], "0123456789") != ""
		isMake := len(base) > len("file") && strings.HasSuffix(base, "file") && base[0] >= 'A' && base[0] <= 'Z'
		first, _, _ := strings.Cut(name, "/")
		isPattern := strings.Contains(base, "*") || strings.Contains(name, "*") && strings.Trim(first, "*.") == ""
		if (isFile || isMake) && !isPattern {
			names = append(names, name)
		}
	}
	return names
}

// WithoutPlace returns the name of a file without the line or the anchor at its end.
func WithoutPlace(name string) string {
	base := path.Base(name)
	if at := strings.IndexAny(base, ":#"); at > 0 {
		return name[:len(name)-len(base)+at]
	}
	return name
}
