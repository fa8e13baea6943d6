package console

import (
	"fmt"
	"runtime"
)

// Version is the release of all programs. The manifests of the plugin name it too: its
// client offers an update only where the number is another one.
const Version = "0.2.0"

// Build is what a program that installs or updates memctl asks about it.
type Build struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

// ThisBuild returns the build of this program, whose linker knew the commit.
func ThisBuild(commit string) Build {
	return Build{Version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH}
}

func (b Build) String() string {
	return fmt.Sprintf("%s (%s, %s %s/%s)", b.Version, b.Commit, b.Go, b.OS, b.Arch)
}
