package remote

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

const (
	// publishTries is how often a publication is sent until the hub answers.
	publishTries = 6
	// publishTime is how long one of them may take.
	publishTime = 5 * time.Minute
	// longestWait bounds the time between two.
	longestWait = 30 * time.Second
	// askPause is the time between two questions for a publication that takes long.
	askPause = 2 * time.Second
	// maxFailure bounds what is read of an answer that is not 200.
	maxFailure = 64 << 10
)

// Client asks a hub. It opens a connection for each request.
type Client struct {
	address *url.URL
	token   string
	agent   string
	http    *http.Client
	wait    func(context.Context, time.Duration) error // between two tries
}

// NewClient returns a client of the hub at an address, which ParseAddress has checked.
func NewClient(address *url.URL, token, version string) *Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableKeepAlives = true
	return &Client{
		address: address,
		token:   token,
		agent:   "memctl/" + version,
		http: &http.Client{
			Transport: transport,
			// The token goes to no other address, and a redirected POST would lose its body.
			CheckRedirect: noRedirect,
		},
		wait: wait,
	}
}

func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Search finds memories.
func (c *Client) Search(ctx context.Context, q Query) (results Results, err error) {
	err = c.post(ctx, SearchPath, q, &results)
	return results, err
}

// Get returns whole memories by their ids.
func (c *Client) Get(ctx context.Context, ids []string) (got Details, err error) {
	if err = c.post(ctx, GetPath, Selection{ids}, &got); err == nil && len(got.Details) != len(ids) {
		err = c.failed(fmt.Errorf("asked for %d memories, got %d", len(ids), len(got.Details)))
	}
	return got, err
}

// Repositories lists the repositories that the token may see.
func (c *Client) Repositories(ctx context.Context) (list Repositories, err error) {
	req, err := c.request(ctx, http.MethodGet, RepositoriesPath, nil)
	if err == nil {
		err = c.do(req, &list)
	}
	return list, err
}

// worthAsking is the size in bytes from which a publication is sent as digests first.
const worthAsking = 1 << 20

// PublishProgress has functions that are called meanwhile. Each may be nil.
type PublishProgress struct {
	Sent    func(done, total int) // bytes
	Written func(done, total int) // percent that the hub has written, once it says so
}

// Publish sends the set of a repository: of a large one the digests, and then the memories that the hub lacks.
// If the hub takes long, Publish asks it until it has ended; the error is an *Accepted one if it cannot.
func (c *Client) Publish(ctx context.Context, p Publication, progress PublishProgress) (Published, error) {
	if p.Size() < worthAsking {
		return c.send(ctx, p, progress)
	}
	digests := p
	digests.Memories = make([]File, len(p.Memories))
	for i, file := range p.Memories {
		digests.Memories[i] = file.Digest()
	}
	for range 2 { // another publication may come in between
		result, err := c.send(ctx, digests, progress)
		if refused := new(Error); errors.As(err, &refused) && refused.Code == "bad_request" {
			break // an older hub
		}
		if err != nil || len(result.Missing) == 0 {
			return result, err
		}
		missing := make(map[string]bool, len(result.Missing))
		for _, path := range result.Missing {
			missing[path] = true
		}
		for i, file := range p.Memories {
			if missing[file.Path] {
				digests.Memories[i] = file
			}
		}
	}
	return c.send(ctx, p, progress)
}

// send sends a publication again, a few times, if the hub is busy or the connection breaks: a hub that has it
// already accepts it.
func (c *Client) send(ctx context.Context, p Publication, progress PublishProgress) (Published, error) {
	var body bytes.Buffer
	packed := gzip.NewWriter(&body)
	if err := errors.Join(encode(packed, p), packed.Close()); err != nil {
		return Published{}, err
	}
	pause := time.Second
	for try := 1; ; try++ {
		result, accepted, err := c.publishOnce(ctx, body.Bytes(), progress.Sent)
		if err == nil && accepted.ID != "" {
			result, err = c.follow(ctx, accepted, progress.Written)
		}
		if err == nil || try == publishTries || ctx.Err() != nil || !passes(err) {
			return result, err
		}
		if err := c.wait(ctx, retryIn(err, pause)); err != nil {
			return result, err
		}
		pause *= 2
	}
}

