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
	} {
		if got := SaysTitle(tt.id, tt.title); got != tt.want {
			t.Errorf("%s says %q: %t", tt.id, tt.title, got)
		}
	}
}
