package main

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"memctl/cmd/console"
	"memctl/features/hub/remote"
	"memctl/hub"
	"memctl/hub/hubtest"
)

// service is a running "memctl-hub serve".
type service struct {
	*exec.Cmd
	address string
	token   string
	ended   chan struct{} // closed when the log ends
	mu      sync.Mutex
	log     bytes.Buffer
}

// startService starts a service on a new database, and waits until it listens.
func startService(t *testing.T, args ...string) *service {
	t.Helper()
	owner, serviceDSN := hubtest.Database(t, hub.Migrate)
	store, err := hub.Open(t.Context(), owner, hub.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if _, err := store.Grant(t.Context(), hub.Grant{Principal: "user:anna", Repositories: "*", Publish: true}); err != nil {
		t.Fatal(err)
	}
	s := &service{ended: make(chan struct{})}
	made, err := store.CreateToken(t.Context(), hub.NewToken{Person: "anna"})
	if err != nil {
		t.Fatal(err)
	}
	s.token = made.Secret
	s.Cmd = exec.Command("memctl-hub", append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	s.Env = append(os.Environ(), dsnVariable+"="+serviceDSN, "GOMEMLIMIT=")
	stderr, err := s.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Process.Kill() })
	listening := make(chan string, 1)
	go func() {
		defer close(s.ended)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			s.mu.Lock()
			fmt.Fprintln(&s.log, lines.Text())
			s.mu.Unlock()
			var line struct{ Msg, Address string }
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "listening" {
				listening <- line.Address
			}
		}
	}()
	select {
	case s.address = <-listening:
	case <-s.ended:
		t.Fatalf("it does not listen: %s", s.logged())
	}
	return s
}

func (s *service) logged() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// end ends the service with a signal and returns its exit status.
func (s *service) end(t *testing.T, signal os.Signal) int {
	t.Helper()
	if err := s.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	<-s.ended
	_ = s.Wait()
	return s.ProcessState.ExitCode()
}

// search asks the service for a word.
func (s *service) search(t *testing.T, client *http.Client, scheme string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "POST", scheme+"://"+s.address+remote.SearchPath, strings.NewReader(`{"query":"a word of anna"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+s.token)
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(data)
}

func TestServe(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		s := startService(t)
		if status, body := s.search(t, http.DefaultClient, "http"); status != http.StatusOK || body != `{"results":[]}`+"\n" {
			t.Errorf("%d %s", status, body)
		}
		if code := s.end(t, signal); code != console.ExitDone {
			t.Errorf("%v: exit status %d", signal, code)
		}
		log := s.logged()
		for line := range strings.Lines(log) {
			if !json.Valid([]byte(line)) {
				t.Errorf("the log has %q", line)
			}
		}
		if !strings.Contains(log, `"route":"/v1/search","status":200`) || !strings.Contains(log, `"msg":"ended"`) {
			t.Errorf("the log is %s", log)
		}
		if strings.Contains(log, "memctl_") || strings.Contains(log, "a word") {
			t.Errorf("the log has a token or a query: %s", log)
		}
	}
}

func TestServeMetricsElsewhere(t *testing.T) {
	s := startService(t, "--metrics-listen", "127.0.0.1:0")
	answer, err := http.Get("http://" + s.address + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusNotFound {
		t.Errorf("the API has the metrics: %d", answer.StatusCode)
	}
	match := regexp.MustCompile(`"metrics":"([^"]+)"`).FindStringSubmatch(s.logged())
	if match == nil {
		t.Fatalf("the log does not say where the metrics are: %s", s.logged())
	}
	metrics, err := http.Get("http://" + match[1] + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer metrics.Body.Close()
	data, err := io.ReadAll(metrics.Body)
	for _, line := range []string{"memctl_hub_requests_total{", "go_gc_gomemlimit_bytes "} {
		if !strings.Contains(string(data), line) {
			t.Errorf("no %s in %s: %v", line, data, err)
		}
	}
	if code := s.end(t, os.Interrupt); code != console.ExitDone {
		t.Errorf("exit status %d", code)
	}
}

func TestServeOnATakenAddress(t *testing.T) {
	s := startService(t)
	second := exec.Command("memctl-hub", "serve", "--listen", s.address)
	second.Env = s.Env
	out, err := second.CombinedOutput()
	if err == nil || second.ProcessState.ExitCode() != console.ExitFailed || !strings.Contains(string(out), "memctl: hint: choose another address") {
		t.Errorf("%v: %s", err, out)
	}
}

