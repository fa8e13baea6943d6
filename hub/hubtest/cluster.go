// Package hubtest gives tests databases of a PostgreSQL of their own. It is not linked
// into any program.
package hubtest

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// The roles. The owner may create roles and databases and is no superuser. The service
// is a member of memctl_hub.
const (
	superuser = "postgres"
	owner     = "hub_owner"
	service   = "hub_service"
)

// cluster is a PostgreSQL that ends with the test binary.
type cluster struct {
	binaries string // folder of initdb and pg_ctl
	folder   string
	keeper   io.WriteCloser // its end removes the cluster
	template sync.Once
	err      error // of the template
	count    int
	mu       sync.Mutex
}

// start starts the cluster at first use. It returns nil if PostgreSQL is not installed.
var start = sync.OnceValues(func() (*cluster, error) {
	binaries := findBinaries()
	if binaries == "" {
		return nil, nil
	}
	folder, err := makeFolder()
	if err != nil {
		return nil, err
	}
	c := &cluster{binaries: binaries, folder: folder}
	if err := c.keep(); err != nil {
		return nil, err
	}
	if err := c.run("initdb", "-D", c.data(), "-U", superuser, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"); err != nil {
		return nil, err
	}
	settings := "\nlisten_addresses = ''\nunix_socket_directories = '" + folder + "'\nfsync = off\nfull_page_writes = off\nshared_buffers = 32MB\nmax_connections = 60\n"
	if err := appendTo(filepath.Join(c.data(), "postgresql.conf"), settings); err != nil {
		return nil, err
	}
	if err := c.start(); err != nil {
		return nil, err
	}
	return c, c.exec("postgres", fmt.Sprintf("CREATE ROLE %s LOGIN CREATEROLE CREATEDB; CREATE ROLE %s LOGIN NOINHERIT", owner, service))
})

// Database returns the connection strings of a new database, that of the tables' owner
// and that of the service. The first call of a test binary prepares the database that all
// others are copied from: prepare is hub.Migrate. Without PostgreSQL the test is skipped.
func Database(t testing.TB, prepare func(ctx context.Context, dsn string) error) (ownerDSN, serviceDSN string) {
	t.Helper()
	c := running(t)
	c.template.Do(func() { c.err = c.makeTemplate(prepare) })
	if c.err != nil {
		t.Fatal(c.err)
	}
	c.mu.Lock()
	c.count++
	name := fmt.Sprintf("test%d", c.count)
	// One at a time: no one may use the template while it is copied.
	err := c.exec("postgres", fmt.Sprintf("CREATE DATABASE %s TEMPLATE prepared OWNER %s", name, owner))
	c.mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.exec("postgres", "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Log(err) // the test may have stopped PostgreSQL
		}
	})
	return c.dsn(owner, name), c.dsn(service, name)
}

// Superuser returns the connection string of the superuser for the database of another
// connection string of Database, for what neither role may do.
func Superuser(dsn string) string {
	for _, role := range []string{owner, service} {
		dsn = strings.Replace(dsn, "user="+role+" ", "user="+superuser+" ", 1)
	}
	return dsn
}

// Exec runs statements as the superuser in the database of a connection string of Database.
func Exec(ctx context.Context, dsn, statements string) error {
	conn, err := pgx.Connect(ctx, Superuser(dsn))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	_, err = conn.Exec(ctx, statements)
	return err
}

// Stop stops PostgreSQL as a crash does. It is that of all tests of the binary: a test
// that stops it cannot be parallel, and starts it again.
func Stop(t testing.TB) {
	t.Helper()
	if err := running(t).run("pg_ctl", "-D", "data", "-m", "immediate", "-w", "stop"); err != nil {
		t.Fatal(err)
	}
}

// Start starts PostgreSQL after Stop.
func Start(t testing.TB) {
	t.Helper()
	if err := running(t).start(); err != nil {
		t.Fatal(err)
	}
}

func running(t testing.TB) *cluster {
	t.Helper()
	c, err := start()
	if err != nil {
		t.Fatal(err)
	}
	if c == nil {
		t.Skip("PostgreSQL is not installed; .ci/run installs it")
	}
	return c
}

// findBinaries returns the folder of the newest PostgreSQL, "" for none.
func findBinaries() string {
	if initdb, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(initdb)
	}
	folders, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is valid
	if len(folders) == 0 {
		return ""
	}
	return filepath.Dir(slices.Max(folders))
}

func (c *cluster) data() string { return filepath.Join(c.folder, "data") }

func (c *cluster) start() error {
	return c.run("pg_ctl", "-D", "data", "-l", "log", "-w", "start")
}

func (c *cluster) dsn(role, database string) string {
	return fmt.Sprintf("host=%s user=%s dbname=%s", c.folder, role, database)
}

func (c *cluster) makeTemplate(prepare func(context.Context, string) error) error {
	if err := c.exec("postgres", "CREATE DATABASE prepared OWNER "+owner); err != nil {
		return err
	}
	if err := prepare(context.Background(), c.dsn(owner, "prepared")); err != nil {
		return err
	}
	return c.exec("prepared", "GRANT memctl_hub TO "+service)
}

// exec runs SQL as the superuser.
func (c *cluster) exec(database, sql string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, c.dsn(superuser, database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql)
	return err
}

// run runs a program of PostgreSQL in the cluster's folder.
func (c *cluster) run(program string, args ...string) error {
	cmd := exec.Command(filepath.Join(c.binaries, program), args...)
	cmd.Dir = c.folder
	unprivileged(cmd)
	log, err := os.CreateTemp("", "hubtest")
	if err != nil {
		return err
	}
	defer os.Remove(log.Name())
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log // not a pipe: the server keeps it open
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(log.Name())
		server, _ := os.ReadFile(filepath.Join(c.folder, "log"))
		return fmt.Errorf("%s: %w\n%s%s", program, err, said, server)
	}
	return nil
}

// keep starts a shell that removes the cluster when the test binary ends, in whatever
// way: then its standard input ends.
func (c *cluster) keep() (err error) {
	cmd := exec.Command("sh", "-c", `read -r _; "$0" -D data -m immediate -w stop; rm -rf "$1"`, filepath.Join(c.binaries, "pg_ctl"), c.folder)
	cmd.Dir = c.folder
	unprivileged(cmd)
	if c.keeper, err = cmd.StdinPipe(); err != nil {
		return err
	}
	return cmd.Start()
}

func appendTo(name, s string) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	if _, err := file.WriteString(s); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}
