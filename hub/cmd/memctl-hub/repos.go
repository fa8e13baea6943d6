package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"memctl/cmd/console"
	"memctl/hub"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func runRepos(c *cli.Context) error {
	if name := c.String("restart"); name != "" {
		if c.IsSet("hub") {
			return console.Usagef("--restart changes the database: --hub cannot be combined with it")
		}
		err := useStore(c, hub.Options{}, func(store *hub.Store) error { return store.Restart(c.Context, name) })
		if err != nil {
			return withRepos(err)
		}
	}
	return runList(hub.ListRepositories, `nothing was published yet: "memctl hub publish" does it`,
		[]string{"REPOSITORY", "MEMORIES", "PUBLISHED (UTC)", "BY", "SEQUENCE", "COMMIT"}, func(r hub.Stored) []string {
			memories := strconv.Itoa(r.Memories)
			if r.Incomplete {
				memories += " (incomplete)"
			}
			return []string{r.Repository, memories, r.PublishedAt.UTC().Format("2006-01-02 15:04"), r.PublishedBy,
				strconv.FormatInt(r.Sequence, 10), text.Truncate(r.Commit, 12)}
		})(c)
}

func runForget(c *cli.Context) error {
	before := time.Now().AddDate(0, 0, -c.Int("unpublished"))
	if !c.IsSet("unpublished") {
		if err := arguments(c, "the name of a repository", 1); err != nil {
			return err
		}
	} else if c.Args().Present() || c.Int("unpublished") < 1 || c.Int("unpublished") > maxDays {
		return console.Usagef("--unpublished takes 1 to %d days, and no name of a repository", maxDays)
	}
	return useStore(c, hub.Options{}, func(store *hub.Store) error {
		list, err := hub.ListRepositories.Do(store, c.Context, struct{}{})
		if err != nil {
			return err
		}
		name := c.Args().First()
		list = slices.DeleteFunc(list, func(r hub.Stored) bool {
			if c.IsSet("unpublished") {
				return !r.PublishedAt.Before(before)
			}
			return !strings.EqualFold(r.Repository, name)
		})
		if !c.IsSet("unpublished") && len(list) == 0 {
			return withRepos(fmt.Errorf("the hub has no repository %s", name))
		}
		for _, r := range list {
			if err := forget(c, store, r); err != nil {
				return err
			}
		}
		return nil
	})
}

func forget(c *cli.Context, store *hub.Store, r hub.Stored) error {
	memories := text.Plural(r.Memories, "memory", "memories")
	if !c.Bool("yes") {
		agreed, err := agree(c, fmt.Sprintf("Remove %s with %s from the hub? [y/N] ", r.Repository,
			memories))
		if err != nil {
			return err
		}
		if !agreed {
			return console.Refused("answer y to remove it", "nothing was removed")
		}
	}
	if err := store.Forget(c.Context, r.Repository); err != nil {
		return err
	}
	type forgotten struct {
		Forgotten string `json:"forgotten"`
		Memories  int    `json:"memories"`
	}
	return printResult(c, forgotten{r.Repository, r.Memories}, func(out io.Writer, f forgotten) {
		fmt.Fprintf(out, "forgot %s with %s\n", f.Forgotten, memories)
	})
}

// withRepos adds the hint that names the repositories.
func withRepos(err error) error {
	return console.Refused(`run "memctl-hub repos" for the repositories and their names`, "%w", err)
}

// agree asks a question on a terminal. It returns an error if there is none.
func agree(c *cli.Context, question string) (yes bool, err error) {
	if !console.IsTerminal(c.App.Reader) || !console.IsTerminal(c.App.ErrWriter) {
		return false, console.Refused("pass --yes if you are sure", "there is no terminal to ask on")
	}
	fmt.Fprint(c.App.ErrWriter, question)
	answer, err := console.Interruptible(c.Context,
		func() (string, error) { return bufio.NewReader(c.App.Reader).ReadString('\n') })
	if err != nil {
		fmt.Fprintln(c.App.ErrWriter)
		return false, c.Context.Err()
	}
	word := strings.ToLower(strings.TrimSpace(answer))
	return word == "y" || word == "yes", nil
}
