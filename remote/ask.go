package remote

import (
	"context"
	"net/url"
	"time"
)

// GetTime is how long Get may take for someone who asks for a memory.
const GetTime = 15 * time.Second

// Answer is what a hub answered to a search, or why it did not.
type Answer struct {
	Results []Result
	Err     error
}

// Ask searches the hub at an address with the user's token. It returns at once; the answer
// comes within the time, whatever the hub does.
func Ask(ctx context.Context, address *url.URL, limit time.Duration, version string, q Query) <-chan Answer {
	ctx, cancel := context.WithTimeout(ctx, limit)
	asked, answer := make(chan Answer, 1), make(chan Answer, 1)
	go func() {
		var found Results
		client, err := Connect(ctx, address, version)
		if err == nil {
			found, err = client.Search(ctx, q)
		}
		asked <- Answer{found.Results[:min(len(found.Results), q.Limit)], err}
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
