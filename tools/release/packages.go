package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"time"
)

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

func (r *release) packagesFor(p platform) error {
	dir, err := os.MkdirTemp("", "memctl-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, f := range append(r.files(p), file{"man/memctl.1.gz", 0o644, r.pagePacked()}) {
		path := filepath.Join(dir, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.data, f.mode); err != nil {
			return err
		}
	}
	config := filepath.Join(dir, "nfpm.yaml")
	data, err := fill("nfpm.yaml", struct {
		*release
		Arch, Dir, Date string
	}{r, p.Arch, dir, r.date.Format(time.RFC3339)})
	if err != nil {
		return err
	}
	if err := os.WriteFile(config, data, 0o600); err != nil {
		return err
	}
	for _, kind := range []string{"deb", "rpm"} {
		target := filepath.Join(r.out, r.folder(p)+"."+kind)
		if _, err := r.output("go", "run", r.nfpm, "package", "--config", config, "--packager", kind, "--target",
			target); err != nil {
			return err
		}
	}
	return nil
}

// pagePacked is the manual page as packages of Linux have it.
func (r *release) pagePacked() []byte {
	var out bytes.Buffer
	compressed, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is valid
	compressed.Write(r.sharedFile("man/memctl.1").data)              // to memory
	compressed.Close()
	return out.Bytes()
}
