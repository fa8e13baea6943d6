package privacy

import "strings"

// code finds what is literal in Markdown: fenced blocks, and stretches between
// backticks on one line. What is never closed is no code.
type code struct {
	s      string
	fences []fence
	passed int // how many fences lie behind
	tick   int // the first backtick at or after the place looked from last
	// the stretch found last
	start, end int
	// the line whose runs of backticks are known, by its end
	lineEnd int
	lastRun [maxRun + 1]int // where the last run of each length is in it
}

// fence is a line that opens or closes a block.
type fence struct {
	start, end int
	char       byte
	length     int
	bare       bool // nothing follows on the line, so it may close
	// longest is how long the longest bare one of the char is that follows.
	longest int
}

// maxRun is the longest run of backticks that is code on one line.
const maxRun = 32

func newCode(s string) code {
	c := code{s: s, end: -1, lineEnd: -1, tick: -1}
	longest := map[byte]int{}
	for start := 0; start < len(s); {
		end := len(s)
		if i := strings.IndexByte(s[start:], '\n'); i >= 0 {
			end = start + i
		}
		if f, ok := readFence(s[start:end]); ok {
			f.start, f.end = start, end
			c.fences = append(c.fences, f)
		}
		start = end + 1
	}
	for i := len(c.fences) - 1; i >= 0; i-- {
		f := &c.fences[i]
		f.longest = longest[f.char]
		if f.bare {
			longest[f.char] = max(longest[f.char], f.length)
		}
	}
	return c
}

// readFence takes any indentation: blocks stand in lists too.
func readFence(line string) (f fence, ok bool) {
	line = strings.TrimLeft(line, " \t")
	if line == "" || line[0] != '`' && line[0] != '~' {
		return f, false
	}
	f.char, f.length = line[0], runAt(line, 0)
	rest := line[f.length:]
	f.bare = blank(rest)
	return f, f.length >= 3 && (f.char == '~' || strings.IndexByte(rest, '`') < 0)
}

func runAt(s string, at int) int {
	n := 1
	for at+n < len(s) && s[at+n] == s[at] {
		n++
	}
	return n
}

// next returns the first stretch of code that starts at a place or after it, or
// the text's end twice. Places only grow from call to call.
func (c *code) next(from int) (start, end int) {
	if c.end >= 0 && c.start >= from {
		return c.start, c.end
	}
	for c.passed < len(c.fences) && c.fences[c.passed].start < from {
		c.passed++
	}
	c.start, c.end = c.find(from)
	return c.start, c.end
}

func (c *code) find(from int) (start, end int) {
	for from < len(c.s) {
		tick := c.nextTick(from)
		if c.passed < len(c.fences) && c.fences[c.passed].start <= tick {
			f := c.fences[c.passed]
			c.passed++
			if end, ok := c.fenceEnd(f); ok {
				return f.start, end
			}
			from = f.end
			continue
		}
		if tick == len(c.s) {
			break
		}
		n := runAt(c.s, tick)
		if end, ok := c.runEnd(tick, n); ok {
			return tick, end
		}
		from = tick + n
	}
	return len(c.s), len(c.s)
}

// nextTick returns where the next backtick is, the text's end for none.
func (c *code) nextTick(from int) int {
	if c.tick < from {
		c.tick = len(c.s)
		if i := strings.IndexByte(c.s[from:], '`'); i >= 0 {
			c.tick = from + i
		}
	}
	return c.tick
}

// fenceEnd finds the end of the block that a fence opens; it is the last one
// passed.
func (c *code) fenceEnd(f fence) (end int, ok bool) {
	if f.longest < f.length {
		return 0, false
	}
	for i := c.passed; ; i++ {
		if g := c.fences[i]; g.bare && g.char == f.char && g.length >= f.length {
			return g.end, true
		}
	}
}

// runEnd finds the next run of n backticks on the line of one.
func (c *code) runEnd(at, n int) (end int, ok bool) {
	if n > maxRun {
		return 0, false
	}
	c.readLine(at)
	if c.lastRun[n] <= at {
		return 0, false
	}
	for i := at + n; ; {
		i += strings.IndexByte(c.s[i:], '`')
		length := runAt(c.s, i)
		i += length
		if length == n {
			return i, true
		}
	}
}

// readLine notes the last run of each length of the rest of a line.
func (c *code) readLine(at int) {
	if at < c.lineEnd {
		return
	}
	c.lineEnd = len(c.s)
	if i := strings.IndexByte(c.s[at:], '\n'); i >= 0 {
		c.lineEnd = at + i
	}
	c.lastRun = [maxRun + 1]int{}
	for i := at; i < c.lineEnd; {
		if c.s[i] != '`' {
			i++
			continue
		}
		n := runAt(c.s, i)
		if n <= maxRun {
			c.lastRun[n] = i
		}
		i += n
	}
}
