package files

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLines(t *testing.T) {
	most := strings.Repeat("x", MaxLine-1)
	tests := map[string]struct {
		in   string
		want []string
		read int
	}{
		"nothing":              {"", nil, 0},
		"no whole line":        {"abc", nil, 0},
		"lines":                {"a\n\nbc\n", []string{"1", "0", "2"}, 6},
		"half a line after":    {"a\nbc", []string{"1"}, 2},
		"the longest":          {most + "\nb\n", []string{fmt.Sprint(MaxLine - 1), "1"}, MaxLine + 2},
		"one that is too long": {most + "x\nb\n", []string{"too long", "1"}, MaxLine + 3},
		"much too long":        {strings.Repeat(most, 3) + "\nb\n", []string{"too long", "1"}, 3 * MaxLine},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			read, err := Lines(strings.NewReader(tt.in), func(at int64, line []byte) error {
				if at > 0 && tt.in[at-1] != '\n' {
					t.Errorf("a line at %d", at)
				}
				if line == nil {
					got = append(got, "too long")
				} else {
					got = append(got, fmt.Sprint(len(line)))
				}
				return nil
			})
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil || read != int64(tt.read) {
				t.Errorf("read %d, want %d, %v (-want +got):\n%s", read, tt.read, err, diff)
			}
		})
	}
	stop := errors.New("stop")
	if read, err := Lines(strings.NewReader("a\nb\n"), func(int64, []byte) error { return stop }); err != stop || read != 0 {
		t.Errorf("read %d, %v", read, err)
	}
}
