package privacy

import "strings"

// passfile finds the passwords of a .pgpass file, a line each:
// host:port:database:user:password.
func passfile(s string) []span {
	var spans []span
	for start := 0; start < len(s); {
		end := len(s)
		if i := strings.IndexByte(s[start:], '\n'); i >= 0 {
			end = start + i
		}
		if at := filedPassword(strings.TrimRight(s[start:end], "\r")); at > 0 {
			spans = append(spans, span{start + at, start + len(strings.TrimRight(s[start:end], "\r")), kindPassword})
		}
		start = end + 1
	}
	return spans
}

// filedPassword is where the password of such a line begins; 0 for no such line.
func filedPassword(line string) int {
	const fields, most = 5, 300
	if len(line) > most || strings.Count(line, ":") < fields-1 || strings.ContainsAny(line, " \t") {
		return 0
	}
	parts := strings.SplitN(line, ":", fields)
	if !isFiledPort(parts[1]) || !isFiledName(parts[0]) || !isFiledName(parts[2]) || !isFiledName(parts[3]) {
		return 0
	}
	password := parts[fields-1]
	if digits, letters, _ := countKinds(password); digits == 0 || letters == 0 || len(password) < 6 || !isPassword(password) {
		return 0
	}
	return len(line) - len(password)
}

func isFiledPort(s string) bool { return s == "*" || len(s) >= 2 && len(s) <= 5 && isPort(s) }

// isFiledName takes hosts, databases and users; a number there is one of a line.
func isFiledName(s string) bool {
	return s == "*" || s != "" && isLetter(s[0]) && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == ""
}
