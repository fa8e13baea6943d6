package writer

import "fmt"

// Notice is something that a person or an agent should know about a change.
type Notice struct {
	Field string // of the memory; "" for none
	Text  string
	Kind  NoticeKind
}

// NoticeKind is the kind of a Notice.
type NoticeKind int

const (
	Warning   NoticeKind = iota // allowed, but may be a mistake
	AutoFix                     // fixed in the draft
	Unchecked                   // done without a check that the caller could have asked for
	Private                     // removed before writing
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