// A service starts while PostgreSQL is away, and is ready when that is back.
func TestServeBeforePostgreSQL(t *testing.T) {
	hubtest.Database(t, hub.Migrate) // skips
	cmd := exec.Command("memctl-hub", "serve", "--listen", "127.0.0.1:0", "--dsn", "host=/nowhere user=hub")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	said := ""
	lines := bufio.NewScanner(stderr)
	for !strings.Contains(said, "listening") || !strings.Contains(said, "not ready") {
		if !lines.Scan() {
			t.Fatalf("it says %s", said)
		}
		said += lines.Text()
	}
}

// writeCertificate writes a new certificate for 127.0.0.1 with a number.
func writeCertificate(t *testing.T, dir string, number int64) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(number), Subject: pkix.Name{CommonName: "hub"}, NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"localhost"}}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"hub.key": {Type: "PRIVATE KEY", Bytes: private}, "hub.pem": {Type: "CERTIFICATE", Bytes: certificate}} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
		changed := time.Now().Add(time.Duration(number) * time.Minute) // file systems count in seconds
		if err := os.Chtimes(path, changed, changed); err != nil {
			t.Fatal(err)
		}
	}
}

// A renewed certificate is used without a restart.
func TestServeTLS(t *testing.T) {
	dir := t.TempDir()
	writeCertificate(t, dir, 1)
	s := startService(t, "--tls-cert", filepath.Join(dir, "hub.pem"), "--tls-key", filepath.Join(dir, "hub.key"))
	serial := func() int64 {
		var number int64
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{
			InsecureSkipVerify: true,
			VerifyConnection: func(c tls.ConnectionState) error {
				number = c.PeerCertificates[0].SerialNumber.Int64()
				if c.NegotiatedProtocol != "h2" {
					t.Errorf("the protocol is %q", c.NegotiatedProtocol)
				}
				return nil
			},
		}}}
		if status, body := s.search(t, client, "https"); status != http.StatusOK {
			t.Errorf("%d %s", status, body)
		}
		return number
	}
	if got := serial(); got != 1 {
		t.Errorf("certificate %d", got)
	}
	writeCertificate(t, dir, 2)
	if got := serial(); got != 2 {
		t.Errorf("certificate %d after it was renewed", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "hub.pem"), []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := serial(); got != 2 {
		t.Errorf("certificate %d after the file was damaged", got)
	}
}

// Bodies of 100 MB are refused, however they come, and do not fill the memory.
func TestBodiesOf100MB(t *testing.T) {
	if os.Getenv("MEMCTL_SOAK") == "" {
		t.Skip("make soak runs it; package hub tests small bodies")
	}
	const size = 100 << 20
	s := startService(t)
	var clients sync.WaitGroup
	for i := range 16 {
		clients.Go(func() {
			path := []string{publishPath(), remote.SearchPath, "/mcp"}[i%3]
			body := io.LimitReader(spaces{}, size)
			r, err := http.NewRequestWithContext(t.Context(), "POST", "http://"+s.address+path, body)
			if err != nil {
				t.Error(err)
				return
			}
			if i%2 == 0 {
				r.ContentLength = size
			}
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer "+s.token)
			answer, err := (&http.Client{Transport: &http.Transport{}}).Do(r)
			if err != nil { // the server closes while the client sends
				return
			}
			answer.Body.Close()
			switch answer.StatusCode {
			case http.StatusRequestEntityTooLarge, http.StatusTooManyRequests, http.StatusServiceUnavailable:
			default:
				t.Errorf("%s: %d", path, answer.StatusCode)
			}
		})
	}
	clients.Wait()
	if status, body := s.search(t, http.DefaultClient, "http"); status != http.StatusOK {
		t.Errorf("afterwards: %d %s", status, body)
	}
	process, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Process.Pid))
	if err != nil {
		t.Skip("only Linux says how much memory a process had")
	}
	var peak int
	if match := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(process); match != nil {
		fmt.Sscan(string(match[1]), &peak)
	}
	if peak == 0 || peak > 1<<20 {
		t.Errorf("the service took %d kB of memory", peak)
	}
	t.Logf("the service took at most %d kB of memory", peak)
}

type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
