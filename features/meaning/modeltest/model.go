// Package modeltest is a small model of the meaning of words, and a server that speaks the protocols
// of embedding servers. It is for tests: it learns from a few hundred lines of text which words
// stand together, by random indexing (M. Sahlgren, "An Introduction to Random Indexing", 2005).
package modeltest

import (
	"encoding/json"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"net/http"
	"strings"
	"unicode"
)

// Dimension is that of the vectors.
const Dimension = 256

type vector = [Dimension]float64

// Model has a vector for each word of the text that it learned from.
type Model struct {
	words  map[string]vector
	rarity map[string]float64
}

// Train learns from lines: a word means what the lines mean that it is in, and a line what its
// words mean. Two rounds bring words together that are in no line together.
func Train(lines []string) *Model {
	m := &Model{map[string]vector{}, map[string]float64{}}
	counts := map[string]int{}
	for _, line := range lines {
		for _, word := range features(line) {
			counts[word]++
		}
	}
	for word, n := range counts {
		m.rarity[word] = math.Log(1 + float64(len(lines))/float64(n))
	}
	means := make([]vector, len(lines))
	for i, line := range lines {
		means[i] = random(line)
	}
	for range 2 {
		words := map[string]vector{}
		for i, line := range lines {
			for _, word := range features(line) {
				words[word] = sum(words[word], means[i], 1)
			}
		}
		for word, v := range words {
			m.words[word] = unit(v)
		}
		for i, line := range lines {
			means[i] = m.Vector(line)
		}
	}
	return m
}

// Vector returns the meaning of a text, of length 1.
func (m *Model) Vector(text string) (v vector) {
	for _, word := range features(text) {
		if known, ok := m.words[word]; ok {
			v = sum(v, known, m.rarity[word])
		} else {
			v = sum(v, random(word), 0.3)
		}
	}
	return unit(v)
}

// features are the words of a text, once each: of long ones the beginning, of Korean words two
// syllables at a time.
func features(text string) (list []string) {
	seen := map[string]bool{}
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	}) {
		runes := []rune(word)
		parts := []string{string(runes[:min(len(runes), 6)])}
		if unicode.Is(unicode.Hangul, runes[0]) {
			parts = parts[:0]
			for i := 0; i+2 <= len(runes); i++ {
				parts = append(parts, string(runes[i:i+2]))
			}
		}
		for _, part := range parts {
			if !seen[part] && len(part) > 2 {
				seen[part] = true
				list = append(list, part)
			}
		}
	}
	return list
}

// random returns a direction that depends on the text alone.
func random(text string) (v vector) {
	h := fnv.New64a()
	h.Write([]byte(text))
	source := rand.New(rand.NewPCG(h.Sum64(), 1))
	for i := range v {
		v[i] = source.NormFloat64()
	}
	return unit(v)
}

func sum(a, b vector, weight float64) vector {
	for i := range a {
		a[i] += weight * b[i]
	}
	return a
}

func unit(v vector) vector {
	square := 0.0
	for _, x := range v {
		square += x * x
	}
	if square > 0 {
		return sum(vector{}, v, 1/math.Sqrt(square))
	}
	v[0] = 1 // of a text without words
	return v
}

// ServeHTTP answers POST /v1/embeddings as OpenAI does, POST /api/embed as Ollama does, and POST
// /v1/rerank as Jina does.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Input     []string
		Query     string
		Documents []string
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	type object = map[string]any
	data, embeddings, results := []object{}, []vector{}, []object{}
	for i, text := range asked.Input {
		v := m.Vector(text)
		embeddings = append(embeddings, v)
		data = append(data, object{"index": i, "embedding": v})
	}
	for i, document := range asked.Documents {
		score, a, b := 0.0, m.Vector(asked.Query), m.Vector(document)
		for j := range a {
			score += a[j] * b[j]
		}
		results = append(results, object{"index": i, "relevance_score": score})
	}
	answers := map[string]object{
		"/v1/embeddings": {"data": data}, "/api/embed": {"embeddings": embeddings}, "/v1/rerank": {"results": results},
	}
	answer, known := answers[r.URL.Path]
	if !known {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}
