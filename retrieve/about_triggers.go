package retrieve

import (
	"bytes"
	"iter"
	"path"
	"strings"

	"memctl/indexer"
	"memctl/observe"
	"memctl/text"
)

// commandsOf returns the commands of an action if any memory is about a command.
func commandsOf(lines []byte, a Action) [][]string {
	if a.Command == "" || !bytes.Contains(lines, []byte("\n"+indexer.CommandTrigger+"\t")) {
		return nil
	}
	list := observe.Executed(text.Truncate(a.Command, maxCommand))
	for i := range list {
		list[i] = spelled(list[i])
	}
	return list
}

// triggersOf yields the triggers of a kind that begin so, with the path of the memory of each.
func triggersOf(lines []byte, kind, prefix string) iter.Seq2[string, string] {
	return func(yield func(trigger, at string) bool) {
		for trigger, memory := range linesOf(lines, kind, prefix) {
			if !yield(prefix+string(trigger), string(memory)) {
				return
			}
		}
	}
}

// linesOf is triggersOf without the prefix and without a copy.
func linesOf(lines []byte, kind, prefix string) iter.Seq2[[]byte, []byte] {
	return func(yield func(trigger, at []byte) bool) {
		begin := []byte("\n" + kind + "\t" + prefix)
		for at := 0; ; {
			next := bytes.Index(lines[at:], begin)
			if next < 0 {
				return
			}
			at += next + len(begin)
			line, _, _ := bytes.Cut(lines[at:], []byte("\n"))
			trigger, memory, _ := bytes.Cut(line, []byte("\t"))
			if !yield(trigger, memory) {
				return
			}
			at += len(line)
		}
	}
}

// memoriesOf yields the paths of the memories whose triggers match a file, and how much each is about it. To look for
// each folder above the file in all lines at once is quicker than to read the lines.
func memoriesOf(lines []byte, file string) iter.Seq2[string, int] {
	return func(yield func(at string, weight int) bool) {
		var besides []string
		for name := file; name != "."; name = path.Dir(name) {
			for trigger, at := range triggersOf(lines, indexer.FileTrigger, name) {
				weight := aboutFile(trigger, file)
				if weight == 0 && name == path.Dir(file) && path.Dir(trigger) == name {
					besides = append(besides, at)
				} else if !yield(at, weight) {
					return
				}
			}
		}
		for _, at := range besides[max(0, len(besides)-maxBeside):] { // the latest
			if !yield(at, beside) {
				return
			}
		}
		for glob, at := range triggersOf(lines, indexer.GlobTrigger, "") {
			if aboutFile(glob, file) > 0 && !yield(at, pattern) {
				return
			}
		}
		for at := range namersOf(lines, file) {
			if !yield(at, named) {
				return
			}
		}
	}
}

// namersOf yields the paths of the memories whose texts name a file.
func namersOf(lines []byte, file string) iter.Seq[string] {
	return func(yield func(string) bool) {
		end := []byte(path.Base(file) + "\t")
		for at := max(0, bytes.Index(lines, []byte("\n"+indexer.NameTrigger+"\t"))); ; {
			next := bytes.Index(lines[at:], end)
			if next < 0 {
				return
			}
			begin := bytes.LastIndexByte(lines[:at+next], '\n') + 1
			at += next + len(end)
			kind, name, _ := strings.Cut(string(lines[begin:at-1]), "\t")
			memory, _, _ := bytes.Cut(lines[at:], []byte("\n"))
			if kind == indexer.NameTrigger && isNamed(name, file) && !yield(string(memory)) {
				return
			}
		}
	}
}

// isNamed reports whether a name in a text is that of a file, maybe without folders above it. A folder in it may be *.
func isNamed(name, file string) bool {
	if !strings.Contains(name, "*") {
		return strings.HasSuffix("/"+file, "/"+name)
	}
	re, err := Pattern("**/" + name)
	return err == nil && re.MatchString(file)
}
