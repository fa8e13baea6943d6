package triage

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"memctl/text"
)

// Find is a sentence that may be worth a memory.
type Find struct {
	Turn   int      `json:"turn"`
	Side   Side     `json:"side"`
	Signs  []string `json:"signs,omitempty"`
	Points float64  `json:"points"` // by which finds are ordered
	Text   string   `json:"text"`
}

// Watch holds the signs and work of a session since the last question or save.
type Watch struct {
	Turns int     `json:"turns"` // of the session
	Since int     `json:"since"` // the first turn that counts
	Score float64 `json:"score"`
	Reading
	Saved time.Time `json:"saved"`           // when the root changed last, as far as was seen
	Work  Work      `json:"work"`            // since the session's last summary
	Finds []Find    `json:"finds,omitempty"` // the best first
	// Offer is the agent's last offer: its options, and its question.
	Offer []string `json:"offer,omitempty"`
	// Signs says that the last turn has signs, or that it answers a question after such a turn.
	Signs bool `json:"signs,omitempty"`
	// Open says that the last turn ends in a question of the agent.
	Open bool `json:"open,omitempty"`
}

// A session is asked when the points of its turns reach askAt, at the end of a turn with a sign.
const (
	askAt  = 3.5
	worked = .5  // a turn with tools, or in which the person wrote more than a remark
	aSide  = 1.5 // the most that the signs of one side are worth in a turn
	remark = 160 // bytes
)

const (
	// MaxShown is how many finds a question shows, and how many wait of a session.
	MaxShown = 3
	// maxFinds is how many finds are kept of a session.
	maxFinds = 12
	// maxQuoted is how many code points of a sentence are quoted.
	maxQuoted = 240
	// brief is how many code points a sentence has that says little by itself.
	brief = 30
	// maxOffer is how many options of the agent are kept.
	maxOffer = 10
)

// TurnPoints holds the points of a turn, and the reasons.
type TurnPoints struct {
	Turn   int     `json:"turn"`
	Worked float64 `json:"worked"`
	Person float64 `json:"user"`
	Agent  float64 `json:"agent"`
	Finds  []Find  `json:"finds"`
	Score  float64 `json:"score"` // since the session was last asked
	Asks   bool    `json:"asks"`
}

// Add adds a turn. A save resets the score, so an agent that saves by itself is not asked.
func (w *Watch) Add(t Turn) TurnPoints {
	w.Work.join(t.Work)
	if w.Turns = t.Number; t.Saved {
		w.Reset()
		w.offer(t)
		return TurnPoints{Turn: t.Number}
	}
	if w.Since == 0 {
		w.Since = t.Number
	}
	p := TurnPoints{Turn: t.Number}
	if t.Tools > 0 || len(t.Person) > remark {
		p.Worked = worked
	}
	p.Person, p.Finds = w.findsIn(t.Person, Person, t.Number)
	if t.Number == 1 { // a task: there is nothing yet to correct, to choose or to put off
		p.Person = 0
	}
	for i := range p.Finds {
		p.Finds[i].accept(w.Offer)
	}
	points, finds := w.findsIn(t.Agent, Agent, t.Number)
	p.Agent, p.Finds = points, append(p.Finds, finds...)
	w.Signs = p.Person+p.Agent > 0 || w.Open && w.Signs
	w.Open = t.asks()
	w.Score += p.Worked + p.Person + p.Agent
	w.Finds = best(append(w.Finds, p.Finds...), maxFinds)
	w.offer(t)
	p.Score, p.Asks = w.Score, w.Asks()
	return p
}

// Asks reports whether it is time to ask. It is not between the agent's question and the answer.
func (w *Watch) Asks() bool { return w.Score >= askAt && w.Signs && !w.Open }

// Reset forgets the messages so far.
func (w *Watch) Reset() {
	*w = Watch{Turns: w.Turns, Since: w.Turns + 1, Reading: w.Reading, Saved: w.Saved, Work: w.Work, Offer: w.Offer}
}

// findsIn returns the points of one side's signs in a turn, and its sentences with signs. A
// question lays nothing down, and a yes accepts only what the agent offered: neither has points.
func (w *Watch) findsIn(message string, side Side, turn int) (points float64, finds []Find) {
	var all uint16
	for _, sentence := range text.Sentences(message) {
		sentence = strings.TrimSpace(strings.TrimLeft(sentence, "-*#•+ "))
		asks := strings.HasSuffix(strings.TrimRight(sentence, "*_ "), "?") || strings.HasSuffix(sentence, "？")
		if side == Agent && asks {
			continue
		}
		bits := signsOf(side, sentence)
		if !asks {
			all |= bits
		}
		f := Find{Turn: turn, Side: side, Text: text.OneLine(sentence, maxQuoted)}
		for i, sign := range signs {
			if bits&(1<<i) != 0 {
				f.Points += sign.points
				f.Signs = append(f.Signs, sign.name)
			}
		}
		if side == Person && turn > 1 {
			f.Points++
		} else if side == Person {
			f.Points += .5
		}
		if asks {
			f.Points -= .5
		}
		if !isLong(sentence) {
			f.Points -= .5
		}
		if f.Points > 0 {
			finds = append(finds, f)
		}
	}
	for i, sign := range signs {
		if all&(1<<i) != 0 && (sign.name != "accepted" || len(w.Offer) > 0) {
			points += sign.points
		}
	}
	return min(points, aSide), finds
}

