package versions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"memctl/files"
	"memctl/files/git"
	"memctl/schemas"
)

// maxCommits limits how far back a history goes, in commits that touch the memory.
const maxCommits = 10_000

// Revision is a commit that changed a memory, or the changes that are not committed.
type Revision struct {
	git.Commit
	Change      Action   `json:"change"`
	Path        string   `json:"path"` // below the root, after the change
	Blob        string   `json:"-"`    // of the version, "" if there is none
	RenamedFrom string   `json:"renamed_from,omitempty"`
	Fields      []string `json:"fields"` // that changed, dotted; for a merge: that differ from every parent
}

// Action is the kind of a commit's change to a memory.
type Action string

const (
	Added   Action = "added"
	Changed Action = "changed"
	Renamed Action = "renamed"
	Merged  Action = "merged" // it differs from every parent
	Deleted Action = "deleted"
)

// Origin says where a value that a memory has now comes from. Of a list, each item is a
// value.
type Origin struct {
	Field string          `json:"field"`
	Value json.RawMessage `json:"value"`
	git.Commit
}

// Revisions returns the revisions of a memory, given by its path below the root, the last
// first. A limit of 0 means all. It is empty if there never was such a memory.
func Revisions(ctx context.Context, root files.Root, path string, limit int) ([]Revision, error) {
	h, err := read(ctx, root, path)
	if err != nil {
		return nil, err
	}
	revisions := []Revision{}
	if h.now != nil && !maps.Equal(h.now, h.tip()) {
		r := Revision{Change: Changed, Path: path, Fields: changedFields(h.now, h.tip())}
		if h.tip() == nil {
			r.Change = Added
		}
		revisions = append(revisions, r)
	}
	for _, n := range h.nodes {
		if n.change != nil && (limit == 0 || len(revisions) < limit) {
			revisions = append(revisions, n.revision())
		}
	}
	return revisions, nil
}

// Blame returns the fields of a memory with the commits that gave them their values.
func Blame(ctx context.Context, root files.Root, path string) ([]Origin, error) {
	h, err := read(ctx, root, path)
	if err != nil {
		return nil, err
	}
	if h.now == nil {
		return nil, fs.ErrNotExist
	}
	if _, broken := h.now[brokenFile]; broken {
		return nil, fmt.Errorf("%s is not a memory", path)
	}
	origins := []Origin{}
	for _, key := range h.order {
		field, _, _ := strings.Cut(key, itemMark)
		o := Origin{Field: field, Value: json.RawMessage(h.now[key])}
		if len(h.nodes) > 0 && h.tip()[key] == h.now[key] {
			o.Commit = h.nodes[0].origin(key).Commit
		}
		origins = append(origins, o)
	}
	return origins, nil
}

// history is a memory's versions as a graph, the last commit first.
type history struct {
	nodes []*node
	now   version  // the file as it is, nil if there is none
	order []string // of its keys
}

// tip is the version of the last commit.
func (h *history) tip() version {
	if len(h.nodes) == 0 {
		return nil
	}
	return h.nodes[0].version
}

// version has the JSON of each value of a memory: of a field by its dotted name, of an
// item of a list by the name of the list, itemMark and its JSON. It is nil where there
// is no memory.
type version map[string]string

const itemMark = "\x00"

// node is a commit that touched the memory, or a file that once had its name.
type node struct {
	git.Commit
	parents []*node
	path    string          // of the memory, after the commit
	change  *git.FileChange // what the commit did to the memory, nil for nothing
	version version
}

func (n *node) revision() Revision {
	r := Revision{Commit: n.Commit, Path: n.path, Blob: n.change.Blob, Fields: []string{}, Change: Changed}
	switch {
	case n.change.Blob == "":
		r.Change = Deleted
		return r
	case len(n.change.From) > 1:
		r.Change = Merged
	case n.change.From[0] == "":
		r.Change = Added
	case n.change.From[0] != n.path:
		r.Change, r.RenamedFrom = Renamed, n.change.From[0]
	}
	var before []version
	for _, parent := range n.parents {
		before = append(before, parent.version)
	}
	r.Fields = changedFields(n.version, before...)
	return r
}