// publishOnce returns what was published, or what to ask for if the hub takes long.
func (c *Client) publishOnce(
	ctx context.Context, body []byte, progress func(done, total int),
) (result Published, accepted Progress, err error) {
	ctx, cancel := context.WithTimeout(ctx, publishTime)
	defer cancel()
	req, err := c.request(ctx, http.MethodPost, PublishPath, &upload{Reader: bytes.NewReader(body), progress: progress})
	if err != nil {
		return result, accepted, err
	}
	req.ContentLength = int64(len(body))
	req.Header.Set("Content-Encoding", "gzip")
	var answer struct {
		Published
		ID string `json:"id"` // of a Progress
	}
	err = c.do(req, &answer)
	return answer.Published, Progress{ID: answer.ID}, err
}

// follow asks for a publication until it has ended.
func (c *Client) follow(ctx context.Context, p Progress, progress func(done, total int)) (Published, error) {
	for failures := 0; ; {
		if progress != nil && p.Percent < 100 { // the bar goes at 100
			progress(p.Percent, 100)
		}
		if err := c.wait(ctx, askPause); err != nil {
			return Published{}, &Accepted{p.ID, err}
		}
		next, err := c.progress(ctx, p.ID)
		switch {
		case err != nil:
			if failures++; ctx.Err() != nil || failures == publishTries || !passes(err) {
				return Published{}, &Accepted{p.ID, err}
			}
			continue
		case next.State == StateRunning:
			p, failures = next, 0
			continue
		}
		if progress != nil {
			progress(100, 100)
		}
		if next.Published != nil {
			return *next.Published, nil
		}
		refused := cmp.Or(next.Error, &Error{Message: "it says neither that it has published nor why not"})
		refused.Status = next.Status
		return Published{}, refused.brief()
	}
}

// progress asks for a publication once.
func (c *Client) progress(ctx context.Context, id string) (p Progress, err error) {
	ctx, cancel := context.WithTimeout(ctx, GetTime)
	defer cancel()
	req, err := c.request(ctx, http.MethodGet, PublicationPath, nil)
	if err == nil {
		req.URL.RawQuery = url.Values{"id": {id}}.Encode()
		err = c.do(req, &p)
	}
	p.ID = id
	return p, err
}

// upload is a body that reports how much of it was read.
type upload struct {
	*bytes.Reader
	progress func(done, total int)
}

func (s *upload) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if s.progress != nil {
		s.progress(int(s.Size())-s.Len(), int(s.Size()))
	}
	return n, err
}

// encode writes JSON without escapes for HTML: they would change the bytes of memories.
func encode(out io.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func (c *Client) post(ctx context.Context, path string, question, answer any) error {
	var body bytes.Buffer
	if err := encode(&body, question); err != nil {
		return err
	}
	if body.Len() > MaxRequest {
		return &Error{Code: "too_large", Message: fmt.Sprintf("the question is too long: %d bytes, the limit is %d",
			body.Len(), MaxRequest)}
	}
	req, err := c.request(ctx, http.MethodPost, path, &body)
	if err != nil {
		return err
	}
	return c.do(req, answer)
}

func (c *Client) request(ctx context.Context, method, path string, body io.Reader) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.address.JoinPath(path).String(), body)
	if err != nil {
		return nil, c.failed(err)
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	req.Header.Set("User-Agent", c.agent)
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return req, nil
}

// answer sends a request and returns the answer, whose body the caller closes.
func (c *Client) answer(req *http.Request) (*http.Response, error) {
	response, err := c.http.Do(req)
	if err != nil {
		if own := new(url.Error); errors.As(err, &own) {
			err = own.Err // without the address, which the error below names
		}
		return nil, c.failed(err)
	}
	if response.StatusCode != http.StatusOK && response.StatusCode != http.StatusAccepted {
		defer response.Body.Close()
		return nil, c.refused(response)
	}
	return response, nil
}

