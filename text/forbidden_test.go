package text

import (
	"slices"
	"strings"
	"testing"
)

func TestCode(t *testing.T) {
	for s, want := range map[string]string{ // what is forbidden | the other
		"Only `make migrate`, never `alembic upgrade head`.":         "alembic upgrade head|make migrate",
		"Never run `npm install` or `yarn add`; use `pnpm add`":      "npm install,yarn add|pnpm add",
		"Never run `npm i`, `yarn add` or `bun add`, run `pnpm add`": "npm i,yarn add,bun add|pnpm add",
		"Use `uv add` instead of `pip install`":                      "pip install|uv add",
		"Instead of `pip install`, use `uv add`":                     "pip install|uv add",
		"`make test` rather than `go test ./...`":                    "go test ./...|make test",
		"Deploy with `make deploy`, not with `kubectl apply`":        "kubectl apply|make deploy",
		"Deploy with `make deploy` and not `kubectl apply`":          "kubectl apply|make deploy",
		"Do not use `git push --force` but `git push`":               "git push --force|git push",
		"Don't run `terraform apply` by hand":                        "terraform apply|",
		"`terraform apply` must not be run by hand":                  "terraform apply|",
		"`terraform apply` is forbidden (run `make plan`)":           "terraform apply|make plan",
		"`terraform apply` must never be run":                        "terraform apply|",
		"Never push without `make check`":                            "|make check",
		"Do not push before `make check` has passed":                 "|make check",
		"Never commit if `make lint` fails":                          "|make lint",
		"`make test` does not start `dockerd`":                       "|make test,dockerd",
		"`make test` cannot run on Windows":                          "|make test",
		"Run `make migrate`":                                         "|make migrate",
		"Notable: `x`":                                               "|x",
		"Nur `make migrieren`, niemals `alembic upgrade head`":       "alembic upgrade head|make migrieren",
		"Nicht `npm`, sondern `pnpm`":                                "npm|pnpm",
		"`npm install` darf nicht benutzt werden":                    "npm install|",
		"Usa `make migrate`, nunca `alembic upgrade head`":           "alembic upgrade head|make migrate",
		"`pnpm add` au lieu de `npm install`":                        "npm install|pnpm add",
		"N'utilisez jamais `npm install`":                            "npm install|",
		"Use `pnpm` em vez de `npm`":                                 "npm|pnpm",
		"`npm install` 대신 `pnpm add`를 쓴다":                            "npm install|pnpm add",
		"`make migrate`만 사용, `alembic upgrade head`는 금지":             "alembic upgrade head|make migrate",
		"不要用 `npm install`，用 `pnpm add`":                             "npm install|pnpm add",
		"`npm install` ではなく `pnpm add` を使う":                          "npm install|pnpm add",
		"`npm install` は禁止、`pnpm add` を使う":                           "npm install|pnpm add",
		"An `odd number of quotes` and `one":                         "|odd number of quotes",
		"``":                                                         "|",
	} {
		forbidden, other := Code(s)
		if got := strings.Join(forbidden, ",") + "|" + strings.Join(other, ","); got != want {
			t.Errorf("%s: got %s, want %s", s, got, want)
		}
	}
}

func FuzzCode(f *testing.F) {
	f.Add("Only `make migrate`, never `alembic upgrade head`.")
	f.Fuzz(func(t *testing.T, s string) {
		forbidden, other := Code(s)
		_, code := cutCode(s)
		if all := slices.Concat(forbidden, other); len(all) != len(code) {
			t.Errorf("%q: got %q of %q", s, all, code)
		}
	})
}
