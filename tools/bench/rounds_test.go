package main

import (
	"fmt"
	"testing"
)

func TestMeasurementsWithRunsOfTheirOwnComeLast(t *testing.T) {
	list := []measurement{{name: "a"}, {name: "slow", runs: 3}, {name: "b"}, {name: "slower", runs: 50}}
	var got string
	for _, s := range seriesOf(list, 9) {
		for _, m := range s.list {
			got += m.name + " "
		}
		got += fmt.Sprint(s.rounds, "; ")
	}
	if want := "a b 9; slow 3; slower 9; "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
