package hub

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"memctl/features/hub/remote"
	"memctl/text"
)

// decode decodes the body of a request, which may be packed with gzip.
func decode(w http.ResponseWriter, r *http.Request, limit int64, into any) error {
	sent, err := readBody(w, r, limit)
	if err != nil {
		return err
	}
	return sent.decode(limit, into)
}

// decode decodes the JSON of a body of at most limit bytes.
func (s sentBody) decode(limit int64, into any) error {
	data := s.data
	if s.gzip {
		unpacked, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return badRequest("", "the body is not packed with gzip")
		}
		if data, err = io.ReadAll(http.MaxBytesReader(nil, unpacked, limit)); err != nil {
			return decodingError(err)
		}
	}
	if !utf8.Valid(data) {
		return badRequest("", "the body is not UTF-8")
	}
	if err := decodeStrictly(data, into); err != nil {
		return decodingError(err)
	}
	return nil
}

// sentMemories is the body of a publication. Its number is bounded: in memory, an element takes thirty times the bytes
// of "{},".
type sentMemories struct{ list []remote.File }

func (m *sentMemories) UnmarshalJSON(data []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if first, _ := decoder.Token(); first != json.Delim('[') {
		return badRequest("memories", "expected a list, [] for none")
	}
	m.list = []remote.File{}
	for decoder.More() {
		var file remote.File
		if err := decoder.Decode(&file); err != nil {
			return err
		}
		if m.list = append(m.list, file); len(m.list) > remote.MaxMemories {
			return errPublicationTooLarge
		}
	}
	return nil
}

func tooLarge(limit int64) error {
	return refusal(http.StatusRequestEntityTooLarge, "too_large", "the body has more than %d bytes", limit)
}

// unread has the server close the connection after the answer: else it would wait for the body of a
// refused request, and throw it away.
func unread(w http.ResponseWriter, err error) error {
	w.Header().Set("Connection", "close")
	limitReading(w, 0)
	return err
}

// sentBody is a body as it was sent.
type sentBody struct {
	data []byte
	gzip bool
}

// readBody reads at most limit bytes.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) (sent sentBody, err error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return sent, refusal(http.StatusUnsupportedMediaType, "bad_request", "Content-Type: expected application/json")
	}
	switch encoding := strings.ToLower(r.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
	case "gzip":
		sent.gzip = true
	default:
		return sent, refusal(http.StatusUnsupportedMediaType, "bad_request", "Content-Encoding: expected gzip or none")
	}
	if r.ContentLength > limit {
		return sent, unread(w, tooLarge(limit))
	}
	sent.data, err = io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if err != nil {
		return sent, decodingError(err)
	}
	return sent, nil
}

// decodingError says what is wrong with the JSON of a request, and quotes none of it but the name of a field.
func decodingError(err error) error {
	var kind *json.UnmarshalTypeError
	var large *http.MaxBytesError
	if known := new(remote.Error); errors.As(err, &known) {
		return known
	}
	switch {
	case errors.As(err, &kind):
		got, _, _ := strings.Cut(kind.Value, " ") // a number follows with all its digits
		return badRequest(kind.Field, "expected %s, got %s", jsonType(kind.Type.Kind().String()), got)
	case errors.As(err, &large):
		return tooLarge(large.Limit)
	case errors.As(err, new(*json.SyntaxError)):
		return badRequest("", "the body is not the JSON of one request")
	}
	if quoted, found := strings.CutPrefix(err.Error(), "json: unknown field "); found {
		return unknownField(strings.Trim(quoted, `"`))
	}
	return badRequest("", "the body ended early or is not packed with gzip")
}

func unknownField(name string) error {
	return badRequest(text.Brief(name), "this hub knows no such field")
}

// jsonType names a kind of Go's values as JSON does.
func jsonType(kind string) string {
	switch {
	case strings.HasPrefix(kind, "int"), strings.HasPrefix(kind, "float"):
		return "a number"
	case kind == "string":
		return "a string"
	case kind == "slice":
		return "a list"
	}
	return "an object"
}
