package sync

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"memctl/files"
	"memctl/files/git"
	"memctl/files/trust"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
	"memctl/writer"
)

const (
	branch = "refs/heads/main"
	remote = "refs/remotes/origin/main"
	// pending is a merged commit whose files are being written into the root: the branch moves there when all are.
	pending = "refs/memctl/pending"

	treeTimeout = time.Minute
	// maxFiles, maxFile and maxBytes bound the files that go along: their number, the bytes of each and of all.
	maxFiles, maxFile, maxBytes = 50_000, 16 << 20, 256 << 20
)

// repository is the user's own root and its repository. The root's write lock guards the files, and a lock of its own
// keeps two syncs apart.
type repository struct {
	root    files.Root
	w       *writer.Writer
	data    map[string][]byte // of blobs, by id
	notices []string
	odd     []string // paths of files whose names are not ids
	broken  []string // paths of memories that cannot be read, and that a commit has
}

// tree has the ids of blobs by their paths: those of a commit, or of the root.
type tree map[string]string

// goesAlong reports whether a file goes to the other machines.
func goesAlong(at string) bool {
	if name, ok := strings.CutPrefix(at, store.MachinesFolder+"/"); ok {
		id := strings.TrimSuffix(name, ".json")
		return id != "" && name == text.Slug(id)+".json"
	}
	return isMemory(at) || at == ignoreName || at == files.AttributesName || at == files.SourcesName
}

// isMemory reports whether a path is that of a memory whose name every system takes.
func isMemory(at string) bool {
	_, ok := schemas.CategoryOfPath(at)
	id := strings.TrimSuffix(path.Base(at), ".json")
	return ok && id != "" && id == text.Slug(id)
}

func (r *repository) git(ctx context.Context, args ...string) (string, error) {
	out, err := git.Run(ctx, r.root.Path, args...)
	if r.w.Step != nil {
		r.w.Step()
	}
	return strings.TrimSpace(string(out)), err
}

// commits returns the ids of commits, "" for one that there is not.
func (r *repository) commits(ctx context.Context, revisions ...string) (ids []string, err error) {
	for _, revision := range revisions {
		id, notFound := r.optional(ctx, "rev-parse", "--verify", "--quiet", revision+"^{commit}")
		ids, err = append(ids, id), cmp.Or(err, notFound)
	}
	return ids, err
}

// optional is git for a command that exits with 1 if it finds nothing.
func (r *repository) optional(ctx context.Context, args ...string) (string, error) {
	out, err := r.git(ctx, args...)
	if failed := new(git.Error); errors.As(err, &failed) && failed.Status == 1 {
		return "", nil
	}
	return out, err
}

// trees returns the trees of commits, an empty one for "".
func (r *repository) trees(ctx context.Context, commits ...string) (list []tree, err error) {
	for _, commit := range commits {
		t := tree{}
		if commit != "" && err == nil {
			err = git.Entries(ctx, r.root.Path, treeTimeout, func(words []string, at string) error {
				t[at] = words[2]
				return nil
			}, "ls-tree", "-r", "--full-tree", commit)
		}
		list = append(list, t)
	}
	return list, err
}

// check returns an error unless a commit of another machine has only files that a sync sends.
func (r *repository) check(ctx context.Context, commit string) error {
	n, total := 0, int64(0)
	return git.Entries(ctx, r.root.Path, treeTimeout, func(words []string, at string) error {
		size, _ := strconv.ParseInt(words[3], 10, 64) // 0 for a repository in the tree
		n, total = n+1, total+size
		problem := tooMuch(n, total)
		switch {
		case words[0] != "100644" && words[0] != "100755": // committed by hand
			problem = "is a link"
		case !goesAlong(at):
			problem = "is not a memory"
		case size > limitOf(at):
			problem = "is too large"
		case problem == "":
			return nil
		}
		return text.WithHint(fmt.Errorf("the remote's %s %s: nothing was taken over", text.Brief(at), problem),
			"use a repository for your memories alone, or remove the file there")
	}, "ls-tree", "-r", "-l", "--full-tree", commit)
}

