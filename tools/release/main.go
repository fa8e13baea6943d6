// Command release makes what people install, from binaries that are already built: an
// archive for each system, deb and rpm packages, npm packages, a plugin, manifests for
// Homebrew, Scoop and winget, an installer, bills of materials and checksums. It publishes
// nothing. Two runs for the same commit write the same bytes.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
)

func main() {
	var o options
	flag.StringVar(&o.memctl, "memctl", "bin/memctl",
		"a memctl for this system, which is asked for its version and completions")
	flag.StringVar(&o.man, "man", "bin/memctl.1", "the manual page")
	flag.StringVar(&o.binaries, "binaries", "bin", "the folder of PROGRAM-OS-ARCH for each program and system")
	flag.StringVar(&o.Homepage, "homepage", "", "the project's page; releases are below it, as on GitHub")
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
