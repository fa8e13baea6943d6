package main

import (
	"bytes"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// hubProgram is the program of the image.
const hubProgram = "memctl-hub"

// The types of https://github.com/opencontainers/image-spec, as far as the image needs them.
const (
	indexType    = "application/vnd.oci.image.index.v1+json"
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
	layerType    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *imagePlatform    `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type imagePlatform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

type imageIndex struct {
	SchemaVersion int               `json:"schemaVersion"`
	MediaType     string            `json:"mediaType"`
	Manifests     []descriptor      `json:"manifests"`
	Annotations   map[string]string `json:"annotations,omitempty"`
}

type imageManifest struct {
	SchemaVersion int          `json:"schemaVersion"`
	MediaType     string       `json:"mediaType"`
	Config        descriptor   `json:"config"`
	Layers        []descriptor `json:"layers"`
}

type imageConfig struct {
	imagePlatform
	Created time.Time    `json:"created"`
	Config  imageProcess `json:"config"`
	RootFS  struct {
		Type    string   `json:"type"`
		DiffIDs []string `json:"diff_ids"`
	} `json:"rootfs"`
}

type imageProcess struct {
	User         string
	ExposedPorts map[string]struct{}
	Entrypoint   []string
	Cmd          []string
	Labels       map[string]string
}

// imageLayout is the archive under construction.
type imageLayout struct {
	files []file
}

// add adds a blob.
func (l *imageLayout) add(mediaType string, data []byte) descriptor {
	l.files = append(l.files, file{"blobs/sha256/" + sum(data), 0o644, data})
	return descriptor{MediaType: mediaType, Digest: "sha256:" + sum(data), Size: len(data)}
}

func (l *imageLayout) addJSON(mediaType string, value any) (descriptor, error) {
	data, err := json.Marshal(value)
	return l.add(mediaType, data), err
}

// image packs memctl-hub for each Linux as one image, as hub/deploy/Dockerfile builds it.
func (r *release) image() error {
	roots, certificates, err := r.rootCertificates()
	if err != nil {
		return err
	}
	var layout imageLayout
	list := imageIndex{SchemaVersion: 2, MediaType: indexType, Annotations: r.imageLabels()}
	for _, p := range r.platforms {
		n := slices.IndexFunc(p.programs, func(each program) bool { return each.name == hubProgram })
		if p.OS != "linux" || n < 0 {
			continue
		}
		hub := p.programs[n]
		manifest, err := r.addImage(&layout, p, []file{
			{hubProgram, 0o755, hub.binary},
			{"etc/ssl/certs/ca-certificates.crt", 0o644, certificates},
			{"THIRD_PARTY_LICENSES.txt", 0o644, licenceTexts(append(slices.Clone(hub.modules), roots))},
			r.sharedFile("LICENSE"),
		})
		if err != nil {
			return err
		}
		list.Manifests = append(list.Manifests, manifest)
	}
	if list.Manifests == nil {
		return nil
	}
	top, err := layout.addJSON(indexType, list)
	if err != nil {
		return err
	}
	top.Annotations = map[string]string{"org.opencontainers.image.ref.name": r.Version}
	index, err := json.Marshal(imageIndex{SchemaVersion: 2, MediaType: indexType, Manifests: []descriptor{top}})
	if err != nil {
		return err
	}
	layout.files = append(layout.files, file{"index.json", 0o644, index},
		file{"oci-layout", 0o644, []byte(`{"imageLayoutVersion":"1.0.0"}`)})
	data, err := tarred("", layout.files, r.date)
	if err != nil {
		return err
	}
	return r.write(hubProgram+"_"+r.Version+"_image.tar", data)
}

// addImage adds the image of one platform.
func (r *release) addImage(layout *imageLayout, p platform, files []file) (descriptor, error) {
	layer, err := tarred("", files, r.date)
	if err != nil {
		return descriptor{}, err
	}
	config := imageConfig{imagePlatform: imagePlatform{p.Arch, p.OS}, Created: r.date, Config: imageProcess{
		User: "65532:65532", ExposedPorts: map[string]struct{}{"8787/tcp": {}},
		Entrypoint: []string{"/" + hubProgram}, Cmd: []string{"serve", "--listen", ":8787"},
		Labels: r.imageLabels(),
	}}
	config.RootFS.Type, config.RootFS.DiffIDs = "layers", []string{"sha256:" + sum(layer)}
	configured, err := layout.addJSON(configType, config)
	if err != nil {
		return configured, err
	}
	manifest, err := layout.addJSON(manifestType, imageManifest{SchemaVersion: 2, MediaType: manifestType,
		Config: configured, Layers: []descriptor{layout.add(layerType, gzipped(layer))}})
	manifest.Platform = &config.imagePlatform
	return manifest, err
}

func (r *release) imageLabels() map[string]string {
	const name = "org.opencontainers.image."
	return map[string]string{name + "title": hubProgram, name + "version": r.Version, name + "licenses": "MIT",
		name + "source": r.Homepage, name + "description": "The hub of memctl: the memories of many repositories"}
}

// rootCertificates are those of the authorities that Mozilla trusts, from a module of the Go project. Those of the
// machine that makes the release may differ.
func (r *release) rootCertificates() (m module, certificates []byte, err error) {
	out, err := r.output("go", "mod", "download", "-C", os.TempDir(), "-json", r.roots) // of no module of ours
	if err != nil {
		return m, nil, err
	}
	var found struct{ Path, Version, Dir string }
	if err := json.Unmarshal(out, &found); err != nil {
		return m, nil, err
	}
	der, err := os.ReadFile(filepath.Join(found.Dir, "bundle", "bundle.der"))
	if err != nil {
		return m, nil, err
	}
	list, err := x509.ParseCertificates(der)
	if err != nil {
		return m, nil, err
	}
	var text bytes.Buffer
	for _, each := range list {
		if err := pem.Encode(&text, &pem.Block{Type: "CERTIFICATE", Bytes: each.Raw}); err != nil {
			return m, nil, err
		}
	}
	m, err = readModule(found.Path, found.Version, found.Dir)
	return m, text.Bytes(), err
}
