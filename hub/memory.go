package hub

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"math"
	"net/http"
	"net/url"
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

// publicationOf returns what the address of a request says of a publication.
func publicationOf(address *url.URL) (p remote.Publication, err error) {
	values, err := url.ParseQuery(address.RawQuery)
	if err != nil || len(values) == 0 {
		return p, badRequest("", "expected repository, commit and sequence in the address: an older memctl sends them "+
			"otherwise, upgrade it")
	}
	for name, list := range values {
		if !slices.Contains([]string{"repository", "commit", "tree", "sequence"}, name) {
			return p, unknownField(name)
		}
		if len(list) > 1 {
			return p, badRequest(name, "it stands twice")
		}
	}
	p.Repository, p.Commit, p.Tree = values.Get("repository"), values.Get("commit"), values.Get("tree")
	p.Sequence, _ = strconv.ParseInt(values.Get("sequence"), 10, 64) // what is no number is 0, which is refused
	return p, checkPublication(&p)
}

// checkPublication checks all but the memories. The case of a repository's name does not matter.
func checkPublication(p *remote.Publication) error {
	if err := remote.CheckRepository(p.Repository); err != nil {
		return badRequest("repository", "%v", err)
	}
	p.Repository = strings.ToLower(p.Repository)
	if !commitForm.MatchString(p.Commit) {
		return badRequest("commit", "expected 40 or 64 hexadecimal digits in lower case")
	}
	if p.Sequence < 1 {
		return badRequest("sequence", "expected a number from 1 to %d, such as that of the run", math.MaxInt64)
	}
	if len(p.Tree) > maxDigest {
		return badRequest("tree", "it is too long")
	}
	return nil
}

var errPublicationTooLarge = refusal(http.StatusRequestEntityTooLarge, "too_large",
	"a publication has at most %d memories of %d MiB together", remote.MaxMemories, remote.MaxPublication>>20)

// mostWords is how many different words one request may have: each costs memory, and a row for good. 42 MB of commit
// messages of many repositories have 154,000.
const mostWords = 500_000

var errTooManyWords = refusal(http.StatusRequestEntityTooLarge, "too_large",
	"a request publishes at most %d different words; this one may have numbers or keys instead of text", mostWords)

// refusal is why a request is refused.
func refusal(status int, code, format string, args ...any) *remote.Error {
	return &remote.Error{Status: status, Code: code, Message: fmt.Sprintf(format, args...)}
}

func badRequest(field, format string, args ...any) error {
	return &remote.Error{Status: http.StatusBadRequest, Code: "bad_request", Field: field,
		Message: fmt.Sprintf(format, args...)}
}

func invalidMemory(path, field, message string) error {
	return &remote.Error{Status: http.StatusBadRequest, Code: "invalid_memory", Path: path, Field: field,
		Message: message}
}

// maxDigest is how many bytes of a digest, which a client chooses, are read.
const maxDigest = 100

// readMemories checks and filters the memories of a publication. Retired ones are not among them: they go as deleted
// ones do. What has only a digest has no document.
func readMemories(hubVersion string, files []remote.File) (list []*version, err error) {
	if len(files) > remote.MaxMemories {
		return nil, errPublicationTooLarge
	}
	seen := make(map[string]bool, len(files))
	for _, file := range files {
		printable := text.Truncate(text.Printable(file.Path), maxPath)
		_, isMemory := schemas.CategoryOfPath(file.Path)
		switch {
		case !isMemory || file.Path != printable:
			return nil, invalidMemory(printable, "", "expected the path of a memory such as decisions/jwt.json")
		case seen[file.Path]:
			return nil, invalidMemory(file.Path, "", "the path occurs twice")
		case len(file.Digest) > maxDigest:
			return nil, invalidMemory(file.Path, "digest", "it is too long")
		}
		seen[file.Path] = true
		v, redacted := &version{path: file.Path}, false
		if file.Memory != nil || file.Digest == "" {
			if v, redacted, err = readMemory(file); err != nil {
				return nil, err
			}
		}
		if file.Digest != "" && !redacted {
			v.sent = sentHash(hubVersion, file)
		}
		if v.status != schemas.Retired {
			list = append(list, v)
		}
	}
	return list, nil
}

// redact removes private text and secrets from a memory, and reports whether it had any.
var redact = sync.OnceValue(func() func(*schemas.Memory) bool {
	filter := schemas.DefaultConfig().Privacy.Filter()
	return func(m *schemas.Memory) bool { return len(m.RedactValid(filter)) > 0 }
})

// sentHash is the hash of a memory's digest that the hub stores. Another version may filter the same file otherwise.
func sentHash(hubVersion string, f remote.File) []byte {
	sum := sha256.Sum256([]byte(hubVersion + " " + f.Path + " " + f.Digest))
	return sum[:]
}

// maxPath is how many code points of a path are read. A valid memory has a shorter one.
const maxPath = 200

// readMemory checks and filters a memory.
func readMemory(file remote.File) (v *version, redacted bool, err error) {
	if len(file.Memory) > schemas.MaxFileBytes {
		return nil, false, invalidMemory(file.Path, "", schemas.ErrTooLarge.Error())
	}
	if err := firstViolation(file.Path, file.Memory); err != nil {
		return nil, false, err
	}
	if hasNUL(file.Memory) { // which PostgreSQL cannot store
		return nil, false, invalidMemory(file.Path, fieldWith(hasNUL, file.Memory), "a NUL character")
	}
	values, err := schemas.DecodeAny(file.Memory) // which has no key twice
	if err != nil {
		return nil, false, invalidMemory(file.Path, "", err.Error())
	}
	object, _ := values.(map[string]any)
	doc := schemas.MemoryOf(object)
	redacted = redact()(doc)
	document, err := doc.Encode()
	if err != nil {
		return nil, false, invalidMemory(file.Path, "", err.Error())
	}
	if redacted {
		if err := firstViolation(file.Path, document); err != nil {
			return nil, false, err
		}
	}
	sum := sha256.Sum256(document)
	return &version{path: file.Path, document: document, hash: sum[:], fields: fieldsOf(doc.Lenient())}, redacted, nil
}

// firstViolation returns what is wrong with a memory first.
func firstViolation(path string, data []byte) error {
	if !utf8.Valid(data) {
		notUTF8 := func(value []byte) bool { return !utf8.Valid(value) }
		return invalidMemory(path, fieldWith(notUTF8, data), "invalid UTF-8")
	}
	category, _ := schemas.CategoryOfPath(path) // readMemories has checked it
	found := schemas.ValidateAs(path[strings.Index(path, "/")+1:], category, data)
	if len(found) == 0 {
		return nil
	}
	v := found[0]
	return invalidMemory(path, v.Field, strings.TrimPrefix(v.String(), cmp.Or(v.Field, "document")+": "))
}

// fieldWith returns the first field whose JSON has something wrong, "" if that is none.
func fieldWith(wrong func(value []byte) bool, data []byte) string {
	for name, value := range schemas.Members(bytes.TrimSpace(data)) {
		if wrong(value) {
			return name
		}
	}
	return ""
}

// hasNUL reports whether a string or key of JSON has a NUL character.
func hasNUL(data []byte) bool {
	escapes := bytes.ReplaceAll(data, []byte(`\\`), nil) // what stands for a backslash
	return bytes.Contains(escapes, []byte(`\u0000`))
}
