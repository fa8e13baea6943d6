package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

type file struct {
	name string // with slashes
	mode fs.FileMode
	data []byte
}

// readShared reads what every archive contains.
func (r *release) readShared() error {
	for _, name := range []string{"README.md", "CHANGELOG.md", "LICENSE"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		r.shared = append(r.shared, file{name, 0o644, data})
	}
	page, err := os.ReadFile(r.man)
	if err != nil {
		return err
	}
	r.shared = append(r.shared, file{"man/memctl.1", 0o644, page})
	for shell, name := range map[string]string{"bash": "memctl.bash", "zsh": "_memctl", "fish": "memctl.fish",
		"powershell": "memctl.ps1"} {
		script, err := r.output(r.memctl, "completion", shell)
		if err != nil {
			return err
		}
		r.shared = append(r.shared, file{"completions/" + name, 0o644, script})
	}
	return nil
}

// sharedFile is one of the files of every archive.
func (r *release) sharedFile(name string) file {
	return r.shared[slices.IndexFunc(r.shared, func(f file) bool { return f.name == name })]
}

// files are those of a platform's archive.
func (r *release) files(p platform) []file {
	files := []file{{"THIRD_PARTY_LICENSES.txt", 0o644, licenceTexts(p.modules())}}
	for _, each := range p.programs {
		files = append(files, file{each.name, 0o755, each.binary})
	}
	return append(files, r.shared...)
}

func (r *release) folder(p platform) string {
	return "memctl_" + r.Version + "_" + p.OS + "_" + p.Arch
}

func (r *release) archive(p platform) string {
	if p.OS == "windows" {
		return r.folder(p) + ".zip"
	}
	return r.folder(p) + ".tar.gz"
}

func (r *release) archives() error {
	for _, p := range r.platforms {
		pack := tarball
		if p.OS == "windows" {
			pack = zipped
		}
		data, err := pack(r.folder(p), r.files(p), r.date)
		if err != nil {
			return err
		}
		r.sums[r.archive(p)] = sum(data)
		if err := r.write(r.archive(p), data); err != nil {
			return err
		}
	}
	return nil
}

func sum(data []byte) string {
	digest := sha256.Sum256(data)
	return hex.EncodeToString(digest[:])
}

// tarball packs files into a folder of a compressed tar archive. The same files and date
// give the same bytes.
func tarball(folder string, files []file, date time.Time) ([]byte, error) {
	data, err := tarred(folder, files, date)
	return gzipped(data), err
}

