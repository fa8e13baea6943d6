package hub

import (
	"strings"
	"testing"

	"memctl/features/hub/remote"

	"github.com/google/go-cmp/cmp"
)

func TestCheckRepository(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	jwt, kafka := note("jwt", "JWT keys"), note("kafka", "Kafka")
	published := publication(1, jwt, kafka)
	for name, tt := range map[string]struct {
		files  []remote.File
		damage string
		want   []string
	}{
		"nothing":           {[]remote.File{jwt, kafka}, `SELECT 1`, nil},
		"a missing memory":  {[]remote.File{jwt, kafka, note("s3", "S3")}, `SELECT 1`, []string{"decisions/s3.json: missing: the hub does not have it"}},
		"a foreign memory":  {[]remote.File{jwt}, `SELECT 1`, []string{"decisions/kafka.json: foreign: the files do not have it"}},
		"a different one":   {[]remote.File{jwt, note("kafka", "Kafka keys")}, `SELECT 1`, []string{"decisions/kafka.json: different: the hub has another text"}},
		"another commit":    {[]remote.File{jwt, kafka}, `UPDATE repositories SET commit_sha = 'x'`, []string{"commit: the hub has x, the files are those of " + commitOf(1)}},
		"a wrong count":     {[]remote.File{jwt, kafka}, `UPDATE repositories SET memories = 5`, []string{"count: 5 memories counted, 2 found"}},
		"a changed row":     {[]remote.File{jwt, kafka}, `UPDATE memories SET hash = '' WHERE title = 'Kafka'`, []string{"decisions/kafka.json: different: its hash is that of another text"}},
		"a lost posting":    {[]remote.File{jwt, kafka}, `DELETE FROM postings WHERE term_id = (SELECT term_id FROM terms WHERE term = 'kafka')`, []string{"wrong terms: postings of kafka are not those of the memories"}},
		"a posting twice":   {[]remote.File{jwt, kafka}, `UPDATE postings SET packed = packed || packed WHERE term_id = (SELECT term_id FROM terms WHERE term = 'kafka')`, []string{"wrong terms: postings of kafka are not those of the memories"}},
		"another frequency": {[]remote.File{jwt, kafka}, `UPDATE postings SET packed[1] = packed[1] + 1 WHERE term_id = (SELECT term_id FROM terms WHERE term = 'kafka')`, []string{"wrong terms: postings of kafka are not those of the memories"}},
		"a foreign posting": {[]remote.File{jwt, kafka}, `UPDATE postings SET packed = packed || (77::bigint << 32) WHERE term_id = (SELECT term_id FROM terms WHERE term = 'kafka')`, []string{"wrong terms: postings of kafka are not those of the memories"}},
		"no memory": {[]remote.File{jwt, kafka}, `UPDATE memories SET document = 'x' WHERE title = 'Kafka'`, []string{
			"decisions/kafka.json: different: the hub has another text",
			"decisions/kafka.json: different: its hash is that of another text",
			"decisions/kafka.json: different: the hub's text is no memory",
			"wrong terms: postings of accept", "wrong terms: postings of kafka", "wrong terms: postings of r ", "wrong terms: postings of untag",
		}},
		"other positions": {[]remote.File{jwt, kafka}, `UPDATE positions SET positions = '' WHERE memory_id = (SELECT memory_id FROM memories WHERE title = 'Kafka')`, []string{"decisions/kafka.json: wrong terms: its positions are those of another text"}},
	} {
		t.Run(name, func(t *testing.T) {
			if err := h.owner.Forget(t.Context(), payments); err != nil {
				wantCode(t, err, "not_found")
			}
			mustPublish(t, h, anna, published)
			h.exec(t, tt.damage)
			p := published
			p.Memories = tt.files
			found, err := h.owner.CheckRepository(t.Context(), p)
			var got []string
			for i, d := range found {
				line := d.String()
				if i < len(tt.want) && strings.HasPrefix(line, tt.want[i]) {
					line = tt.want[i]
				}
				got = append(got, line)
			}
			if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
				t.Errorf("%v %s", err, diff)
			}
		})
	}
	other := published
	other.Repository = "github.com/acme/other"
	_, err := h.owner.CheckRepository(t.Context(), other)
	wantCode(t, err, "not_found")
}
