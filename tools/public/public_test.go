package public

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"memctl/features/sessions"

	_ "modernc.org/sqlite"
)

// collection is what one search looks through, and the questions about it.
type collection struct {
	documents []document
	questions []question
}

// document is a turn of a conversation, or a paragraph.
type document struct {
	prompt, answer string
	ids            []int // of the messages in it
}

type question struct {
	text string
	gold []int // the indexes of the documents that have the answer
}

// set is a public set, which lies in the folder DATA.
type set struct {
	name, source, licence string
	read                  func(folder string) ([]collection, error)
}

// sets are what is measured. Where one is not in DATA, its row says so.
var sets = []set{
	{"BEAM 100K", "github.com/mohammadtavakoli78/BEAM, chats/100K", "none stated", readBEAM("100K")},
	{"BEAM 500K", "github.com/mohammadtavakoli78/BEAM, chats/500K", "none stated", readBEAM("500K")},
	{"KorQuAD 1.0 dev", "korquad.github.io, dataset/KorQuAD_v1.0_dev.json", "CC BY-ND 2.0 KR", readKorQuAD},
	{"KorQuAD 1.0 dev, titled", "likewise; each paragraph follows the title of its article", "CC BY-ND 2.0 KR", readTitledKorQuAD},
}

// readBEAM reads the conversations of a size: chats/SIZE/NUMBER/chat.json, and the questions beside it. A
// turn is what the user says and the answers to it. Questions that name no message are left out.
func readBEAM(size string) func(string) ([]collection, error) {
	return func(folder string) ([]collection, error) {
		folders, err := filepath.Glob(filepath.Join(folder, "chats", size, "*"))
		if err == nil && len(folders) == 0 {
			err = fs.ErrNotExist
		}
		var list []collection
		for _, dir := range folders {
			c, readErr := readChat(dir)
			if readErr != nil {
				return nil, fmt.Errorf("%s: %w", dir, readErr)
			}
			list = append(list, c)
		}
		return list, err
	}
}

func readChat(dir string) (c collection, err error) {
	var batches []struct {
		Turns [][]struct {
			Role    string `json:"role"`
			ID      int    `json:"id"`
			Content string `json:"content"`
		} `json:"turns"`
	}
	// The set's authors cut some conversations to the size that they name.
	err = decode(filepath.Join(dir, "chat_trunecated.json"), &batches)
	if err != nil {
		err = decode(filepath.Join(dir, "chat.json"), &batches)
	}
	if err != nil {
		return c, err
	}
	for _, batch := range batches {
		for _, turn := range batch.Turns {
			for _, m := range turn {
				content, _, _ := strings.Cut(m.Content, "->->") // a mark of the generator
				if m.Role == "user" || len(c.documents) == 0 {
					c.documents = append(c.documents, document{})
				}
				d := &c.documents[len(c.documents)-1]
				d.ids = append(d.ids, m.ID)
				if m.Role == "user" {
					d.prompt = content
				} else {
					d.answer += content + "\n"
				}
			}
		}
	}
	var asked map[string][]struct {
		Question string          `json:"question"`
		Sources  json.RawMessage `json:"source_chat_ids"`
	}
	if err := decode(filepath.Join(dir, "probing_questions", "probing_questions.json"), &asked); err != nil {
		return c, err
	}
	for _, kind := range slices.Sorted(func(yield func(string) bool) {
		for kind := range asked {
			if !yield(kind) {
				return
			}
		}
	}) {
		for _, a := range asked[kind] {
			q := question{text: a.Question}
			for _, digits := range regexp.MustCompile(`\d+`).FindAllString(string(a.Sources), -1) {
				id, _ := strconv.Atoi(digits)
				at := slices.IndexFunc(c.documents, func(d document) bool { return slices.Contains(d.ids, id) })
				if at >= 0 && !slices.Contains(q.gold, at) {
					q.gold = append(q.gold, at)
				}
			}
			if len(q.gold) > 0 {
				c.questions = append(c.questions, q)
			}
		}
	}
	return c, nil
}

func readKorQuAD(folder string) ([]collection, error) { return korQuAD(folder, false) }

func readTitledKorQuAD(folder string) ([]collection, error) { return korQuAD(folder, true) }

func korQuAD(folder string, titled bool) ([]collection, error) {
	var file struct {
		Data []struct {
			Title      string `json:"title"`
			Paragraphs []struct {
				Context string `json:"context"`
				Asked   []struct {
					Question string `json:"question"`
				} `json:"qas"`
			} `json:"paragraphs"`
		} `json:"data"`
	}
	err := decode(filepath.Join(folder, "KorQuAD_v1.0_dev.json"), &file)
	var c collection
	for _, article := range file.Data {
		for _, p := range article.Paragraphs {
			for _, a := range p.Asked {
				c.questions = append(c.questions, question{a.Question, []int{len(c.documents)}})
			}
			text := p.Context
			if titled {
				text = strings.ReplaceAll(article.Title, "_", " ") + "\n\n" + text
			}
			c.documents = append(c.documents, document{prompt: text})
		}
	}
	return []collection{c}, err
}

