package hub

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"memctl/remote"
	"memctl/schemas"
	"memctl/text"
)

var commitForm = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// checkPublication checks all but the memories.
func checkPublication(p remote.Publication) error {
	if err := remote.CheckRepository(p.Repository); err != nil {
		return badRequest("repository", err.Error())
	}
	if !commitForm.MatchString(p.Commit) {
		return badRequest("commit", "expected 40 or 64 hexadecimal digits in lower case")
	}
	if p.Sequence < 1 {
		return badRequest("sequence", "expected a number from 1, such as that of the run")
	}
	if len(p.Memories) > remote.MaxMemories || p.Size() > remote.MaxPublication {
		return errPublicationTooLarge
	}
	return nil
}

var errPublicationTooLarge = refusal(http.StatusRequestEntityTooLarge, "too_large",
	"a publication has at most %d memories of %d MiB together", remote.MaxMemories, remote.MaxPublication>>20)

// refusal is why a request is refused.
func refusal(status int, code, format string, args ...any) *remote.Error {
	return &remote.Error{Status: status, Code: code, Message: fmt.Sprintf(format, args...)}
}

func badRequest(field, message string) error {
	return &remote.Error{Status: http.StatusBadRequest, Code: "bad_request", Field: field, Message: message}
}

func invalidMemory(path, field, message string) error {
	return &remote.Error{Status: http.StatusBadRequest, Code: "invalid_memory", Path: path, Field: field,
		Message: message}
}

// readMemories checks and filters the memories of a publication. Retired ones are not
// among them: they go as deleted ones do.
func readMemories(ctx context.Context, hubVersion string, files []remote.File) ([]version, error) {
	seen := make(map[string]bool, len(files))
	memories := make([]version, 0, len(files))
	for _, file := range files {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		printable := text.Truncate(text.Printable(file.Path), maxPath)
		if _, ok := schemas.CategoryOfPath(file.Path); !ok || file.Path != printable {
			return nil, invalidMemory(printable, "", "expected the path of a memory such as decisions/jwt.json")
		}
		if seen[file.Path] {
			return nil, invalidMemory(file.Path, "", "the path stands twice")
		}
		seen[file.Path] = true
		if file.Memory == nil && len(file.SHA256) == sha256.Size*2 {
			memories = append(memories, version{path: file.Path, sent: sentHash(hubVersion, file)})
			continue
		}
		m, err := readMemory(file)
		if err != nil {
			return nil, err
		}
		if m.sent != nil {
			m.sent = sentHash(hubVersion, file.Digest())
		}
		if m.RecordStatus != schemas.Retired {
			memories = append(memories, m)
		}
	}
	return memories, nil
}

// redact removes private text and secrets from a memory, and reports whether it had any.
var redact = sync.OnceValue(func() func(*schemas.Memory) bool {
	filter := schemas.DefaultConfig().Privacy.Filter()
	return func(m *schemas.Memory) bool { return len(m.RedactValid(filter)) > 0 }
})

// sentHash is what the hub stores of a memory as it was sent.
func sentHash(hubVersion string, f remote.File) []byte {
	sum := sha256.Sum256([]byte(hubVersion + " " + f.SHA256))
	return sum[:]
}

// maxPath is how many code points of a path are read. A valid memory has a shorter one.
const maxPath = 200

func readMemory(file remote.File) (m version, err error) {
	m.path = file.Path
	if len(file.Memory) > schemas.MaxFileBytes {
		return m, invalidMemory(file.Path, "", schemas.ErrTooLarge.Error())
	}
	if err := firstViolation(file.Path, file.Memory); err != nil {
		return m, err
	}
	doc, err := schemas.DecodeExact(file.Memory)
	if err != nil {
		return m, invalidMemory(file.Path, "", err.Error())
	}
	if field, found := findNUL("", doc.Values()); found {
		return m, invalidMemory(file.Path, field, "a NUL character")
	}
	redacted := redact()(doc)
	if m.document, err = doc.Encode(); err != nil {
		return m, invalidMemory(file.Path, "", err.Error())
	}
	if redacted {
		if err := firstViolation(file.Path, m.document); err != nil {
			return m, err
		}
	}
	sum := sha256.Sum256(m.document)
	m.hash = sum[:]
	if !redacted {
		m.sent = m.hash
	}
	m.Memory, err = schemas.Decode(m.document)
	m.Content, m.Changes, m.RelatedFiles, m.Rest = nil, nil, nil, nil // a publication has many; document has them
	return m, err
}

// firstViolation returns what is wrong with a memory first.
func firstViolation(path string, data []byte) error {
	if !utf8.Valid(data) {
		return invalidMemory(path, invalidField(data), "invalid UTF-8")
	}
	category, _ := schemas.CategoryOfPath(path) // readMemories has checked it
	found := schemas.ValidateAs(path[strings.Index(path, "/")+1:], category, data)
	if len(found) == 0 {
		return nil
	}
	v := found[0]
	return invalidMemory(path, v.Field, strings.TrimPrefix(v.String(), cmp.Or(v.Field, "document")+": "))
}

// invalidField returns the first field that is not UTF-8, "" if that is none.
func invalidField(data []byte) string {
	for name, value := range schemas.Members(bytes.TrimSpace(data)) {
		if !utf8.Valid(value) {
			return name
		}
	}
	return ""
}

// findNUL returns the path of a string or key with a NUL character, which PostgreSQL
// cannot store.
func findNUL(path string, v any) (field string, found bool) {
	switch v := v.(type) {
	case string:
		return path, strings.Contains(v, "\x00")
	case []any:
		for i, item := range v {
			if field, found := findNUL(join(path, strconv.Itoa(i)), item); found {
				return field, true
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if strings.Contains(name, "\x00") {
				return path, true
			}
			if field, found := findNUL(join(path, name), v[name]); found {
				return field, true
			}
		}
	}
	return "", false
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
