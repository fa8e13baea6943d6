package doctor

import (
	"testing"
	"time"
)

func TestAgo(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                 "just now",
		59 * time.Second:  "just now",
		time.Minute:       "1 minute ago",
		119 * time.Minute: "119 minutes ago",
		2 * time.Hour:     "2 hours ago",
		47 * time.Hour:    "47 hours ago",
		48 * time.Hour:    "2 days ago",
	} {
		if got := ago(d); got.String() != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
