package schemas

import "strings"

// maxNesting is how deep JSON may be nested, as encoding/json has it.
const maxNesting = 10_000

// Valid is json.Valid in a fraction of its time, which is what a hook spends most
// on when it reads the end of a transcript. A fuzz test holds the two equal.
func Valid(data []byte) bool {
	c := checker{data: data}
	return c.value(0) && c.next() == 0 && c.at == len(data)
}

// checker reads JSON from the front. Its methods tell whether they found what
// they are named for, and have moved past it.
type checker struct {
	data []byte
	at   int
}

// next skips white space and returns the byte after it, 0 at the end.
func (c *checker) next() byte {
	for ; c.at < len(c.data); c.at++ {
		switch b := c.data[c.at]; b {
		case ' ', '\t', '\n', '\r':
		default:
			return b
		}
	}
	return 0
}

// take moves past a byte that is not 0, if it is next.
func (c *checker) take(b byte) bool {
	found := c.next() == b
	if found {
		c.at++
	}
	return found
}

func (c *checker) value(depth int) bool {
	switch c.next() {
	case '{':
		return depth < maxNesting && c.object(depth+1)
	case '[':
		return depth < maxNesting && c.list(depth+1)
	case '"':
		return c.text()
	case 't':
		return c.word("true")
	case 'f':
		return c.word("false")
	case 'n':
		return c.word("null")
	}
	return c.number()
}

func (c *checker) object(depth int) bool {
	c.at++
	if c.take('}') {
		return true
	}
	for c.text() && c.take(':') && c.value(depth) {
		if !c.take(',') {
			return c.take('}')
		}
	}
	return false
}

func (c *checker) list(depth int) bool {
	c.at++
	if c.take(']') {
		return true
	}
	for c.value(depth) {
		if !c.take(',') {
			return c.take(']')
		}
	}
	return false
}

func (c *checker) text() bool {
	if !c.take('"') {
		return false
	}
	for {
		plain := 0
		for _, b := range c.data[c.at:] {
			if b == '"' || b == '\\' || b < ' ' {
				break
			}
			plain++
		}
		c.at += plain
		if c.skip(`"`) {
			return true
		}
		if !c.skip(`\`) || !c.escape() {
			return false
		}
	}
}

// escape is what stands after a backslash.
func (c *checker) escape() bool {
	if !c.skip("u") {
		return c.skip(`"\/bfnrt`)
	}
	for range 4 {
		if !c.skip("0123456789abcdefABCDEF") {
			return false
		}
	}
	return true
}

func (c *checker) word(word string) bool {
	for i := range len(word) {
		if !c.skip(word[i : i+1]) {
			return false
		}
	}
	return true
}

func (c *checker) number() bool {
	c.skip("-")
	if !c.skip("0") && !c.digits() {
		return false
	}
	if c.skip(".") && !c.digits() {
		return false
	}
	if !c.skip("eE") {
		return true
	}
	c.skip("+-")
	return c.digits()
}

func (c *checker) digits() bool {
	const digits = "0123456789"
	found := c.skip(digits)
	for c.skip(digits) {
	}
	return found
}

// skip moves past one byte if it is one of a few.
func (c *checker) skip(few string) bool {
	found := c.at < len(c.data) && strings.IndexByte(few, c.data[c.at]) >= 0
	if found {
		c.at++
	}
	return found
}
