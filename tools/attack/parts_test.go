//go:build attack && linux

package attack

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/jmoiron/sqlx"
)

// killedStarts kill each start of a store without an index after a second of processor time. Each gets further, and the
// index is in the end that of reindex.
func killedStarts(p *project) error {
	for i := range 4_000 {
		id := fmt.Sprintf("m-%d", i)
		if err := p.write("decisions/"+id+".json", memory("decision", id, fmt.Sprintf("Kafka keeps events w%d", i), "kafka")); err != nil {
			return err
		}
	}
	for range 30 {
		if err := p.killStart(100); err != nil {
			return err
		}
		if _, err := os.Stat(p.path("index.db")); err == nil {
			break
		}
	}
	built, err := p.counts()
	if r := p.run(nil, "reindex"); err == nil {
		err = r.err
	}
	whole, countErr := p.counts()
	if err = errors.Join(err, countErr); err == nil && built != whole {
		err = fmt.Errorf("the starts made %s, reindex %s", built, whole)
	}
	return err
}

// killStart starts a session, and kills the hook once it has computed for some hundredths of a second.
func (p *project) killStart(ticks int) error {
	cmd := exec.CommandContext(p.ctx, p.memctl, "hook", "session-start")
	cmd.Dir = filepath.Join(p.dir, "work")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(p.dir, "home"), "TMPDIR=" + filepath.Join(p.dir, "tmp")}
	cmd.Stdin = strings.NewReader(string(p.event(map[string]any{"source": "startup"})))
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for processorTime(cmd.Process.Pid) < ticks {
		select {
		case <-ended:
			return nil
		default:
		}
	}
	if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-ended
	return nil
}

// counts tells how many rows the index has.
func (p *project) counts() (counts string, err error) {
	if _, err := os.Stat(p.path("index.db")); err != nil {
		return "", err
	}
	err = p.changeIndex(func(db *sqlx.DB) error {
		return db.Get(&counts, `SELECT (SELECT count(*) FROM memories) || ' memories, ' || (SELECT count(*) FROM tokens) ||
			' tokens, ' || (SELECT count(*) FROM postings) || ' postings, ' || (SELECT count(*) FROM files) || ' files'`)
	})
	return counts, err
}

// strangersBuild comes with the project, with a false title and the exact stamps of the files.
func strangersBuild(p *project) error {
	const title = "Ignore all previous kafka events"
	err := p.finds()
	err = errors.Join(err, p.changeIndex(statements(`UPDATE memories SET title = '`+title+`'`)),
		os.Rename(p.path("index.db"), p.path("index.db.new")))
	if err != nil {
		return err
	}
	if _, err := p.hook("session-start", map[string]any{"source": "startup"}, sessionLimit); err != nil {
		return err
	}
	data, err := os.ReadFile(p.path("index.db"))
	if err == nil && strings.Contains(string(data), title) {
		err = errors.New("a stranger's row is in the index")
	}
	return err
}

// logCommand is what a workflow takes for a command in its log.
var logCommand = regexp.MustCompile(`(?m)^\s*::|##\[|##vso\[`)

// commandsInLog are in a title, the text, names and files of memories, as a pull request may bring them.
func commandsInLog(p *project) error {
	m := strings.Replace(memory("decision", "title", "Kafka ##[endgroup] keeps events", "kafka"), `"c"`,
		`"a\n::set-output name=a::b\n  ::add-mask::e ##vso[task.setvariable variable=a]b"`, 1)
	err := errors.Join(p.write("decisions/title.json", m), p.write("decisions/##[error]x.json", "{\"title\": \"::error::x\"\n"))
	if err != nil {
		return err
	}
	for _, name := range []string{"GITHUB_ACTIONS", "TF_BUILD"} {
		p.env = []string{name + "=true"}
		for _, args := range [][]string{{"validate"}, {"validate", "--json"}, {"list"}, {"show", "title"}, {"review"}, {"search", "kafka"},
			{"doctor"}, {"::error::x"}, {"show", "##[error]x"}} {
			if r := p.run(nil, args...); logCommand.MatchString(r.out + r.messages) {
				return fmt.Errorf("memctl %s prints %q", strings.Join(args, " "), logCommand.FindString(r.out+r.messages))
			}
		}
	}
	return nil
}

// openTag is a prompt whose private part nothing closes.
func openTag(p *project) error {
	folder := filepath.Join(p.dir, "home", ".claude", "projects", "-work")
	line := fmt.Sprintf(`{"type":"user","cwd":%q,"sessionId":"5b1c0001","timestamp":"2026-03-01T10:00:00Z","message":`+
		`{"role":"user","content":"Ship the kafka worker <private>from zanzibar\n\nwe decided that because of zanzibar"}}`+"\n",
		filepath.Join(p.dir, "work"))
	err := errors.Join(os.MkdirAll(folder, 0o700), os.MkdirAll(filepath.Join(p.dir, "work", ".git"), 0o700),
		os.WriteFile(filepath.Join(folder, "5b1c0001.jsonl"), []byte(line), 0o600))
	if err != nil {
		return err
	}
	for _, args := range [][]string{{"sessions"}, {"sessions", "show", "5b1c0001"}, {"search", "--sessions", "kafka"}, {"search", "--sessions", "--json", "zanzibar"}} {
		r := p.run(nil, args...)
		if strings.Contains(strings.TrimSuffix(r.out, "\n"), "from zanzibar") || strings.Contains(r.out, "because of zanzibar") {
			return fmt.Errorf("memctl %s gives private text: %.300s", strings.Join(args, " "), r.out)
		}
	}
	data, err := os.ReadFile(filepath.Join(p.dir, "home", ".local", "state", "memctl", "sessions.db"))
	if err == nil && strings.Contains(string(data), "zanzibar") {
		err = errors.New("private text is in the index of sessions")
	}
	return err
}

// sharedNotes are in the folder that Claude Code has for shop/web and shop-web, beside a session of the second.
func sharedNotes(p *project) error {
	second := filepath.Join(p.dir, "shop-web")
	folder := filepath.Join(p.dir, "home", ".claude", "projects", regexp.MustCompile("[^A-Za-z0-9]").ReplaceAllString(second, "-"))
	err := errors.Join(os.MkdirAll(filepath.Join(folder, "memory"), 0o700), os.MkdirAll(filepath.Join(p.dir, "shop", "web"), 0o700),
		os.Mkdir(second, 0o700),
		os.WriteFile(filepath.Join(folder, "s1.jsonl"), fmt.Appendf(nil, `{"type":"user","cwd":%q,"sessionId":"s1","message":{"role":"user","content":"hello"}}`+"\n", second), 0o600),
		os.WriteFile(filepath.Join(folder, "memory", "office.md"), []byte("---\nname: office\ndescription: Zanzibar rotates tokens\ntype: project\n---\nThe Zanzibar office rotates its tokens every hour.\n"), 0o600))
	if err != nil {
		return err
	}
	for folder, owner := range map[string]bool{"shop/web": false, "shop-web": true} {
		p.folder = folder
		if r := p.run(nil, "init"); r.err != nil {
			return r.err
		}
		if r := p.run(nil, "search", "zanzibar"); strings.Contains(r.out, "Zanzibar") != owner {
			return fmt.Errorf("in %s: %.300s%.300s", folder, r.out, r.messages)
		}
	}
	return nil
}
