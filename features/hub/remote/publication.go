package remote

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
	"memctl/text"
)

// Committed is the set of memories that a commit has, ready for a hub. It has no name and
// no sequence yet.
type Committed struct {
	Publication
	Withheld privacy.Report // what the filter removed from the memories that were read

	root    files.Root
	filter  *privacy.Filter
	reads   string // stands for how memories are read: the same file and the same text give the same memory
	files   map[string]git.File
	history schemas.History
}

// Summary says what a commit publishes.
type Summary struct {
	Commit   string         `json:"commit"`
	Sequence int64          `json:"sequence"`
	Memories int            `json:"memories"`
	Withheld privacy.Report `json:"withheld"`
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

// OpenCommit returns a commit of a root, of which it reads the ids of the folders: List and Read do the rest. What a
// hub says of a commit is then true, whatever else lies in the working tree.
func OpenCommit(
	ctx context.Context, root files.Root, cfg schemas.Config, version, revision string,
) (p *Committed, err error) {
	p = &Committed{root: root, filter: cfg.Privacy.Filter()}
	if err := checkNotOwn(root); err != nil {
		return p, err
	}
	settings, err := json.Marshal(cfg.Privacy)
	if err != nil {
		return p, err
	}
	p.reads = fmt.Sprintf("%s %s %t", version, settings, cfg.Git.History)
	if p.Commit, err = git.CommitOf(ctx, root.Path, revision); err != nil {
		return p, err
	}
	folders, err := git.Folders(ctx, root.Path, p.Commit, schemas.Folders())
	p.Tree = digest(p.reads, folders)
	return p, err
}

// ReadPublication reads all memories of a commit. The error is an *InvalidError if a file is no valid memory.
func ReadPublication(ctx context.Context, root files.Root, cfg schemas.Config, revision string) (*Committed, error) {
	p, err := OpenCommit(ctx, root, cfg, "", revision)
	if err == nil {
		err = p.ReadAll(ctx)
	}
	return p, err
}

// ReadAll gives p all of its memories.
func (p *Committed) ReadAll(ctx context.Context) (err error) {
	if err = p.List(ctx); err == nil {
		p.Memories, err = p.Read(ctx, slices.Collect(maps.Keys(p.files)))
	}
	return err
}

// List gives p the digests of its memories, by the ids of their blobs. It reads none, unless one is invalid as git
// lists it: then the error names all that are.
func (p *Committed) List(ctx context.Context) (err error) {
	if p.files, err = committedFiles(ctx, p.root, p.Commit); err != nil {
		return err
	}
	if p.history, err = git.HistoryAt(ctx, p.root, p.Commit); p.history != nil {
		p.Tree = "" // which does not have the times of the memories
	}
	for _, path := range slices.Sorted(maps.Keys(p.files)) {
		f := p.files[path]
		if len(unreadable(f)) > 0 {
			_, err := p.Read(ctx, slices.Collect(maps.Keys(p.files)))
			return err
		}
		p.Memories = append(p.Memories, File{Path: path, Digest: p.digest(f)})
	}
	return err
}

// Read returns the memories at paths as they are published, without retired ones. If one is invalid, the error names
// all that are.
func (p *Committed) Read(ctx context.Context, paths []string) (list []File, err error) {
	invalid := &InvalidError{Commit: p.Commit}
	check := func(path string, found []schemas.Violation) {
		if len(found) > 0 {
			invalid.Files = append(invalid.Files, InvalidFile{path, found[0]})
		}
	}
	var regular []git.File
	for _, path := range paths {
		f, found := p.files[path]
		if !found {
			return nil, fmt.Errorf("the hub asks for %s, which the commit does not have", text.Brief(path))
		}
		if found := unreadable(f); len(found) > 0 {
			check(path, found)
		} else {
			regular = append(regular, f)
		}
	}
	err = git.ReadFiles(ctx, p.root.Path, regular, func(f git.File, data []byte) error {
		found := checkFile(f.Path, data)
		if p.history != nil {
			found = schemas.Merged(found)
		}
		if len(found) == 0 {
			var file File
			if file, found, err = p.filtered(f, data); err != nil {
				return fmt.Errorf("%s: %w", f.Path, err)
			}
			if file.Memory != nil {
				list = append(list, file)
			}
		}
		check(f.Path, found)
		return nil
	})
	slices.SortFunc(invalid.Files, func(a, b InvalidFile) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(list, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	if err == nil && len(invalid.Files) > 0 {
		err = invalid
	}
	return list, err
}

// digest stands for a memory as it is read from a file.
func (p *Committed) digest(f git.File) string {
	r := p.history[f.Path]
	return digest(p.reads, fmt.Sprintf("%s %s %d", f.Blob, r.Changed.UTC(), r.Times))
}

// digest returns 32 hexadecimal digits that stand for texts.
func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:16])
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

// filtered returns a memory with its times and without private text and secrets, as one line; without a memory if it
// is retired. The digest of a file with a secret is that of what is sent: the secret could be guessed by another one.
func (p *Committed) filtered(f git.File, data []byte) (file File, found []schemas.Violation, err error) {
	file = File{Path: f.Path, Digest: p.digest(f)}
	doc, err := schemas.DecodeExact(data)
	if err != nil || doc.RecordStatus == schemas.Retired {
		return file, nil, err
	}
	changed := p.history.Date(doc, f.Path, data, time.Time{})
	if p.history != nil && len(doc.Tags) > schemas.MaxTags {
		doc.Tags, changed = doc.Tags[:schemas.MaxTags], true
	}
	removed := privacy.Sum(doc.RedactValid(p.filter))
	if changed || removed.Found() {
		p.Withheld.Add(removed)
		if data, err = doc.Encode(); err != nil {
			return file, nil, err
		}
		found = checkFile(f.Path, data)
	}
	var line bytes.Buffer
	err = json.Compact(&line, data)
	file.Memory = line.Bytes()
	if removed.Found() {
		file.Digest = digest(p.reads, line.String())
	}
	return file, found, err
}

// unreadable returns what is wrong with a file of a commit before it is read.
func unreadable(f git.File) []schemas.Violation {
	expected := schemas.Violation{Rule: "file", Expected: "a readable memory file"}
	switch {
	case !f.IsRegular():
		expected.Got = "a link, which is not followed"
	case !utf8.ValidString(f.Path):
		expected.Got = "a name that is not UTF-8"
	case f.Size > schemas.MaxFileBytes:
		expected.Got = fmt.Sprintf("%.1f MiB, the limit is %d MiB", float64(f.Size)/(1<<20), schemas.MaxFileBytes>>20)
	default:
		return nil
	}
	return []schemas.Violation{expected}
}

// committedFiles returns the memory files of a commit by path.
func committedFiles(ctx context.Context, root files.Root, commit string) (map[string]git.File, error) {
	found, total := map[string]git.File{}, 0
	err := git.Files(ctx, root.Path, commit, schemas.Folders(), func(f git.File) error {
		if _, isMemory := schemas.CategoryOfPath(f.Path); !isMemory {
			return nil
		}
		found[f.Path] = f
		total += min(f.Size, schemas.MaxFileBytes)
		if len(found) > MaxMemories || total > MaxPublication {
			return fmt.Errorf("a repository publishes at most %d memories of %d MiB together", MaxMemories,
				MaxPublication>>20)
		}
		return nil
	})
	return found, err
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
