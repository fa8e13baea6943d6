package retrieve

import "testing"

func TestSameWork(t *testing.T) {
	for name, tt := range map[string]struct {
		a, b string
		want bool
	}{
		"the same title":               {"Payments", "Payments.", true},
		"a title that goes on":         {"Rate limiter", "Rate limiter, day 2", true},
		"a colon":                      {"Moving the sender to the queue", "Moving the sender to the queue: the backoff is done", true},
		"most words":                   {"Move the billing tables to the new schema", "Moving billing tables to the new schema", true},
		"another number":               {"Issue 51: the ranking work", "Issue 52: the ranking work", false},
		"other work on the same thing": {"Fix login", "Fix login rate limit in the billing gateway", false},
		"two words of three":           {"Fix the login timeout", "Fix login", false},
		"nothing in common":            {"Invoices as PDF", "Moving the sender to the queue", false},
		"no title":                     {"", "Payments", false},
	} {
		t.Run(name, func(t *testing.T) {
			if SameWork(tt.a, tt.b) != tt.want || SameWork(tt.b, tt.a) != tt.want {
				t.Errorf("%q and %q: want %v", tt.a, tt.b, tt.want)
			}
		})
	}
}
