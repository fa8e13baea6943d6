package remote

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
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

// Administer asks a hub for something as an administrator, and calls each with the lines of JSON of the answer.
func Administer[A any](ctx context.Context, c *Client, operation string, question any, each func(A) error) error {
	ctx, cancel := context.WithTimeout(ctx, adminTime)
	defer cancel()
	var body bytes.Buffer
	if err := encode(&body, question); err != nil {
		return err
	}
	req, err := c.request(ctx, http.MethodPost, AdminPath+operation, &body)
	if err != nil {
		return err
	}
	response, err := c.answer(req)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, MaxAnswer)
	for lines.Scan() {
		var answer A
		if json.Unmarshal(lines.Bytes(), &answer) != nil {
			return c.failed(cmp.Or(lines.Err(), errNoHub)) // a part of a line comes before the error
		}
		if err := each(answer); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return c.failed(fmt.Errorf("its answer ended early: %w", err))
	}
	return nil
}