// changedFields returns the fields whose values differ from those in all versions
// before, and the fields that only those versions have.
func changedFields(now version, before ...version) []string {
	if len(before) == 0 {
		before = []version{nil}
	}
	all := maps.Clone(now)
	for _, v := range before {
		maps.Copy(all, v)
	}
	fields := []string{}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		field, _, _ := strings.Cut(key, itemMark)
		changed := !slices.ContainsFunc(before, func(v version) bool { return v[key] == now[key] })
		if changed && !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
	}
	return fields
}

// origin follows a value back to the first commit that has it.
func (n *node) origin(key string) *node {
	for {
		at := slices.IndexFunc(n.parents, func(p *node) bool { return p.version[key] == n.version[key] })
		if at < 0 {
			return n
		}
		n = n.parents[at]
	}
}

// read reads the commits of a memory and its versions.
func read(ctx context.Context, root files.Root, path string) (*history, error) {
	h := &history{}
	values := map[string]string{} // many versions share a value
	data, err := root.ReadFile(path)
	switch {
	case err == nil:
		h.now, h.order = decodeVersion(data, values)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	err = git.CheckCommits(ctx, root.Path)
	if errors.Is(err, git.ErrNoCommits) {
		return h, nil
	}
	if err != nil {
		return nil, err
	}
	if h.nodes, err = readNodes(ctx, root, path); err != nil {
		return nil, err
	}
	return h, h.readVersions(ctx, root, values)
}

// readVersions decodes each version once.
func (h *history) readVersions(ctx context.Context, root files.Root, values map[string]string) error {
	versions := map[string]version{}
	for _, n := range h.nodes {
		if n.change != nil && n.change.Blob != "" {
			versions[n.change.Blob] = nil
		}
	}
	err := git.Blobs(ctx, root.Path, slices.Sorted(maps.Keys(versions)), schemas.MaxFileBytes,
		func(id string, data []byte) error {
			versions[id], _ = decodeVersion(data, values)
			return ctx.Err()
		})
	for _, n := range slices.Backward(h.nodes) { // parents first
		if n.change != nil {
			n.version = versions[n.change.Blob]
		} else if len(n.parents) > 0 {
			n.version = n.parents[0].version
		}
	}
	return err
}

// decodeVersion returns the values of a file, and their keys in its order. A file that is
// not a JSON object is a single value. Equal values share the bytes in shared.
func decodeVersion(data []byte, shared map[string]string) (version, []string) {
	d := decoder{shared: shared, version: version{}}
	if _, err := schemas.DecodeExact(data); err != nil {
		d.add(brokenFile, string(data))
		return d.version, d.order
	}
	for name, raw := range schemas.Members(bytes.TrimPrefix(data, []byte("\ufeff"))) {
		if name != "content" {
			d.value(name, raw)
			continue
		}
		for inner, raw := range schemas.Members(raw) {
			d.value("content."+inner, raw)
		}
	}
	return d.version, d.order
}

type decoder struct {
	shared  map[string]string
	version version
	order   []string
}

// value adds a value, or the items of a list.
func (d *decoder) value(field string, raw json.RawMessage) {
	value, _ := schemas.DecodeAny(raw) // was decoded before
	list, isList := value.([]any)
	if !isList {
		d.add(field, value)
	}
	for _, item := range list {
		encoded, _ := schemas.EncodeJSON(item)
		d.add(field+itemMark+string(encoded), item)
	}
}

func (d *decoder) add(key string, value any) {
	raw, _ := schemas.EncodeJSON(value)
	encoded, ok := d.shared[string(raw)]
	if !ok {
		encoded = string(raw)
		d.shared[encoded] = encoded
	}
	if _, again := d.version[key]; !again {
		d.order = append(d.order, key)
	}
	d.version[key] = encoded
}

// brokenFile is the value of a version that is not a JSON object.
const brokenFile = "(not a memory)"
