// Package remote is a hub as its clients see it: what goes over the wire, the client
// itself, and what it publishes. A hub holds the memories of many repositories; package hub is the server.
package remote

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"memctl/schemas"
)

// Limits of what goes over the wire.
const (
	MaxPublication = 64 << 20 // bytes of the memories of a repository
	MaxBody        = 16 << 20 // bytes of a request that publishes, unpacked
	MaxPart        = 8 << 20  // bytes of the memories that memctl sends in one
	MaxRequest     = 64 << 10 // bytes of any other request
	MaxAnswer      = 16 << 20 // bytes of an answer that a client reads
	MaxMemories    = 100_000  // of a repository
	MaxRepository  = 200      // bytes of its name
	MaxResults     = 50       // of a search
	MaxIDs         = 10       // of a get
	MaxWindow      = 20       // of a timeline, on each side
)

// The API. Requests other than GET are POST with a JSON body.
const (
	PublishPath      = "/v1/publish"      // Publication, Published
	PartPath         = "/v1/publish/part" // some of its memories before that
	TreePath         = "/v1/publish/tree" // none, if the hub has those of the same tree
	SearchPath       = "/v1/search"       // Query, Results
	GetPath          = "/v1/get"          // Selection, Details
	TimelinePath     = "/v1/timeline"     // Moment, Timeline
	RepositoriesPath = "/v1/repositories" // GET, Repositories
	SignInPath       = "/v1/sign-in"      // GET, SignIns
)

// Publication is the whole set of memories of a repository as they are in a commit. All but the memories is in the
// address, so that a hub can refuse a publisher before it reads the body.
type Publication struct {
	Repository string `json:"-"` // such as github.com/acme/payments
	Commit     string `json:"-"` // 40 or 64 hexadecimal digits
	Sequence   int64  `json:"-"` // grows with each publication: the run's number
	Tree       string `json:"-"` // stands for all memories like File.Digest for one; "" if nothing does
	Memories   []File `json:"memories"`
}

// Values returns what is in the address.
func (p Publication) Values() url.Values {
	v := url.Values{"repository": {p.Repository}, "commit": {p.Commit},
		"sequence": {strconv.FormatInt(p.Sequence, 10)}}
	if p.Tree != "" {
		v.Set("tree", p.Tree)
	}
	return v
}

// File is one memory of a publication.
type File struct {
	Path   string          `json:"path"` // such as decisions/jwt-key-rotation.json
	Memory json.RawMessage `json:"memory,omitempty"`
	// Digest stands for the memory: a hub that has a memory as it was sent with the same digest needs no other. A
	// client chooses it. Without one, the memory is sent each time.
	Digest string `json:"digest,omitempty"`
}

// Size is how many bytes it has, with its path.
func (f File) Size() int { return len(f.Path) + len(f.Memory) + len(f.Digest) }

// Published says what a publication changed.
type Published struct {
	Repository string `json:"repository"`
	Added      int    `json:"added"`
	Changed    int    `json:"changed"`
	Removed    int    `json:"removed"`
	Unchanged  int    `json:"unchanged"`
	// Missing lists the paths of memories that the hub needs. If there are any, nothing was published.
	Missing []string `json:"missing,omitempty"`
	// Unknown says that the hub needs the list of the memories: nothing was published.
	Unknown bool `json:"unknown,omitempty"`
}

// Query is a search of all repositories that the asking person may see.
type Query struct {
	Query       string  `json:"query"`
	Limit       int     `json:"limit,omitempty"`        // 1 to MaxResults, default 10
	Category    string  `json:"category,omitempty"`     // none for all
	MinEvidence float64 `json:"min_evidence,omitempty"` // 0 to 5: the least Result.Evidence
}

// Provenance says where a memory comes from.
type Provenance struct {
	Repository  string    `json:"repository"`
	Commit      string    `json:"commit"`
	PublishedAt time.Time `json:"published_at"`
}

// Row is a memory in a list.
type Row struct {
	ID string `json:"id"` // REPOSITORY:FOLDER/NAME, such as github.com/acme/payments:decisions/jwt
	Provenance
	Path      string   `json:"path"`
	Category  string   `json:"category"`
	Title     string   `json:"title"`
	Tags      []string `json:"tags"`
	Status    string   `json:"record_status"`
	CreatedAt string   `json:"created_at"`
	UpdatedAt string   `json:"updated_at"`
	Tokens    int      `json:"tokens"` // about what get of it costs a model
}

