package web

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"memctl/memdir"
	"memctl/schemas"

	"github.com/fsnotify/fsnotify"
)

const (
	// settleTime is how long the files have to rest before the pages are told.
	settleTime = 200 * time.Millisecond
	// maxListeners is how many pages are told at most.
	maxListeners = 64
	// beat is how often a page is sent something, so that a lost one is noticed.
	beat = time.Minute
)

// broadcast tells open pages that files have changed.
type broadcast struct {
	mu        sync.Mutex
	sent      int // how often they were told
	listeners map[chan struct{}]bool
}

func newBroadcast() *broadcast { return &broadcast{listeners: map[chan struct{}]bool{}} }

// count is how often pages were told. A page hands it back when it starts to listen.
func (b *broadcast) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sent
}

// add adds a page. It is told at once if files have changed since it was made.
func (b *broadcast) add(since string) (chan struct{}, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.listeners) == maxListeners {
		return nil, false
	}
	listener := make(chan struct{}, 1)
	if since != strconv.Itoa(b.sent) {
		listener <- struct{}{}
	}
	b.listeners[listener] = true
	return listener, true
}

func (b *broadcast) remove(listener chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.listeners, listener)
}

func (b *broadcast) send() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sent++
	for listener := range b.listeners {
		select {
		case listener <- struct{}{}:
		default: // it has not read the last one yet
		}
	}
}

// serveEvents sends an event whenever files of the root have changed.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	listener, ok := s.events.add(r.URL.Query().Get("since"))
	if !ok {
		http.Error(w, "too many pages are open", http.StatusServiceUnavailable)
		return
	}
	defer s.events.remove(listener)
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	_ = out.SetReadDeadline(time.Time{}) // the page stays open
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	line := ": open\n\n"
	for {
		if _, err := fmt.Fprint(w, line); err != nil || out.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-listener:
			line = "event: changed\ndata:\n\n"
		case <-ticker.C:
			line = ": still open\n\n"
		}
	}
}

// watch tells the pages about changed files until the context ends. Where files cannot be
// watched, pages have to be reloaded.
func (s *Server) watch(ctx context.Context) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		s.Warn("pages do not refresh themselves: " + err.Error())
		return
	}
	defer watcher.Close()
	s.watchFolders(watcher)
	settled := time.NewTimer(time.Hour)
	settled.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case event, open := <-watcher.Events:
			if !open {
				return
			}
			if event.Has(fsnotify.Create) {
				s.watchFolders(watcher)
			}
			if isShown(event.Name) {
				settled.Reset(settleTime)
			}
		case _, open := <-watcher.Errors:
			if !open {
				return
			}
			settled.Reset(settleTime) // events were lost
		case <-settled.C:
			s.events.send()
		}
	}
}

// watchFolders watches the folders of the roots that exist. It follows no links.
func (s *Server) watchFolders(watcher *fsnotify.Watcher) {
	folders := []string{".", memdir.SessionsFolder}
	for _, info := range schemas.Categories {
		folders = append(folders, info.Folder)
	}
	watched := watcher.WatchList()
	for _, at := range s.places() {
		for _, folder := range folders {
			path := at.Join(folder)
			info, err := os.Lstat(path)
			if err == nil && info.IsDir() && !slices.Contains(watched, path) {
				_ = watcher.Add(path) // a folder that cannot be watched is not
			}
		}
	}
}

// isShown reports whether pages depend on a file. Reading changes the index, which is
// not one of them.
func isShown(path string) bool {
	return slices.Contains([]string{".json", ".jsonl", ".txt", memdir.ConflictSuffix}, filepath.Ext(path))
}
