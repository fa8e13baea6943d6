// Command release makes what people install, from binaries that are already built: an
// archive for each system, deb, rpm and npm packages, plugins and extensions of clients, an
// image for containers, manifests for Homebrew, Scoop and winget, an installer, bills of
// materials and checksums. It publishes nothing. Two runs for the same commit write the
// same bytes.
package main

import (
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

const summary = "Memory for coding agents, in files you can review"

type options struct {
	memctl, man, binaries, nfpm, roots, out string
	Homepage, Maintainer                    string
	Programs                                []string // memctl, and those that are packed with it
}

// release is the common data of all files of a release. Templates read its exported
// fields.
type release struct {
	options
	ctx       context.Context
	Version   string
	Summary   string
	date      time.Time // of the commit; every file bears it
	platforms []platform
	shared    []file            // the files of every archive
	sums      map[string]string // the SHA-256 of each archive, by its name
}

// platform is a system that the programs are built for.
type platform struct {
	OS, Arch string
	programs []program // memctl is the first
}

// program is a binary for a platform.
type program struct {
	name    string // with ".exe" on Windows
	binary  []byte
	modules []module
}

func (p platform) String() string { return p.OS + "/" + p.Arch }

// memctl is the program that npm and the plugin need alone.
func (p platform) memctl() program { return p.programs[0] }

// modules are those of all programs.
func (p platform) modules() []module {
	var list []module
	for _, each := range p.programs {
		list = append(list, each.modules...)
	}
	slices.SortStableFunc(list, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return slices.CompactFunc(list, func(a, b module) bool { return a.Path == b.Path })
}

func newRelease(ctx context.Context, o options, platforms []string) (*release, error) {
	if len(platforms) == 0 || len(o.Programs) == 0 {
		return nil, errors.New("there is nothing to pack without -platforms and -programs")
	}
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("SOURCE_DATE_EPOCH must be the time of the commit: %w", err)
	}
	r := &release{options: o, ctx: ctx, Summary: summary, date: time.Unix(seconds, 0).UTC(), sums: map[string]string{}}
	version, err := r.output(r.memctl, "version", "--json")
	if err == nil {
		err = json.Unmarshal(version, r)
	}
	if err != nil {
		return nil, err
	}
	for _, name := range platforms {
		p, err := r.readPlatform(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		r.platforms = append(r.platforms, p)
	}
	return r, nil
}

func (r *release) readPlatform(name string) (platform, error) {
	system, arch, found := strings.Cut(name, "/")
	if !found {
		return platform{}, errors.New("expected OS/ARCH")
	}
	p := platform{OS: system, Arch: arch}
	for _, name := range r.Programs {
		each, err := r.readProgram(name, p)
		if err != nil {
			return p, err
		}
		p.programs = append(p.programs, each)
	}
	return p, nil
}

func (r *release) readProgram(name string, p platform) (program, error) {
	path := filepath.Join(r.binaries, name+"-"+p.OS+"-"+p.Arch)
	binary, err := os.ReadFile(path)
	if err != nil {
		return program{}, err
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return program{}, err
	}
	if p.OS == "windows" {
		name += ".exe"
	}
	modules, err := r.modulesOf(info)
	return program{name, binary, modules}, err
}

// output runs a program and returns what it prints.
func (r *release) output(name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(r.ctx, name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return out, nil
}

// make fills the folder of the release.
func (r *release) make() error {
	if err := os.RemoveAll(r.out); err != nil {
		return err
	}
	if err := r.readShared(); err != nil {
		return err
	}
	for _, step := range []func() error{r.archives, r.bills, r.packages, r.npm, r.plugin, r.image, r.manifests,
		r.notes, r.checksums} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) write(name string, data []byte) error {
	return writeFiles(r.out, file{name, 0o644, data})
}

func writeFiles(folder string, files ...file) error {
	for _, f := range files {
		path := filepath.Join(folder, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.data, f.mode); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	var o options
	flag.StringVar(&o.memctl, "memctl", "bin/memctl",
		"a memctl for this system, which is asked for its version and completions")
	flag.StringVar(&o.man, "man", "bin/memctl.1", "the manual page")
	flag.StringVar(&o.binaries, "binaries", "bin", "the folder of PROGRAM-OS-ARCH for each program and system")
	flag.StringVar(&o.Homepage, "homepage", "", "the project's page; releases are below it, as on GitHub")
	flag.StringVar(&o.Maintainer, "maintainer", "", "who answers for the packages: NAME <ADDRESS>")
	flag.StringVar(&o.roots, "roots", "", "the module with the root certificates of the image, with its version")
	flag.StringVar(&o.nfpm, "nfpm", "", "the package of nfpm to run, with its version")
	flag.StringVar(&o.out, "out", "dist", "the folder to fill; what is in it is removed")
	programs := flag.String("programs", "memctl",
		"what to pack: memctl, and programs for the same archives, separated by spaces")
	platforms := flag.String("platforms", "", "what to make it for: OS/ARCH, separated by spaces")
	pluginOnly := flag.Bool("plugin", false, "make only the plugin")
	flag.Parse()
	o.Programs = strings.Fields(*programs)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, o, strings.Fields(*platforms), *pluginOnly)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, platforms []string, pluginOnly bool) error {
	r, err := newRelease(ctx, o, platforms)
	if err != nil {
		return err
	}
	if pluginOnly {
		return r.plugin()
	}
	return r.make()
}
