package check

import (
	"memctl/retrieve"
	"memctl/text"
)

// added returns the added lines of a file.
func (f changedFile) added() []string {
	list := make([]string, len(f.Lines))
	for i, line := range f.Lines {
		list[i] = line.Text
	}
	return list
}

// broken adds a memory that forbids added lines of a file, with the first of them as reasons.
func (f *finder) broken(r retrieve.Result, file changedFile) {
	m, lines := memoryOf(r.Root, r.Path), file.added()
	for from, n := 0, 0; n < maxReasons; n++ {
		at := retrieve.ForbiddenLine(m.Check(), lines[from:])
		if at < 0 {
			return
		}
		line := file.Lines[from+at]
		f.add([]retrieve.Result{r}, func(retrieve.Result) reason {
			return reason{Kind: "lines", Broken: true, File: file.Path, Line: line.Number,
				Text: text.OneLine(line.Text, maxShown), sure: sureLine}
		})
		from += at + 1
	}
}

// quoted adds the lines with code that the text of a memory forbids. Whether they break it is for the reader to say:
// the text may mean other files.
func (f *finder) quoted(r retrieve.Result, file changedFile) {
	m := memoryOf(r.Root, r.Path)
	for _, code := range m.Forbidden() {
		if at := retrieve.CodeLine(file.added(), code); at >= 0 && m.Check() == nil {
			f.add([]retrieve.Result{r}, func(retrieve.Result) reason {
				return reason{Kind: "lines", File: file.Path, Line: file.Lines[at].Number,
					Text: text.OneLine(file.Lines[at].Text, maxShown), sure: sureFile}
			})
		}
	}
}

// compareBroken orders memories that the change breaks before the others.
func compareBroken(x, y bearing) int {
	switch {
	case x.Broken == y.Broken:
		return 0
	case x.Broken:
		return -1
	}
	return 1
}
