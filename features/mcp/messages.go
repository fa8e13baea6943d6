package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"memctl/text"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxMessage is the largest message that a client may send, in bytes.
	maxMessage = 4 << 20
	// longMessage is the size of a message that is not read ahead, in bytes.
	longMessage = 64 << 10
	// maxRunning and maxWaiting are how many requests run at once and how many more are
	// read ahead.
	maxRunning = 16
	maxWaiting = 256
)

// answerTimeout is how long the server goes on answering after the client has closed
// its end: longer than a lock may take to get.
const answerTimeout = 10 * time.Second

// connection carries one JSON-RPC message a line. The SDK's own transport ends the
// session at a line that is not a message; this one answers the line with an error and
// goes on. The SDK also drops the requests in progress when input ends, so this one
// reports the end only after they are answered.
//
// The SDK starts a goroutine for every request that it reads, so this connection stops
// reading while too many are unanswered.
type connection struct {
	messages chan jsonrpc.Message // closed when input ends
	inputErr error                // why it ended; read it after messages is closed
	patience time.Duration        // how long the end of input waits for answers

	open  context.Context // done when the connection is closed
	close context.CancelFunc

	unanswered chan struct{} // holds one element for each request without an answer

	mu  sync.Mutex // guards out
	out io.Writer
}

func newConnection(out io.Writer) *connection {
	open, cancel := context.WithCancel(context.Background())
	return &connection{
		messages:   make(chan jsonrpc.Message),
		patience:   answerTimeout,
		open:       open,
		close:      cancel,
		unanswered: make(chan struct{}, maxRunning+maxWaiting),
		out:        out,
	}
}

// Connect makes the connection its own transport: it serves one session.
func (c *connection) Connect(context.Context) (sdk.Connection, error) { return c, nil }

func (c *connection) SessionID() string { return "" }

func (c *connection) Close() error {
	c.close()
	return nil
}

func (c *connection) Read(context.Context) (jsonrpc.Message, error) {
	select {
	case message, open := <-c.messages:
		if !open {
			return nil, c.inputErr
		}
		return message, nil
	case <-c.open.Done():
		return nil, io.EOF
	}
}

// receive passes the messages of in to Read until in ends or the connection closes.
func (c *connection) receive(in io.Reader) {
	defer close(c.messages)
	lines := bufio.NewReaderSize(in, maxMessage)
	for c.inputErr == nil {
		line, err := lines.ReadSlice('\n')
		tooLong := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = lines.ReadSlice('\n')
		}
		c.inputErr = err
		if tooLong {
			c.refuse(jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message of more than %d bytes", maxMessage))
			continue
		}
		if len(line) > longMessage {
			c.waitForAnswers()
		}
		message := c.decode(bytes.Clone(bytes.TrimSpace(line)))
		if message == nil {
			continue
		}
		if request, ok := message.(*jsonrpc.Request); ok && request.IsCall() {
			select {
			case c.unanswered <- struct{}{}:
			case <-c.open.Done():
				return
			}
		}
		select {
		case c.messages <- message:
		case <-c.open.Done():
			return
		}
	}
	c.waitForAnswers()
}

// decode returns the message on a line. It answers any other line with an error.
func (c *connection) decode(line []byte) jsonrpc.Message {
	switch {
	case len(line) == 0:
		return nil
	case line[0] == '[':
		c.refuse(jsonrpc.CodeInvalidRequest, "a batch is not a message of this protocol")
		return nil
	}
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil || !json.Valid(line) { // DecodeMessage ignores what follows the first value
		c.refuse(jsonrpc.CodeParseError, "expected one JSON-RPC 2.0 message a line")
		return nil
	}
	if request, isRequest := message.(*jsonrpc.Request); isRequest && request.Method == "" {
		c.refuse(jsonrpc.CodeInvalidRequest, "the message has no method")
		return nil
	}
	return message
}

func (c *connection) refuse(code int, reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	// An error that cannot be written shows at the next answer.
	fmt.Fprintf(c.out, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`+"\n", code, reason)
}

// waitForAnswers waits until every request is answered, but not for ever.
func (c *connection) waitForAnswers() {
	for end := time.Now().Add(c.patience); len(c.unanswered) > 0 && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
}

func (c *connection) Write(_ context.Context, message jsonrpc.Message) error {
	answer, isAnswer := message.(*jsonrpc.Response)
	if isAnswer {
		message = repaired(answer)
	}
	line, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := c.out.Write(append(text.EscapeJSON(line), '\n')); err != nil {
		return err
	}
	if isAnswer {
		<-c.unanswered
	}
	return nil
}

// repaired makes an error of the SDK one that a client can read. The SDK sets no code
// for a request that comes before the session is initialized, or that initializes it
// twice. It quotes a URI as Go does, so the error's data may not be JSON.
func repaired(answer *jsonrpc.Response) *jsonrpc.Response {
	if answer.Error == nil {
		return answer
	}
	clean := jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: answer.Error.Error()}
	if coded := new(jsonrpc.Error); errors.As(answer.Error, &coded) && coded.Code != 0 {
		clean.Code, clean.Data = coded.Code, coded.Data
	}
	if !json.Valid(clean.Data) {
		clean.Data = nil
	}
	return &jsonrpc.Response{ID: answer.ID, Error: &clean}
}
