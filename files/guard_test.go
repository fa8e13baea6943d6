package files

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"memctl/files/systemtest"

	"github.com/google/go-cmp/cmp"
)

// guardTree makes a project with a memory root and every kind of link into it, if this
// system has links.
func guardTree(t testing.TB) string {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"p/.claude/memory/decisions", "p/src/deep", "notes/decisions", "q/claude/memory", "home"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	memory := filepath.Join(top, "p/.claude/memory")
	write(t, filepath.Join(memory, "decisions/x.json"), "{}")
	write(t, filepath.Join(memory, ConfigName), "{}")
	write(t, filepath.Join(top, "p/plain.txt"), "")
	for path, target := range map[string]string{
		"p/alias":                      memory,
		"p/relative":                   "./src/../.claude/memory/decisions",
		"p/chain":                      "relative",
		"p/doc.json":                   ".claude/memory/decisions/x.json",
		"p/new.json":                   ".claude/memory/decisions/not-there-yet.json", // dangling
		"p/newfolder":                  filepath.Join(memory, "nowhere/yet"),
		"p/settings.json":              ".claude/memory/" + ConfigName,
		"p/loop":                       "pool",
		"p/pool":                       "loop",
		"p/self":                       "self/self",
		"p/in":                         ".claude/memory/decisions/", // "in/.." is the root
		"p/.claude/memory/out":         "../../src",
		"p/.claude/memory/masked.json": "../../plain.txt",
		"q/.claude":                    "claude",
		"home/mine":                    filepath.Join(memory, "decisions"),
		"r":                            "notes",
	} {
		if systemtest.HasLinks() {
			systemtest.Symlink(t, target, filepath.Join(top, path))
		}
	}
	return top
}

