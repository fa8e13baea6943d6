package hub

import (
	"crypto/tls"
	"sync"
)

// Certificate is a TLS certificate in files that another program renews.
type Certificate struct {
	certFile, keyFile string

	mu   sync.Mutex
	last *tls.Certificate
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
	now, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	switch {
	case err == nil:
		c.last = &now
	case c.last == nil:
		return nil, err
	}
	return c.last, nil
}
