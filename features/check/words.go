package check

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"memctl/retrieve"
	"memctl/text"
)

const (
	// maxAsked is how many files of a change are asked for by their words, those with the most added lines.
	maxAsked = 5
	// maxWords is how many code points of a file's added lines a question has.
	maxWords = 4000
	// maxByWords is how many memories one question finds, before its lines are compared with them.
	maxByWords = 10
	// chance is the Query.Chance of a question, a prompt's; which lines have the words is looked at afterwards.
	chance = 0.075
	// window is how many lines of a file stand together.
	window = 6
	// leastShared is the least weight of the words that such lines have in common with a memory, leastOfTitle the
	// part of its title's weight.
	leastShared, leastOfTitle = 2.5, 0.5
	// ofTopic, ofCommon and ofPlain are the weights of a word that says what a text is about, of one that tasks in any
	// project have, and of another.
	ofTopic, ofCommon, ofPlain = 1, 0.7, 0.3
)

// byWords finds the memories whose words the added lines have.
func (f *finder) byWords(ctx context.Context, sources retrieve.Sources, c change) error {
	asked := slices.Clone(c.Files)
	slices.SortStableFunc(asked, func(x, y changedFile) int { return cmp.Compare(len(y.Lines), len(x.Lines)) })
	for _, file := range asked[:min(len(asked), maxAsked)] {
		if err := f.ask(ctx, sources, file); err != nil {
			return err
		}
	}
	return nil
}

// ask asks for the memories that have the words of a file's added lines.
func (f *finder) ask(ctx context.Context, sources retrieve.Sources, file changedFile) error {
	if len(file.Lines) == 0 {
		return nil
	}
	words := nameOf(file.Path) + "\n" + text.Truncate(file.text(), maxWords)
	q := retrieve.NewHybridQuery(words, nil, maxByWords)
	q.Chance, q.SeveralWords, q.Current = chance, true, true
	results, err := sources.Fresh(ctx, q)
	if err != nil {
		return err
	}
	places := windowsOf(file)
	for _, r := range results {
		if why, found := wordsOf(r, file, places); found {
			f.add([]retrieve.Result{r}, func(retrieve.Result) reason { return why })
		}
	}
	return nil
}

// lines are the words of some added lines that stand together.
type lines struct {
	first int
	words map[string]float64
}

// windowsOf divides the added lines of a file into overlapping parts.
func windowsOf(file changedFile) (list []lines) {
	for at := 0; at < len(file.Lines); at += window / 2 {
		end := at
		var b strings.Builder
		for end < len(file.Lines) && file.Lines[end].Number-file.Lines[at].Number < window {
			b.WriteString(file.Lines[end].Text + "\n")
			end++
		}
		list = append(list, lines{file.Lines[at].Number, weighed(b.String())})
	}
	return list
}

// weighed returns the words of a text in their root forms, each with its weight.
func weighed(s string) map[string]float64 {
	terms, words := text.TermsOf(s), map[string]float64{}
	for weight, list := range map[float64][]string{ofTopic: terms.Topics, ofCommon: terms.Common,
		ofPlain: terms.Plain} {
		for _, word := range text.Words(strings.Join(list, " ")) {
			words[word] = max(words[word], weight)
		}
	}
	return words
}

// wordsOf says which lines of a file have the words of a memory, if some that stand together do.
func wordsOf(r retrieve.Result, file changedFile, places []lines) (why reason, found bool) {
	m := memoryOf(r.Root, r.Path)
	title := weighed(m.Title)
	all := weighed(m.Title + "\n" + strings.Join(m.Tags, " ") + "\n" + m.Text())
	ofTitle, best := leastOfTitle*sum(title), 0.0
	for _, l := range places {
		shared := common(all, l.words)
		if weight := sum(shared); weight >= leastShared && weight > best && sum(common(title, l.words)) >= ofTitle {
			best, found = weight, true
			why = reason{Kind: "words", File: file.Path, Line: l.first, Words: heaviest(shared), sure: sureWords}
		}
	}
	return why, found
}

// common are the words that two texts have, with the weight in the first.
func common(words, others map[string]float64) map[string]float64 {
	list := map[string]float64{}
	for word, weight := range words {
		if others[word] > 0 {
			list[word] = weight
		}
	}
	return list
}

func sum(words map[string]float64) (total float64) {
	for _, weight := range words {
		total += weight
	}
	return total
}

// heaviest returns the words of most weight, in the order of the alphabet where it is the same.
func heaviest(words map[string]float64) []string {
	list := slices.SortedFunc(maps.Keys(words), func(x, y string) int {
		return cmp.Or(cmp.Compare(words[y], words[x]), cmp.Compare(x, y))
	})
	return list[:min(len(list), maxShared)]
}

// nameOf returns the words of a file's name.
func nameOf(file string) string {
	name := path.Base(file)
	return strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(strings.TrimSuffix(name, path.Ext(name)))
}

// maxShared is how many common words a reason names.
const maxShared = 5
