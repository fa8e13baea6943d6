package store

import (
	"bufio"
	"bytes"
	"errors"
	"io/fs"
	"net/url"
	"path/filepath"
	"strings"

	"memctl/files"
	"memctl/files/gate"
	"memctl/text"
)

const (
	// maxGitFile bounds what is read of a file of git.
	maxGitFile = 256 << 10
	// maxRemote bounds the address of a remote, in code points.
	maxRemote = 300
)

// repository is the git repository that a root is in. It is empty for a root that is in
// none.
type repository struct {
	common string // the common directory of all worktrees
	place  string // the root's path in the worktree, with slashes
	remote string // the address of the remote, "" for none
}

// repositoryOf reads git's own files, because starting git takes longer than all the
// rest. A project may contain anything, so a worktree counts only if its repository knows
// it: else a project could pass for another one.
func repositoryOf(path string) repository {
	for top := path; ; top = filepath.Dir(top) {
		common, err := commonDirectory(filepath.Join(top, ".git"))
		if errors.Is(err, fs.ErrNotExist) && filepath.Dir(top) != top {
			continue
		}
		place, relErr := filepath.Rel(top, path)
		if err != nil || common == "" || relErr != nil {
			return repository{}
		}
		return repository{common, filepath.ToSlash(place), remoteOf(filepath.Join(common, "config"))}
	}
}

// commonDirectory returns the common directory of a worktree, given its entry ".git": the
// directory itself, or a file that names COMMON/worktrees/NAME. It returns "" for anything
// else.
func commonDirectory(entry string) (string, error) {
	info, err := gate.Lstat(entry)
	if err != nil || info.IsDir() {
		return entry, err
	}
	if !info.Mode().IsRegular() { // a link may lead to another worktree's
		return "", nil
	}
	line, err := gitLine(entry)
	if err != nil {
		return "", err
	}
	named, found := strings.CutPrefix(line, "gitdir: ")
	if !found {
		return "", nil
	}
	if !filepath.IsAbs(named) {
		named = filepath.Join(filepath.Dir(entry), named)
	}
	directory, err := filepath.EvalSymlinks(named)
	if err != nil || filepath.Base(filepath.Dir(directory)) != "worktrees" {
		return "", nil
	}
	back, err := gitLine(filepath.Join(directory, "gitdir"))
	if err != nil || !gate.SameFile(back, entry) && !gate.SameFile(filepath.Join(directory, back), entry) {
		return "", nil
	}
	return filepath.Dir(filepath.Dir(directory)), nil
}

// gitLine returns the only line of a file.
func gitLine(path string) (string, error) {
	data, err := gate.ReadRegular(path, maxGitFile)
	return strings.TrimSpace(string(data)), err
}

// remoteOf returns the first address in a repository's configuration, that of the remote
// "origin" if there is one.
func remoteOf(config string) string {
	data, err := gate.ReadRegular(config, maxGitFile)
	if err != nil {
		return ""
	}
	section, first := "", ""
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			section = line
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		if strings.TrimSpace(key) != "url" || !strings.HasPrefix(section, "[remote ") {
			continue
		}
		if section == `[remote "origin"]` {
			return withoutSecrets(value)
		}
		if first == "" {
			first = withoutSecrets(value)
		}
	}
	return first
}

// withoutSecrets removes user, password and parameters from a web address.
func withoutSecrets(address string) string {
	address = strings.Trim(strings.TrimSpace(address), `"`)
	if strings.Contains(address, "://") {
		u, err := url.Parse(address)
		if err != nil {
			return ""
		}
		u.User, u.RawQuery, u.Fragment = nil, "", ""
		address = u.String()
	}
	return text.OneLine(address, maxRemote)
}

// main returns the path of a root in the main worktree, "" if there is none.
func (r repository) main() string {
	if filepath.Base(r.common) != ".git" {
		return ""
	}
	return filepath.Join(filepath.Dir(r.common), filepath.FromSlash(r.place))
}

// ProjectOf returns a name for the project of a folder, the same for all worktrees of a repository,
// and for the folders in each: where git keeps it and where its memory root is in a worktree. Without
// a repository it is the folder of the memory root, and without that the folder itself. A folder that
// is gone belongs to what is left above it.
func ProjectOf(folder string) string {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	for {
		if info, err := gate.Stat(folder); err == nil && info.IsDir() || filepath.Dir(folder) == folder {
			break
		}
		folder = filepath.Dir(folder)
	}
	root, err := files.Find(files.Places{Cwd: folder})
	if err == nil {
		if r := repositoryOf(root.Path); r.common != "" {
			return r.common + "#" + r.place
		}
		return root.Project
	}
	if r := repositoryOf(folder); r.common != "" {
		return r.common + "#" + files.RootPath
	}
	return folder
}
