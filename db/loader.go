package db

// flushFiles is how many files are queued before their rows are written.
const flushFiles = 64

// Loader fills an empty index in one transaction. It writes the postings last and in
// key order, which keeps their b-tree sequential, and then the full text in one
// statement.
type Loader struct {
	tx       *Tx
	tables   *tables
	nextID   int64
	postings map[string][]posting // by token; those of one token in order of memoryID
	pending  int
}

// Load starts to fill an index that has no memories yet.
func (t *Tx) Load() *Loader {
	return &Loader{tx: t, tables: newTables(t), nextID: 1, postings: map[string][]posting{}}
}

// Add queues the rows of one file.
func (l *Loader) Add(e Entry) error {
	if e.memory == nil {
		l.tables.queueFile(&e.File, nil)
	} else {
		l.tables.queueFile(&e.File, l.nextID)
		l.tables.queueMemory(l.nextID, e.memory)
		for _, p := range e.memory.postings {
			p.memoryID = l.nextID
			l.postings[p.token] = append(l.postings[p.token], p)
		}
		l.nextID++
	}
	l.pending++
	if l.pending < flushFiles {
		return nil
	}
	l.pending = 0
	return l.tables.flush()
}

// Close writes what is queued.
func (l *Loader) Close() error {
	if err := l.tables.flush(); err != nil {
		return err
	}
	if err := l.tx.putPostings(l.postings); err != nil {
		return err
	}
	return l.tx.fillFullText()
}
