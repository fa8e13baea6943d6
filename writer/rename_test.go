package writer

import "testing"

func TestSaysTitle(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		id, title string
		want      bool
	}{
		{"kafka-message-size", "Kafka refuses messages larger than 1 MB", true},
		{"kafka-message-size", "Broker limits", false},
		{"cache-the-answers-of-the-tariff-service", "Cache the prices of the billing service", true},
		{"cache-the-answers-of-the-tariff-service", "Store the prices of the billing service", false},
		{"m", "Whatever it says", true},
		{"lines-have-80-columns", "Lines have 100 columns", false},
		{"use-node-20", "Use Node 22 everywhere", false},
		{"the-timeout-is-100ms", "The timeout is 200ms", false},
		{"the-timeout-is-100ms", "The timeout is 100ms, not 200ms", true},
		{"release-2026-11-30", "The release", true},
		{"kafka-message-size-2", "Kafka refuses messages by size, from 1 MB", true},
	} {
		if got := SaysTitle(tt.id, tt.title); got != tt.want {
			t.Errorf("%s says %q: %t", tt.id, tt.title, got)
		}
	}
}