// limitOf is how large a file may be.
func limitOf(at string) int64 {
	if at == files.SourcesName {
		return maxFile
	}
	return schemas.MaxFileBytes
}

// tooMuch says why a number of files with a number of bytes is too much, "" if it is not.
func tooMuch(n int, bytes int64) string {
	if n > maxFiles || bytes > maxBytes {
		return fmt.Sprintf("is one file too many: at most %d files with %d MB go along", maxFiles, maxBytes>>20)
	}
	return ""
}

// read returns the files of the root that go along. The caller holds the write lock.
func (r *repository) read() (tree, error) {
	paths, err := r.root.MemoryPaths()
	if err != nil {
		return nil, err
	}
	r.odd = nil
	for _, at := range paths {
		if !isMemory(at) {
			r.odd = append(r.odd, at)
			r.notice("%s was not sent: its file name is not a valid id", at)
		}
	}
	t, total := tree{}, int64(0)
	machines, err := store.MachinePaths(r.root)
	if err != nil {
		return nil, err
	}
	for _, at := range slices.Concat(paths, machines, []string{".gitignore", files.AttributesName, files.SourcesName}) {
		if !goesAlong(at) {
			continue
		}
		data, err := r.readFile(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, fmt.Errorf("%s: %w", at, err)
		}
		t[at], total = r.keep(data), total+int64(len(data))
		if problem := tooMuch(len(t), total); problem != "" {
			return nil, fmt.Errorf("%s %s", at, problem)
		}
	}
	return t, nil
}

func (r *repository) readFile(at string) ([]byte, error) {
	folder, err := r.root.OpenFolder(path.Dir(at))
	if err != nil || folder == nil {
		return nil, cmp.Or(err, fs.ErrNotExist)
	}
	defer folder.Close()
	data, _, err := folder.ReadUpTo(path.Base(at), limitOf(at))
	return data, err
}