// do sends a request and decodes the answer.
func (c *Client) do(req *http.Request, answer any) error {
	response, err := c.answer(req)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, MaxAnswer+1))
	switch {
	case err != nil:
		return c.failed(err)
	case len(data) > MaxAnswer:
		return c.failed(fmt.Errorf("its answer has more than %d MiB", MaxAnswer>>20))
	}
	if err := json.Unmarshal(data, answer); err != nil {
		return c.failed(errNoHub)
	}
	return nil
}

// refused returns the error of an answer that is not 200.
func (c *Client) refused(response *http.Response) error {
	data, err := io.ReadAll(io.LimitReader(response.Body, maxFailure))
	if err != nil {
		return c.failed(err)
	}
	var f Failure
	if json.Unmarshal(data, &f) == nil && f.Error.Code != "" {
		f.Error.Status = response.StatusCode
		return withRetryAfter(f.Error.brief(), response)
	}
	if to, err := response.Location(); err == nil && response.StatusCode/100 == 3 {
		return c.failed(&redirected{to})
	}
	return withRetryAfter(c.failed(&status{response.StatusCode}), response)
}

// passes reports whether an error may be over in a moment: the hub is busy or starts again,
// or the connection broke.
func passes(err error) bool {
	refused, plain := new(Error), new(status)
	switch {
	case errors.As(err, &refused):
		return refused.Status == http.StatusServiceUnavailable || refused.Status == http.StatusTooManyRequests
	case errors.As(err, &plain):
		return plain.code == http.StatusBadGateway || plain.code == http.StatusServiceUnavailable ||
			plain.code == http.StatusGatewayTimeout
	case explainTLS(err) != "":
		return false
	}
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// later is an error of a hub that says when to come again.
type later struct {
	error
	after time.Duration
}

func (l *later) Unwrap() error { return l.error }

func withRetryAfter(err error, response *http.Response) error {
	seconds, parseErr := strconv.Atoi(response.Header.Get("Retry-After"))
	if parseErr != nil || seconds < 0 {
		return err
	}
	return &later{err, min(time.Duration(min(seconds, 3600))*time.Second, longestWait)}
}

// retryIn returns how long to wait before the next try: pause, longer if the hub asks for
// it, and not at all if it says so.
func retryIn(err error, pause time.Duration) time.Duration {
	l := new(later)
	switch {
	case !errors.As(err, &l):
		return pause
	case l.after == 0:
		return 0
	}
	return max(l.after, pause)
}

// GetTime is how long Get may take for someone who asks for a memory.
const GetTime = 15 * time.Second

// Answer is the answer of a hub to a search, or the reason why there is none.
type Answer struct {
	Results []Hit
	Err     error
}

// Ask searches the hub at an address with the user's token. It returns at once; the answer
// comes within the time, whatever the hub does.
func Ask(ctx context.Context, address *url.URL, limit time.Duration, version string, q Query) <-chan Answer {
	ctx, cancel := context.WithTimeout(ctx, limit)
	asked, answer := make(chan Answer, 1), make(chan Answer, 1)
	go func() {
		var results Results
		client, err := Connect(ctx, address, version)
		if err == nil {
			results, err = client.Search(ctx, q)
		}
		asked <- Answer{results.Results[:min(len(results.Results), q.Limit)], err}
	}()
	go func() {
		defer cancel()
		select {
		case a := <-asked:
			answer <- a
		case <-ctx.Done():
			answer <- Answer{Err: &Failed{address.Host, ctx.Err()}}
		}
	}()
	return answer
}

// Fetch returns whole memories of the user's hub by their ids.
func Fetch(ctx context.Context, address *url.URL, version string, ids []string) ([]Detail, error) {
	ctx, cancel := context.WithTimeout(ctx, GetTime)
	defer cancel()
	client, err := Connect(ctx, address, version)
	if err != nil {
		return nil, err
	}
	got, err := client.Get(ctx, ids)
	return got.Details, err
}
