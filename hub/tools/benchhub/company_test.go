package main

import (
	"testing"

	"memctl/schemas"
)

func TestTheCompanysMemoriesAreValid(t *testing.T) {
	c := newCompany(300, 3, 1)
	total := 0
	for r := range c.sizes {
		p, err := c.publication(r, 1)
		if err != nil {
			t.Fatal(err)
		}
		total += len(p.Memories)
		for _, f := range p.Memories {
			if violations := schemas.Validate(f.Memory); len(violations) > 0 {
				t.Fatalf("%s: %v", f.Path, violations)
			}
		}
	}
	if total != 300 {
		t.Errorf("%d memories, not 300", total)
	}
	if n := len(c.prompts()); n != 200 {
		t.Errorf("%d prompts, not 200", n)
	}
}
