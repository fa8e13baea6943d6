package hub

import (
	"crypto/tls"
	"os"
	"sync"
	"time"
)

// Certificate is a TLS certificate in files that another program renews.
type Certificate struct {
	certFile, keyFile string

	mu      sync.Mutex
	loaded  *tls.Certificate
	changed time.Time // of certFile, when it was loaded
}

// NewCertificate returns the certificate in two PEM files. It reads neither.
func NewCertificate(certFile, keyFile string) *Certificate {
	return &Certificate{certFile: certFile, keyFile: keyFile}
}

// Get returns the certificate that is in the files now. If they cannot be read, it is the
// one that was.
func (c *Certificate) Get() (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	info, err := os.Stat(c.certFile)
	if err == nil && c.loaded != nil && info.ModTime().Equal(c.changed) {
		return c.loaded, nil
	}
	if err == nil {
		var pair tls.Certificate
		if pair, err = tls.LoadX509KeyPair(c.certFile, c.keyFile); err == nil {
			c.loaded, c.changed = &pair, info.ModTime()
			return c.loaded, nil
		}
	}
	if c.loaded != nil {
		return c.loaded, nil
	}
	return nil, err
}
