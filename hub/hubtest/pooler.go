package hubtest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"syscall"
	"testing"
	"time"
)

const poolerPort = 6432

// Pooler returns the connection string of a PgBouncer in transaction mode, which shares four connections to
// the database of another connection string. Without PgBouncer the test is skipped.
func Pooler(t testing.TB, dsn string) string {
	t.Helper()
	binary, err := exec.LookPath("pgbouncer")
	if err != nil && runtime.GOOS != "windows" {
		binary, err = exec.LookPath("/usr/sbin/pgbouncer")
	}
	if err != nil {
		t.Skip("PgBouncer is not installed; .ci/run installs it")
	}
	part := regexp.MustCompile(`^host=(\S+) user=(\S+) dbname=(\S+)$`).FindStringSubmatch(dsn)
	folder, err := os.MkdirTemp("/tmp", "pgbouncer")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("users", fmt.Sprintf("%q \"\"\n", part[2]))
	write("ini", fmt.Sprintf(`[databases]
%[3]s = host=%[1]s user=%[2]s
[pgbouncer]
listen_addr =
listen_port = %[4]d
unix_socket_dir = %[5]s
auth_type = trust
auth_file = %[5]s/users
pool_mode = transaction
default_pool_size = 4
`, part[1], part[2], part[3], poolerPort, folder))
	command := []string{binary, "-q", filepath.Join(folder, "ini")}
	if os.Getuid() == 0 { // it refuses to run as root
		if err := os.Chown(folder, 65534, 65534); err != nil {
			t.Fatal(err)
		}
		command = append([]string{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"}, command...)
	}
	cmd := exec.Command(command[0], command[1:]...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { _ = cmd.Process.Signal(syscall.SIGTERM); <-ended })
	for {
		conn, err := net.Dial("unix", fmt.Sprintf("%s/.s.PGSQL.%d", folder, poolerPort))
		if err == nil {
			conn.Close()
			return fmt.Sprintf("host=%s port=%d user=%s dbname=%s", folder, poolerPort, part[2], part[3])
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("PgBouncer ended: %v", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
