package main

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"memctl/files/systemtest"

	"github.com/google/go-cmp/cmp"
)

// vectorStep is one command of a vector, or a change by another program.
type vectorStep struct {
	Args    []string
	Hook    string
	Stdin   json.RawMessage
	Put     map[string]json.RawMessage
	Rm      []string
	Input   json.RawMessage
	InputAt string `json:"input_at"`
}

func TestConformanceWrite(t *testing.T) {
	t.Parallel()
	var cases []struct {
		Name         string
		Files        map[string]json.RawMessage
		ProjectFiles map[string]json.RawMessage `json:"project_files"`
		Steps        []vectorStep
		Expect       struct {
			Steps   []any
			Files   map[string]any
			Outside []any
		}
	}
	readVectors(t, "write", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			s := newWriteSandbox(t)
			for path, body := range c.Files {
				s.place(filepath.Join(s.dir, ".claude/memory", path), body)
			}
			for path, body := range c.ProjectFiles {
				s.place(filepath.Join(s.dir, path), body)
			}
			for i, step := range c.Steps {
				want, got := s.filled(c.Expect.Steps[i]), s.masked(s.step(i, step))
				delete(want.(map[string]any), "input_removed") // v5 removed a person's file
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("step %d, %s (-v5 +memctl):\n%s", i, strings.Join(step.Args, " "), diff)
				}
			}
			want := map[string]any{}
			for path, doc := range c.Expect.Files {
				want[path] = comparable(s.filled(doc))
			}
			if diff := cmp.Diff(want, s.files()); diff != "" {
				t.Errorf("files (-v5 +memctl):\n%s", diff)
			}
			left, err := os.ReadDir(s.outside)
			if err != nil || len(left) != len(c.Expect.Outside) {
				t.Errorf("outside are %v (%v), want %v", left, err, c.Expect.Outside)
			}
		})
	}
}

// writeSandbox is a project in a folder that the binary takes for the system's temporary
// folder, and a folder outside that.
type writeSandbox struct {
	sandbox
	base, outside string
}

func newWriteSandbox(t *testing.T) writeSandbox {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	base = filepath.ToSlash(base)
	s := writeSandbox{sandbox{t, base + "/proj", time.Now().UTC().Truncate(time.Second)}, base, t.TempDir()}
	s.check(os.Mkdir(s.dir, 0o755))
	return s
}

