package main

import (
	"context"
	"flag"
	"log/slog"
	"net/http/httptest"
	"os"
	"strconv"
	"testing"

	"memctl/features/hub/remote"
	"memctl/files"
	"memctl/hub"
	"memctl/hub/hubtest"
	"memctl/schemas"

	"github.com/jackc/pgx/v5"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the golden parts of the scripts with what was seen")

// The test binary is memctl-hub when it is called by that name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"memctl-hub": main})
}

// Each script has a database in $MEMCTL_HUB_DSN, as its owner, and in $SERVICE, as the
// role of the service.
func TestScripts(t *testing.T) {
	hubtest.Database(t, hub.Migrate) // skips the test if there is no PostgreSQL
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"sql": runSQL, "publish": publish, "serve": serveScript},
		Setup: func(env *testscript.Env) error {
			owner, service := hubtest.Database(t, hub.Migrate)
			env.Setenv(dsnVariable, owner)
			env.Setenv("SERVICE", service)
			env.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			for _, role := range []string{"AUTHOR", "COMMITTER"} {
				env.Setenv("GIT_"+role+"_NAME", "Anna")
				env.Setenv("GIT_"+role+"_EMAIL", "anna@example.com")
			}
			return nil
		},
	})
}

// runSQL runs a statement as PostgreSQL's superuser: sql STATEMENT
func runSQL(ts *testscript.TestScript, neg bool, args []string) {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, hubtest.Superuser(ts.Getenv(dsnVariable)))
	ts.Check(err)
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, args[0])
	ts.Check(err)
}

// serveScript serves the database at $HUB, with a token of a user in $MEMCTL_HUB_TOKEN: serve USER
func serveScript(ts *testscript.TestScript, neg bool, args []string) {
	owner, err := hub.Open(context.Background(), ts.Getenv(dsnVariable), hub.Options{})
	ts.Check(err)
	defer owner.Close()
	token, err := owner.CreateToken(context.Background(), hub.NewToken{Person: args[0]})
	ts.Check(err)
	store, err := hub.Open(context.Background(), ts.Getenv("SERVICE"), hub.Options{})
	ts.Check(err)
	server, err := hub.NewServer(store, hub.ServerOptions{Log: slog.New(slog.DiscardHandler)})
	ts.Check(err)
	listening := httptest.NewServer(server)
	ts.Defer(func() { listening.Close(); store.Close() })
	ts.Setenv("HUB", listening.URL)
	ts.Setenv("MEMCTL_HUB_TOKEN", token.Secret)
}

// publish publishes the last commit of a clone: publish DIR REPOSITORY SEQUENCE
func publish(ts *testscript.TestScript, neg bool, args []string) {
	ctx := context.Background()
	root, err := files.At(ts.MkAbs(args[0]))
	ts.Check(err)
	p, err := remote.ReadPublication(ctx, root, schemas.DefaultConfig(), "HEAD")
	ts.Check(err)
	p.Repository = args[1]
	p.Sequence, err = strconv.ParseInt(args[2], 10, 64)
	ts.Check(err)
	owner, err := hub.Open(ctx, ts.Getenv(dsnVariable), hub.Options{})
	ts.Check(err)
	defer owner.Close()
	_, err = owner.Grant(ctx, hub.Grant{Principal: "user:ci", Repositories: p.Repository, Publish: true})
	ts.Check(err)
	store, err := hub.Open(ctx, ts.Getenv("SERVICE"), hub.Options{})
	ts.Check(err)
	defer store.Close()
	_, err = store.Publish(ctx, hub.Principal{Person: "ci"}, p.Publication)
	ts.Check(err)
}