// isLong reports whether a sentence says something without what stands around it. Those in
// Chinese and Japanese characters and in Hangul are shorter.
func isLong(s string) bool {
	n := utf8.RuneCountInString(s)
	return n >= brief || n < len(s)*2/3 && n >= brief/3
}

// best returns the n best finds.
func best(finds []Find, n int) []Find {
	slices.SortStableFunc(finds, func(a, b Find) int { return cmp.Compare(b.Points, a.Points) })
	return finds[:min(n, len(finds))]
}

// Waiting returns the finds with a sign of which the session was not asked, at most MaxShown. A
// task alone is none.
func (w *Watch) Waiting() (waiting []Find) {
	for _, f := range w.Finds {
		if f.Turn > 1 && len(f.Signs) > 0 && len(waiting) < MaxShown {
			waiting = append(waiting, f)
		}
	}
	return waiting
}

const (
	// leastDraft is how many points a find of the person has that becomes a draft: two signs, or
	// what holds from now on. Of the agent's, those are drafts that name a choice or a cause.
	leastDraft = 2
	// maxDrafts is how many drafts a session gives.
	maxDrafts = 5
)

// WorthDrafts returns the best finds of a whole session, in the order in which they were said.
func WorthDrafts(turns []Turn) (finds []Find) {
	var w Watch
	for _, t := range turns {
		t.Saved = false
		for _, f := range w.Add(t).Finds {
			ofAgent := slices.Contains(f.Signs, "cause") || slices.Contains(f.Signs, "choice")
			if f.Points >= leastDraft || f.Side == Agent && ofAgent {
				finds = append(finds, f)
			}
		}
	}
	finds = best(finds, maxDrafts)
	slices.SortStableFunc(finds, func(a, b Find) int { return cmp.Compare(a.Turn, b.Turn) })
	return finds
}

// Drop removes a find.
func (w *Watch) Drop(f Find) {
	w.Finds = slices.DeleteFunc(w.Finds, func(other Find) bool { return other.Turn == f.Turn && other.Text == f.Text })
}

// offer keeps the options and the question with which a turn ends, for the person's answer.
func (w *Watch) offer(t Turn) {
	w.Offer = nil
	for line := range strings.Lines(t.Agent) {
		line = text.OneLine(strings.Trim(line, " -*#\n"), maxQuoted/2)
		if label(line) != "" && len(w.Offer) < maxOffer {
			w.Offer = append(w.Offer, line)
		}
	}
	if sentences := text.Sentences(t.Agent); t.asks() {
		w.Offer = append(w.Offer, text.OneLine(sentences[len(sentences)-1], maxQuoted/2))
	}
}

// label returns the letter or number of an option, in small letters: "b" of "B) SQLite", "2"
// of "Option 2: SQLite" and of "2. SQLite". It returns "" for another line.
func label(line string) string {
	line = strings.TrimPrefix(text.Lower(line), "option ")
	name := line[:max(0, strings.IndexAny(line, ").:"))]
	if _, err := strconv.Atoi(name); err == nil && len(name) <= 2 || len(name) == 1 && unicode.IsLetter(rune(name[0])) {
		return name
	}
	return ""
}

// maxAnswer is how many words an answer has that takes an option as it is.
const maxAnswer = 6

// accept adds to a short answer the option that it names, or the question that it answers.
func (f *Find) accept(offer []string) {
	words := strings.FieldsFunc(text.Lower(f.Text), func(r rune) bool { return !isWord(r) })
	if len(offer) == 0 || len(words) > maxAnswer {
		return
	}
	for _, option := range offer {
		if name := label(option); name != "" && slices.Contains(words, name) {
			f.Text, f.Points = fmt.Sprintf("%s (%s)", f.Text, option), f.Points+1
			return
		}
	}
	if question := offer[len(offer)-1]; slices.Contains(f.Signs, "accepted") && label(question) == "" {
		f.Text, f.Points = fmt.Sprintf("%s (%s)", f.Text, question), f.Points+.5
	}
}