func TestLocate(t *testing.T) {
	top := guardTree(t)
	t.Setenv("HOME", filepath.Join(top, "home"))
	t.Setenv("USERPROFILE", filepath.Join(top, "home")) // on Windows
	t.Chdir(filepath.Join(top, "p"))
	memory := "p/.claude/memory"
	in := func(path string) []Inside { return []Inside{{memory, path}} }
	tests := map[string]struct {
		path, cwd, known string // cwd and known relative to top; @ in path is top, % without its drive
		want             []Inside
		links            bool // the path leads through one
	}{
		"a memory":                         {path: "@/p/.claude/memory/decisions/x.json", want: in("decisions/x.json")},
		"one to be made":                   {path: "@/p/.claude/memory/decisions/new.json", want: in("decisions/new.json")},
		"in a folder to be made":           {path: "@/p/.claude/memory/a/b/c.txt", want: in("a/b/c.txt")},
		"the root":                         {path: "@/p/.claude/memory", want: in(".")},
		"the root with a slash":            {path: "@/p/.claude/memory//", want: in(".")},
		"a category's folder":              {path: "@/p/.claude/memory/decisions/", want: in("decisions")},
		"the configuration":                {path: "@/p/.claude/memory/memory-config.json", want: in(ConfigName)},
		"another project's":                {path: "@/none/.claude/memory/a.json", want: []Inside{{"none/.claude/memory", "a.json"}}},
		"the outer of two roots":           {path: "@/p/.claude/memory/.claude/memory/memory-config.json", want: in(".claude/memory/memory-config.json")},
		"relative to the event's cwd":      {path: "../.claude/memory/a.json", cwd: "p/src", want: in("a.json")},
		"relative without one":             {path: ".claude/memory/a.json", want: in("a.json")},
		"from within the root":             {path: "x.json", cwd: "p/.claude/memory/decisions", want: in("decisions/x.json")},
		"from a cwd that does not exist":   {path: ".claude/memory/a.json", cwd: "gone", want: []Inside{{"gone/.claude/memory", "a.json"}}},
		"dots out and in":                  {path: "@/p/src/../.claude/./memory/../memory/a.json", want: in("a.json")},
		"dots out":                         {path: "@/p/.claude/memory/../a.json"},
		"dots beyond the top":              {path: strings.Repeat("../", 99) + "%/p/.claude/memory/a.json", want: in("a.json")},
		"home":                             {path: "~/.claude/memory/a.json", want: []Inside{{"home/.claude/memory", "a.json"}}},
		"home and a link":                  {path: "~/mine/x.json", want: in("decisions/x.json"), links: true},
		"~user is a name":                  {path: "~user/.claude/memory/a.json", want: []Inside{{"p/~user/.claude/memory", "a.json"}}},
		"~ within a name":                  {path: "a~/mine/x.json"},
		"an ordinary file":                 {path: "@/p/plain.txt"},
		"an ordinary folder":               {path: "@/p/src/"},
		"nothing":                          {path: "", cwd: "p"},
		"next to the root":                 {path: "@/p/.claude/memory.json"},
		"a longer name":                    {path: "@/p/.claude/memory-old/a.json"},
		"a longer parent":                  {path: "@/p/x.claude/memory/a.json"},
		"the parent alone":                 {path: "@/p/.claude/settings.json"},
		"a link to the root":               {path: "alias/decisions/x.json", want: in("decisions/x.json"), links: true},
		"a link to be a folder of it":      {path: "relative/x.json", want: in("decisions/x.json"), links: true},
		"a link to a link":                 {path: "chain/x.json", want: in("decisions/x.json"), links: true},
		"a link to a memory":               {path: "doc.json", want: in("decisions/x.json"), links: true},
		"a link to one not there yet":      {path: "new.json", want: in("decisions/not-there-yet.json"), links: true},
		"below a link to a folder to come": {path: "newfolder/a/../b.json", want: in("nowhere/yet/b.json"), links: true},
		"a link to the configuration":      {path: "settings.json", want: in(ConfigName), links: true},
		"dots behind a link, as a tool":    {path: "src/../alias/../plain.txt", want: nil, links: true},
		"dots behind a link, as a kernel":  {path: "in/../y.json", want: in("y.json"), links: true},
		"a link out of the root":           {path: ".claude/memory/out/a.go", want: in("out/a.go"), links: true},
		"a link in the root to a file":     {path: ".claude/memory/masked.json", want: in("masked.json"), links: true},
		"links in a circle":                {path: "loop/a.json", links: true},
		"a link to itself":                 {path: "self/a.json", links: true},
		"below a file":                     {path: "plain.txt/.claude/memory/a.json", want: []Inside{{"p/plain.txt/.claude/memory", "a.json"}}},
		"a NUL in the path":                {path: "alias/\x00/x.json"},
		"a NUL below the root":             {path: "@/p/.claude/memory/\x00", want: in("\x00")},
		"invalid UTF-8":                    {path: "@/p/.claude/memory/\xff.json", want: in("\xff.json")},
		"names in NFD":                     {path: "@/cafe\u0301/.claude/memory/e\u0301.json", want: []Inside{{"cafe\u0301/.claude/memory", "e\u0301.json"}}},
		"a known root elsewhere":           {path: "@/notes/decisions/a.json", known: "notes", want: []Inside{{"notes", "decisions/a.json"}}},
		"its configuration":                {path: "@/notes/memory-config.json", known: "notes", want: []Inside{{"notes", ConfigName}}},
		"a link to a known root":           {path: "@/r/decisions/a.json", known: "notes", want: []Inside{{"notes", "decisions/a.json"}}, links: true},
		"a known root named by a link":     {path: "@/notes/decisions/a.json", known: "r", want: []Inside{{"notes", "decisions/a.json"}}, links: true},
		"out of a known root again":        {path: "@/r/gone/../../home/a.json", known: "notes", links: true},
		"not known":                        {path: "@/notes/decisions/a.json", known: "p/.claude/memory"},
		"known but gone":                   {path: "@/gone/decisions/a.json", known: "gone"},
		"behind a .claude that is a link":  {path: "@/q/claude/memory/a.json", want: []Inside{{"q/claude/memory", "a.json"}}, links: true},
		"through a .claude that is one": {path: "@/q/.claude/memory/a.json", want: []Inside{
			{"q/.claude/memory", "a.json"}, {"q/claude/memory", "a.json"}}, links: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if tt.links && !systemtest.HasLinks() {
				t.Skip(systemtest.NoLinks)
			}
			if tt.cwd != "" {
				tt.cwd = filepath.Join(top, tt.cwd)
			}
			if tt.known != "" {
				tt.known = filepath.Join(top, tt.known)
			}
			got := Locate(strings.NewReplacer("@", top, "%", top[len(filepath.VolumeName(top)):]).Replace(tt.path), tt.cwd, tt.known)
			for i := range got {
				rel, err := filepath.Rel(top, got[i].Root)
				if err != nil {
					t.Fatal(err)
				}
				got[i].Root = filepath.ToSlash(rel)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestNamedRoot(t *testing.T) {
	tests := map[string]struct{ exact, folded string }{
		"/p/.claude/memory/a":   {"/p/.claude/memory", "/p/.claude/memory"},
		"/.claude/memory":       {"/.claude/memory", "/.claude/memory"},
		"/p/.CLAUDE/Memory/a":   {"", "/p/.CLAUDE/Memory"},
		"/p/.Claude/memory":     {"", "/p/.Claude/memory"},
		"/p/.claude/memory2/a":  {"", ""},
		"/p/a.claude/memory/a":  {"", ""},
		"/p/.claude/x/memory/a": {"", ""},
		"/p/.claude":            {"", ""},
		"/":                     {"", ""},
		// The outer root counts, in any case.
		"/.CLAUDE/memory/.claude/memory/a": {"/.CLAUDE/memory/.claude/memory", "/.CLAUDE/memory"},
	}
	for path, want := range tests {
		path = filepath.FromSlash(path)
		if got := filepath.ToSlash(namedRoot(path, false)); got != want.exact {
			t.Errorf("%s: got %q, want %q", path, got, want.exact)
		}
		if got := filepath.ToSlash(namedRoot(path, true)); got != want.folded {
			t.Errorf("%s in any case: got %q, want %q", path, got, want.folded)
		}
	}
}

// On a file system where case matters, .CLAUDE/Memory is a folder like any other.
func TestLocateInAnotherCase(t *testing.T) {
	top := guardTree(t)
	path := filepath.Join(top, "p/.CLAUDE/Memory/decisions/x.json")
	_, err := os.Stat(path)
	if got := Locate(path, "", ""); (len(got) > 0) != (err == nil || foldsCase) {
		t.Errorf("got %v, though opening it says %v", got, err)
	}
}

// Where a backslash does not separate names, it is an ordinary character.
func TestLocateOfAWindowsPath(t *testing.T) {
	got := Locate(`C:\p\.claude\memory\decisions\x.json`, t.TempDir(), "")
	if (len(got) > 0) != (runtime.GOOS == "windows") {
		t.Errorf("got %v", got)
	}
}

func TestLocateOfAHugePath(t *testing.T) {
	top := guardTree(t)
	const mega = 1 << 20
	tests := map[string]struct {
		path string
		want bool
	}{
		"one long name":             {"/" + strings.Repeat("a", mega), false},
		"many folders":              {strings.Repeat("/a", mega/2), false},
		"in a root":                 {"/.claude/memory" + strings.Repeat("/a", mega/2), true},
		"many dots":                 {strings.Repeat("a/../", mega/5) + ".claude/memory/a.json", true},
		"many slashes":              {"/" + strings.Repeat("/", mega) + ".claude/memory/a.json", true},
		"nearly a root, many times": {strings.Repeat("/.claude/memor", mega/14), false},
		"around through a link":     {"p" + strings.Repeat("/alias/../..", MaxPath/12), false},
		"many dots to a link":       {strings.Repeat("a/../", mega/5) + "p/alias/x.json", true},
		// No system opens paths as long as these, so they lead nowhere.
		"a link among too many dots": {"p/" + strings.Repeat("src/../", MaxPath/7+1) + "in/../y.json", false},
		"too long behind a link":     {"p/alias" + strings.Repeat("/a", MaxPath/2), false},
		"long, behind a loop":        {"p/loop" + strings.Repeat("/a", MaxPath/2-100), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(name, "link") && tt.want && !systemtest.HasLinks() {
				t.Skip(systemtest.NoLinks)
			}
			if got := Locate(tt.path, top, filepath.Join(top, "notes")); (len(got) > 0) != tt.want {
				t.Errorf("found %d places", len(got))
			}
		})
	}
}

// A path whose name lies below .claude/memory is never taken for an ordinary file.
func FuzzLocate(f *testing.F) {
	top := guardTree(f)
	for _, seed := range []string{"decisions/x.json", "", "/", "..", "../memory/a", "out/../a.json", "a\x00b", "\xff", "masked.json",
		"decisions/../../memory/x", "~", "C:\\a", "memory-config.json", "decisions//.//x.json", strings.Repeat("a/", 5000)} {
		f.Add(seed, "")
		f.Add(".claude/memory/"+seed, "p")
		f.Add(seed, "p/.claude/memory")
	}
	f.Fuzz(func(t *testing.T, path, cwd string) {
		Locate(path, cwd, "")
		Locate(path, cwd, top)
		memory := filepath.Join(top, "p/.claude/memory")
		below := memory + "/" + path
		clean := filepath.Clean(below)
		if clean != memory && !strings.HasPrefix(clean, memory+string(filepath.Separator)) {
			return
		}
		want := Inside{memory, filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(clean, memory), string(filepath.Separator)))}
		if want.Path == "" {
			want.Path = "."
		}
		got := Locate(below, cwd, "")
		if !slices.Contains(got, want) {
			t.Errorf("%q: got %v, want %v among them", below, got, want)
		}
	})
}
