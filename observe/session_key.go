package observe

import (
	"memctl/text"

	"github.com/google/uuid"
)

// SessionKey names a session, or a turn, in files: the client's id if it is a UUID, else
// a hash of it. Any other id may say anything, secrets included.
func SessionKey(id string) string {
	if id == "" || uuid.Validate(id) == nil {
		return id
	}
	return text.Hash(id, 6)
}
