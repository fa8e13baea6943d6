package retrieve

import "testing"

func TestExpand(t *testing.T) {
	for _, test := range []struct {
		name      string
		relevance []float64
		layer     string
	}{
		{"nothing found", nil, IndexLayer},
		{"one certain", []float64{0.92}, DetailLayer},
		{"one certain among others", []float64{0.5, 0.95, 0.91}, DetailLayer},
		{"two certain are no single one", []float64{1, 0.92}, IndexLayer},
		{"three certain are one story", []float64{1, 1, 0.92}, TimelineLayer},
		{"a clear winner", []float64{0.85, 0.75}, DetailLayer},
		{"a winner by a hundredth too little", []float64{0.85, 0.76}, IndexLayer},
		{"a winner too weak", []float64{0.84, 0.2}, IndexLayer},
		{"alone but weak", []float64{0.84}, IndexLayer},
		{"alone and good", []float64{0.85}, DetailLayer},
		{"three good", []float64{0.8, 0.8, 0.8}, TimelineLayer},
		{"a winner before three good", []float64{0.91, 0.81, 0.8}, DetailLayer},
		{"two good", []float64{0.8, 0.8, 0.79}, IndexLayer},
	} {
		t.Run(test.name, func(t *testing.T) {
			rows := make([]Row, len(test.relevance))
			for i, r := range test.relevance {
				rows[i] = Row{ID: string(rune('a' + i)), Relevance: r}
			}
			if got := expand(rows); got.Expanded != test.layer {
				t.Errorf("%v expand to %s (%s), want %s", test.relevance, got.Expanded, got.Reason, test.layer)
			}
		})
	}
}
