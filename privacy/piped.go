package privacy

import "strings"

// readers are what takes a password from the pipe before it.
var readers = []string{"--password-stdin", "passwd --stdin", "sudo -S", "--with-token", "--passphrase-fd 0", "docker secret create", "chpasswd"}

// maxPipe bounds how far before such a reader its password may stand.
const maxPipe = 512

// piped finds passwords that are echoed into a pipe: echo x | docker login
// --password-stdin.
func piped(s string) []span {
	var spans []span
	for _, reader := range readers {
		for at := 0; ; {
			i := strings.Index(s[at:], reader)
			if i < 0 {
				break
			}
			from := max(at, at+i-maxPipe)
			if found, ok := echoed(s[from : at+i]); ok {
				if reader == "chpasswd" { // user:password
					found.start += strings.IndexByte(s[from+found.start:from+found.end], ':') + 1
				}
				spans = append(spans, span{from + found.start, from + found.end, kindPassword})
			}
			at += i + len(reader)
		}
	}
	return spans
}

// echoed finds what the last echo of a line prints into a pipe.
func echoed(line string) (span, bool) {
	line = line[strings.LastIndexByte(line, '\n')+1:]
	start := max(strings.LastIndex(line, "echo "), strings.LastIndex(line, "printf "))
	pipe := strings.LastIndexByte(line, '|')
	if start < 0 || pipe < start {
		return span{}, false
	}
	start += strings.IndexByte(line[start:], ' ')
	for word := range strings.FieldsSeq(line[start:pipe]) {
		if strings.HasPrefix(word, "-") || strings.Contains(word, "%s") {
			start += strings.Index(line[start:], word) + len(word)
			continue
		}
		break
	}
	v := value{kind: kindPassword, relation: option}
	v.find(line[:pipe], start, start)
	return span{start: v.start, end: v.end}, v.text != "" && !isPlaceholder(v.text) && !isReference(v.text) && (v.quoted && v.text[0] != '$' || !isCode(v.text))
}
