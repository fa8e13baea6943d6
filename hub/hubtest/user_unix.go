//go:build unix

package hubtest

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// PostgreSQL refuses to run as root, so root runs it as nobody.

// unprivileged makes a command run without root's rights.
func unprivileged(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for the test, which ends it
	if os.Getuid() != 0 {
		return
	}
	if uid, gid, err := nobody(); err == nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
}

func nobody() (uid, gid int, err error) {
	u, err := user.Lookup("nobody")
	if err != nil {
		return 0, 0, err
	}
	if uid, err = strconv.Atoi(u.Uid); err != nil {
		return 0, 0, err
	}
	gid, err = strconv.Atoi(u.Gid)
	return uid, gid, err
}

// makeFolder makes the cluster's folder. The path of a socket is at most 107 bytes long,
// so the folder is not below the test's.
func makeFolder() (string, error) {
	folder, err := os.MkdirTemp("", "hub")
	if err != nil || os.Getuid() != 0 {
		return folder, err
	}
	uid, gid, err := nobody()
	if err == nil {
		err = os.Chown(folder, uid, gid)
	}
	if err != nil {
		return "", fmt.Errorf("a folder for PostgreSQL: %w", err)
	}
	return folder, nil
}
