package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"memctl/indexer"
)

const (
	barWidth = 12 // with what stands around it, a line of 40 columns
	barEvery = 100 * time.Millisecond
)

// progress draws a bar on a terminal and nothing elsewhere. The library of the
// field brings net/http and TLS into a program that has no business with either.
func progress(w io.Writer, doing string) indexer.Progress {
	if !isTerminal(w) {
		return nil
	}
	var drawn time.Time
	return func(done, total int) {
		if done == total {
			fmt.Fprint(w, "\r\x1b[K")
			return
		}
		if now := time.Now(); now.Sub(drawn) >= barEvery {
			drawn = now
			filled := barWidth * done / total
			fmt.Fprintf(w, "\r%s %s%s %d of %d", doing, strings.Repeat("█", filled), strings.Repeat("░", barWidth-filled), done, total)
		}
	}
}
