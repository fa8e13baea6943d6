package schemas

import "testing"

func TestGuessSaved(t *testing.T) {
	for phrase, want := range map[string]Category{
		"So 64 for all identifiers: the partner cuts longer names.":        Preference,
		"Nothing goes to production on a Friday; we had an outage.":        Preference,
		"User correction: errors carry the name of the operation.":         Preference,
		"We decided that timestamps must be UTC.":                          Constraint,
		"We chose Postgres instead of MySQL because of listen/notify.":     Decision,
		"The upload fails with a 403 when the clock is off.":               Runbook,
		"The parser is copied in three services, which is technical debt.": TechDebt,
		"Use SQLite for now, PostgreSQL comes later.":                      Preference,
		"In this session the export was finished.":                         SessionSummary,
		"Commit-Texte sind auf Englisch, die Kollegen in Porto lesen mit.": Preference,
		"커밋 메시지는 영어로 쓴다.":                                                  Preference,
	} {
		if got := GuessSaved(phrase); got != want {
			t.Errorf("%s: got %s, want %s", phrase, got, want)
		}
	}
}

func TestSavedForce(t *testing.T) {
	for phrase, want := range map[string]string{
		"So 64 for all identifiers: the partner cuts longer names.":    "high strong",
		"Never log a full IBAN.":                                       "high strong",
		"The user prefers pnpm.":                                       "high strong",
		"Preferably one change in a pull request.":                     "low soft",
		"The API cannot delete more than 500 rows.":                    "medium default",
		"Ausdrücke werden möglichst einzeln getestet.":                 "low soft",
		"Never ask for more than 500 rows, which the API rejects.":     "high strong",
		"Bankline truncates references after 35 characters.":           "medium default",
		"User correction: usually it is enough to run the unit tests.": "high strong",
	} {
		severity, strength := SavedForce(phrase)
		if got := severity + " " + strength; got != want {
			t.Errorf("%s: got %s, want %s", phrase, got, want)
		}
	}
}
