package observe

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/google/uuid"
)

// SessionKey names a session, or a turn, in files: the client's id if it is a UUID, else
// a hash of it. Any other id may say anything, secrets included.
func SessionKey(id string) string {
	if id == "" || uuid.Validate(id) == nil {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:6])
}
