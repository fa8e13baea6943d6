package remote

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"net/http"
	"time"
)

const (
	// AdminPath begins the paths of administrators. A POST to each does what operators do with the database.
	AdminPath = "/v1/admin/"
	// MaxAdmin is the size limit of a request of an administrator in bytes.
	MaxAdmin = 4 << 20
	// adminTime is how long one may take.
	adminTime = 3 * time.Minute
)

// Administer does something as an administrator of the hub.
func (c *Client) Administer(ctx context.Context, operation string, question, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, adminTime)
	defer cancel()
	req, err := c.administration(ctx, operation, question)
	if err != nil {
		return err
	}
	return c.do(req, answer)
}

// AdministerEach is Administer for an answer of many lines, whatever their number.
func (c *Client) AdministerEach(ctx context.Context, operation string, question any, line func([]byte) error) error {
	ctx, cancel := context.WithTimeout(ctx, adminTime)
	defer cancel()
	req, err := c.administration(ctx, operation, question)
	if err != nil {
		return err
	}
	response, err := c.answer(req)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, maxRow)
	for lines.Scan() {
		if err := line(lines.Bytes()); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return c.failed(errors.Join(errors.New("its answer ended early"), err))
	}
	return nil
}

func (c *Client) administration(ctx context.Context, operation string, question any) (*http.Request, error) {
	var body bytes.Buffer
	if err := encode(&body, question); err != nil {
		return nil, err
	}
	return c.request(ctx, http.MethodPost, AdminPath+operation, &body)
}