// keep returns the id of a blob and remembers its data.
func (r *repository) keep(data []byte) string {
	id := fmt.Sprintf("%x", sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", len(data)), data...)))
	r.data[id] = append([]byte{}, data...) // not nil
	return id
}

// load reads blobs that are not remembered.
func (r *repository) load(ctx context.Context, ids ...string) error {
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" || r.data[id] != nil })
	slices.Sort(ids)
	return git.Blobs(ctx, r.root.Path, slices.Compact(ids), maxFile, func(id string, data []byte) error {
		r.data[id] = bytes.Clone(data)
		return nil
	})
}

// changes returns the paths whose files two trees do not share.
func changes(from, to tree) (paths []string) {
	all := maps.Clone(from)
	maps.Copy(all, to)
	for _, at := range slices.Sorted(maps.Keys(all)) {
		if from[at] != to[at] {
			paths = append(paths, at)
		}
	}
	return paths
}

// commit moves a reference to a new commit with a tree, on top of its parents, and returns its id.
func (r *repository) commit(ctx context.Context, ref string, wanted tree, message string, parents ...string) (string,
	error) {
	var stream bytes.Buffer
	fmt.Fprintf(&stream, "commit %s\ncommitter %s %d +0000\ndata %d\n%s\n", ref, r.person(ctx), r.w.Now().Unix(),
		len(message), message)
	trees, err := r.trees(ctx, parents...)
	if err != nil {
		return "", err
	}
	known, command := map[string]bool{}, "from"
	for i, parent := range parents {
		for id := range maps.Values(trees[i]) {
			known[id] = true
		}
		if parent != "" {
			fmt.Fprintf(&stream, "%s %s\n", command, parent)
			command = "merge"
		}
	}
	stream.WriteString("deleteall\n")
	for _, at := range slices.Sorted(maps.Keys(wanted)) {
		id := wanted[at]
		if data, isHere := r.data[id]; isHere && !known[id] {
			fmt.Fprintf(&stream, "M 100644 inline %s\ndata %d\n%s\n", at, len(data), data)
		} else {
			fmt.Fprintf(&stream, "M 100644 %s %s\n", id, at)
		}
	}
	stream.WriteString("done\n")
	if _, err := git.RunWith(ctx, r.root.Path, &stream, "fast-import", "--quiet", "--done", "--force"); err != nil {
		return "", err
	}
	id, err := r.git(ctx, "rev-parse", ref)
	if err == nil && ref == branch {
		r.refresh(ctx)
	}
	return id, err
}

// refresh brings git's index up to date, for people who look with git. If it is locked, git status shows changes that
// there are not.
func (r *repository) refresh(ctx context.Context) { _, _ = r.git(ctx, "read-tree", branch) }

// person is who commits: as git is set up, else memctl on this machine.
func (r *repository) person(ctx context.Context) string {
	name, _ := r.git(ctx, "config", "user.name") // an error: there is none
	email, _ := r.git(ctx, "config", "user.email")
	host, _ := os.Hostname()
	if _, report := r.w.Filter().Lines(name + "\n" + email); report.Found() {
		name, email = "", ""
	}
	plain := strings.NewReplacer("<", "", ">", "", "\n", "", "\x00", "")
	return plain.Replace(cmp.Or(name, "memctl")) + " <" + plain.Replace(cmp.Or(email, "memctl@"+host)) + ">"
}

// apply writes the differences between the root's files and a merged tree. The caller holds the write lock.
func (r *repository) apply(before tree, m merged) error {
	contents, seen := map[string][]byte{}, []string{}
	for _, at := range changes(before, m.tree) {
		data, isHere := r.data[m.tree[at]]
		if m.tree[at] != "" && !isHere {
			return fmt.Errorf("git does not have %s", at)
		}
		if contents[at] = data; isHere {
			seen = append(seen, trust.Content(data))
		}
	}
	for _, from := range m.renamed {
		if m.tree[from] == "" {
			contents[recordOf(from)] = nil // recordAll has moved it
		}
	}
	for at := range contents { // an editor asks no lock
		data, err := r.readFile(at)
		now := ""
		if err == nil {
			now = r.keep(data)
		}
		if goesAlong(at) && now != before[at] {
			return text.WithHint(fmt.Errorf("%s was changed meanwhile", text.Brief(at)), "run it again")
		}
	}
	_ = trust.Add(seen...) // what comes from one's own machine
	return r.write(contents)
}

// recordAll records the conflicts of a merge. Those of a memory that the other side renamed are copied.
func (r *repository) recordAll(m merged) error {
	records, contents := maps.Clone(m.conflicts), map[string][]byte{}
	for to, from := range m.renamed {
		if open, err := r.conflictsOf(from); err == nil && m.tree[from] == "" {
			records[to] = append(records[to], open...)
		}
	}
	for at, conflicts := range records {
		data, err := r.record(at, conflicts)
		if err != nil {
			return fmt.Errorf("record the conflict of %s: %w", at, err)
		}
		contents[recordOf(at)] = data
	}
	return r.write(contents)
}

// write writes files of the root, and removes those without data. The caller holds the write lock.
func (r *repository) write(contents map[string][]byte) (err error) {
	folders := map[string]*files.Folder{}
	for _, at := range slices.Sorted(maps.Keys(contents)) {
		folder := folders[path.Dir(at)]
		if folder == nil {
			open := r.root.MakeFolder
			if path.Dir(at) == "." {
				open = r.root.OpenFolder
			}
			if folder, err = open(path.Dir(at)); err != nil {
				return err
			}
			defer folder.Close()
			folder.Step = r.w.Step
			folders[path.Dir(at)] = folder
		}
		name, data := path.Base(at), contents[at]
		_, statErr := folder.Stat(name)
		switch {
		case data == nil:
			err = folder.RemoveIfThere(name)
		case statErr != nil:
			err = folder.AddNew(name, data)
		default:
			err = folder.Replace(name, data)
		}
		if err != nil {
			return fmt.Errorf("write %s: %w", at, err)
		}
	}
	for _, folder := range folders {
		err = cmp.Or(err, folder.Flush())
	}
	return err
}
