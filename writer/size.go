package writer

// large is the size, in bytes, above which create advises to split a memory.
const large = 16 << 10

// warnOfSize warns of a memory that is long to read.
func (w *Writer) warnOfSize(data []byte) {
	if len(data) > large {
		w.warn("the memory has %d KB: one over %d KB is better split, or kept in a file that related_files names",
			len(data)>>10, large>>10)
	}
}
