package remote

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"memctl/text"
)

// hints say what to do about refusals, by their codes.
var hints = map[string]string{
	"stale_sequence": "a later run has published already; if the numbers began again from 1, an operator runs " +
		`"memctl hub repos --restart REPOSITORY"`,
	"other_schema": "the hub's database was made by another version: an operator runs \"memctl hub migrate\" with " +
		"the newer one",
	"invalid_memory": "fix the file and commit it; if \"memctl validate\" finds nothing, the hub is of another " +
		"version",
	"denied":            `run "memctl hub token allow" first`,
	"not_denied":        `run "memctl hub token denied" for those who are`,
	"no_token":          `run "memctl hub token list" for the tokens and their ids`,
	"no_administrator":  "who has the database makes you one: memctl hub admin add user:NAME",
	"no_administration": "who has the database runs: GRANT memctl_hub_admin TO the role of the service",
	"no_right":          "run it with --dsn, as the role that owns the tables",
}

// Hint says what to do about a refusal, "" if its message is enough.
func (e *Error) Hint() string {
	switch {
	case hints[e.Code] != "":
		return hints[e.Code]
	case e.Status == http.StatusNotFound:
		return "\"memctl search --hub\" finds the ids of the memories that you may see"
	case e.Status == http.StatusInternalServerError:
		return "tell the operator of the hub the ID of the request, which the hub's log has"
	case e.Status == http.StatusUnauthorized:
		return "sign in again (memctl hub login); or an operator makes a new one (memctl hub token create): give it " +
			"as " +
			"MEMCTL_HUB_TOKEN, or store it with git credential approve"
	case e.Status == http.StatusForbidden:
		return "an operator lets you publish it: memctl hub grant add --publish user:NAME REPOSITORY"
	case e.Status == http.StatusServiceUnavailable:
		return "try again in a minute"
	}
	return ""
}

// brief returns the error with texts as a terminal shows them.
func (e *Error) brief() *Error {
	e.Code, e.Message = text.Brief(e.Code), text.Brief(e.Message)
	e.Path, e.Field, e.Request = text.Brief(e.Path), text.Brief(e.Field), text.Brief(e.Request)
	return e
}

// errOlderHub means that a hub takes publications in another way.
var errOlderHub = text.WithHint(errors.New("the hub is older than this memctl"), "an operator upgrades it")

// Failed is a request that got no answer of a hub.
type Failed struct {
	Host string
	Err  error
}

func (c *Client) failed(err error) error { return &Failed{c.address.Host, err} }

func (f *Failed) Error() string {
	switch {
	case errors.Is(f.Err, context.DeadlineExceeded):
		return fmt.Sprintf("the hub %s did not answer in time", f.Host)
	case errors.Is(f.Err, context.Canceled):
		return fmt.Sprintf("stopped waiting for the hub %s", f.Host)
	}
	return fmt.Sprintf("the hub %s: %v", f.Host, f.Err)
}

func (f *Failed) Unwrap() error { return f.Err }

// Hint says what to do about it.
func (f *Failed) Hint() string {
	to := new(redirected)
	switch {
	case errors.As(f.Err, &to):
		return "memctl follows no redirect; if the new address is right, name it (--hub, or hub.url in your own " +
			"configuration)"
	case explainTLS(f.Err) != "":
		return explainTLS(f.Err)
	}
	return "see that the address is right and that the hub is up"
}

// explainTLS says what to do about a failed handshake, "" for any other error.
func explainTLS(err error) string {
	var (
		authority x509.UnknownAuthorityError
		name      x509.HostnameError
		invalid   x509.CertificateInvalidError
		record    tls.RecordHeaderError
		alert     tls.AlertError
		verify    *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &authority):
		return "this machine does not know who signed the hub's certificate: add your company's authority to its " +
			"store, or name the file in SSL_CERT_FILE"
	case errors.As(err, &name):
		return "the hub's certificate is for another name: use the name that it was made for"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the hub's certificate has expired, or the clock of this machine is wrong"
	case errors.As(err, &record),
		err != nil && strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"): // which has no type
		return "nothing speaks TLS there: the hub needs a certificate, or a proxy that has one"
	case errors.As(err, &invalid), errors.As(err, &alert), errors.As(err, &verify):
		return "the connection could not be made secure: see the hub's certificate and its TLS settings"
	}
	return ""
}

// errNoHub says that something else answers.
var errNoHub = errors.New("its answer is not a hub's")

// status is an answer that is not 200 and no hub's.
type status struct{ code int }

func (s *status) Error() string {
	return strings.TrimSpace(fmt.Sprintf("it answers %d %s", s.code, http.StatusText(s.code)))
}

// redirected is an answer that leads elsewhere.
type redirected struct{ to *url.URL }

func (r *redirected) Error() string {
	return "it redirects to " + r.to.Scheme + "://" + r.to.Host + r.to.EscapedPath()
}
