package remote

import (
	"bytes"
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
	// publishTries is how often a request that publishes is sent until the hub answers.
	publishTries = 6
	// publishTime is how long one of them may take.
	publishTime = 5 * time.Minute
	// longestWait bounds the time between two.
	longestWait = 30 * time.Second
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

// publishRounds is how often a publication begins again because others of the repository come in between.
const publishRounds = 5

// ErrPartly is part of an error between two parts of a publication.
var ErrPartly = errors.New("the hub has some of the memories: the next publication completes them")

// PublishTree publishes a commit by its tree alone. Published.Unknown says that the hub needs more.
func (c *Client) PublishTree(ctx context.Context, p Publication) (done Published, err error) {
	if p.Tree == "" {
		return Published{Unknown: true}, nil
	}
	p.Memories = nil
	return c.send(ctx, TreePath, p)
}

// Publish sends the memories of a repository: their digests, and then those that the hub lacks. These come together
// with the digests, so that the hub changes in one step, or in parts before if they are many. read returns those at
// some paths, without any that are not published; progress, which may be nil, is called with how many were sent.
func (c *Client) Publish(ctx context.Context, p Publication, read func(context.Context, []string) ([]File, error),
	progress func(done, total int)) (done Published, err error) {
	var added, changed int // in parts
	for range publishRounds {
		done, err = c.send(ctx, PublishPath, p)
		if err != nil || len(done.Missing) == 0 {
			done.Added, done.Changed = done.Added+added, done.Changed+changed
			done.Unchanged -= min(done.Unchanged, added+changed)
			break
		}
		var files []File
		if files, err = read(ctx, done.Missing); err != nil {
			break
		}
		inParts := size(files) > MaxPart
		p = p.with(files, done.Missing, inParts)
		for sent := 0; inParts && sent < len(files); {
			part := firstPart(files[sent:])
			var some Published
			some, err = c.send(ctx, PartPath, Publication{p.Repository, p.Commit, p.Sequence, "", part})
			if err != nil && added+changed > 0 {
				err = fmt.Errorf("%w (%w)", err, ErrPartly)
			}
			if err != nil {
				return done, err
			}
			added, changed, sent = added+some.Added, changed+some.Changed, sent+len(part)
			if progress != nil {
				progress(sent, len(files))
			}
		}
	}
	if err == nil && len(done.Missing) > 0 {
		err = c.failed(errors.New("another publication of the repository came in between each time"))
	}
	return done, err
}

// with returns the publication with files in place of those at missing paths, of which retired ones are not read.
func (p Publication) with(files []File, missing []string, inParts bool) Publication {
	read := make(map[string]File, len(missing))
	for _, path := range missing {
		read[path] = File{}
	}
	for _, f := range files {
		read[f.Path] = f
	}
	list := p.Memories
	p.Memories = nil
	for _, f := range list {
		if now, found := read[f.Path]; found {
			if now.Digest != f.Digest && now.Path != "" {
				p.Tree = "" // a hub keeps nothing that was made of a secret
			}
			if f = now; inParts {
				f.Memory = nil
			}
		}
		if f.Path != "" {
			p.Memories = append(p.Memories, f)
		}
	}
	return p
}

func size(files []File) (n int) {
	for _, f := range files {
		n += f.Size()
	}
	return n
}

// firstPart returns the first files that together have at most MaxPart bytes, at least one.
func firstPart(files []File) []File {
	n, bytes := 1, files[0].Size()
	for ; n < len(files) && bytes+files[n].Size() <= MaxPart; n++ {
		bytes += files[n].Size()
	}
	return files[:n]
}

// send sends a request that publishes again, a few times, if the hub is busy or the connection breaks: a hub that has
// it already accepts it.
func (c *Client) send(ctx context.Context, path string, p Publication) (done Published, err error) {
	if p.Memories == nil {
		p.Memories = []File{} // a hub takes null for a mistake
	}
	var body bytes.Buffer
	packed, _ := gzip.NewWriterLevel(&body, gzip.BestSpeed) // a valid level
	if err := errors.Join(encode(packed, p), packed.Close()); err != nil {
		return done, err
	}
	pause := time.Second
	for try := 1; ; try++ {
		done, err = c.sendOnce(ctx, path, p.Values(), body.Bytes())
		if err == nil || try == publishTries || ctx.Err() != nil || !passes(err) {
			return done, err
		}
		if err := c.wait(ctx, retryIn(err, pause)); err != nil {
			return done, err
		}
		pause *= 2
	}
}

func (c *Client) sendOnce(ctx context.Context, path string, v url.Values, body []byte) (done Published, err error) {
	ctx, cancel := context.WithTimeout(ctx, publishTime)
	defer cancel()
	req, err := c.request(ctx, http.MethodPost, path, bytes.NewReader(body))
	if err != nil {
		return done, err
	}
	req.URL.RawQuery = v.Encode()
	req.Header.Set("Content-Encoding", "gzip")
	err = c.do(req, &done)
	if refused := new(Error); errors.As(err, &refused) && refused.Status == http.StatusNotFound {
		err = errOlderHub
	}
	return done, err
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
	if response.StatusCode != http.StatusOK {
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
