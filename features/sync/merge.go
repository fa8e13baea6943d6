package sync

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"

	"memctl/features/git/versions"
	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

// merged is the result of a merge.
type merged struct {
	tree      tree
	conflicts map[string][]schemas.Conflict // by the path of the memory
	renamed   map[string]string             // by the other side, from the new name to the old one
}

func (r *repository) notice(format string, args ...any) {
	if said := fmt.Sprintf(format, args...); !slices.Contains(r.notices, said) {
		r.notices = append(r.notices, said)
	}
}

// merge merges two trees, as git does file by file and its driver field by field. What one side changed and the other
// one removed stays.
func (r *repository) merge(ctx context.Context, base, ours, theirs tree) (m merged, err error) {
	differing := slices.Concat(changes(base, ours), changes(base, theirs))
	var ids []string
	for _, at := range differing {
		ids = append(ids, base[at], ours[at], theirs[at])
	}
	if err := r.load(ctx, ids...); err != nil {
		return m, err
	}
	base, ours, theirs = maps.Clone(base), maps.Clone(ours), maps.Clone(theirs)
	mine, others := r.renames(base, ours), r.renames(base, theirs)
	follow(base, theirs, mine, others)
	follow(base, ours, others, mine)
	for to, from := range mine {
		for other, same := range others {
			if same == from && other != to {
				r.notice("%s was renamed on both machines, to %s and %s: retire one of the two", from, to, other)
			}
		}
	}
	m = merged{maps.Clone(ours), map[string][]schemas.Conflict{}, others}
	open := r.root.InConflict()
	for _, at := range changes(ours, theirs) {
		switch before, mine, other := base[at], ours[at], theirs[at]; {
		case before == mine && other == "" && slices.Contains(open, at):
			r.notice("%s was removed on another machine, but is in conflict here: it stays", at)
		case before == mine:
			m.tree[at] = other
		case before == other:
		case mine == "":
			r.notice("%s was removed here and changed on another machine: it stays", at)
			m.tree[at] = other
		case other == "":
			r.notice("%s was removed on another machine and changed here: it stays", at)
		case isMemory(at):
			m.tree[at] = r.mergeMemory(&m, at, before, mine, other)
		case at == files.SourcesName:
			m.tree[at] = r.keep(unite(r.data[before], r.data[mine], r.data[other]))
		}
		if m.tree[at] == "" {
			delete(m.tree, at)
		}
	}
	return m, nil
}

// mergeMemory merges a memory that both sides changed. Ours stays if one of the two cannot be read.
func (r *repository) mergeMemory(m *merged, at, base, ours, theirs string) string {
	result, err := versions.MergeTexts(r.w, schemas.Texts{Base: r.data[base], Ours: r.data[ours],
		Theirs: r.data[theirs]})
	var data []byte
	if err == nil {
		data, err = result.Memory.Encode()
	}
	if err != nil {
		r.notice("%s was changed on both machines, and %v: it has the text of this machine; \"git show %.10s\" has "+
			"the other", at, err, theirs)
		return ours
	}
	for _, notice := range result.Notices {
		r.notice("%s: %s", at, notice)
	}
	if len(result.Conflicts) > 0 {
		m.conflicts[at] = result.Conflicts
	}
	return r.keep(data)
}

// unite returns the lines that a side added, and those of base that both still have.
func unite(base, ours, theirs []byte) []byte {
	in := map[string]int{} // by the line: 1 for base, 2 for ours, 4 for theirs
	for i, data := range [][]byte{base, ours, theirs} {
		for line := range strings.Lines(string(data)) {
			in[strings.TrimSuffix(line, "\n")] |= 1 << i
		}
	}
	var united strings.Builder
	for line := range strings.Lines(string(ours) + "\n" + string(theirs)) {
		line = strings.TrimSuffix(line, "\n")
		if where := in[line]; line != "" && where != 0 && (where&1 == 0 || where == 7) {
			united.WriteString(line + "\n")
		}
		in[line] = 0 // once
	}
	return []byte(united.String())
}

