package web

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"memctl/files"
	"memctl/files/gate"
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
	count     int           // how often it did
	next      chan struct{} // closed the next time
	listeners chan struct{} // has an element for each page
}

func newBroadcast() *broadcast {
	return &broadcast{next: make(chan struct{}), listeners: make(chan struct{}, maxListeners)}
}

// state returns how often pages were told, and a channel that is closed the next time.
func (b *broadcast) state() (count int, next <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.count, b.next
}

func (b *broadcast) send() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count++
	close(b.next)
	b.next = make(chan struct{})
}

// serveEvents sends an event whenever files of the root have changed, at once if they have
// since the page was made.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	select {
	case s.events.listeners <- struct{}{}:
		defer func() { <-s.events.listeners }()
	default:
		http.Error(w, translate(langOf(r), "access.pages"), http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	_ = out.SetReadDeadline(time.Time{}) // the page stays open
	ticker := time.NewTicker(min(beat, s.Idle/3))
	defer ticker.Stop()
	last, line := r.URL.Query().Get("since"), ": open\n\n"
	for {
		s.idle.Reset(s.Idle) // someone may be typing
		if _, err := fmt.Fprint(w, line); err != nil || out.Flush() != nil {
			return
		}
		count, next := s.events.state()
		if now := strconv.Itoa(count); now != last {
			last, line = now, "event: changed\ndata:\n\n"
			continue
		}
		select {
		case <-r.Context().Done():
			return
		case <-next:
			line = "" // the event follows
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
			// A folder that is new may have had files before it was watched.
			if event.Has(fsnotify.Create) && s.watchFolders(watcher) || isShown(event.Name) {
				s.compared.changed()
				settled.Reset(settleTime)
			}
		case _, open := <-watcher.Errors:
			if !open {
				return
			}
			s.compared.changed() // events were lost
			settled.Reset(settleTime)
		case <-settled.C:
			s.events.send()
		}
	}
}

// watchFolders watches the folders of the roots that exist, and reports whether one of them is new. It follows no
// links.
func (s *Server) watchFolders(watcher *fsnotify.Watcher) (added bool) {
	folders := []string{".", files.SessionsFolder}
	for _, info := range schemas.Categories {
		folders = append(folders, info.Folder)
	}
	watched := watcher.WatchList()
	var whole []string // roots of which every folder is watched
	for _, at := range s.places() {
		missed := false
		for _, folder := range folders {
			path := at.Join(folder)
			info, err := gate.Lstat(path)
			if err == nil && info.IsDir() && !slices.Contains(watched, path) {
				missed = watcher.Add(path) != nil || missed
				added = true
			}
		}
		if !missed {
			whole = append(whole, at.Path)
		}
	}
	s.compared.watching(whole)
	return added
}

// isShown reports whether pages depend on a file. Reading changes the index, which is
// not one of them.
func isShown(path string) bool {
	return slices.Contains([]string{".json", ".jsonl", ".txt", files.ConflictSuffix}, filepath.Ext(path))
}
