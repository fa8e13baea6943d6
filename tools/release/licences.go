package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"memctl/text"

	"github.com/google/uuid"
)

// module is a module that is linked into a program, with its licences.
type module struct {
	Path, Version string
	SPDX          []string // the identifiers of its licences
	texts         []string
}

// URL is a package URL.
func (m module) URL() string { return "pkg:golang/" + m.Path + "@" + m.Version }

// goLibrary stands for Go's standard library among the modules.
const goLibrary = "std"

// modulesOf reads from a binary which modules are in it, and their licences from the
// module cache.
func (r *release) modulesOf(info *buildinfo.BuildInfo) ([]module, error) {
	goRoot, err := r.output("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	library, err := readModule(goLibrary, strings.TrimPrefix(info.GoVersion, "go"), strings.TrimSpace(string(goRoot)))
	if err != nil {
		return nil, err
	}
	folder := "." + strings.TrimPrefix(info.Main.Path, "memctl") // that of the program's own module
	args := []string{"mod", "download", "-C", folder, "-json"}
	for _, dependency := range info.Deps {
		if dependency.Path != "memctl" { // which memctl-hub needs
			args = append(args, dependency.Path+"@"+dependency.Version)
		}
	}
	out, err := r.output("go", args...)
	if err != nil {
		return nil, err
	}
	modules := []module{library}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var found struct{ Path, Version, Dir string }
		if err := dec.Decode(&found); errors.Is(err, io.EOF) {
			return modules, nil
		} else if err != nil {
			return nil, err
		}
		m, err := readModule(found.Path, found.Version, found.Dir)
		if err != nil {
			return nil, err
		}
		modules = append(modules, m)
	}
}

// licenceName matches the files in which modules keep their licences and notices.
var licenceName = regexp.MustCompile(`(?i)^[\w-]*(licen[sc]e|copying|notice|copyright|patents)[\w-]*(\.txt|\.md)?$`)

// readModule reads the licences of a module from its folder. A licence that is not known
// is an error: a person must look at it first.
func readModule(path, version, dir string) (module, error) {
	m := module{Path: path, Version: version}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return m, err
	}
	for _, entry := range entries {
		if entry.IsDir() || !licenceName.MatchString(entry.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return m, err
		}
		m.texts = append(m.texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
		if id := spdxID(string(text)); id != "" && !slices.Contains(m.SPDX, id) {
			m.SPDX = append(m.SPDX, id)
		}
	}
	if len(m.SPDX) == 0 {
		return m, fmt.Errorf("%s %s has no licence that spdxID knows", path, version)
	}
	return m, nil
}

// spdxID returns the SPDX identifier of a licence, "" if it is not one of those that
// allow to ship memctl.
func spdxID(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	has := func(phrase string) bool { return strings.Contains(text, phrase) }
	switch {
	case has("Apache License Version 2.0"):
		return "Apache-2.0"
	case has("Permission is hereby granted, free of charge") &&
		has("The above copyright notice and this permission notice"):
		return "MIT"
	case has("Permission is hereby granted, free of charge"):
		return "MIT-0"
	case has("Redistribution and use in source and binary forms") && has("endorse or promote products"):
		return "BSD-3-Clause"
	case has("Redistribution and use in source and binary forms"):
		return "BSD-2-Clause"
	}
	return ""
}

// licenceTexts is the file with the licences of the modules.
func licenceTexts(modules []module) []byte {
	var out strings.Builder
	out.WriteString("memctl contains these modules, each under the licence below its name.\n")
	for _, m := range modules {
		title := m.Path
		if title == goLibrary {
			title = "The Go standard library"
		}
		fmt.Fprintf(&out, "\n%s\n%s %s\n%[1]s\n", strings.Repeat("=", 80), title, m.Version)
		for _, licence := range m.texts {
			out.WriteString("\n" + licence + "\n")
		}
	}
	fmt.Fprintf(&out, "\n%s\nThe lists of function words\n%[1]s\n\n%s\n%s", strings.Repeat("=", 80),
		text.SnowballLicence, text.StopwordsLicence)
	return []byte(out.String())
}

// bills writes a bill of materials for each archive, in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/).
func (r *release) bills() error {
	for _, p := range r.platforms {
		data, err := r.bill(p)
		if err != nil {
			return err
		}
		if err := r.write(r.folder(p)+".cdx.json", data); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) bill(p platform) ([]byte, error) {
	var programs bytes.Buffer
	for _, each := range p.programs {
		programs.Write(each.binary)
	}
	return fill("bom.json", struct {
		Serial, Time string
		Program      module
		Modules      []module
	}{uuid.NewSHA1(uuid.NameSpaceURL, programs.Bytes()).String(), r.date.Format(time.RFC3339),
		module{Path: "memctl", Version: r.Version, SPDX: []string{"MIT"}}, p.modules()})
}
