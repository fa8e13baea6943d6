package observe

import (
	"time"

	"memctl/memdir"
)

// Reviewed is the result of a review of a root. The record of reviews is a file of this
// user, for all roots. Deleting it loses nothing.
type Reviewed struct {
	Time     time.Time `json:"time"`
	Root     string    `json:"root"` // memdir.Root.Key
	Findings int       `json:"findings"`
}

const (
	reviewsName = "reviews.jsonl"
	// reviewsLimit is the size at which the record starts over, in bytes: some hundred
	// reviews. The old record is kept until the next time.
	reviewsLimit = 16 << 10
)

// RecordReview notes what a review of a root found.
func RecordReview(root memdir.Root, now time.Time, findings int) error {
	return appendRecord(reviewsName, reviewsLimit, Reviewed{now.UTC().Truncate(time.Second), root.Key(), findings})
}

// LastReview returns the last review of a root, the zero value if none is on record.
func LastReview(root memdir.Root) (last Reviewed, err error) {
	list, err := readRecord(reviewsName, reviewsLimit, func(r Reviewed) bool { return r.Root == root.Key() })
	if len(list) > 0 {
		last = list[len(list)-1]
	}
	return last, err
}