func (s writeSandbox) check(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// place writes a file of the vector: an object as JSON, a string verbatim, a folder or
// a link.
func (s writeSandbox) place(path string, body json.RawMessage) {
	s.t.Helper()
	var special struct {
		Link string `json:"@symlink"`
		Dir  int    `json:"@dir"`
	}
	if json.Unmarshal(body, &special) == nil && special.Dir == 1 {
		s.check(os.MkdirAll(path, 0o755))
		return
	}
	s.check(os.MkdirAll(filepath.Dir(path), 0o755))
	if special.Link != "" {
		systemtest.Symlink(s.t, s.expand(special.Link, ""), path)
		return
	}
	s.check(os.WriteFile(path, []byte(s.text(body)), 0o644))
}

// text decodes a JSON string, or fills the placeholders of other JSON.
func (s writeSandbox) text(body json.RawMessage) string {
	var text string
	if json.Unmarshal(body, &text) == nil {
		return text
	}
	return s.fill(string(body))
}

var md5Placeholder = regexp.MustCompile(`@(md5|MD5):([^@]+)@`)

func (s writeSandbox) expand(arg, input string) string {
	arg = strings.NewReplacer("@INPUT@", input, "@CWD@", s.dir, "@ROOT@", filepath.Join(s.dir, ".claude/memory"),
		"@BASE@", s.base, "@OUT@", s.outside).Replace(arg)
	return md5Placeholder.ReplaceAllStringFunc(arg, func(match string) string {
		parts := md5Placeholder.FindStringSubmatch(match)
		data, err := os.ReadFile(filepath.Join(s.dir, parts[2]))
		s.check(err)
		sum := md5.Sum(data)
		if parts[1] == "MD5" {
			return strings.ToUpper(hex.EncodeToString(sum[:]))
		}
		return hex.EncodeToString(sum[:])
	})
}

// step runs one step and returns its outcome in the form of the vectors.
func (s writeSandbox) step(i int, step vectorStep) map[string]any {
	s.t.Helper()
	root := filepath.Join(s.dir, ".claude/memory")
	if step.Args == nil && step.Hook == "" {
		for path, body := range step.Put {
			s.place(filepath.Join(root, path), body)
		}
		for _, path := range step.Rm {
			s.check(os.RemoveAll(filepath.Join(root, path)))
		}
		return map[string]any{"exit": 0.0}
	}
	input := filepath.Join(s.base, "in", "step.json")
	if step.InputAt != "" {
		input = s.expand(step.InputAt, "")
	}
	onDisk := input
	if !filepath.IsAbs(onDisk) {
		onDisk = filepath.Join(s.dir, onDisk)
	}
	if step.Input != nil {
		s.check(os.MkdirAll(filepath.Dir(onDisk), 0o755))
		s.check(os.WriteFile(onDisk, []byte(s.draft(step.Input)), 0o644))
	}
	args := []string{"hook", step.Hook}
	if step.Hook == "" {
		args = nil
		for _, arg := range step.Args {
			args = append(args, s.expand(arg, input))
		}
	}
	stdout, stderr, code := s.run(s.fill(string(step.Stdin)), args)
	seen := map[string]any{"exit": float64(code)}
	switch {
	case step.Hook != "":
		seen["stdout_text"] = strings.TrimRight(readHookAnswer(s.t, stdout).Specific.Context, "\n")
		return seen
	case args[0] == "reindex":
		return seen
	case code != 0:
		seen["error"] = parseError(strings.ReplaceAll(stderr, input, "@INPUT@"))
	default:
		var answer any
		s.check(json.Unmarshal([]byte(strings.ReplaceAll(stdout, s.dir, "@CWD@")), &answer))
		seen["stdout"] = answer
	}
	seen["notices"] = parseNotices(stderr)
	if step.Input != nil {
		if _, err := os.Lstat(onDisk); err != nil {
			s.t.Errorf("the input is gone: %v", err)
		}
	}
	return seen
}

func (s writeSandbox) run(stdin string, args []string) (stdout, stderr string, code int) {
	s.t.Helper()
	cmd, out, errOut := process(s.dir, stdin, args...)
	cmd.Env = append(cmd.Env, "TMPDIR="+s.base)
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

// draft builds a step's input: a document, a text, or a stored file, edited.
func (s writeSandbox) draft(spec json.RawMessage) string {
	var edit struct {
		Base  string `json:"@base"`
		Set   map[string]any
		Unset []string
		Push  []any `json:"push_changes"`
	}
	if json.Unmarshal(spec, &edit) != nil || edit.Base == "" {
		return s.text(spec)
	}
	data, err := os.ReadFile(filepath.Join(s.dir, edit.Base))
	s.check(err)
	var doc map[string]any
	s.check(json.Unmarshal(data, &doc))
	for path, value := range edit.Set {
		object, key := within(doc, path)
		object[key] = s.filled(value)
	}
	for _, path := range edit.Unset {
		object, key := within(doc, path)
		delete(object, key)
	}
	if len(edit.Push) > 0 {
		changes, _ := doc["changes"].([]any)
		doc["changes"] = append(changes, s.filled(edit.Push).([]any)...)
	}
	data, err = json.Marshal(doc)
	s.check(err)
	return string(data)
}

// within walks to the object that holds the last key of "a/b/c".
func within(doc map[string]any, path string) (map[string]any, string) {
	keys := strings.Split(path, "/")
	for _, key := range keys[:len(keys)-1] {
		doc = doc[key].(map[string]any)
	}
	return doc, keys[len(keys)-1]
}

var (
	errorCode  = regexp.MustCompile(`(?m)^([A-Z]+(?:_[A-Z]+)*_(?:ERROR|CONFLICT))$`)
	errorField = regexp.MustCompile(`(?m)^field: (.*)$`)
	errorKey   = regexp.MustCompile(`(?m)^([a-z_]+): (.*)$`)
	freeKeys   = []string{"fix", "error", "resolved", "expected", "got", "expected_hash", "current_hash"}
)

// parseError returns the parts of an error that the vectors prescribe: its code and the
// lines with a fixed wording.
func parseError(stderr string) any {
	at := errorCode.FindStringIndex(stderr)
	if at == nil {
		return nil
	}
	code, rest := stderr[at[0]:at[1]], stderr[at[1]:]
	if code == "VALIDATION_ERROR" {
		var fields []string
		for _, match := range errorField.FindAllStringSubmatch(rest, -1) {
			fields = append(fields, match[1])
		}
		slices.Sort(fields)
		return map[string]any{"code": code, "fields": list(slices.Compact(fields))}
	}
	keys := map[string]any{}
	for _, match := range errorKey.FindAllStringSubmatch(rest, -1) {
		if _, ok := keys[match[1]]; !ok && !slices.Contains(freeKeys, match[1]) {
			keys[match[1]] = match[2]
		}
	}
	if code == "PATH_ERROR" {
		delete(keys, "target")
	}
	return map[string]any{"code": code, "keys": keys}
}

var noticeForms = []struct {
	form *regexp.Regexp
	says string
}{
	{regexp.MustCompile(`^\[AUTO-FIX\] ([\w.]+):`), "AUTO-FIX $1"},
	{regexp.MustCompile(`^\[WARN\] (content\.[^:]+):`), "WARN $1"},
	{regexp.MustCompile(`^\[WARN\].*collision`), "WARN slug-collision"},
	{regexp.MustCompile(`^WARNING:.*hash`), "WARNING hash"},
}

func parseNotices(stderr string) any {
	var notices []string
	for line := range strings.Lines(stderr) {
		for _, notice := range noticeForms {
			if match := notice.form.FindStringSubmatchIndex(line); match != nil {
				notices = append(notices, string(notice.form.ExpandString(nil, notice.says, line, match)))
				break
			}
		}
	}
	slices.Sort(notices)
	return list(notices)
}

func list(strings []string) []any {
	out := []any{}
	for _, s := range strings {
		out = append(out, s)
	}
	return out
}

// files reads every JSON file of the project in the form that the vectors compare.
func (s writeSandbox) files() map[string]any {
	s.t.Helper()
	found := map[string]any{}
	s.check(filepath.WalkDir(s.dir, func(path string, entry fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(s.dir, path)
		if err != nil || !strings.HasSuffix(path, ".json") || !entry.Type().IsRegular() ||
			entry.Name() == "memory-config.json" || strings.HasPrefix(rel, "staged") {
			return err
		}
		data, err := os.ReadFile(path)
		var doc any = string(data)
		if err == nil && json.Unmarshal(data, &doc) != nil {
			doc = string(data)
		}
		found[filepath.ToSlash(rel)] = comparable(s.masked(doc))
		return err
	}))
	return found
}

// masked replaces the times of the run.
func (s writeSandbox) masked(v any) any {
	return mapStrings(v, func(text string) string {
		at, err := time.Parse("2006-01-02T15:04:05Z", text)
		if err == nil && !at.Before(s.now.Add(-2*time.Second)) && at.Before(time.Now().Add(2*time.Second)) {
			return "@ts@"
		}
		return text
	})
}

// filled replaces the placeholders of a decoded value.
func (s writeSandbox) filled(v any) any {
	return mapStrings(v, func(text string) string {
		if !strings.HasPrefix(text, "@now") {
			return text
		}
		return strings.Trim(s.fill(`"`+text+`"`), `"`)
	})
}

func mapStrings(v any, f func(string) string) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = mapStrings(item, f)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, item := range v {
			out[key] = mapStrings(item, f)
		}
		return out
	}
	return v
}

