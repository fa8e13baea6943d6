package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// file is a file of an archive or a package.
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

// folder is the name of a platform's archive without its ending, and of the folder in it.
func (r *release) folder(p platform) string {
	return "memctl_" + r.Version + "_" + p.OS + "_" + p.Arch
}

// archive is the name of a platform's archive.
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
	var out bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	archive := tar.NewWriter(compressed)
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
	if err := archive.Close(); err != nil {
		return nil, err
	}
	if err := compressed.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// zipped is tarball for a zip archive.
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
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func sorted(files []file) []file {
	return slices.SortedFunc(slices.Values(files), func(a, b file) int { return strings.Compare(a.name, b.name) })
}
