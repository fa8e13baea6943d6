package exchange

import "strings"

// The lines between which export writes the digest. They begin with these.
const (
	digestBegin = "<!-- memctl:begin"
	digestEnd   = "<!-- memctl:end"
)

// withoutDigest blanks the lines of a digest and returns the number of its first, 0 if
// there is none. The other lines keep their numbers.
func withoutDigest(said string) (rest string, at int) {
	lines := strings.Split(said, "\n")
	inside := false
	for i, line := range lines {
		begins := strings.HasPrefix(line, digestBegin)
		if begins && at == 0 && strings.Contains(strings.Join(lines[i:], "\n"), "\n"+digestEnd) {
			inside, at = true, i+1
		}
		ends := strings.HasPrefix(line, digestEnd)
		if inside {
			lines[i] = ""
		}
		inside = inside && !ends
	}
	return strings.Join(lines, "\n"), at
}