// follow has a side follow the renames of the other one: it then has the file under its new name.
func follow(base, side tree, renames, own map[string]string) {
	for to, from := range renames {
		if own[to] == from { // both gave it this name
			base[to] = base[from]
		} else if side[from] != "" && side[to] == "" {
			base[to], side[to] = base[from], side[from]
			delete(base, from)
			delete(side, from)
		}
	}
}

// renames returns which memories a side has under another name than base, from the new names to the old ones. The
// pairs that have most in common count.
func (r *repository) renames(base, side tree) map[string]string {
	type pair struct {
		from, to string
		shared   int
	}
	var pairs []pair
	gone := map[string][]string{} // by the time of their making
	differing := changes(base, side)
	for _, at := range differing {
		if m := r.memory(at, base[at]); m != nil && side[at] == "" {
			gone[m.CreatedAt] = append(gone[m.CreatedAt], at)
		}
	}
	for _, at := range differing {
		m := r.memory(at, side[at])
		if m == nil || base[at] != "" {
			continue
		}
		for _, old := range gone[m.CreatedAt] {
			if n, isSame := inCommon(r.memory(old, base[old]), m); isSame {
				pairs = append(pairs, pair{old, at, n})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return b.shared - a.shared })
	found, taken := map[string]string{}, map[string]bool{}
	for _, p := range pairs {
		if found[p.to] == "" && !taken[p.from] {
			found[p.to], taken[p.from] = p.from, true
		}
	}
	return found
}

// memory returns a memory, nil for another file.
func (r *repository) memory(at, id string) *schemas.Memory {
	m, err := schemas.Decode(r.data[id])
	if err != nil || !isMemory(at) || m.CreatedAt == "" {
		return nil
	}
	return &m
}

// inCommon returns how many bytes of text a memory has of another one that was made in the same second, and whether
// it was made of that one: it goes on with its history, or has half of its text.
func inCommon(old, now *schemas.Memory) (n int, isSame bool) {
	before, after := map[string]bool{}, map[string]bool{}
	for _, field := range []string{"content", "tags"} {
		texts(old.Values()[field], before)
		texts(now.Values()[field], after)
	}
	all := 0
	for s := range before {
		if all += len(s); after[s] {
			n += len(s)
		}
	}
	known := len(old.Changes)
	goesOn := known > 0 && len(now.Changes) >= known && reflect.DeepEqual(old.Changes, now.Changes[:known])
	return n, goesOn || 2*n >= all
}

// texts collects the strings of a decoded JSON value.
func texts(value any, into map[string]bool) {
	switch v := value.(type) {
	case string:
		into[v] = true
	case []any:
		for _, each := range v {
			texts(each, into)
		}
	case map[string]any:
		for _, each := range v {
			texts(each, into)
		}
	}
}

func recordOf(at string) string { return strings.TrimSuffix(at, ".json") + files.ConflictSuffix }

func (r *repository) conflictsOf(at string) ([]schemas.Conflict, error) {
	data, err := r.readFile(recordOf(at))
	if err != nil {
		return nil, err
	}
	record, err := schemas.DecodeConflictRecord(data)
	return record.Conflicts, err
}

// record returns the record of a memory's conflicts, with those that are open. Of a field, the other machine's last
// value counts.
func (r *repository) record(at string, conflicts []schemas.Conflict) ([]byte, error) {
	open, err := r.conflictsOf(at)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, c := range open {
		if !slices.ContainsFunc(conflicts, func(other schemas.Conflict) bool { return other.Field == c.Field }) {
			conflicts = append(conflicts, c)
		}
	}
	return schemas.ConflictRecord{Memory: at, Conflicts: conflicts}.Encode()
}

// open lists the memories of the root that are in conflict.
func (r *repository) open() (list []Conflict) {
	for _, at := range r.root.InConflict() {
		fields, _ := r.conflictsOf(at) // doctor says what is wrong with a record
		list = append(list, r.conflict(at, fields))
	}
	return list
}

func (r *repository) conflict(at string, fields []schemas.Conflict) Conflict {
	return Conflict{at, text.Brief(schemas.ConflictFields(fields)), r.root.ResolveCommand(at)}
}
