//go:build linux

package bench

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"memctl/files"
	"memctl/store/storetest"
)

var cold = flag.Int("cold", 100_000, "memories of the store that BenchmarkCold makes")

// mostStarts is how many session starts may build an index.
const mostStarts = 40

// BenchmarkCold prints what the starts of sessions take that build the index of a large store, and what the prompt
// after each one takes and finds.
func BenchmarkCold(t *testing.B) {
	b, err := bareBed(t, *memctl)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(os.Stderr, "bench: making %d memories\n", *cold)
	p := &project{dir: filepath.Join(b.dir, "cold")}
	if err := storetest.Write(p.dir, *cold, seed); err != nil {
		t.Fatal(err)
	}
	p.choosePrompt(storetest.Memories(*cold, seed))
	time.Sleep(settling)
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // else the peak of this process is one of each child
	start := b.hook("session-start", p.dir, "", map[string]any{"source": "startup"})
	prompt := b.hook("user-prompt-submit", p.dir, "", map[string]any{"prompt": p.prompt})
	fmt.Println("| start | CPU s | elapsed s | MiB | prompt, CPU ms | MiB | finds the memory |")
	fmt.Println("|--:|--:|--:|--:|--:|--:|---|")
	for n := range mostStarts {
		started, err := b.run(start)
		if err != nil {
			t.Fatal(err)
		}
		asked, err := b.run(prompt)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("| %d | %.2f | %.2f | %d | %.1f | %d | %t |\n", n+1, started.cpu/1000, started.wall/1000,
			started.mebibytes(), asked.cpu, asked.mebibytes(), strings.Contains(asked.printed, p.target.Title))
		if _, err := os.Stat(p.path(files.BuildName)); os.IsNotExist(err) {
			return
		}
	}
	t.Errorf("the index is not whole after %d starts", mostStarts)
}

// mebibytes is the peak of the resident memory.
func (s sample) mebibytes() int64 { return s.usage.(*syscall.Rusage).Maxrss >> 10 }
