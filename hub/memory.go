package hub

import (
	"bytes"
	"cmp"
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

	"memctl/features/hub/remote"
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
	return nil
}

var errPublicationTooLarge = refusal(http.StatusRequestEntityTooLarge, "too_large",
	"a publication has at most %d memories of %d MiB together", remote.MaxMemories, remote.MaxPublication>>20)

// mostWords is how many different words a publication may have: each costs memory until the publication ends.
// 42 MB of commit messages of many repositories have 154,000.
const mostWords = 2_000_000

var errTooManyWords = refusal(http.StatusRequestEntityTooLarge, "too_large",
	"a publication has at most %d different words; this one may hold numbers or keys instead of text", mostWords)

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

// memoryReader checks and filters the memories of a publication. Retired ones are not among them: they go as deleted
// ones do.
type memoryReader struct {
	hubVersion string
	seen       map[string]bool // paths
	size       int             // of all, in bytes
	memories   []*version
}

// add returns what is stored of a memory, and the memory itself: nil if it has only a digest, or does not stay.
func (r *memoryReader) add(file remote.File) (*version, schemas.Memory, error) {
	if err := r.check(file); err != nil {
		return nil, schemas.Memory{}, err
	}
	if file.Memory == nil && len(file.SHA256) == sha256.Size*2 {
		r.memories = append(r.memories, &version{path: file.Path, sent: sentHash(r.hubVersion, file)})
		return nil, schemas.Memory{}, nil
	}
	v, m, err := readMemory(file)
	if err != nil || m.RecordStatus == schemas.Retired {
		return nil, m, err
	}
	if v.sent != nil {
		v.sent = sentHash(r.hubVersion, file.Digest())
	}
	r.memories = append(r.memories, v)
	return v, m, nil
}

// check checks all of a file but its memory.
func (r *memoryReader) check(file remote.File) error {
	r.size += file.Size()
	if len(r.seen) == remote.MaxMemories || r.size > remote.MaxPublication {
		return errPublicationTooLarge
	}
	printable := text.Truncate(text.Printable(file.Path), maxPath)
	if _, ok := schemas.CategoryOfPath(file.Path); !ok || file.Path != printable {
		return invalidMemory(printable, "", "expected the path of a memory such as decisions/jwt.json")
	}
	if r.seen[file.Path] {
		return invalidMemory(file.Path, "", "the path occurs twice")
	}
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	r.seen[file.Path] = true
	return nil
}

// redact removes private text and secrets from a memory, and reports whether it had any.
var redact = sync.OnceValue(func() func(*schemas.Memory) bool {
	filter := schemas.DefaultConfig().Privacy.Filter()
	return func(m *schemas.Memory) bool { return len(m.RedactValid(filter)) > 0 }
})

// sentHash is the hash of a memory as it was sent, which the hub stores.
func sentHash(hubVersion string, f remote.File) []byte {
	sum := sha256.Sum256([]byte(hubVersion + " " + f.SHA256))
	return sum[:]
}

// maxPath is how many code points of a path are read. A valid memory has a shorter one.
const maxPath = 200

// readMemory checks and filters a memory.
func readMemory(file remote.File) (v *version, m schemas.Memory, err error) {
	v = &version{path: file.Path}
	if len(file.Memory) > schemas.MaxFileBytes {
		return v, m, invalidMemory(file.Path, "", schemas.ErrTooLarge.Error())
	}
	if err := firstViolation(file.Path, file.Memory); err != nil {
		return v, m, err
	}
	values, err := schemas.DecodeAny(file.Memory) // which has no key twice
	if err != nil {
		return v, m, invalidMemory(file.Path, "", err.Error())
	}
	if field, found := findNUL("", values); found {
		return v, m, invalidMemory(file.Path, field, "a NUL character")
	}
	object, _ := values.(map[string]any)
	doc := schemas.MemoryOf(object)
	redacted := redact()(doc)
	if v.document, err = doc.Encode(); err != nil {
		return v, m, invalidMemory(file.Path, "", err.Error())
	}
	if redacted {
		if err := firstViolation(file.Path, v.document); err != nil {
			return v, m, err
		}
	}
	sum := sha256.Sum256(v.document)
	v.hash = sum[:]
	if !redacted {
		v.sent = v.hash
	}
	v.document = slices.Clone(v.document) // without the room that Encode had left
	m = doc.Lenient()
	v.fields = fieldsOf(m)
	return v, m, nil
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
