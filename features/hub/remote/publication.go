package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"memctl/files"
	"memctl/files/git"
	"memctl/privacy"
	"memctl/schemas"
)

// Committed is the set of memories that a commit has, ready for a hub. It has no name and
// no sequence yet.
type Committed struct {
	Publication
	Withheld privacy.Report // what the filter removed
}

// Summary says what a commit publishes.
type Summary struct {
	Commit   string         `json:"commit"`
	Sequence int64          `json:"sequence"`
	Memories int            `json:"memories"`
	Withheld privacy.Report `json:"withheld"`
}

// Summary returns what p publishes.
func (p Committed) Summary() Summary {
	return Summary{p.Commit, p.Sequence, len(p.Memories), p.Withheld}
}

// InvalidError refuses a commit with files that are no valid memories.
type InvalidError struct {
	Commit string
	Files  []InvalidFile
}

// InvalidFile is a file with the first thing that is wrong with it.
type InvalidFile struct {
	Path string `json:"path"`
	schemas.Violation
}

func (e *InvalidError) Error() string {
	if len(e.Files) == 1 {
		return fmt.Sprintf("a file in commit %.10s is not a valid memory", e.Commit)
	}
	return fmt.Sprintf("%d files in commit %.10s are not valid memories", len(e.Files), e.Commit)
}

// Hint says what to do about it.
func (e *InvalidError) Hint() string {
	return `"memctl validate" names all that is wrong: fix the files and commit them`
}

// ErrOwn refuses the user's own root, which may be in a repository, too.
var ErrOwn = errors.New("these are your own memories, which are never published")

// ReadPublication reads the memories of a root as a commit has them: what a hub says of a
// commit is then true, whatever else lies in the working tree. The filter removes private
// text and secrets. The error is an *InvalidError if a file is no valid memory.
func ReadPublication(ctx context.Context, root files.Root, filter *privacy.Filter, revision string) (p Committed,
	err error) {
	if err := checkNotOwn(root); err != nil {
		return p, err
	}
	if p.Commit, err = git.CommitOf(ctx, root.Path, revision); err != nil {
		return p, err
	}
	files, err := committedFiles(ctx, root, p.Commit)
	if err != nil {
		return p, err
	}
	contents, err := git.ReadFiles(ctx, root.Path, files, schemas.MaxFileBytes)
	if err != nil {
		return p, err
	}
	history, err := git.HistoryAt(ctx, root, p.Commit)
	if err != nil {
		return p, err
	}
	invalid := &InvalidError{Commit: p.Commit}
	for _, f := range files {
		if ctx.Err() != nil {
			return p, ctx.Err()
		}
		list := violations(f, contents)
		if history != nil {
			list = schemas.Merged(list)
		}
		if len(list) == 0 {
			var memory json.RawMessage
			memory, list, err = p.filtered(filter, history, f.Path, contents[f.Blob])
			if err != nil {
				return p, fmt.Errorf("%s: %w", f.Path, err)
			}
			p.Memories = append(p.Memories, File{Path: f.Path, Memory: memory})
		}
		if len(list) > 0 {
			invalid.Files = append(invalid.Files, InvalidFile{f.Path, list[0]})
		}
	}
	if len(invalid.Files) > 0 {
		return p, invalid
	}
	return p, nil
}

// checkFile returns every violation of a memory with a path below a root.
func checkFile(at string, data []byte) []schemas.Violation {
	category, _ := schemas.CategoryOfPath(at) // committed files are in one
	return schemas.ValidateAs(path.Base(at), category, data)
}

// checkNotOwn returns ErrOwn for the user's root, and an error if it is not clear which one
// that is.
func checkNotOwn(root files.Root) error {
	user, found, err := files.UserRoot()
	_, homeless := os.UserHomeDir() // as in some containers of CI
	switch {
	case found && user.Is(root), files.IsHome(root.Project):
		return ErrOwn
	case err != nil && homeless == nil:
		return fmt.Errorf("your own memories are never published, and it is not clear where they are: %w", err)
	}
	return nil
}

// filtered returns a memory with its times and without private text and secrets, as one line.
func (p *Committed) filtered(filter *privacy.Filter, history schemas.History, path string, data []byte) (
	json.RawMessage, []schemas.Violation, error) {
	doc, err := schemas.DecodeExact(data)
	if err != nil {
		return nil, nil, err
	}
	changed := history.Date(doc, path, data, time.Time{})
	if history != nil && len(doc.Tags) > schemas.MaxTags {
		doc.Tags, changed = doc.Tags[:schemas.MaxTags], true
	}
	removed := privacy.Sum(doc.RedactValid(filter))
	var list []schemas.Violation
	if changed || removed.Found() {
		p.Withheld.Add(removed)
		if data, err = doc.Encode(); err != nil {
			return nil, nil, err
		}
		list = checkFile(path, data)
	}
	var line bytes.Buffer
	err = json.Compact(&line, data)
	return line.Bytes(), list, err
}

