package main

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// bom is a bill of materials in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/).
type bom struct {
	Format       string          `json:"bomFormat"`
	SpecVersion  string          `json:"specVersion"`
	SerialNumber string          `json:"serialNumber"`
	Version      int             `json:"version"`
	Metadata     bomMetadata     `json:"metadata"`
	Components   []bomComponent  `json:"components"`
	Dependencies []bomDependency `json:"dependencies"`
}

type bomMetadata struct {
	Timestamp string       `json:"timestamp"`
	Component bomComponent `json:"component"`
}

type bomComponent struct {
	Type     string       `json:"type"`
	Ref      string       `json:"bom-ref"`
	Name     string       `json:"name"`
	Version  string       `json:"version"`
	Licences []bomLicence `json:"licenses"`
	URL      string       `json:"purl"`
}

type bomLicence struct {
	Licence struct {
		ID string `json:"id"`
	} `json:"license"`
}

type bomDependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// bills writes the bill of materials of each archive.
func (r *release) bills() error {
	for _, p := range r.platforms {
		data, err := json.MarshalIndent(r.bill(p), "", "  ")
		if err != nil {
			return err
		}
		if err := r.write(r.folder(p)+".cdx.json", append(data, '\n')); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) bill(p platform) bom {
	var programs bytes.Buffer
	for _, each := range p.programs {
		programs.Write(each.binary)
	}
	program := component("application", module{path: "memctl", version: r.Version, spdx: []string{"MIT"}})
	b := bom{
		Format:       "CycloneDX",
		SpecVersion:  "1.6",
		SerialNumber: "urn:uuid:" + uuid.NewSHA1(uuid.NameSpaceURL, programs.Bytes()).String(),
		Version:      1,
		Metadata:     bomMetadata{r.date.Format(time.RFC3339), program},
		Dependencies: []bomDependency{{Ref: program.Ref}},
	}
	for _, m := range p.modules() {
		c := component("library", m)
		b.Components = append(b.Components, c)
		b.Dependencies[0].DependsOn = append(b.Dependencies[0].DependsOn, c.Ref)
	}
	return b
}

func component(kind string, m module) bomComponent {
	url := "pkg:golang/" + m.path + "@" + m.version
	c := bomComponent{Type: kind, Ref: url, Name: m.path, Version: m.version, URL: url}
	for _, id := range m.spdx {
		var licence bomLicence
		licence.Licence.ID = id
		c.Licences = append(c.Licences, licence)
	}
	return c
}
