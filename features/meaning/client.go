package meaning

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"syscall"

	"memctl/schemas"
	"memctl/text"
)

// tokenVariable is an environment variable with the token for a server that wants one.
const tokenVariable = "MEMCTL_MEANING_TOKEN"

const (
	// maxDimension is the longest vector that is taken.
	maxDimension = 8192
	// An answer has at most so many bytes, and so many more for each text.
	maxAnswer, maxVector = 64 << 10, 256 << 10
)

// statusError is an answer that is not 200.
type statusError struct {
	host string
	code int
}

func (e *statusError) Error() string {
	if e.code/100 == 3 {
		return fmt.Sprintf("%s answers with a redirect (%d), which memctl does not follow", e.host, e.code)
	}
	return fmt.Sprintf("%s answers %d %s", e.host, e.code, http.StatusText(e.code))
}

// newHTTP makes a client that asks the host of an address and no other.
func newHTTP(address *url.URL) *http.Client {
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, MaxResponseHeaderBytes: 64 << 10}
	if isLoopback(address) {
		transport.Proxy = nil
		transport.DialContext = (&net.Dialer{Control: onlyLoopback}).DialContext
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// onlyLoopback refuses an address that is not this machine's, whatever a name stands for.
func onlyLoopback(_, address string, _ syscall.RawConn) error {
	if at, err := netip.ParseAddrPort(address); err != nil || !at.Addr().IsLoopback() {
		return errors.New("the name does not lead to this machine")
	}
	return nil
}

// endpointPath adds the path of an API to an address, which may end with a part of it.
func endpointPath(address *url.URL, path string) string {
	u := *address
	u.Path = strings.TrimRight(u.Path, "/")
	first, _, _ := strings.Cut(path[1:], "/")
	if !strings.HasSuffix(u.Path, path) {
		u.Path = strings.TrimSuffix(u.Path, "/"+first) + path
	}
	return u.String()
}

// post sends a question and decodes the answer.
func post(ctx context.Context, address *url.URL, path string, limit int64, question, answer any) error {
	body, err := json.Marshal(question)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, endpointPath(address, path), bytes.NewReader(body))
	if err != nil {
		return errors.New("the address of the server is not valid")
	}
	req.Header.Set("Content-Type", "application/json")
	if token := strings.TrimSpace(os.Getenv(tokenVariable)); token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	client := newHTTP(address)
	defer client.CloseIdleConnections()
	response, err := client.Do(req)
	if err != nil {
		if own := new(url.Error); errors.As(err, &own) {
			err = own.Err // without the address
		}
		return fmt.Errorf("%s: %w", address.Host, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return &statusError{address.Host, response.StatusCode}
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", address.Host, err)
	case int64(len(data)) > limit:
		return fmt.Errorf("%s: its answer has more than %d KiB", address.Host, limit>>10)
	}
	if err := json.Unmarshal(data, answer); err != nil {
		return fmt.Errorf("%s: its answer is not that of an embeddings API: %s", address.Host, text.Brief(err.Error()))
	}
	return nil
}

// component is a number of a vector. Servers write null for one that is none.
type component float32

// UnmarshalJSON implements json.Unmarshaler.
func (c *component) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return errors.New("a vector has a component that is not a number")
	}
	return json.Unmarshal(data, (*float32)(c))
}

