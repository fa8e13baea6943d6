package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"testing"
	"time"
)

// Every descriptor of an image names a blob by its digest and size, and the config names the layer as it is unpacked.
func TestImageNamesItsBlobs(t *testing.T) {
	r := &release{date: time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC), Version: "1.2.3"}
	var layout imageLayout
	blob := func(d descriptor) []byte {
		for _, f := range layout.files {
			if f.name == "blobs/sha256/"+d.Digest[len("sha256:"):] && len(f.data) == d.Size && "sha256:"+sum(f.data) == d.Digest {
				return f.data
			}
		}
		t.Fatalf("no blob for %+v", d)
		return nil
	}
	for _, arch := range []string{"amd64", "arm64"} {
		top, err := r.addImage(&layout, platform{OS: "linux", Arch: arch}, []file{{"memctl-hub", 0o755, []byte(arch)}})
		if err != nil || top.Platform.Architecture != arch || top.Platform.OS != "linux" {
			t.Fatalf("%+v, %v", top, err)
		}
		var manifest imageManifest
		if err := json.Unmarshal(blob(top), &manifest); err != nil || len(manifest.Layers) != 1 {
			t.Fatalf("%+v, %v", manifest, err)
		}
		var config imageConfig
		if err := json.Unmarshal(blob(manifest.Config), &config); err != nil || config.Architecture != arch {
			t.Fatalf("%+v, %v", config, err)
		}
		packed, err := gzip.NewReader(bytes.NewReader(blob(manifest.Layers[0])))
		if err != nil {
			t.Fatal(err)
		}
		layer, err := io.ReadAll(packed)
		if err != nil || config.RootFS.DiffIDs[0] != "sha256:"+sum(layer) || !bytes.Contains(layer, []byte(arch)) {
			t.Errorf("%s: the layer is not that of %v, %v", arch, config.RootFS, err)
		}
	}
}
