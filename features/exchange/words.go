package exchange

import (
	_ "embed"
	"fmt"
	"regexp"
	"sync"

	"memctl/schemas"

	"github.com/goccy/go-yaml"
)

//go:embed words.yaml
var wordsFile []byte

// vocabulary is the words of words.yaml.
type vocabulary struct {
	Kinds    map[schemas.Category][]string
	Generic  []string
	Statuses []status
	Parts    map[part][]string
}

// status is that of a decision whose record says some words.
type status struct {
	Words  *regexp.Regexp
	Status string
}

// words are read at their first use: every hook starts a process, and none imports.
var words = sync.OnceValue(func() (v vocabulary) {
	if err := yaml.UnmarshalWithOptions(wordsFile, &v, yaml.Strict()); err != nil {
		panic(fmt.Sprintf("exchange/words.yaml: %v", err))
	}
	return v
})
