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
		"| requests that are read or answered | 32, one more gets 429 | |": maxOfPerson == 32,
		"| questions that are answered at once | 2 | 64 |":                 turnsOfPerson == 2 && maxAtOnce == 64,
		"| publications that are written at once | 1 | 4, of those of more than 8 MiB 1 |": maxPublications == 4 &&
			largePublication == 8<<20,
		"as they were sent | 64 MiB, more gets 429 | 256 MiB, more gets 503 |": bodiesOfPerson == 64<<20 && maxBodies == 256<<20,
		"A body may have 64 KiB, a publication 64 MiB unpacked, 100,000 memories and two million different words": remote.MaxRequest == 64<<10 &&
			remote.MaxPublication == 64<<20 && remote.MaxMemories == 100_000 && mostWords == 2_000_000,
		"a memory in it has 1 MiB":                                                     schemas.MaxFileBytes == 1<<20,
		"A question has 10 seconds to arrive, a publication two minutes":               requestTimeout == 10*time.Second && publicationTimeout == 2*time.Minute,
		"wait for a turn for 5 seconds and publications for 30,":                       slotTimeout == 5*time.Second && publishingTimeout == 30*time.Second,
		"A publication that takes longer than `--accept-after`** (1 minute)":           acceptAfter == time.Minute,
		"says every 5 seconds that it is at it; one that has been silent for a minute": beatEvery == 5*time.Second && lostAfter == time.Minute,
		"publications too, for at most 10 seconds":                                     endTimeout == 10*time.Second,
		"`--accept-after` of the hub), memctl asks the hub every two seconds":          askAgain == "2",
		"The hub has `hub.timeout_ms` (1,000) to answer":                               schemas.DefaultConfig().Hub.TimeoutMS == 1000,
		"`percent` is a guess: 70 once all is read":                                    readShare == 70,
	} {
		if !strings.Contains(page, says) || !so {
			t.Errorf("hub/README.md has it: %t, and so it is: %t: %s", strings.Contains(page, says), so, says)
		}
	}
}

// The JSON that hub/README.md shows is what the hub reads and writes.
func TestJSONInTheDocs(t *testing.T) {
	issuers, answers := 0, 0
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(docs(t), -1) {
		if strings.HasPrefix(block[1], "[") {
			list, err := DecodeIssuers([]byte(block[1]))
			if err == nil {
				_, err = NewServer(nil, ServerOptions{Issuers: list})
			}
			if err != nil {
				t.Errorf("%v\n%s", err, block[1])
			}
			issuers += len(list)
			continue
		}
		for line := range strings.Lines(block[1]) {
			answers++
			var p remote.Progress
			if err := decodeStrictly([]byte(line), &p); err != nil || p.State == "" {
				t.Errorf("%v\n%s", err, line)
			}
		}
	}
	if issuers != 3 || answers != 3 {
		t.Errorf("%d issuers and %d answers", issuers, answers)
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