func tarred(folder string, files []file, date time.Time) ([]byte, error) {
	var out bytes.Buffer
	archive := tar.NewWriter(&out)
	for _, f := range sorted(files) {
		header := &tar.Header{Name: path.Join(folder, f.name), Mode: int64(f.mode), Size: int64(len(f.data)),
			ModTime: date, Format: tar.FormatUSTAR}
		if err := archive.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := archive.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := archive.Close()
	return out.Bytes(), err
}

func gzipped(data []byte) []byte {
	var out bytes.Buffer
	compressed, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is valid
	compressed.Write(data)                                           // to memory
	compressed.Close()
	return out.Bytes()
}

func zipped(folder string, files []file, date time.Time) ([]byte, error) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, f := range sorted(files) {
		header := &zip.FileHeader{Name: path.Join(folder, f.name), Method: zip.Deflate, Modified: date}
		header.SetMode(f.mode)
		entry, err := archive.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := archive.Close()
	return out.Bytes(), err
}

func sorted(files []file) []file {
	return slices.SortedFunc(slices.Values(files), func(a, b file) int { return strings.Compare(a.name, b.name) })
}

// packages makes a deb and an rpm package for each Linux.
func (r *release) packages() error {
	for _, p := range r.platforms {
		if p.OS != "linux" {
			continue
		}
		if err := r.packagesFor(p); err != nil {
			return err
		}
	}
	return nil
}

// documents are the files that rpm and dpkg know as documentation, and their places below /usr/share.
var documents = map[string]string{
	"man/memctl.1.gz":          "man/man1/memctl.1.gz",
	"LICENSE":                  "doc/memctl/copyright",
	"THIRD_PARTY_LICENSES.txt": "doc/memctl/THIRD_PARTY_LICENSES.txt",
	"CHANGELOG.md":             "doc/memctl/CHANGELOG.md",
}

func (r *release) packagesFor(p platform) error {
	dir, err := os.MkdirTemp("", "memctl-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	files := append(r.files(p), file{"man/memctl.1.gz", 0o644, gzipped(r.sharedFile("man/memctl.1").data)})
	for _, name := range []string{"nfpm.yaml", "changelog.yaml"} {
		data, err := fill(name, struct {
			*release
			Arch, Dir, Date string
			Documents       map[string]string
		}{r, p.Arch, dir, r.date.Format(time.RFC3339), documents})
		if err != nil {
			return err
		}
		files = append(files, file{name, 0o600, data})
	}
	if err := writeFiles(dir, files...); err != nil {
		return err
	}
	for _, kind := range []string{"deb", "rpm"} {
		target := filepath.Join(r.out, r.folder(p)+"."+kind)
		if _, err := r.output("go", "run", r.nfpm, "package", "--config", filepath.Join(dir, "nfpm.yaml"),
			"--packager", kind, "--target", target); err != nil {
			return err
		}
	}
	return nil
}

// npmLauncher starts the binary of the package for this system.
//
//go:embed templates/memctl.js
var npmLauncher []byte

type npmPackage struct {
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	Description  string            `json:"description"`
	Homepage     string            `json:"homepage"`
	Licence      string            `json:"license"`
	MCPName      string            `json:"mcpName,omitempty"` // by which MCP's registry knows whose the package is
	Main         string            `json:"main,omitempty"`
	Type         string            `json:"type,omitempty"`
	Bin          map[string]string `json:"bin,omitempty"`
	OS           []string          `json:"os,omitempty"`
	CPU          []string          `json:"cpu,omitempty"`
	Engines      map[string]string `json:"engines,omitempty"`
	Optional     map[string]string `json:"optionalDependencies,omitempty"`
	PreferUnplug bool              `json:"preferUnplugged,omitempty"` // Yarn must not keep a program in a zip file
	Publish      map[string]string `json:"publishConfig"`             // else packages with a scope are for members
}

// nodeOS and nodeArch are Node's names for a system and a processor.
var (
	nodeOS   = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}
	nodeArch = map[string]string{"amd64": "x64", "arm64": "arm64"}
)

// npm makes a package for each platform, and memctl, which depends on all of them; npm
// installs the one that fits. No package runs a script when it is installed.
func (r *release) npm() error {
	main := r.npmPackage("memctl", summary+".")
	main.Bin = map[string]string{"memctl": "bin/memctl.js"}
	main.Engines = map[string]string{"node": ">=18"}
	main.Optional = map[string]string{}
	for _, p := range r.platforms {
		name := fmt.Sprintf("@memctl/%s-%s", nodeOS[p.OS], nodeArch[p.Arch])
		main.Optional[name] = r.Version
		part := r.npmPackage(name, fmt.Sprintf("The program of memctl for %s on %s.", nodeOS[p.OS], nodeArch[p.Arch]))
		part.OS, part.CPU, part.PreferUnplug = []string{nodeOS[p.OS]}, []string{nodeArch[p.Arch]}, true
		err := r.packNPM(part,
			file{"bin/" + p.memctl().name, 0o755, p.memctl().binary},
			file{"THIRD_PARTY_LICENSES.txt", 0o644, licenceTexts(p.memctl().modules)})
		if err != nil {
			return err
		}
	}
	main.MCPName = r.RegistryName()
	if err := r.packNPM(main, file{"bin/memctl.js", 0o755, npmLauncher}, r.sharedFile("README.md")); err != nil {
		return err
	}
	data, err := os.ReadFile("features/clients/opencode.js")
	if err != nil {
		return err
	}
	plugin := r.npmPackage("memctl-opencode", summary+", for OpenCode. It needs memctl on the PATH.")
	plugin.Main, plugin.Type = "memctl.js", "module"
	return r.packNPM(plugin, file{"memctl.js", 0o644, data})
}

func (r *release) npmPackage(name, description string) npmPackage {
	return npmPackage{Name: name, Version: r.Version, Description: description, Homepage: r.Homepage, Licence: "MIT",
		Publish: map[string]string{"access": "public"}}
}

// packNPM writes the tarball that "npm publish" and "npm install" take.
func (r *release) packNPM(p npmPackage, files ...file) error {
	manifest, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	files = append(files, file{"package.json", 0o644, append(manifest, '\n')}, r.sharedFile("LICENSE"))
	data, err := tarball("package", files, r.date)
	if err != nil {
		return err
	}
	name := strings.NewReplacer("@", "", "/", "-").Replace(p.Name)
	return r.write("npm/"+name+"-"+p.Version+".tgz", data)
}

// pluginLauncher picks the binary for the system that it runs on.
//
//go:embed templates/launcher.sh
var pluginLauncher []byte

// pluginParts are the files and folders of the repository that are the plugin.
var pluginParts = []string{"LICENSE", "hooks/hooks.json", ".claude-plugin", "commands", "skills"}

// plugin makes a folder that is the plugin and its marketplace, with a binary for each
// platform.
func (r *release) plugin() error {
	files, err := r.pluginFiles()
	if err != nil {
		return err
	}
	folder := filepath.Join(r.out, "plugin")
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	return writeFiles(folder, files...)
}

// pluginFiles are the launcher, a binary for each platform, and what is in the repository.
// Windows starts the MCP server without a shell and finds memctl.exe next to the launcher;
// on arm64 it emulates amd64.
func (r *release) pluginFiles() ([]file, error) {
	files := []file{{"bin/memctl", 0o755, pluginLauncher}}
	for _, p := range r.platforms {
		name := "memctl-" + p.OS + "-" + p.Arch
		switch p.String() {
		case "windows/amd64":
			name = "memctl.exe"
		case "windows/arm64":
			continue
		}
		files = append(files, file{"bin/" + name, 0o755, p.memctl().binary},
			file{"licences/" + name + ".txt", 0o644, licenceTexts(p.memctl().modules)})
	}
	for _, part := range pluginParts {
		err := fs.WalkDir(os.DirFS("."), part, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || path.Ext(name) == ".go" { // which embeds the others in memctl
				return err
			}
			data, err := os.ReadFile(filepath.FromSlash(name))
			files = append(files, file{name, 0o644, data})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}
