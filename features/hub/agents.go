package hub

import (
	"context"
	"errors"
	"net/url"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/features/hub/remote"
	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

// agentsHub implements command.Hub by the hub of the user's configuration.
type agentsHub struct{}

func (agentsHub) Ignored(project files.Root, cfg schemas.Config) string {
	return remote.Ignored(project, cfg)
}

func (agentsHub) IsID(id string) bool { return remote.IsID(id) }

// find returns the user's settings of the hub, and where it is.
func (agentsHub) find() (settings remote.Settings, address *url.URL, err error) {
	if settings, err = remote.UserSettings(); err == nil {
		address, err = settings.Address(false)
	}
	if errors.Is(err, remote.ErrNoHub) {
		err = text.WithHint(err, "memctl config set hub.url URL --user")
	}
	return settings, address, err
}

func (h agentsHub) Search(ctx context.Context, words, category string, limit int) (<-chan command.HubAnswer, error) {
	settings, address, err := h.find()
	if err != nil {
		return nil, err
	}
	found := remote.Ask(ctx, address, settings.Timeout, console.Version,
		remote.Query{Query: words, Limit: limit, Category: category})
	answer := make(chan command.HubAnswer, 1)
	go func() {
		got := <-found
		a := command.HubAnswer{Err: got.Err}
		for _, r := range got.Results {
			m := agentsMemory(r.Row)
			m.Strength = r.Strength
			a.Memories = append(a.Memories, m)
		}
		answer <- a
	}()
	return answer, nil
}

func (h agentsHub) Get(ctx context.Context, ids []string) (list []command.HubMemory, err error) {
	_, address, err := h.find()
	if err != nil {
		return nil, err
	}
	got, err := remote.Fetch(ctx, address, console.Version, ids)
	for _, d := range got {
		m := agentsMemory(d.Row)
		m.Stored = d.Memory
		list = append(list, m)
	}
	return list, err
}

func agentsMemory(r remote.Row) command.HubMemory {
	return command.HubMemory{ID: r.ID, Category: r.Category, Title: r.Title, UpdatedAt: r.UpdatedAt, Tokens: r.Tokens,
		HubSource: command.HubSource(r.Provenance)}
}
