package triage

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

func backwards(t *testing.T, data string, budget int64) (lines []string) {
	t.Helper()
	tail := newTail(strings.NewReader(data), int64(len(data)), budget)
	for {
		line, tooLong, err := tail.previous()
		if errors.Is(err, io.EOF) {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		if tooLong {
			line = []byte("too long")
		}
		lines = append(lines, string(line))
	}
}

func TestTail(t *testing.T) {
	long, longest := strings.Repeat("x", 3*chunk), strings.Repeat("y", maxLine+chunk)
	tests := map[string]struct {
		data   string
		budget int64
		want   []string
	}{
		"last line first":               {"a\nb\nc", 1 << 20, []string{"c", "b", "a"}},
		"a final line feed":             {"a\n", 1 << 20, []string{"", "a"}},
		"nothing":                       {"", 1 << 20, []string{""}},
		"lines longer than a chunk":     {"a\n" + long + "\n" + long + "\nb", 1 << 20, []string{"b", long, long, "a"}},
		"lines too long to read":        {"a\n" + longest + "\nb", 1 << 30, []string{"b", "too long", "a"}},
		"one line, too long":            {longest, 1 << 30, []string{"too long"}},
		"no more bytes than asked for":  {"abc\ndef\nghi", 6, []string{"ghi"}},
		"a budget that ends at a break": {"abc\ndef\nghi", 8, []string{"ghi", "def"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := backwards(t, tt.data, tt.budget); !slices.Equal(got, tt.want) {
				t.Errorf("got %d lines, want %d", len(got), len(tt.want))
			}
		})
	}
}

// counting counts the bytes read from it.
type counting struct {
	io.ReaderAt
	read int
}

func (c *counting) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, at)
	c.read += n
	return n, err
}

func TestReadCostsTheSameForAnyLength(t *testing.T) {
	line := `["user","we decided"]` + "\n"
	short, long := strings.Repeat(line, 60), strings.Repeat(line, 60_000)
	var reads [2]int
	for i, data := range []string{short, long} {
		in := &counting{ReaderAt: strings.NewReader(data)}
		if got, err := Read(TranscriptFile{In: in, Size: int64(len(data)), Messages: messagesOf}, Window{Messages: 50},
			filter); err != nil || got.Messages() != 50 {
			t.Fatalf("%d messages, %v", got.Messages(), err)
		}
		reads[i] = in.read
	}
	if reads[0] != len(short) || reads[1] > chunk {
		t.Errorf("read %d and %d bytes", reads[0], reads[1])
	}
}

func TestReadGivesUpOnLinesThatAreNotMessages(t *testing.T) {
	const message = `["user","we decided"]` + "\n"
	for junk, want := range map[int]int{50*linesPerMessage - 2: 1, 50 * linesPerMessage: 0} {
		data := message + strings.Repeat("\n", junk)
		if got, err := Read(source(data, ""), Window{Messages: 50}, filter); err != nil || got.Messages() != want {
			t.Errorf("%d messages before %d lines, %v", got.Messages(), junk, err)
		}
	}
}

func TestReadNoticesThatTheFileShrank(t *testing.T) {
	if _, err := Read(TranscriptFile{In: strings.NewReader("{}"), Size: 100, Messages: messagesOf}, Window{Messages: 50},
		filter); err == nil {
		t.Error("no error")
	}
}

// FuzzTail compares with the result of splitting the whole text.
func FuzzTail(f *testing.F) {
	for _, s := range []string{"", "\n", "a\nb", "\n\n\n", "a\n" + strings.Repeat("b", chunk) + "\nc"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		want := strings.Split(string(data), "\n")
		slices.Reverse(want)
		if got := backwards(t, string(data), 1<<40); len(data) < maxLine && !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		if bytes.Count(data, []byte("\n")) < 10 && len(data) > 1 {
			backwards(t, string(data), int64(len(data)/2))
		}
	})
}
