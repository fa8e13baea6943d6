package exchange

import "testing"

func TestTheStatusOfARecord(t *testing.T) {
	for stated, want := range map[string]string{
		"":                   "accepted",
		"-":                  "accepted",
		"Accepted":           "accepted",
		"implementable":      "accepted",
		"Proposed, accepted": "accepted",
		"proposed | rejected | accepted | deprecated | superseded": "accepted",
		"Superseded by [4](0004-mysql.md)":                         "superseded",
		"accepted, supersedes ADR-3":                               "accepted",
		"Partially superseded by ADR-3":                            "accepted",
		"Reverted by ADR-7":                                        "superseded",
		"reverted":                                                 "deprecated",
		"Rejected":                                                 "deprecated",
		"withdrawn":                                                "deprecated",
		"> It may be marked as \"superseded\" later.\n\nProposed": "proposed",
		"{Deprecated|Proposed|Accepted|Declined}\nImplemented":    "accepted",
		"[proposed | rejected | accepted]\nRejected":              "deprecated",
		"Accepted\nSuperseded by [ADR-7](0007-use-kafka.md)":      "superseded",
		"> one of accepted, rejected\nAccepted":                   "accepted",
		"~~Accepted~~ Deprecated":                                 "deprecated",
		"provisional":                                             "proposed",
		"on hold":                                                 "proposed",
		"experimental":                                            "proposed",
		"not accepted yet":                                        "proposed",
		"as the board wishes":                                     "proposed",
		"(Proposed/Approved/Rejected)":                            "accepted",
		"proposed | rejected":                                     "accepted",
		"Proposed, accepted or rejected":                          "accepted",
		"What is the status, such as proposed, accepted, rejected, deprecated, superseded, etc.?": "accepted",
		"{proposed | rejected | superseded by [ADR-0005](0005-example.md)}":                       "accepted",
		"- Proposed\n- Accepted\n- Superseded":                                                    "accepted",
		"Superseded (proposed/accepted/superseded)":                                               "superseded",
		"Proposed | Accepted | **Deprecated**":                                                    "deprecated",
		"Deprecated / Superseded":                                                                 "superseded",
		"Proposed 2020-01-02, accepted 2020-02-03, superseded by [3](0003-x.md)":                  "superseded",
		"Accepted, superseded by ADR-3":                                                           "superseded",
		"Vorgeschlagen/Akzeptiert/Abgelehnt":                                                      "accepted",
	} {
		rec := record{}
		rec.setStatus(stated)
		if got := rec.status(); got != want {
			t.Errorf("%q: got %s, want %s", stated, got, want)
		}
	}
}

func TestDatesAsPeopleWriteThem(t *testing.T) {
	for stated, want := range map[string]string{
		"September 20, 2024":         "2024-09-20",
		"Start Date: 2023-11-8":      "2023-11-08",
		"20th Sep 2024":              "2024-09-20",
		"3 of May 2021":              "2021-05-03",
		"2024/09/20":                 "2024-09-20",
		"3.4.2021":                   "2021-04-03",
		"25/12/2021":                 "2021-12-25",
		"12/25/2021":                 "2021-12-25",
		"03/04/2021":                 "",
		"2024-13-45":                 "",
		"2024-02-30":                 "",
		"next week":                  "",
		"2024-05-06T07:08:09Z":       "2024-05-06",
		"accepted on 2024-05-06 (x)": "2024-05-06",
	} {
		got := ""
		if when := dateIn(stated); !when.IsZero() {
			got = when.Format("2006-01-02")
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", stated, got, want)
		}
	}
}