// violations returns what is wrong with a file of a commit.
func violations(f git.File, contents map[string][]byte) []schemas.Violation {
	expected := schemas.Violation{Rule: "file", Expected: "a readable memory file"}
	switch {
	case !f.IsRegular():
		expected.Got = "a link, which is not followed"
	case !utf8.ValidString(f.Path):
		expected.Got = "a name that is not UTF-8"
	case f.Size > schemas.MaxFileBytes:
		expected.Got = fmt.Sprintf("%.1f MiB, the limit is %d MiB", float64(f.Size)/(1<<20), schemas.MaxFileBytes>>20)
	default:
		return checkFile(f.Path, contents[f.Blob])
	}
	return []schemas.Violation{expected}
}

// committedFiles lists the memory files of a commit by path.
func committedFiles(ctx context.Context, root files.Root, commit string) (files []git.File, err error) {
	total := 0
	err = git.Files(ctx, root.Path, commit, schemas.Folders(), func(f git.File) error {
		if _, isMemory := schemas.CategoryOfPath(f.Path); !isMemory {
			return nil
		}
		files = append(files, f)
		total += min(f.Size, schemas.MaxFileBytes)
		if len(files) > MaxMemories || total > MaxPublication {
			return fmt.Errorf("a repository publishes at most %d memories of %d MiB together", MaxMemories,
				MaxPublication>>20)
		}
		return nil
	})
	slices.SortFunc(files, func(a, b git.File) int { return strings.Compare(a.Path, b.Path) })
	return files, err
}

// RepositoryName returns the name of the repository that a root is in, by its git remote
// "origin".
func RepositoryName(ctx context.Context, root files.Root) (string, error) {
	out, err := git.Run(ctx, root.Path, "remote", "get-url", "origin")
	if failed := new(git.Error); errors.As(err, &failed) {
		return "", ErrUnnamed
	}
	if err != nil {
		return "", err
	}
	return RepositoryOf(string(out))
}

// CheckRepository returns an error unless a name is that of a repository: a host in lower
// case and a path, such as github.com/acme/payments.
func CheckRepository(name string) error {
	host, path, found := strings.Cut(name, "/")
	switch {
	case len(name) > MaxRepository:
		return fmt.Errorf("the name of a repository has at most %d bytes, got %d", MaxRepository, len(name))
	case !found || !isHost(host):
		return fmt.Errorf("expected the name of a repository such as github.com/acme/payments, got %q", name)
	}
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "" || strings.Trim(segment, ".") == "" || strings.Trim(segment, upper+lower+"._-") != "" {
			return fmt.Errorf("expected the name of a repository such as github.com/acme/payments, got %q", name)
		}
	}
	return nil
}

// isHost accepts the lower-case name of a host, which a port may follow.
func isHost(host string) bool {
	name, port, hasPort := strings.Cut(host, ":")
	return name != "" && name[0] != '.' && name[0] != '-' && strings.Trim(name, lower+".-") == "" &&
		(!hasPort || port != "" && strings.Trim(port, "0123456789") == "")
}

// The letters and digits of names.
const (
	upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	lower = "abcdefghijklmnopqrstuvwxyz0123456789"
)

// defaultPorts are those that a name leaves out.
var defaultPorts = map[string]string{"https": "443", "http": "80", "ssh": "22", "git": "9418"}

// ErrUnnamed means that the address of a remote is no name for a repository.
var ErrUnnamed = errors.New("the address of the git remote gives the repository no name")

// RepositoryOf returns the name of the repository at the address of a git remote: its host
// and path, without user, password and ".git". The error does not quote the address,
// which may have a password.
func RepositoryOf(address string) (string, error) {
	host, path, ok := splitAddress(strings.TrimSpace(address))
	name := strings.ToLower(host) + "/" + strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	if !ok || CheckRepository(name) != nil {
		return "", ErrUnnamed
	}
	return name, nil
}

// splitAddress takes a URL, and ssh's [USER@]HOST:PATH.
func splitAddress(address string) (host, path string, ok bool) {
	if !strings.Contains(address, "://") {
		host, path, ok = strings.Cut(address, ":")
		host = host[strings.LastIndex(host, "@")+1:]
		// A host of one letter is a drive of Windows.
		return host, path, ok && len(host) > 1 && !strings.Contains(host, "/")
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "file" {
		return "", "", false
	}
	host = u.Hostname()
	if port := u.Port(); port != "" && port != defaultPorts[u.Scheme] {
		host += ":" + port
	}
	return host, u.Path, true
}

// IsID reports whether a name has the form of Row.ID. No id of a local memory has.
func IsID(name string) bool {
	repository, path, found := strings.Cut(name, ":")
	if port, rest, more := strings.Cut(path, ":"); more { // of a host with a port
		repository, path = repository+":"+port, rest
	}
	return found && CheckRepository(repository) == nil && strings.Count(path, "/") == 1
}