func decode(path string, into any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

// score is what peers publish: the part of the questions whose first, or first five, results have one of
// the documents that answer them, the mean of 1/rank, and the part of these documents among ten results.
type score struct {
	questions               int
	hit1, hit5, mrr, recall float64
}

func (s *score) add(gold, found []int) {
	s.questions++
	first := slices.IndexFunc(found, func(d int) bool { return slices.Contains(gold, d) })
	if first == 0 {
		s.hit1++
	}
	if first >= 0 && first < 5 {
		s.hit5++
	}
	if first >= 0 {
		s.mrr += 1 / float64(first+1)
	}
	for _, d := range found {
		if slices.Contains(gold, d) {
			s.recall += 1 / float64(len(gold))
		}
	}
}

func (s score) row(name, with string) string {
	n := float64(max(s.questions, 1))
	return fmt.Sprintf("| %s | %s | %d | %.3f | %.3f | %.3f | %.3f |\n", name, with, s.questions, s.hit1/n, s.hit5/n, s.mrr/n, s.recall/n)
}

const results = 10

// BenchmarkPublic measures every set that lies in the folder DATA and writes the table of docs/dev/measures.md.
func BenchmarkPublic(b *testing.B) {
	data := os.Getenv("DATA")
	if data == "" {
		b.Fatal("name the folder of the public sets: make bench-public DATA=FOLDER (docs/dev/measures.md)")
	}
	table := "| set | search | questions | hit@1 | hit@5 | MRR | recall@10 |\n|---|---|--:|--:|--:|--:|--:|\n"
	only := regexp.MustCompile(os.Getenv("SETS"))
	for _, s := range sets {
		if !only.MatchString(s.name) {
			continue
		}
		began := time.Now()
		own, plain, err := s.measure(b, data)
		if err != nil {
			b.Fatalf("%s (%s): %v", s.name, s.source, err)
		}
		b.Logf("%s: %s", s.name, time.Since(began).Round(time.Second))
		table += own.row(s.name, "memctl") + plain.row(s.name, "FTS5, bm25")
	}
	fmt.Print(table)
	if os.Getenv("MEMCTL_NO_DOCS") == "" {
		if err := replaceTable("../../docs/dev/measures.md", table); err != nil {
			b.Fatal(err)
		}
	}
}

// measure asks memctl and plain FTS5 every question of a set.
func (s set) measure(t testing.TB, data string) (own, plain score, err error) {
	list, err := s.read(data)
	if err != nil {
		return own, plain, err
	}
	for _, c := range list {
		l, project, err := c.library(t)
		if err != nil {
			return own, plain, err
		}
		table, err := c.plain()
		if err != nil {
			return own, plain, err
		}
		for _, q := range c.questions {
			found, err := l.Search(t.Context(), q.text, results)
			if err != nil {
				return own, plain, fmt.Errorf("%s: %q: %w", project, q.text, err)
			}
			var numbers []int
			for _, f := range found {
				n, _ := strconv.Atoi(f.ID)
				numbers = append(numbers, n)
			}
			own.add(q.gold, numbers)
			numbers, err = searchPlain(table, q.text)
			if err != nil {
				return own, plain, err
			}
			plain.add(q.gold, numbers)
		}
		l.Close()
		table.Close()
	}
	return own, plain, nil
}

// library writes each document as a session of Claude Code and has memctl read them.
func (c collection) library(t testing.TB) (*sessions.Library, string, error) {
	home, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		return nil, "", err
	}
	for _, name := range []string{"HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "CODEX_HOME", "GEMINI_CLI_HOME", "QWEN_HOME", "COPILOT_HOME"} {
		os.Setenv(name, home)
	}
	os.Setenv("CLAUDE_CONFIG_DIR", filepath.Join(home, ".claude"))
	project := filepath.Join(home, "project")
	folder := filepath.Join(home, ".claude", "projects", "project")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, project, err
	}
	for i, d := range c.documents {
		var lines strings.Builder
		encoder := json.NewEncoder(&lines)
		for _, side := range []struct{ kind, text string }{{"user", d.prompt}, {"assistant", d.answer}} {
			err = encoder.Encode(map[string]any{"type": side.kind, "sessionId": strconv.Itoa(i), "cwd": project,
				"timestamp": "2026-01-01T00:00:00Z", "message": map[string]string{"content": side.text}})
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, strconv.Itoa(i)+".jsonl"), []byte(lines.String()), 0o600)
		}
		if err != nil {
			return nil, project, err
		}
	}
	if err := os.MkdirAll(project, 0o755); err != nil {
		return nil, project, err
	}
	l, err := sessions.Open(t.Context(), sessions.Scope{Folder: project}, nil)
	if err == nil {
		err = l.Stale
	}
	return l, project, err
}

// plain is the documents in a table of FTS5 as it is.
func (c collection) plain() (*sql.DB, error) {
	table, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	table.SetMaxOpenConns(1)
	_, err = table.Exec(`CREATE VIRTUAL TABLE documents USING fts5 (text)`)
	for i, d := range c.documents {
		if err == nil {
			_, err = table.Exec(`INSERT INTO documents (rowid, text) VALUES (?, ?)`, i, d.prompt+"\n"+d.answer)
		}
	}
	return table, err
}

func searchPlain(table *sql.DB, words string) (found []int, err error) {
	terms := regexp.MustCompile(`[\p{L}\p{N}]+`).FindAllString(words, -1)
	rows, err := table.Query(`SELECT rowid FROM documents WHERE documents MATCH ? ORDER BY rank LIMIT ?`,
		`"`+strings.Join(terms, `" OR "`)+`"`, results)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		found = append(found, n)
	}
	return found, rows.Err()
}

// replaceTable replaces what stands between two marks of a page.
func replaceTable(page, table string) error {
	data, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	const start, end = "<!-- measured -->\n", "<!-- /measured -->"
	before, rest, ok := strings.Cut(string(data), start)
	_, after, found := strings.Cut(rest, end)
	if !ok || !found {
		return fmt.Errorf("%s has no %q and %q", page, start, end)
	}
	return os.WriteFile(page, []byte(before+start+table+end+after), 0o644)
}