// comparable is a memory without what the vectors do not prescribe: the order and wording
// of automatic history entries, and whether defaults are written out.
func comparable(v any) any {
	doc, ok := v.(map[string]any)
	if !ok {
		return v
	}
	for key, empty := range map[string][]any{"changes": {[]any{}, nil}, "times_updated": {0.0, nil}, "related_files": {nil}, "confidence": {nil}} {
		for _, value := range empty {
			if given, ok := doc[key]; ok && reflect.DeepEqual(given, value) {
				delete(doc, key)
			}
		}
	}
	changes, _ := doc["changes"].([]any)
	for _, entry := range changes {
		if entry, ok := entry.(map[string]any); ok && (automatic(entry) || entry["field"] == "tags" || entry["field"] == "record_status") {
			entry["summary"] = "free"
		}
	}
	slices.SortStableFunc(changes, func(a, b any) int {
		one, _ := a.(map[string]any)
		other, _ := b.(map[string]any)
		if one["date"] != "@ts@" || other["date"] != "@ts@" || !automatic(one) || !automatic(other) {
			return 0
		}
		return strings.Compare(one["field"].(string), other["field"].(string))
	})
	return doc
}

func automatic(entry map[string]any) bool {
	field, _ := entry["field"].(string)
	return strings.HasPrefix(field, "content.")
}
