package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"runtime"
	"strings"
	"time"

	"memctl/cmd/console"
	"memctl/hub"

	"github.com/urfave/cli/v2"
)

func serveCommand() *cli.Command {
	return newCommand("serve", runServe,
		&cli.StringFlag{Name: "listen", Value: "127.0.0.1:8787", Usage: "listen on `ADDRESS`"},
		&cli.BoolFlag{Name: "audit-queries", EnvVars: []string{"MEMCTL_HUB_AUDIT_QUERIES"},
			Usage: "keep the text of queries in the audit"},
		&cli.IntFlag{Name: "audit-days", Usage: "remove rows of the audit after `N` days; 0 for never"},
		&cli.IntFlag{Name: "connections", Value: max(16, 4*runtime.GOMAXPROCS(0)),
			DefaultText: "4 a processor, at least 16", Usage: "use at most `N` connections to PostgreSQL"},
		&cli.DurationFlag{Name: "statement-timeout", Value: 10 * time.Second,
			Usage: "give up a question to PostgreSQL after `TIME`"},
		&cli.DurationFlag{Name: "merge-every", Value: 10 * time.Second,
			Usage: "merge what publications counted every `TIME`"},
	)
}

func runServe(c *cli.Context) error {
	if n := c.Int("connections"); n < 1 || n > 1000 {
		return console.Usagef("--connections: expected 1 to 1000, got %d", n)
	}
	if n := c.Int("audit-days"); n != 0 && (n < 7 || n > maxDays) {
		return console.Usagef("--audit-days: expected 0, or 7 to %d, got %d", maxDays, n)
	}
	for _, name := range []string{"statement-timeout", "merge-every"} {
		if d := c.Duration(name); d < time.Millisecond {
			return console.Usagef("--%s: expected a time such as 10s, got %s", name, d)
		}
	}
	if c.IsSet("tls-cert") != c.IsSet("tls-key") {
		return console.Usagef("--tls-cert and --tls-key belong together")
	}
	if u, err := url.Parse(c.String("url")); c.IsSet("url") && (err != nil || u.Host == "" ||
		strings.ContainsAny(u.String(), `"?#`)) {
		return console.Usagef("--url: expected an address such as https://hub.acme.example, got %q", c.String("url"))
	}
	level := slog.LevelInfo
	if c.Bool("verbose") {
		level = slog.LevelDebug
	}
	log := slog.New(slog.NewJSONHandler(c.App.ErrWriter, &slog.HandlerOptions{Level: level}))
	o := hub.ServerOptions{
		MergeEvery: c.Duration("merge-every"),
		AuditDays:  c.Int("audit-days"),
		URL:        strings.TrimSuffix(c.String("url"), "/"),
		OwnMetrics: c.IsSet("metrics-listen"),
		Log:        log,
	}
	issuer := hub.OIDC{Issuer: c.String("oidc-issuer"), Audience: c.String("oidc-audience"),
		UserClaim: c.String("oidc-user-claim"), GroupsClaim: c.String("oidc-groups-claim")}
	switch {
	case issuer.Issuer != "":
		o.Issuers = []hub.OIDC{issuer}
	case issuer.Audience != "":
		return console.Usagef("--oidc-audience needs --oidc-issuer")
	}
	if c.String("oidc-issuers") != "" {
		list, err := readList(c, "oidc-issuers",
			`such as [{"issuer": "https://id.example.com", "audience": "memctl-hub"}]`, hub.DecodeIssuers)
		if err != nil {
			return err
		}
		o.Issuers = append(o.Issuers, list...)
	}
	if c.IsSet("tls-cert") {
		o.Certificate = hub.NewCertificate(c.String("tls-cert"), c.String("tls-key"))
		if _, err := o.Certificate(nil); err != nil {
			return err
		}
	}
	options := hub.Options{Version: console.Version, MaxConns: int32(c.Int("connections")),
		AuditQueries: c.Bool("audit-queries"), StatementTimeout: c.Duration("statement-timeout"), Log: log}
	return useStore(c, options, func(store *hub.Store) error { return serve(c, store, o) })
}

// serve listens, and serves until the command is ended.
func serve(c *cli.Context, store *hub.Store, o hub.ServerOptions) error {
	server, err := hub.NewServer(store, o)
	if err != nil {
		return err
	}
	ctx, end := context.WithCancel(c.Context)
	defer end()
	listener, err := net.Listen("tcp", c.String("listen"))
	if err != nil {
		return err
	}
	defer listener.Close()
	ended := make(chan error, 2)
	running, metricsAddress := 1, ""
	if o.OwnMetrics {
		metrics, err := net.Listen("tcp", c.String("metrics-listen"))
		if err != nil {
			return fmt.Errorf("metrics: %w", err)
		}
		defer metrics.Close()
		running++
		metricsAddress = metrics.Addr().String()
		go func() { ended <- server.ServeMetrics(ctx, metrics) }()
	}
	go warn(ctx, store, o, listener.Addr())
	o.Log.Info("listening", "address", listener.Addr().String(), "metrics", metricsAddress,
		"tls", o.Certificate != nil, "version", console.Version)
	go func() { ended <- server.Serve(ctx, listener) }()
	var failed error
	for range running {
		failed = errors.Join(failed, <-ended)
		end()
	}
	if failed == nil {
		o.Log.Info("ended")
	}
	return failed
}

// warn logs what a person may want to change.
func warn(ctx context.Context, store *hub.Store, o hub.ServerOptions, address net.Addr) {
	if tcp, ok := address.(*net.TCPAddr); ok && !tcp.IP.IsLoopback() && o.Certificate == nil {
		o.Log.Warn("tokens go over the network in clear, unless a proxy in front of this program speaks TLS",
			"address", address.String())
	}
	ctx, stop := context.WithTimeout(ctx, 5*time.Second)
	defer stop()
	if err := store.Ready(ctx); err != nil {
		o.Log.Warn(`not ready: requests fail until it is; "memctl-hub migrate" makes and updates the tables`,
			"error", err.Error())
		return
	}
	if owner, err := store.IsOwner(ctx); err == nil && owner {
		o.Log.Warn("the role that connects owns the tables: one that is only a member of memctl_hub can do less harm")
	}
}
