// Package hubtest gives tests databases of a PostgreSQL of their own. It is not linked
// into any program.
package hubtest

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
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
	folder   string
	commands io.WriteCloser
	answers  *bufio.Reader
	template sync.Once
	err      error // of the template
	count    int
	mu       sync.Mutex
}

//go:embed cluster.sh
var script string

// start starts the cluster at first use. It returns nil if PostgreSQL is not installed.
var start = sync.OnceValues(func() (*cluster, error) {
	c, err := newCluster()
	if c == nil || err != nil {
		return nil, err
	}
	return c, c.exec("postgres",
		"CREATE ROLE "+owner+" LOGIN CREATEROLE CREATEDB; CREATE ROLE "+service+" LOGIN NOINHERIT")
})

// newCluster starts a PostgreSQL with more variables for its script, nil if it is not installed.
func newCluster(env ...string) (*cluster, error) {
	binaries := findBinaries()
	if binaries == "" {
		return nil, nil
	}
	args := []string{"sh", "-c", script}
	if os.Getuid() == 0 { // PostgreSQL refuses to run as root: as nobody
		args = append([]string{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"}, args...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(append(os.Environ(), "BIN="+binaries), env...)
	commands, err := cmd.StdinPipe() // closed when the test binary ends, in whatever way
	if err != nil {
		return nil, err
	}
	answers, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c := &cluster{commands: commands, answers: bufio.NewReader(answers)}
	if err := errors.Join(cmd.Start(), c.do("start")); err != nil {
		return nil, err
	}
	return c, nil
}

// Debian starts a PostgreSQL that lets in whom Debian's does: on its socket the roles that have the names of
// users of the system, on a port of 127.0.0.1 those with passwords. The user of the test may come as the
// superuser too, as sudo would have it. It returns the folder of the socket and the port.
func Debian(t testing.TB) (folder, port string) {
	t.Helper()
	who, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ = net.SplitHostPort(free.Addr().String()) // it has one
	free.Close()
	c, err := newCluster("PORT="+port, "SUDOER="+who.Username)
	if err != nil {
		t.Fatal(err)
	}
	if c == nil {
		t.Skip("PostgreSQL is not installed; .ci/run installs it")
	}
	t.Cleanup(func() { c.commands.Close() }) // which ends it; until then, the garbage collector may not close it
	return c.folder, port
}

// Standby starts a PostgreSQL that follows that of Database, from where it is now on. It returns the connection string
// of the same database there, and a function that promotes it to a primary.
func Standby(t testing.TB, dsn string) (standby string, promote func()) {
	t.Helper()
	primary := running(t)
	c, err := newCluster("PRIMARY=" + primary.folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.commands.Close() })
	return strings.Replace(dsn, primary.folder, c.folder, 1), func() {
		if err := c.do("promote"); err != nil {
			t.Fatal(err)
		}
	}
}

// do has the script obey a command.
func (c *cluster) do(command string) error {
	if _, err := fmt.Fprintln(c.commands, command); err != nil {
		return err
	}
	answer, err := c.answers.ReadString('\n')
	folder, done := strings.CutPrefix(strings.TrimSpace(answer), "done ")
	switch {
	case err != nil:
		return fmt.Errorf("PostgreSQL: %s: %w", command, err)
	case !done:
		return fmt.Errorf("PostgreSQL: %s: %s", command, answer)
	}
	c.folder = folder
	return nil
}

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
	if err := running(t).do("stop"); err != nil {
		t.Fatal(err)
	}
}

// Start starts PostgreSQL after Stop.
func Start(t testing.TB) {
	t.Helper()
	if err := running(t).do("start"); err != nil {
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
	if runtime.GOOS == "windows" {
		return "" // the cluster needs a shell, and a socket
	}
	if initdb, err := exec.LookPath("initdb"); err == nil {
		if program, err := filepath.EvalSymlinks(initdb); err == nil { // the others stand beside it
			return filepath.Dir(program)
		}
	}
	folders, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is valid
	if len(folders) == 0 {
		return ""
	}
	return filepath.Dir(slices.Max(folders))
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
	return c.exec("prepared", "GRANT memctl_hub, memctl_hub_admin TO "+service)
}

// exec runs statements as the superuser.
func (c *cluster) exec(database, statements string) error {
	return Exec(context.Background(), c.dsn(superuser, database), statements)
}