// embed returns the vectors of texts, of length 1 and all of the same dimension, by a model.
func (s Settings) embed(ctx context.Context, model string, texts []string) ([][]float32, error) {
	question := struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}{model, texts}
	limit := int64(maxAnswer + maxVector*len(texts))
	answers := make([][]component, len(texts))
	if s.API == schemas.OllamaAPI {
		var answer struct {
			Embeddings [][]component `json:"embeddings"`
		}
		if err := post(ctx, s.endpoint, "/api/embed", limit, question, &answer); err != nil {
			return nil, err
		}
		answers = answer.Embeddings
	} else {
		var answer struct {
			Data []struct {
				Index     int         `json:"index"`
				Embedding []component `json:"embedding"`
			} `json:"data"`
		}
		if err := post(ctx, s.endpoint, "/v1/embeddings", limit, question, &answer); err != nil {
			return nil, err
		}
		for _, d := range answer.Data {
			if d.Index < 0 || d.Index >= len(answers) || answers[d.Index] != nil {
				return nil, fmt.Errorf("%s: a vector has the index %d of %d", s.endpoint.Host, d.Index, len(texts))
			}
			answers[d.Index] = d.Embedding
		}
	}
	if len(answers) != len(texts) {
		return nil, fmt.Errorf("%s: %d vectors for %d texts", s.endpoint.Host, len(answers), len(texts))
	}
	vectors := make([][]float32, len(answers))
	for i, v := range answers {
		if len(v) == 0 || len(v) > maxDimension || len(v) != len(answers[0]) {
			return nil, fmt.Errorf("%s: a vector has the dimension %d", s.endpoint.Host, len(v))
		}
		var ok bool
		if vectors[i], ok = unit(v); !ok {
			return nil, fmt.Errorf("%s: a vector has no direction", s.endpoint.Host)
		}
	}
	return vectors, nil
}

// unit scales a vector to length 1. It returns false if that is not possible.
func unit(v []component) ([]float32, bool) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	norm := math.Sqrt(sum)
	if norm == 0 || math.IsInf(norm, 0) || math.IsNaN(norm) {
		return nil, false
	}
	scaled := make([]float32, len(v))
	for i, x := range v {
		scaled[i] = float32(float64(x) / norm)
	}
	return scaled, true
}

// pack makes a signed byte of each component: the largest becomes 127. The length does not
// matter to a cosine, and the error is below a hundredth.
func pack(v []float32) []byte {
	largest := 0.0
	for _, x := range v {
		largest = max(largest, math.Abs(float64(x)))
	}
	packed := make([]byte, len(v))
	for i, x := range v {
		packed[i] = byte(int8(math.Round(float64(x) / largest * 127)))
	}
	return packed
}

// cosine compares a vector of length 1 with a packed one.
func cosine(v []float32, packed []byte) float64 {
	var dot float32
	var square int32
	for i, b := range packed {
		x := int8(b)
		dot += v[i] * float32(x)
		square += int32(x) * int32(x)
	}
	return float64(dot) / math.Sqrt(float64(max(square, 1)))
}

// rerankTexts returns how relevant each of texts is to a question, in the order of texts. The
// numbers are the server's: only their order counts.
func (s Settings) rerankTexts(ctx context.Context, question string, texts []string) ([]float64, error) {
	var answer struct {
		Results []struct {
			Index int        `json:"index"`
			Score *component `json:"relevance_score"`
		} `json:"results"`
	}
	request := struct {
		Model     string   `json:"model,omitempty"`
		Query     string   `json:"query"`
		Documents []string `json:"documents"`
		TopN      int      `json:"top_n"`
	}{s.RerankModel, question, texts, len(texts)}
	if err := post(ctx, s.rerank, "/v1/rerank", maxAnswer+maxVector, request, &answer); err != nil {
		return nil, err
	}
	scores, seen := make([]float64, len(texts)), map[int]bool{}
	for _, r := range answer.Results {
		if r.Index < 0 || r.Index >= len(texts) || seen[r.Index] || r.Score == nil {
			return nil, fmt.Errorf("%s: a result has no score, or the index %d of %d", s.rerank.Host, r.Index,
				len(texts))
		}
		seen[r.Index] = true
		scores[r.Index] = float64(*r.Score)
	}
	if len(seen) != len(texts) {
		return nil, fmt.Errorf("%s: %d results for %d texts", s.rerank.Host, len(seen), len(texts))
	}
	return scores, nil
}
