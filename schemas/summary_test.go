package schemas

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSummaryOf(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want SessionContent
	}{
		"nothing but what was done": {"The export works. All tests pass.", SessionContent{
			Goal: "The export works.", Outcome: "success", Completed: []string{"All tests pass."}, NextActions: []string{}}},
		"it does not say how it ended": {"Looked at the export.", SessionContent{
			Goal: "Looked at the export.", Outcome: "partial", Completed: []string{}, NextActions: []string{}}},
		"what is next": {"Moved the sender to the queue. Next: the backoff. The dashboard is still missing.", SessionContent{
			Goal: "Moved the sender to the queue.", Outcome: "partial", Completed: []string{},
			NextActions: []string{"the backoff.", "The dashboard is still missing."}}},
		"what blocks it": {"Sign-in with the partner. Blocked by: their staging key\nDone: the form", SessionContent{
			Goal: "Sign-in with the partner.", Outcome: "blocked", Completed: []string{"the form"},
			Blockers: []string{"their staging key"}, NextActions: []string{}}},
		"labels and lists": {"Goal: migrate billing\nDone:\n- invoices\n2. refunds\n## Next steps\n- ledger\nChanged: a.go", SessionContent{
			Goal: "migrate billing", Outcome: "partial", Completed: []string{"invoices", "refunds"}, NextActions: []string{"ledger"},
			KeyChanges: []string{"a.go"}}},
		"given up": {"Tried the new driver and gave up. It drops connections.", SessionContent{
			Goal: "Tried the new driver and gave up.", Outcome: "abandoned", Completed: []string{"It drops connections."},
			NextActions: []string{}}},
		"Korean": {"웹훅 발송을 큐로 옮겼다. 다음: 재시도 간격.", SessionContent{
			Goal: "웹훅 발송을 큐로 옮겼다.", Outcome: "partial", Completed: []string{}, NextActions: []string{"재시도 간격."}}},
		"nothing is open": {"Orders API. Done: paging. Next: none. Blocked: nothing.", SessionContent{
			Goal: "Orders API.", Outcome: "success", Completed: []string{"paging."}, NextActions: []string{}}},
		"what was done then": {"Refactored auth. Then I migrated all tests. All pass.", SessionContent{
			Goal: "Refactored auth.", Outcome: "success", Completed: []string{"Then I migrated all tests.", "All pass."}, NextActions: []string{}}},
		"a goal behind a sentence": {"We rewrote the page. Goal: fix the login.", SessionContent{
			Goal: "fix the login.", Outcome: "partial", Completed: []string{"We rewrote the page."}, NextActions: []string{}}},
		"nothing": {"", SessionContent{Outcome: "partial", Completed: []string{}, NextActions: []string{}}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(&tt.want, SummaryOf(tt.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestOpenIn(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"an end":             {"The sender uses the queue. Tests pass.", nil},
		"a heading":          {"Done.\n\n**Next steps**\n1. Backoff for 429s\n2. Dashboard", []string{"Backoff for 429s", "Dashboard"}},
		"a sentence":         {"The sender works, the backoff still has to be written. Tests pass.", []string{"The sender works, the backoff still has to be written."}},
		"a question":         {"Both would do. Shall I take the first one?", []string{"Shall I take the first one?"}},
		"nothing is left":    {"Nothing is left to do. All tests pass.", nil},
		"a list of the rest": {"Changed:\n- a.go\n- b.go\n\nRemaining:\n- c.go", []string{"c.go"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, OpenIn(tt.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A summary's text comes from an agent, or from the end of a transcript.
func FuzzSummaryOf(f *testing.F) {
	f.Add("Goal: a\n- b\n## Next\n1. c\nBlocked by: d")
	f.Fuzz(func(t *testing.T, s string) {
		c := SummaryOf(s)
		if c.Completed == nil || c.NextActions == nil || c.Outcome == "" {
			t.Errorf("%q: %+v", s, c)
		}
		OpenIn(s)
	})
}

func TestOpenLeavesTheContentAsItIs(t *testing.T) {
	c := &SessionContent{NextActions: []string{"the backoff."}}
	if open := c.Open(); open[0] != "the backoff" || c.NextActions[0] != "the backoff." {
		t.Errorf("open is %q, the content has %q", open, c.NextActions)
	}
}
