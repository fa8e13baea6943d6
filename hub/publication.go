package hub

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"memctl/features/hub/remote"
	"memctl/schemas"
)

// maxElement is how many bytes of a body one memory may take: twice the limit of a memory, so that
// the error of one that is a little too large can name it.
const maxElement = 2 * schemas.MaxFileBytes

// decodePublication reads a publication, one memory after the other: it calls start with all but the memories, and what
// start returns with each memory. Memories that come before the rest are refused: they could not be checked as they
// come.
func decodePublication(body io.Reader, start func(remote.Publication) (add func(remote.File) error, err error)) (
	p remote.Publication, err error,
) {
	b := &bounded{Reader: body, limit: maxElement}
	d := publicationDecoder{Decoder: json.NewDecoder(b), body: b, start: start}
	d.DisallowUnknownFields()
	if err := d.read(&p); err != nil {
		if errors.As(err, new(*remote.Error)) || d.stopped {
			return p, err
		}
		return p, decodingError(err)
	}
	return p, atEnd(d.Decoder)
}

type publicationDecoder struct {
	*json.Decoder
	body  *bounded
	start func(remote.Publication) (func(remote.File) error, error)
	// stopped says that it was start, or what start returned, that failed.
	stopped bool
}

func (d *publicationDecoder) read(p *remote.Publication) error {
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
			if len(seen) <= 3 {
				return badRequest(name, "expected after repository, commit and sequence")
			}
			err = d.memories(*p)
		default:
			err = unknownField(name)
		}
		if err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil || seen["memories"] { // the closing brace
		return err
	}
	_, err := d.start(*p)
	d.stopped = err != nil
	return err
}

// member decodes a value. An error names its field.
func (d *publicationDecoder) member(name string, into any) error {
	d.body.limit = d.InputOffset() + maxElement
	err := d.Decode(into)
	if kind := new(json.UnmarshalTypeError); errors.As(err, &kind) {
		kind.Field = strings.TrimSuffix(join(name, kind.Field), ".")
	}
	return err
}

// memories reads the list of memories. A Go client sends none as null.
func (d *publicationDecoder) memories(p remote.Publication) error {
	add, err := d.start(p)
	if err != nil {
		d.stopped = true
		return err
	}
	switch first, err := d.Token(); {
	case err != nil || first == nil:
		return err
	case first != json.Delim('['):
		return badRequest("memories", "expected a list")
	}
	for d.More() {
		var file remote.File
		if err := d.member("memories", &file); err != nil {
			return err
		}
		if err := add(file); err != nil {
			d.stopped = true
			return err
		}
	}
	_, err = d.Token() // the closing bracket
	return err
}

// bounded is a reader that fails at a limit, which moves.
type bounded struct {
	io.Reader
	read, limit int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.read >= b.limit {
		return 0, refusal(http.StatusRequestEntityTooLarge, "too_large", "a memory has more than %d bytes",
			schemas.MaxFileBytes)
	}
	n, err := b.Reader.Read(p[:min(int64(len(p)), b.limit-b.read)])
	b.read += int64(n)
	return n, err
}
