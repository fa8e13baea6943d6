package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// These tests give each part of a release to the tool that judges it where it is published or installed ("make
// release-dry" makes the parts for one system and runs these alone). What a machine cannot check is listed at the end.

var (
	unchecked []string
	asked     sync.Mutex // for tests side by side
)

func TestMain(m *testing.M) {
	status := m.Run()
	for _, each := range unchecked {
		fmt.Println("NOT CHECKED:", each)
	}
	os.Exit(status)
}

// notChecked ends a test of which this machine cannot do the rest.
func notChecked(t *testing.T, why string) {
	t.Helper()
	asked.Lock()
	unchecked = append(unchecked, t.Name()+": "+why)
	asked.Unlock()
	t.Skip(why)
}

// needs ends a test whose program is missing. CI has all of them.
func needs(t *testing.T, program string) {
	t.Helper()
	dist(t)
	if _, err := exec.LookPath(program); err != nil && os.Getenv("CI") != "" {
		t.Fatal("no ", program)
	} else if err != nil {
		notChecked(t, "no "+program)
	}
}

// parts are the files of dist that match a pattern.
func parts(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dist(t), pattern))
	if err != nil || len(found) == 0 {
		t.Fatalf("dist has no %s, %v", pattern, err)
	}
	return found
}

// judge runs a tool that must approve, and logs its words.
func (s *scratch) judge(dir, name string, args ...string) string {
	s.t.Helper()
	out := s.run(dir, name, args...)
	s.t.Logf("%s %s\n%s", filepath.Base(name), strings.Join(args, " "), out)
	return out
}

func TestValidArchivesOfRelease(t *testing.T) {
	needs(t, "sha256sum")
	s := newScratch(t)
	s.judge(dist(t), "sha256sum", "--check", "--strict", "--quiet", "checksums.txt")
	for _, path := range parts(t, "memctl_*.tar.gz") {
		s.judge(s.home, "tar", "-tzf", path)
	}
	if zips, _ := filepath.Glob(filepath.Join(dist(t), "*.zip")); len(zips) > 0 {
		needs(t, "unzip")
		for _, path := range zips {
			s.judge(s.home, "unzip", "-tq", path)
		}
	}
}

func TestValidDebOfRelease(t *testing.T) {
	needs(t, "lintian")
	s := newScratch(t)
	for _, path := range parts(t, "*.deb") {
		s.judge(s.home, "dpkg-deb", "--info", path)
		// Programs in Go link no libraries of the system.
		s.judge(s.home, "lintian", "--allow-root", "--fail-on", "error", "--suppress-tags", "statically-linked-binary", path)
	}
}

func TestValidRPMOfRelease(t *testing.T) {
	needs(t, "rpmlint")
	s := newScratch(t)
	rules := filepath.Join(s.home, "rpmlint.toml")
	// Who publishes a package signs it, and a program without cgo is linked statically.
	s.check(os.WriteFile(rules, []byte(`Filters = ["no-signature", "statically-linked-binary"]`), 0o644))
	// rpmlint unpacks a package by cpio, and the names in one begin with a slash: without this they would be written
	// over the files of this machine.
	cpio, err := exec.LookPath("cpio")
	s.check(err)
	s.check(os.MkdirAll(s.path, 0o755))
	s.check(os.WriteFile(filepath.Join(s.path, "cpio"),
		[]byte("#!/bin/sh\nexec "+cpio+" --no-absolute-filenames \"$@\"\n"), 0o755))
	for _, path := range parts(t, "*.rpm") {
		s.judge(s.home, "rpm", "--checksig", path)
		s.judge(s.home, "rpmlint", "--config", rules, path)
	}
}

func TestValidNPMOfRelease(t *testing.T) {
	needs(t, "npm")
	s := newScratch(t)
	for _, path := range parts(t, "npm/*.tgz") {
		if out := s.judge(s.home, "npm", "publish", "--dry-run", path); strings.Contains(out, "auto-corrected") ||
			!strings.Contains(out, "public access (dry-run)") {
			t.Errorf("%s: npm corrects the package, or would not publish it for everybody", path)
		}
	}
}

func TestValidFormulaOfRelease(t *testing.T) {
	needs(t, "ruby")
	s := newScratch(t)
	formula := artifact(t, "homebrew/memctl.rb")
	s.judge(s.home, "ruby", "-wc", formula)
	if _, err := exec.LookPath("brew"); err != nil {
		notChecked(t, "ruby took the formula, and brew is not here to check its style")
	}
	s.judge(s.home, "brew", "style", formula)
}

