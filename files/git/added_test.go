package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// history is a repository in a temporary folder, whose memories are below "memory".
type history struct {
	*testing.T
	dir string
}

func newHistory(t *testing.T) history {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	h := history{t, t.TempDir()}
	h.git("init", "--quiet", "--initial-branch=main")
	return h
}

func (h history) git(args ...string) {
	h.Helper()
	args = append([]string{"-C", h.dir, "-c", "user.name=Merger", "-c", "user.email=m@acme.example"}, args...)
	if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
		h.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (h history) write(path, data string) {
	h.Helper()
	path = filepath.Join(h.dir, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		h.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		h.Fatal(err)
	}
}

// commit commits everything as somebody on a day of March.
func (h history) commit(name, email, day string) {
	h.Helper()
	at := "2026-03-" + day + "T10:00:00Z"
	h.Setenv("GIT_COMMITTER_DATE", at)
	h.git("add", "--all")
	h.git("commit", "--quiet", "--allow-empty-message", "--message=", "--author="+name+" <"+email+">", "--date="+at)
}

// authors returns the name and the day of each file's first author.
func (h history) authors() map[string]string {
	h.Helper()
	found, err := FirstAuthors(h.Context(), filepath.Join(h.dir, "memory"), "HEAD", time.Minute)
	if err != nil {
		h.Fatal(err)
	}
	list := map[string]string{}
	for path, a := range found {
		list[path] = a.Name + " " + a.Date[8:10]
	}
	return list
}

func TestFirstAuthors(t *testing.T) {
	h := newHistory(t)
	h.write("memory/decisions/moved.json", "1")
	h.write("memory/decisions/stays.json", "1")
	h.write("elsewhere/decisions/other.json", "1")
	h.commit("Jana", "jana@acme.example", "01")
	h.git("checkout", "--quiet", "-b", "side")
	h.write("memory/decisions/side.json", "1")
	h.commit("Jana Nováková", "jana@home.example", "02")
	h.git("checkout", "--quiet", "main")
	h.write("memory/decisions/stays.json", "2")
	h.write("memory/decisions/new.json", "2")
	h.commit("Minjun", "min@acme.example", "03")
	h.git("merge", "--quiet", "--no-edit", "side")
	h.git("mv", "memory/decisions/moved.json", "memory/moved.json") // and changed beyond recognition
	h.write("memory/moved.json", "another text")
	h.commit("Minjun", "min@acme.example", "05")
	h.git("rm", "--quiet", "memory/decisions/new.json")
	h.commit("Minjun", "min@acme.example", "06")
	h.write("memory/decisions/new.json", "3")
	h.write("memory/decisions/moved.json", "a second memory of this name")
	h.commit("Jana", "jana@acme.example", "07")
	want := map[string]string{"moved.json": "Jana 01", "decisions/stays.json": "Jana 01", "decisions/new.json": "Minjun 03",
		"decisions/side.json": "Jana Nováková 02", "decisions/moved.json": "Jana 07"}
	if diff := cmp.Diff(want, h.authors()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	h.write(".mailmap", "Jana <jana@acme.example> <jana@home.example>\n")
	if name := h.authors()["decisions/side.json"]; name != "Jana 02" {
		t.Errorf("with .mailmap the author is %s", name)
	}
}

func TestFirstAuthorsOfACommitThatIsNotThere(t *testing.T) {
	h := newHistory(t)
	h.write("memory/decisions/a.json", "1")
	if found, err := FirstAuthors(t.Context(), filepath.Join(h.dir, "memory"), "HEAD", time.Minute); err == nil {
		t.Errorf("without commits there are authors: %v", found)
	}
}
