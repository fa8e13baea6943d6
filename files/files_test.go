package files

import (
	"testing"
	"time"
)

func TestSettled(t *testing.T) {
	const (
		fine  = int64(1_700_000_000_123_456_789)
		whole = int64(1_700_000_000_000_000_000) // on a file system that records whole seconds
	)
	tests := map[string]struct {
		mtime int64
		after time.Duration
		want  bool
	}{
		"looked before the write":       {fine, -time.Second, false},
		"looked at the same moment":     {fine, 0, false},
		"within the tick":               {fine, 99 * time.Millisecond, false},
		"at the end of the tick":        {fine, 100 * time.Millisecond, false},
		"after the tick":                {fine, 101 * time.Millisecond, true},
		"long after":                    {fine, time.Hour, true},
		"whole second, within two":      {whole, 1999 * time.Millisecond, false},
		"whole second, at two":          {whole, 2 * time.Second, false},
		"whole second, after two":       {whole, 2001 * time.Millisecond, true},
		"no such file, long since":      {0, time.Hour, true},
		"written in the future, looked": {fine, -time.Hour, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Settled(tt.mtime, tt.mtime+int64(tt.after)); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