// The image is what hub/deploy/Dockerfile builds, and its program runs.
func TestValidImageOfRelease(t *testing.T) {
	needs(t, "skopeo")
	needs(t, "umoci")
	s := newScratch(t)
	archive := "oci-archive:" + artifact(t, "memctl-hub_*_image.tar")
	s.judge(s.home, "skopeo", "copy", "--all", archive, "dir:"+filepath.Join(s.home, "all")) // compares each digest
	s.judge(s.home, "skopeo", "copy", archive, "oci:"+filepath.Join(s.home, "one")+":here")
	var image imageConfig
	s.check(json.Unmarshal([]byte(s.judge(s.home, "skopeo", "inspect", "--config", archive)), &image))
	dockerfile, err := os.ReadFile("../../hub/deploy/Dockerfile")
	s.check(err)
	_, last, _ := strings.Cut(string(dockerfile), "FROM scratch")
	entry, err := json.Marshal(image.Config.Entrypoint)
	s.check(err)
	arguments := strings.Join(image.Config.Cmd, `", "`)
	for _, want := range []string{"USER " + image.Config.User, "ENTRYPOINT " + string(entry), `CMD ["` + arguments + `"]`, "EXPOSE 8787"} {
		if !strings.Contains(last, want+"\n") {
			t.Errorf("the Dockerfile does not say %s:\n%s", want, last)
		}
	}
	if _, exposed := image.Config.ExposedPorts["8787/tcp"]; !exposed {
		t.Errorf("the image exposes %v", image.Config.ExposedPorts)
	}
	bundle := filepath.Join(s.home, "bundle")
	s.judge(s.home, "umoci", "unpack", "--rootless", "--image", filepath.Join(s.home, "one")+":here", bundle)
	s.path = filepath.Join(bundle, "rootfs")
	s.hubRuns()
	roots, err := os.ReadFile(filepath.Join(s.path, "etc/ssl/certs/ca-certificates.crt"))
	if n := strings.Count(string(roots), "BEGIN CERTIFICATE"); err != nil || n < 100 {
		t.Errorf("%d root certificates, %v", n, err)
	}
}

// judges are the commands by which clients validate what they install, or else install it in an empty home. The last one
// lists it. A path is that of a part of the release.
var judges = map[string][]string{
	"claude": {"plugin validate --strict ./plugin", "plugin validate --strict ./plugin/.claude-plugin/plugin.json",
		"plugin marketplace add ./plugin", "plugin install memctl@memctl", "plugin list"},
	"codex":   {"plugin marketplace add ./codex", "plugin add memctl@memctl", "plugin list"},
	"copilot": {"plugin marketplace add ./copilot", "plugin install memctl@memctl", "plugin list"},
	"gemini":  {"extensions validate ./gemini", "extensions install ./gemini --consent", "extensions list"},
	"qwen":    {"extensions install ./qwen --consent", "extensions list"},
}

func TestValidExtensionsOfRelease(t *testing.T) {
	needs(t, "npm")
	harness, err := filepath.Abs("../../testdata/clients/harness")
	if err != nil {
		t.Fatal(err)
	}
	apps := os.Getenv("MEMCTL_CLIENTS")
	if apps == "" {
		apps = "/var/tmp/memctl-clients"
	}
	for client, commands := range judges {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			s := newScratch(t)
			app := filepath.Join(apps, client)
			setup := s.command(harness, "./setup.sh", client)
			setup.Env = append(setup.Env, "APP="+app)
			if out, err := setup.CombinedOutput(); err != nil {
				t.Logf("%s", out)
				notChecked(t, "npm cannot install the client: "+err.Error()) // such as without a network
			}
			const bin = "node_modules/.bin"
			s.path = filepath.Join(app, "node22", bin)
			list := ""
			for _, command := range commands {
				args := strings.Fields(command)
				for i, arg := range args {
					if strings.HasPrefix(arg, "./") {
						args[i] = filepath.Join(dist(t), arg)
					}
				}
				list = s.judge(s.home, filepath.Join(app, client, bin, client), args...)
			}
			if !strings.Contains(list, "memctl") || !strings.Contains(list, versionOf(t)) {
				t.Errorf("%s does not list memctl %s", client, versionOf(t))
			}
		})
	}
}