// Hit is a memory that a search found.
type Hit struct {
	Row
	Strength float64 `json:"strength"` // as in docs/how-it-finds.md
	Evidence float64 `json:"evidence"`
}

// Results are the answer to a Query, the best first.
type Results struct {
	Results []Hit `json:"results"`
}

// Selection names memories by Row.ID.
type Selection struct {
	IDs []string `json:"ids" jsonschema:"1 to 10, from search"`
}

// Detail is a whole memory.
type Detail struct {
	Row
	Memory json.RawMessage `json:"memory"`
}

// Details are the answer to a Selection, in its order.
type Details struct {
	Details []Detail `json:"details"`
}

// Moment names a memory and how many neighbours in time to show.
type Moment struct {
	ID     string `json:"id" jsonschema:"from search"`
	Window int    `json:"window,omitempty" jsonschema:"memories on each side, 1 to 20, default 3"`
}

// Timeline is the answer to a Moment: the memories of the same repository, by the time of
// their creation, the oldest first.
type Timeline struct {
	Before []Row `json:"before"`
	Memory Row   `json:"memory"`
	After  []Row `json:"after"`
}

// Repository is one that the asking person may see.
type Repository struct {
	Provenance
	Memories int `json:"memories"`
}

// Repositories are the answer of RepositoriesPath, by name.
type Repositories struct {
	Repositories []Repository `json:"repositories"`
}

// Error is why a hub refuses a request. A memory that may not be seen is not found.
type Error struct {
	Status  int    `json:"-"`    // of HTTP
	Code    string `json:"code"` // such as stale_sequence
	Message string `json:"message"`
	Path    string `json:"path,omitempty"`    // of the memory in a publication
	Field   string `json:"field,omitempty"`   // of the memory, or of the request
	Request string `json:"request,omitempty"` // its ID, which the log and the audit of the hub have too
}

func (e *Error) Error() string {
	message := e.Message
	// Nobody needs the hub's operator for what is wrong with a question, or is not there.
	if e.Request != "" && e.Status != http.StatusBadRequest && e.Status != http.StatusNotFound {
		message += " (request " + e.Request + ")"
	}
	switch {
	case e.Path != "" && e.Field != "":
		return e.Path + ": " + e.Field + ": " + message
	case e.Path != "" || e.Field != "":
		return e.Path + e.Field + ": " + message
	}
	return message
}

// Failure is the body of an answer that is not 200.
type Failure struct {
	Error Error `json:"error"`
}

const (
	maxRepositories = 100_000
	// maxRow is the size limit of one row of an answer in bytes, maxDetail that of a memory with its row.
	maxRow    = 64 << 10
	maxDetail = 6*schemas.MaxFileBytes + maxRow // a hub may write < as \u003c
)

// The answers below are decoded one element after the other, each bounded: a row takes a hundred times
// the bytes of "{},".

func (r *Results) UnmarshalJSON(data []byte) error {
	return decodeList(data, "results", MaxResults, maxRow, &r.Results)
}

func (d *Details) UnmarshalJSON(data []byte) error {
	return decodeList(data, "details", MaxIDs, maxDetail, &d.Details)
}

func (r *Repositories) UnmarshalJSON(data []byte) error {
	return decodeList(data, "repositories", maxRepositories, maxRow, &r.Repositories)
}

// decodeList decodes the list that a member of an object has, of at most so many elements of at most
// size bytes.
func decodeList[T any](object []byte, name string, most, size int, into *[]T) error {
	if !bytes.HasPrefix(object, []byte("{")) {
		return errNoHub
	}
	for member, value := range schemas.Members(object) {
		if member != name {
			continue
		}
		*into = nil
		dec := json.NewDecoder(bytes.NewReader(value))
		if first, err := dec.Token(); first == nil || err != nil {
			return err // null is none
		} else if first != json.Delim('[') {
			return errNoHub
		}
		for dec.More() {
			if len(*into) == most {
				return fmt.Errorf("%s: more than %d", name, most)
			}
			var raw json.RawMessage
			if err := dec.Decode(&raw); err != nil {
				return err
			}
			var element T
			if len(raw) > size {
				return fmt.Errorf("%s: an element has more than %d bytes", name, size)
			}
			if err := json.Unmarshal(raw, &element); err != nil {
				return err
			}
			*into = append(*into, element)
		}
	}
	return nil
}
