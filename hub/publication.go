package hub

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"memctl/remote"
	"memctl/schemas"
)

// maxElement is how many bytes of a body one memory may take: twice the limit of a memory, so that
// the error of one that is a little too large can name it.
const maxElement = 2 * schemas.MaxFileBytes

// decodePublication reads a publication, one memory after the other. It calls named once all but the
// memories is known, if the client sends them last: those of a repository that the client may not publish
// are not read.
func decodePublication(body io.Reader, named func(remote.Publication) error) (p remote.Publication, err error) {
	b := &bounded{Reader: body, limit: maxElement}
	d := publicationDecoder{Decoder: json.NewDecoder(b), body: b, named: named}
	d.DisallowUnknownFields()
	if err := d.read(&p); err != nil {
		if refused := new(remote.Error); errors.As(err, &refused) {
			return p, refused
		}
		return p, decodingError(err)
	}
	return p, atEnd(d.Decoder)
}

type publicationDecoder struct {
	*json.Decoder
	body  *bounded
	named func(remote.Publication) error
}

func (d publicationDecoder) read(p *remote.Publication) error {
	switch first, err := d.Token(); {
	case err != nil:
		return err
	case first != json.Delim('{'):
		return badRequest("", "the body is not the JSON of one request")
	}
	seen := map[string]bool{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		if seen[name] {
			return badRequest(name, "it stands twice")
		}
		seen[name] = true
		switch name {
		case "repository":
			err = d.member(name, &p.Repository)
		case "commit":
			err = d.member(name, &p.Commit)
		case "sequence":
			err = d.member(name, &p.Sequence)
		case "memories":
			if seen["repository"] && seen["commit"] && seen["sequence"] {
				err = d.named(*p)
			}
			if err == nil {
				err = d.memories(p)
			}
		default:
			err = unknownField(name)
		}
		if err != nil {
			return err
		}
	}
	_, err := d.Token() // the closing brace
	return err
}

// member decodes a value. An error names its field.
func (d publicationDecoder) member(name string, into any) error {
	d.body.limit = d.InputOffset() + maxElement
	err := d.Decode(into)
	if kind := new(json.UnmarshalTypeError); errors.As(err, &kind) {
		kind.Field = strings.TrimSuffix(join(name, kind.Field), ".")
	}
	return err
}

// memories reads the list of memories. A Go client sends none as null.
func (d publicationDecoder) memories(p *remote.Publication) error {
	switch first, err := d.Token(); {
	case err != nil || first == nil:
		return err
	case first != json.Delim('['):
		return badRequest("memories", "expected a list")
	}
	for d.More() {
		if len(p.Memories) == remote.MaxMemories {
			return errPublicationTooLarge
		}
		var file remote.File
		if err := d.member("memories", &file); err != nil {
			return err
		}
		p.Memories = append(p.Memories, file)
	}
	_, err := d.Token() // the closing bracket
	return err
}

// bounded is a reader that fails at a limit, which moves.
type bounded struct {
	io.Reader
	read, limit int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.read >= b.limit {
		return 0, refusal(http.StatusRequestEntityTooLarge, "too_large", "a memory has more than %d bytes", schemas.MaxFileBytes)
	}
	n, err := b.Reader.Read(p[:min(int64(len(p)), b.limit-b.read)])
	b.read += int64(n)
	return n, err
}
