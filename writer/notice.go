package writer

import "fmt"

// Notice is one thing that a person or an agent should know about a change.
type Notice struct {
	Field string // of the memory; "" is none
	Text  string
	Kind  NoticeKind
}

// NoticeKind says what a notice is about.
type NoticeKind int

const (
	// Warning: allowed, but perhaps a mistake.
	Warning NoticeKind = iota
	// AutoFix: mended.
	AutoFix
	// Unchecked: done without a check that the caller could have had.
	Unchecked
	// Private: kept from the disk.
	Private
)

var noticeLabels = map[NoticeKind]string{Warning: "[WARN] ", AutoFix: "[AUTO-FIX] ", Unchecked: "WARNING: ", Private: "[PRIVACY] "}

func (n Notice) String() string {
	if n.Field != "" {
		return noticeLabels[n.Kind] + n.Field + ": " + n.Text
	}
	return noticeLabels[n.Kind] + n.Text
}

func (w *Writer) fixed(field, format string, args ...any) {
	w.Notify(Notice{field, fmt.Sprintf(format, args...), AutoFix})
}

func (w *Writer) warnOf(field, format string, args ...any) {
	w.Notify(Notice{field, fmt.Sprintf(format, args...), Warning})
}

func (w *Writer) warn(format string, args ...any) { w.warnOf("", format, args...) }
