package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxMessage bounds one message of a client, in bytes.
const maxMessage = 4 << 20

// The codes of what is no message (https://www.jsonrpc.org/specification#error_object).
const (
	parseError     = -32700
	invalidRequest = -32600
)

// answerTimeout is how long requests may take to be answered after a client has
// closed its end: longer than a lock may take to get.
const answerTimeout = 10 * time.Second

// messageReader hands on the lines that are messages. The SDK ends the session at
// the first one that is none; here it is answered with an error, and left out. The
// end comes when all requests before it were answered, for the SDK drops the others.
type messageReader struct {
	in      *bufio.Reader
	out     *messageWriter
	message []byte // what is left of it
	// patience is how long the end waits for answers.
	patience time.Duration
}

func newMessageReader(in io.Reader, out *messageWriter) *messageReader {
	return &messageReader{in: bufio.NewReader(in), out: out, patience: answerTimeout}
}

func (r *messageReader) Close() error { return nil }

func (r *messageReader) Read(p []byte) (int, error) {
	for len(r.message) == 0 {
		line, err := r.line()
		if err == io.EOF {
			r.out.finish(r.patience)
		}
		if err != nil {
			return 0, err
		}
		switch line = bytes.TrimSpace(line); {
		case len(line) == 0:
		case line[0] == '[':
			err = r.refuse(invalidRequest, "a batch is no message of this protocol")
		default:
			message, wrong := jsonrpc.DecodeMessage(line)
			if wrong != nil || !json.Valid(line) { // the decoder stops after the first value
				err = r.refuse(parseError, "expected one JSON-RPC 2.0 message a line")
				break
			}
			r.out.expect(message)
			r.message = append(line, '\n')
		}
		if err != nil {
			return 0, err
		}
	}
	n := copy(p, r.message)
	r.message = r.message[n:]
	return n, nil
}

// line reads a line; one that is too long is answered and passed over. The last
// may lack its line feed.
func (r *messageReader) line() ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxMessage; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case long && (err == nil || err == io.EOF):
			return nil, r.refuse(invalidRequest, fmt.Sprintf("a message of more than %d bytes", maxMessage))
		case err == io.EOF && len(line) > 0:
			return line, nil
		default:
			return line, err
		}
	}
}

func (r *messageReader) refuse(code int, why string) error {
	_, err := fmt.Fprintf(r.out, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`+"\n", code, why)
	return err
}

// messageWriter is shared by the session and the reader. Each writes whole lines.
// It knows which requests have no answer yet.
type messageWriter struct {
	mu      sync.Mutex
	out     io.Writer
	waiting map[jsonrpc.ID]bool
	idle    chan struct{} // closed once nothing is waiting; nil while nobody asks
}

// expect notes a request that is to be answered.
func (w *messageWriter) expect(message jsonrpc.Message) {
	if request, ok := message.(*jsonrpc.Request); ok && request.IsCall() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.waiting[request.ID] = true
	}
}

// finish waits until every request is answered.
func (w *messageWriter) finish(timeout time.Duration) {
	w.mu.Lock()
	w.idle = make(chan struct{})
	w.settle()
	idle := w.idle
	w.mu.Unlock()
	select {
	case <-idle:
	case <-time.After(timeout):
	}
}

// settle tells whoever waits that nothing is waiting. The caller holds the lock.
func (w *messageWriter) settle() {
	if w.idle == nil || len(w.waiting) > 0 {
		return
	}
	select {
	case <-w.idle:
	default:
		close(w.idle)
	}
}

func (w *messageWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	message, wrong := jsonrpc.DecodeMessage(p)
	answer, ok := message.(*jsonrpc.Response)
	if wrong != nil || !ok {
		return w.out.Write(p)
	}
	if _, err := w.out.Write(coded(answer, p)); err != nil {
		return 0, err
	}
	delete(w.waiting, answer.ID)
	w.settle()
	return len(p), nil
}

// coded gives an error without a code one: the SDK has none for a request that
// comes too early, before the session is initialised, or twice.
func coded(answer *jsonrpc.Response, line []byte) []byte {
	failure := new(jsonrpc.Error)
	if !errors.As(answer.Error, &failure) || failure.Code != 0 {
		return line
	}
	failure.Code = invalidRequest
	encoded, err := jsonrpc.EncodeMessage(answer)
	if err != nil {
		return line
	}
	return append(encoded, '\n')
}

func (w *messageWriter) Close() error { return nil }
