package writer

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"

	"memctl/schemas"
)

// Updated is the answer of Update.
type Updated struct {
	Status       string    `json:"status"`
	Target       string    `json:"target"`
	ID           string    `json:"id"`
	Title        string    `json:"title"`
	TimesUpdated int64     `json:"times_updated"`
	RenamedFrom  string    `json:"renamed_from,omitempty"`
	Privacy      *Withheld `json:"privacy,omitempty"`
}

// Update puts a draft in the place of a memory, by the rules of merge. hash is
// the MD5 of the file that the draft was made from, in lower-case hex; "" leaves
// unchecked whether the file has changed since. A title that is a new one by
// most of its words gives the file a new name.
func (w *Writer) Update(ctx context.Context, target string, in Input, hash string) (Updated, error) {
	draft, err := in.document()
	if err != nil {
		return Updated{}, err
	}
	taken := w.protect(draft)
	withheld := w.withheld("", taken)
	if err := checkTitle(draft, taken); err != nil {
		return Updated{}, err
	}
	var done Updated
	err = w.lockedMemory(ctx, target, UpdateError, func(m *memory) ([]string, error) {
		doc, to, err := w.updated(m, draft, hash)
		if err != nil {
			return nil, err
		}
		data, err := encodeValid(doc)
		if err != nil {
			return nil, err
		}
		done = Updated{Status: "updated", Target: to.shown, ID: doc["id"].(string), Title: titleOf(doc), TimesUpdated: timesUpdated(doc), Privacy: withheld}
		if to.stem != m.stem {
			done.RenamedFrom = m.shown
		}
		return m.replace(data, to)
	})
	return done, err
}

// updated is what an update writes, and where.
func (w *Writer) updated(m *memory, draft schemas.Document, hash string) (doc schemas.Document, to place, err error) {
	if err := w.checkHash(m, hash); err != nil {
		return nil, to, err
	}
	old, err := m.document()
	if err != nil {
		return nil, to, err
	}
	w.protect(old) // of what is compared and goes into the history
	if doc, err = w.merged(old, draft, m.place); err != nil {
		return nil, to, err
	}
	if to, err = w.newName(m, old, doc); err == nil && to.stem != m.stem {
		doc["id"] = to.stem
	}
	return doc, to, err
}

// checkHash refuses a draft that was made from another file.
func (w *Writer) checkHash(m *memory, hash string) error {
	sum := md5.Sum(m.data)
	current := hex.EncodeToString(sum[:])
	if hash == "" {
		w.Notify(Notice{Text: "no --hash: a change that somebody else made since you read the file may be overwritten", Kind: Unchecked})
	}
	if hash == "" || hash == current {
		return nil
	}
	return failed(OCCConflict, Detail{"target", m.shown}, Detail{"expected_hash", hash}, Detail{"current_hash", current},
		Detail{"fix", "read the file again, make the change to what it says now, and give its MD5"})
}

// merged is the draft, mended and merged with the memory.
func (w *Writer) merged(old, draft schemas.Document, p place) (schemas.Document, error) {
	w.keep(old, draft, p)
	if err := checkTitle(draft, w.mend(draft)); err != nil {
		return nil, err
	}
	draft["updated_at"] = w.now()
	draft["times_updated"] = json.Number(strconv.FormatInt(timesUpdated(old)+1, 10))
	if err := checkDraft(draft); err != nil {
		return nil, err
	}
	return draft, merge(old, draft, w.Root.Project, w.now(), w.warnOf)
}

// keep gives the draft what no update changes.
func (w *Writer) keep(old, draft schemas.Document, p place) {
	derived := schemas.Document{"id": p.stem, "category": string(p.category), "record_status": string(schemas.Active)}
	for _, field := range []string{"created_at", "id", "category", "record_status"} {
		if old[field] != nil {
			draft[field] = old[field]
		} else if derived[field] != nil {
			draft[field] = derived[field]
		}
	}
	for _, field := range lifecycleFields {
		delete(draft, field)
		if old[field] != nil {
			draft[field] = old[field]
		}
	}
}

// checkDraft checks a draft against its schema, but for the length of its
// history: merging drops what is too old.
func checkDraft(draft schemas.Document) error {
	data, err := encode(draft)
	if err != nil {
		return err
	}
	found := slices.DeleteFunc(schemas.Validate(data), func(v schemas.Violation) bool {
		return v.Field == "changes" && v.Rule == "maxItems"
	})
	if len(found) > 0 {
		return invalid(found)
	}
	return nil
}
