package meaning

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"memctl/db"
	"memctl/retrieve"
	"memctl/text"
)

// lockSuffix follows the name of a database: the kernel lock of the process that works off its
// outbox. It is free when that process ends, however it ends.
const lockSuffix = ".meaning.lock"

const (
	// batchSize is how many texts are sent at once, batchTime how long the server may take.
	batchSize, batchTime = 16, 30 * time.Second
	// listed is how many texts are looked up at once: to find them takes longer than to read them.
	listed = 512
	// newest is how many observations, and how many turns of past sessions, get vectors.
	newest = 5000
	// shortText is the length to which a text is cut that a server finds too long, in code points.
	shortText = 400
)

// ErrBusy means that another process works on the texts of the database.
var ErrBusy = errors.New("another process makes these vectors")

// work is the pending work for a database.
type work struct {
	retrieve.VectorWork
	settings *Settings
}

// MakeVectors implements retrieve.Model. Whoever comes next goes on where a batch was the last one.
func (s *Settings) MakeVectors(ctx context.Context, of retrieve.VectorWork) (done int, err error) {
	if s.resting(time.Now()) > 0 {
		return 0, nil
	}
	w := work{of, s}
	lock, err := w.Root.LockExclusive(ctx, filepath.Base(w.DB.Path)+lockSuffix, 0)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrBusy, err)
	}
	defer lock.Unlock()
	for _, kind := range w.DB.VectorKinds() {
		n, err := w.ofKind(ctx, kind)
		done += n
		if err != nil {
			if ctx.Err() == nil {
				s.note(true, time.Now())
			}
			return done, err
		}
	}
	if done > 0 {
		s.note(false, time.Now())
	}
	return done, nil
}

// ofKind makes the vectors of one kind.
func (w work) ofKind(ctx context.Context, kind string) (done int, err error) {
	set, err := w.set(ctx, kind)
	total := 0
	if err == nil && w.Progress != nil {
		total, err = w.DB.CountPending(ctx, set, newest)
	}
	for err == nil && set.ID != 0 {
		var pending []db.Pending
		if pending, err = w.DB.Pending(ctx, set, listed, newest); err != nil || len(pending) == 0 {
			break
		}
		for batch := range slices.Chunk(pending, batchSize) {
			if err = w.batch(ctx, set, batch); err != nil {
				break
			}
			done += len(batch)
			if w.Progress != nil {
				w.Progress(done, max(done, total))
			}
		}
	}
	if err != nil || set.ID == 0 || set.Complete {
		return done, err
	}
	return done, w.DB.Update(ctx, func(tx *db.Tx) error { return tx.CompleteVectors(set) })
}

// set returns the set that the settings ask for, and makes it if there is none. Without
// anything to compare there is no set.
func (w work) set(ctx context.Context, kind string) (set db.VectorSet, err error) {
	sets, err := w.DB.VectorSets(ctx, kind)
	if err != nil {
		return set, err
	}
	for _, s := range sets {
		if w.settings.matches(s) {
			set = s
		}
	}
	trying, cancel := context.WithTimeout(ctx, batchTime)
	defer cancel()
	if set.ID != 0 {
		if same, err := w.settings.unchanged(trying, set); same || err != nil {
			return set, err
		}
	}
	if pending, err := w.DB.Pending(ctx, db.VectorSet{Kind: kind}, 1, newest); err != nil || len(pending) == 0 {
		return db.VectorSet{}, err
	}
	t, err := w.settings.try(trying)
	if err != nil {
		return db.VectorSet{}, err
	}
	set = db.VectorSet{Kind: kind, Model: w.settings.Model, DocumentPrefix: w.settings.DocumentPrefix,
		QueryPrefix: w.settings.QueryPrefix, Dimension: t.Dimension, Far: t.Far, Near: t.Near, Probe: t.probe}
	err = w.DB.Update(ctx, func(tx *db.Tx) (err error) {
		set.ID, err = tx.PutVectorSet(set)
		return err
	})
	return set, err
}

// batch makes the vectors of some texts.
func (w work) batch(ctx context.Context, set db.VectorSet, batch []db.Pending) error {
	hashes := make([][]byte, len(batch))
	vectors := map[string][]byte{} // by hash
	var missing []unmade
	for i, p := range batch {
		content := text.Truncate(public(p.Text, w.Privacy(p.Path)), maxText)
		sum := sha256.Sum256([]byte(content))
		hashes[i] = sum[:16]
		hash := string(hashes[i])
		if _, seen := vectors[hash]; seen {
			continue
		}
		known, err := w.DB.HasVector(ctx, set, hashes[i])
		if err != nil {
			return err
		}
		if !known {
			vectors[hash] = nil
			missing = append(missing, unmade{hash, content})
		}
	}
	if err := w.embed(ctx, set, missing, vectors); err != nil {
		return err
	}
	return w.DB.Update(ctx, func(tx *db.Tx) error {
		for hash, vector := range vectors {
			if err := tx.PutVector(set, []byte(hash), vector); err != nil {
				return err
			}
		}
		for i, p := range batch {
			if err := tx.PutText(set.Kind, p.ID, hashes[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// unmade is a text without a vector.
type unmade struct{ hash, text string }

// embed asks for the vectors of the missing texts. If the server refuses them together it asks
// for each alone, then for its beginning; a text that is refused even so gets an empty vector.
func (w work) embed(ctx context.Context, set db.VectorSet, missing []unmade, vectors map[string][]byte) error {
	if len(missing) == 0 {
		return nil
	}
	inputs := make([]string, len(missing))
	for i, m := range missing {
		inputs[i] = set.DocumentPrefix + m.text
	}
	trying, cancel := context.WithTimeout(ctx, batchTime)
	defer cancel()
	made, err := w.settings.embed(trying, set.Model, inputs)
	refused := new(statusError)
	if errors.As(err, &refused) && refused.aboutText() {
		if len(missing) > 1 {
			for _, m := range missing {
				if err := w.embed(ctx, set, []unmade{m}, vectors); err != nil {
					return err
				}
			}
			return nil
		}
		m := missing[0]
		if short := text.Truncate(m.text, shortText); short != m.text {
			return w.embed(ctx, set, []unmade{{m.hash, short}}, vectors)
		}
		vectors[m.hash] = []byte{}
		return nil
	}
	if err != nil {
		return err
	}
	for i, m := range missing {
		if len(made[i]) != set.Dimension {
			return fmt.Errorf("%s: a vector has the dimension %d, those of this model have %d",
				w.settings.endpoint.Host,
				len(made[i]), set.Dimension)
		}
		vectors[m.hash] = pack(made[i])
	}
	return nil
}

// aboutText reports whether a server refuses the text, and not the request.
func (e *statusError) aboutText() bool { return e.code == 400 || e.code == 413 || e.code == 422 }
