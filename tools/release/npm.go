package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
)

// npmLauncher starts the binary of the package for this system.
//
//go:embed templates/memctl.js
var npmLauncher []byte

// npmPackage is a package.json.
type npmPackage struct {
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	Description  string            `json:"description"`
	Homepage     string            `json:"homepage"`
	Licence      string            `json:"license"`
	Bin          map[string]string `json:"bin,omitempty"`
	OS           []string          `json:"os,omitempty"`
	CPU          []string          `json:"cpu,omitempty"`
	Engines      map[string]string `json:"engines,omitempty"`
	Optional     map[string]string `json:"optionalDependencies,omitempty"`
	PreferUnplug bool              `json:"preferUnplugged,omitempty"` // Yarn must not keep a program in a zip file
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
	return r.packNPM(main, file{"bin/memctl.js", 0o755, npmLauncher}, r.sharedFile("README.md"))
}

func (r *release) npmPackage(name, description string) npmPackage {
	return npmPackage{Name: name, Version: r.Version, Description: description, Homepage: r.Homepage, Licence: "MIT"}
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
