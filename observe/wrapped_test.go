package observe

import (
	"slices"
	"strings"
	"testing"
)

func TestExecutedLooksThroughWrappers(t *testing.T) {
	for _, line := range []string{
		"alembic upgrade head",
		`bash -c "alembic upgrade head"`,
		"sh -lc 'cd api && alembic upgrade head'",
		"env A=1 alembic upgrade head",
		"A=1 env -u B alembic upgrade head",
		"sudo -u postgres alembic upgrade head",
		"sudo -E env A=1 bash -c 'alembic upgrade head'",
		"timeout 60s alembic upgrade head",
		"ssh -p 22 deploy@host alembic upgrade head",
		`ssh host "cd /srv && alembic upgrade head"`,
		"docker exec -it api alembic upgrade head",
		"docker compose -f dev.yml exec -T --user root api alembic upgrade head",
		"docker-compose run --rm api alembic upgrade head",
		"docker compose exec api sh -c 'alembic upgrade head'",
		"kubectl -n x exec deploy/api -- alembic upgrade head",
		"mise exec python@3.12 -- alembic upgrade head",
		"mise x -- alembic upgrade head",
		"if true; then sudo ./bin/alembic upgrade head; fi",
		"echo x | xargs -n 1 alembic upgrade head",
	} {
		if !slices.ContainsFunc(Executed(line), func(words []string) bool {
			return strings.HasPrefix(strings.Join(words, " "), "alembic upgrade head")
		}) {
			t.Errorf("%s: got %q", line, Executed(line))
		}
	}
	for _, line := range []string{
		`git commit -m "alembic upgrade head"`,
		"echo alembic upgrade head",
		"sudo echo alembic upgrade head",
		"ssh host echo alembic upgrade head",
		"docker compose exec api grep -r 'alembic upgrade head' .",
		"bash -c 'echo alembic upgrade head'",
		"docker ps alembic upgrade head",
		"sudo", "bash -c", "ssh", "docker exec", "docker compose", "mise exec --", "sudo -u",
	} {
		for _, words := range Executed(line) {
			if words[0] == "alembic" {
				t.Errorf("%s: got %q", line, words)
			}
		}
	}
}

func TestWritten(t *testing.T) {
	for line, want := range map[string]string{
		"echo x > a.txt":                            "a.txt",
		"cat <<EOF >> conf/a.yml\nx\nEOF":           "conf/a.yml",
		"cat <<'EOF' > conf/a.yml\nx > y\nEOF":      "conf/a.yml",
		"make 2> errors.log >/dev/null 2>&1":        "",
		"echo x | sudo tee -a /etc/hosts b.txt":     "",
		"echo x | tee -a c.txt b.txt":               "c.txt b.txt",
		"sed -i 's/a/b/' a.go b.go":                 "a.go b.go",
		"sed 's/a/b/' a.go":                         "",
		"perl -pi -e 's/a/b/' a.go":                 "a.go",
		"yq -i '.a=1' a.yml":                        "a.yml",
		"mv old.go new.go":                          "new.go new.go/old.go",
		"cp -r x lib":                               "lib lib/x",
		"cd api && echo x > a.txt":                  "api/a.txt",
		"cd /srv && cd api && echo x > a.txt":       "/srv/api/a.txt",
		`bash -c "echo x > a.txt"`:                  "a.txt",
		"echo x > $OUT":                             "",
		"grep -n x a.go":                            "",
		"cat a.go | head > out.txt; ls > other.txt": "out.txt other.txt",
		"cp": "", "cd": "", "sed -i": "", "tee": "", ">": "",
	} {
		if got := strings.Join(Written(line), " "); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

func FuzzExecuted(f *testing.F) {
	f.Add("sudo -u x bash -lc 'docker compose exec api mise x -- a > b'")
	f.Fuzz(func(t *testing.T, line string) {
		for _, words := range Executed(line) {
			if len(words) == 0 {
				t.Errorf("%q: an empty command", line)
			}
		}
		Written(line)
	})
}

func TestRan(t *testing.T) {
	for line, want := range map[string]string{
		"./scripts/seed.sh --all":                          "scripts/seed.sh",
		"cd ops && sudo -u deploy bash rotate.sh":          "ops/rotate.sh",
		"A=1 python3 tools/x.py y.csv":                     "tools/x.py",
		"bash -c 'scripts/a.sh && b'":                      "scripts/a.sh",
		"ansible-playbook -i hosts/prod.ini books/all.yml": "books/all.yml",
		"cat scripts/seed.sh":                              "",
		"make all":                                         "",
		"python3 -m pytest tests":                          "",
	} {
		if got := strings.Join(Ran(line), " "); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}
