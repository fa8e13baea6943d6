package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"memctl/hub/hubtest"
)

// The image of hub/deploy/Dockerfile runs a hub: what the Dockerfile copies is made in a folder, and its programs run
// in there as its user, who may write nothing, with the roles of hub/deploy/roles.sql.
func TestImage(t *testing.T) {
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("changing the root folder needs Linux and root; .ci/run has both")
	}
	t.Parallel()
	socket, port := hubtest.Debian(t)
	h := newHome(t)
	owner, service := []string{"PGPASSWORD=owner's"}, []string{"PGPASSWORD=service"}
	h.env = append(h.env, "PGHOST="+socket, "PGPORT="+port, "OWNER_PASSWORD=owner's", "SERVICE_PASSWORD=service")
	roles, err := filepath.Abs("../../deploy/roles.sql")
	if err != nil {
		t.Fatal(err)
	}
	h.shell("set -e")("psql -q -U postgres -d postgres -f " + roles)

	image := newImage(t, h)
	dsn := func(user string) string {
		return fmt.Sprintf("%s=host=127.0.0.1 port=%s user=%s dbname=hub", dsnVariable, port, user)
	}
	run := func(args ...string) string {
		t.Helper()
		out, err := image.command(append(owner, dsn("hub_owner")), args...).Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, err.(*exec.ExitError).Stderr)
		}
		return strings.TrimSpace(string(out))
	}
	run("migrate")
	run("grant", "add", "--publish", "user:ci", "github.com/acme/*")
	h.env = append(h.env, "MEMCTL_HUB_TOKEN="+run("token", "create", "--user", "ci"))

	address := "http://" + h.listen(image.command(append(service, dsn("hub_service"), "MEMCTL_HUB_AUDIT_QUERIES=1"), "serve", "--listen", "127.0.0.1:0"))
	ready, err := http.Get(address + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	if ready.Body.Close(); ready.StatusCode != http.StatusOK {
		t.Errorf("readyz: %s", ready.Status)
	}
	h.clone("pay", "git@github.com:acme/payments.git")
	h.write("pay/.claude/memory/preferences/rotation.json", preferenceFile("rotation", "Key rotation waits for the cache"))
	h.commit("pay")
	if out := h.run("pay", "hub", "publish", "--hub", address, "--sequence", "1"); !strings.Contains(out, "1 added") {
		t.Error(out)
	}
	h.run("", "init", "--user")
	h.write(".claude/memory/memory-config.json", `{"hub": {"url": "`+address+`", "timeout_ms": 60000}}`)
	if out := h.run("shop", "search", "--hub", "rotation"); !strings.Contains(out, "waits for the cache") {
		t.Error(out)
	}
	if out := run("audit", "--user", "ci"); !strings.Contains(out, `"detail":"rotation"`) {
		t.Errorf("the audit has no questions: %s", out)
	}
}

// image is the root folder of an image.
type image struct {
	root, user string
	entrypoint string
}

// newImage does what the Dockerfile of the hub does after the base image of its first stage.
func newImage(t *testing.T, h home) image {
	t.Helper()
	file, err := os.ReadFile("../../deploy/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	one := func(pattern string) []string {
		t.Helper()
		found := regexp.MustCompile("(?m)^" + pattern + "$").FindStringSubmatch(string(file))
		if found == nil {
			t.Fatalf("the Dockerfile has no line %s", pattern)
		}
		return found[1:]
	}
	i := image{root: filepath.Join(h.dir, "root"), user: one(`USER (\d+:\d+)`)[0], entrypoint: one(`ENTRYPOINT \["(.*)"\]`)[0]}
	build := exec.Command("sh", "-c", strings.ReplaceAll(one(`RUN (.*)`)[0], "/out/", filepath.Join(h.dir, "out")+"/"))
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	one(`FROM scratch`)
	for _, files := range regexp.MustCompile(`(?m)^COPY --from=build (\S+) (\S+)$`).FindAllStringSubmatch(string(file), -1) {
		from, to := files[1], filepath.Join(i.root, files[2])
		if name, built := strings.CutPrefix(from, "/out/"); built {
			from = filepath.Join(h.dir, "out", name)
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("cp", from, to).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return i
}

// command runs the entrypoint with the image as the root folder.
func (i image) command(env []string, args ...string) *exec.Cmd {
	cmd := exec.Command("chroot", append([]string{"--userspec=" + i.user, i.root, i.entrypoint}, args...)...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH")}, env...)
	return cmd
}
