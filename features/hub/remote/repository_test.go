package remote

import (
	"errors"
	"strings"
	"testing"
)

func TestRepositoryOf(t *testing.T) {
	for address, want := range map[string]string{
		"https://github.com/acme/payments.git":                     "github.com/acme/payments",
		"https://dev:hunter2@GitHub.com/acme/Payments.git/":        "github.com/acme/Payments",
		"https://gitlab-ci-token:glcbt-1@gitlab.com/a/b/c.git?x=1": "gitlab.com/a/b/c",
		"https://git.acme.example:8443/acme/payments":              "git.acme.example:8443/acme/payments",
		"https://git.acme.example:443/acme/payments":               "git.acme.example/acme/payments",
		"ssh://git@github.com:22/acme/payments.git":                "github.com/acme/payments",
		"ssh://git@git.acme.example:2222/acme/payments.git":        "git.acme.example:2222/acme/payments",
		"git@github.com:acme/payments.git":                         "github.com/acme/payments",
		"github.com:acme/payments":                                 "github.com/acme/payments",
		" git@git.acme.example:/srv/git/payments.git\n":            "git.acme.example/srv/git/payments",

		"":                               "",
		"/srv/git/payments.git":          "",
		"../payments":                    "",
		"./a:b":                          "",
		`C:\src\payments`:                "",
		"C:/src/payments":                "",
		"file:///srv/git/payments.git":   "",
		"https://dev:p@ss@/acme":         "",
		"https://github.com":             "",
		"https://github.com/acme/../x":   "",
		"https://github.com/acme//x":     "",
		"https://github.com/~dev/x":      "",
		"https://github.com/acme/%0apay": "",
		"https://github.com/acme/결제":     "",
		"https://" + strings.Repeat("a", 300) + ".example/x": "",
	} {
		got, err := RepositoryOf(address)
		if got != want || (want == "") != errors.Is(err, ErrUnnamed) {
			t.Errorf("%q is %q, %v, want %q", address, got, err, want)
		}
	}
}

func TestIsID(t *testing.T) {
	for name, want := range map[string]bool{
		"github.com/acme/payments:decisions/jwt":           true,
		"git.acme.example:8443/acme/payments:decisions/jw": true,
		"jwt":                        false,
		"decision:jwt":               false,
		"user:jwt":                   false,
		"decisions/jwt.json":         false,
		"github.com/acme/payments":   false,
		"github.com/acme/x:jwt":      false,
		"github.com/acme/../x:d/jwt": false,
		`C:\x:decisions/jwt`:         false,
	} {
		if got := IsID(name); got != want {
			t.Errorf("IsID(%q) = %v", name, got)
		}
	}
}

// Whatever the address of a remote is, the name has nothing of a user or a password.
func FuzzRepositoryOf(f *testing.F) {
	for _, address := range []string{"https://dev:hunter2@github.com/acme/x.git", "git@github.com:acme/x", "ssh://git@[::1]:22/a/b", "C:\\a", "a@b@c:d/e"} {
		f.Add(address)
	}
	f.Fuzz(func(t *testing.T, address string) {
		name, err := RepositoryOf(address)
		if err != nil {
			if name != "" || err.Error() != ErrUnnamed.Error() {
				t.Errorf("%q: %q, %v", address, name, err)
			}
			return
		}
		if CheckRepository(name) != nil || strings.ContainsAny(name, "@?# \n") {
			t.Errorf("%q is named %q", address, name)
		}
	})
}
