package hub

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"memctl/remote"
	"memctl/text"
)

// questionHandler answers a POST with a small body.
func questionHandler[Q, A any](s *Server, ask func(context.Context, Principal, Q) (A, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		limitReading(w, requestTimeout)
		var q Q
		if err := decode(w, r, remote.MaxRequest, &q); err != nil {
			s.fail(w, err)
			return
		}
		s.answer(w)(ask(r.Context(), principalOf(r.Context()), q))
	})
}

// answer returns a function that writes an answer, or the error in its place.
func (s *Server) answer(w http.ResponseWriter) func(any, error) {
	return func(answer any, err error) {
		if err != nil {
			s.fail(w, err)
			return
		}
		s.write(w, http.StatusOK, answer)
	}
}

func (s *Server) repositoriesHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.answer(w)(s.repositories(r.Context(), principalOf(r.Context())))
	})
}

func (s *Server) publishHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		release, err := take(r.Context(), s.publishing)
		if err != nil {
			s.fail(w, err)
			return
		}
		defer release()
		var p remote.Publication
		if err := decode(w, r, remote.MaxPublication, &p); err != nil {
			s.fail(w, err)
			return
		}
		if p.Size() >= largePublication {
			release, err := take(r.Context(), s.large)
			if err != nil {
				s.fail(w, err)
				return
			}
			defer release()
		}
		s.answer(w)(s.publish(r.Context(), principalOf(r.Context()), p))
	})
}

// decode decodes the body of a request, which may be packed with gzip. It is strict: the
// client may mean something by a field that this hub does not know.
func decode(w http.ResponseWriter, r *http.Request, limit int64, into any) error {
	data, err := readBody(w, r, limit)
	if err != nil {
		return err
	}
	if !utf8.Valid(data) {
		return badRequest("", "the body is not UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return decodingError(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return badRequest("", "something follows the JSON of the request")
	}
	return nil
}

func tooLarge(limit int64) error {
	return refusal(http.StatusRequestEntityTooLarge, "too_large", "the body has more than %d bytes", limit)
}

// readBody reads at most limit bytes, packed and unpacked.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, refusal(http.StatusUnsupportedMediaType, "bad_request", "Content-Type: expected application/json")
	}
	if r.ContentLength > limit {
		w.Header().Set("Connection", "close") // the body is not read
		return nil, tooLarge(limit)
	}
	var body io.Reader = http.MaxBytesReader(w, r.Body, limit)
	switch encoding := strings.ToLower(r.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
	case "gzip":
		unpacked, err := gzip.NewReader(body)
		if err != nil {
			return nil, badRequest("", "the body is not packed with gzip")
		}
		body = unpacked
	default:
		return nil, refusal(http.StatusUnsupportedMediaType, "bad_request", "Content-Encoding: expected gzip or none")
	}
	data, err := io.ReadAll(io.LimitReader(body, limit+1))
	switch {
	case errors.As(err, new(*http.MaxBytesError)) || int64(len(data)) > limit:
		return nil, tooLarge(limit)
	case err != nil:
		return nil, badRequest("", "the body ended early or is not packed with gzip")
	}
	return data, nil
}

// decodingError says what is wrong with the JSON of a request, and quotes none of it but
// the name of a field.
func decodingError(err error) error {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		got, _, _ := strings.Cut(kind.Value, " ") // a number follows with all its digits
		return badRequest(kind.Field, "expected "+jsonType(kind.Type.Kind().String())+", got "+got)
	}
	if quoted, found := strings.CutPrefix(err.Error(), "json: unknown field "); found {
		return badRequest(text.Brief(strings.Trim(quoted, `"`)), "this hub knows no such field")
	}
	return badRequest("", "the body is not the JSON of one request")
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
