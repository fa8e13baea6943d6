package hub

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"memctl/features/hub/remote"
	"memctl/schemas"
)

// The limits that hub/README.md gives are those of the program.
func TestLimitsInTheDocs(t *testing.T) {
	page := strings.Join(strings.Fields(docs(t)), " ")
	for says, so := range map[string]bool{
		"| requests that are read or answered | 32, one more gets 429 | |":     maxOfPerson == 32,
		"| questions that are answered at once | 2 | 64 |":                     turnsOfPerson == 2 && maxAtOnce == 64,
		"| publications that are written at once | 1 | 4 |":                    maxPublications == 4,
		"as they were sent | 64 MiB, more gets 429 | 256 MiB, more gets 503 |": bodiesOfPerson == 64<<20 && maxBodies == 256<<20,
		"A body may have 64 KiB, one that publishes 16 MiB unpacked and half a million different words; a repository 64 MiB and 100,000 memories; a memory 1 MiB": remote.MaxRequest == 64<<10 &&
			remote.MaxBody == 16<<20 && mostWords == 500_000 && remote.MaxPublication == 64<<20 && remote.MaxMemories == 100_000 && schemas.MaxFileBytes == 1<<20,
		"More than 8 MiB of new memories go in parts":                    remote.MaxPart == 8<<20,
		"A question has 10 seconds to arrive, a publication two minutes": requestTimeout == 10*time.Second && publicationTimeout == 2*time.Minute,
		"wait for a turn for 5 seconds and publications for 30,":         slotTimeout == 5*time.Second && publishingTimeout == 30*time.Second,
		"publications too, for at most 10 seconds":                       endTimeout == 10*time.Second,
		"The hub has `hub.timeout_ms` (1,000) to answer":                 schemas.DefaultConfig().Hub.TimeoutMS == 1000,
	} {
		if !strings.Contains(page, says) || !so {
			t.Errorf("hub/README.md has it: %t, and so it is: %t: %s", strings.Contains(page, says), so, says)
		}
	}
}

// The JSON that hub/README.md shows is what the hub reads and writes.
func TestJSONInTheDocs(t *testing.T) {
	issuers := 0
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(docs(t), -1) {
		list, err := DecodeIssuers([]byte(block[1]))
		if err == nil {
			_, err = NewServer(new(Store), ServerOptions{Issuers: list})
		}
		if err != nil {
			t.Errorf("%v\n%s", err, block[1])
		}
		issuers += len(list)
	}
	if issuers != 3 {
		t.Errorf("%d issuers", issuers)
	}
}

func docs(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}
