package memdir

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// Staging is the folder for drafts and the context files of triage. Each user and each
// root has one of its own, of mode 0700, in the system's temporary folder.
func (r Root) Staging() string {
	sum := sha256.Sum256([]byte(r.Path))
	return filepath.Join(os.TempDir(), fmt.Sprintf("memctl-%d", os.Getuid()), hex.EncodeToString(sum[:6]))
}
