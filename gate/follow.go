package gate

import (
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is what filepath.EvalSymlinks follows.
const maxLinks = 255

// Follow resolves an absolute path the way the kernel does, but keeps the part that
// does not exist yet, even behind a dangling link. It also returns the part that
// exists. It leaves circular links as they are: no program can open them.
func Follow(path string) (target, existing string) {
	volume := filepath.VolumeName(path)
	done := volume + string(filepath.Separator)
	rest := filepath.FromSlash(path[len(volume):])
	for links := 0; rest != ""; {
		var name string
		name, rest, _ = strings.Cut(rest, string(filepath.Separator))
		if name == "" || name == "." {
			continue
		}
		next := filepath.Join(done, name) // ".." too, for done has no links
		info, err := os.Lstat(next)
		if err != nil {
			return filepath.Join(next, rest), done
		}
		if target, ok := linkTarget(next, info); ok && links < maxLinks {
			links++
			target = filepath.FromSlash(target)
			next = done
			if filepath.IsAbs(target) {
				next = filepath.VolumeName(target) + string(filepath.Separator)
			}
			rest = target[len(filepath.VolumeName(target)):] + string(filepath.Separator) + rest
		}
		done = next
	}
	return done, done
}

// linkTarget returns the target of anything but a plain folder or file: on Windows a
// junction is neither of these nor a symbolic link.
func linkTarget(path string, info os.FileInfo) (string, bool) {
	if info.IsDir() || info.Mode().IsRegular() {
		return "", false
	}
	target, err := os.Readlink(path)
	return target, err == nil
}
