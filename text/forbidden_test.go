package text

import (
	"slices"
	"strings"
	"testing"
)

func TestCode(t *testing.T) {
	for s, want := range map[string]string{ // what is forbidden | wanted | the other
		"Only `make migrate`, never `alembic upgrade head`.":          "alembic upgrade head|make migrate|",
		"Never run `npm install` or `yarn add`; use `pnpm add`":       "npm install,yarn add|pnpm add|",
		"Never run `npm i`, `yarn add` or `bun add`, run `pnpm add`":  "npm i,yarn add,bun add|pnpm add|",
		"Use `uv add` instead of `pip install`":                       "pip install|uv add|",
		"Instead of `pip install`, use `uv add`":                      "pip install|uv add|",
		"`make test` rather than `go test ./...`":                     "go test ./...||make test",
		"Deploy with `make deploy`, not with `kubectl apply`":         "kubectl apply|make deploy|",
		"Deploy with `make deploy` and not `kubectl apply`":           "kubectl apply|make deploy|",
		"Do not use `git push --force` but `git push`":                "git push --force|git push|",
		"Don't run `terraform apply` by hand":                         "terraform apply||",
		"`terraform apply` must not be run by hand":                   "terraform apply||",
		"`terraform apply` is forbidden (run `make plan`)":            "terraform apply|make plan|",
		"`terraform apply` must never be run":                         "terraform apply||",
		"Never push without `make check`":                             "||make check",
		"Do not push before `make check` has passed":                  "||make check",
		"Never commit if `make lint` fails":                           "||make lint",
		"`make test` does not start `dockerd`":                        "||make test,dockerd",
		"`make test` cannot run on Windows":                           "||make test",
		"Run `make migrate`":                                          "|make migrate|",
		"Notable: `x`":                                                "||x",
		"Nur `make migrieren`, niemals `alembic upgrade head`":        "alembic upgrade head|make migrieren|",
		"Nicht `npm`, sondern `pnpm`":                                 "npm|pnpm|",
		"`npm install` darf nicht benutzt werden":                     "npm install||",
		"Usa `make migrate`, nunca `alembic upgrade head`":            "alembic upgrade head|make migrate|",
		"`pnpm add` au lieu de `npm install`":                         "npm install||pnpm add",
		"N'utilisez jamais `npm install`":                             "npm install||",
		"Use `pnpm` em vez de `npm`":                                  "npm|pnpm|",
		"`npm install` 대신 `pnpm add`를 쓴다":                             "npm install|pnpm add|",
		"`make migrate`만 사용, `alembic upgrade head`는 금지":              "alembic upgrade head|make migrate|",
		"不要用 `npm install`，用 `pnpm add`":                              "npm install|pnpm add|",
		"`npm install` ではなく `pnpm add` を使う":                           "npm install|pnpm add|",
		"`npm install` は禁止、`pnpm add` を使う":                            "npm install|pnpm add|",
		"`terraform apply` nie direkt, sondern immer `tf.sh apply`":   "terraform apply|tf.sh apply|",
		"`git push --no-verify` is off limits here":                   "git push --no-verify||",
		"Use `go mod tidy -x`. A plain `go mod tidy` drops checksums": "|go mod tidy -x|go mod tidy",
		"Fill it with `make seed` only on staging":                    "||make seed",
		"Write `a.sql` only via `rails db`, `rails seed` is OK":       "|rails db,rails seed|a.sql",
		"Before a `helm upgrade` scale the worker down":               "||helm upgrade",
		"Never force-push to main":                                    "git push --force <remote> main||",
		"Force pushing rewrites what others have":                     "||git push --force",
		"Never `composer update` without a package name":              "composer update|composer update <x>|",
		"An `odd number of quotes` and `one":                          "||odd number of quotes",
		"``":                                                          "||",
	} {
		c := Code(s)
		var lists []string
		for _, list := range [][]string{c.Forbidden, slices.Concat(c.Wanted, c.Run), c.Other} {
			lists = append(lists, strings.Join(list, ","))
		}
		if got := strings.Join(lists, "|"); got != want {
			t.Errorf("%s: got %s, want %s", s, got, want)
		}
	}
}

// A prohibition that says where or when it holds is not one everywhere.
func TestLimited(t *testing.T) {
	for s, isLimited := range map[string]bool{
		"Never run `npm install`": false, "Never run `npm install` or `yarn add`; use `pnpm add`": false,
		"Do not use `git push --force` but `git push`":       false,
		"Only `make migrate`, never `alembic upgrade head`.": false,
		"Never `npm ci`: it removes the cache":               false,
		"Don't run `npm ci` manually.":                       false, "`npm ci` must never be used": false,
		"Never `npm ci`, but `pnpm ci`":        false,
		"Never `npm ci`. When it breaks, ask.": false, "Do not use `npm ci` in this repo": false,
		"Do not use `npm ci`, `pnpm ci`, or `yarn ci` at all.": false,
		"`npm install` darf nicht benutzt werden":              false, "`npm install`는 사용하지 마세요": false,
		"不要用 `npm install`，用 `pnpm add`": false, "`npm install` は禁止です": false,

		"Never run `rake test` from the root; use `bin/test` in the component directory": true,
		"Never run `rake test` from the root but use `bin/test`":                         true,
		"Do not use `git push --force` on stable branches such as 8-0-stable.":           true,
		"Never run `rake test` or `rails test` in CI":                                    true,
		"Never run `rake test` in CI or `rails test`":                                    true,
		"Never run `rake test` (except in CI)":                                           true,
		"Never run `git push` without `make check`":                                      true,
		"Never run `git push`, unless `make check` is green":                             true,
		"Never run `git push`, but only on main":                                         true,
		"Never `git push --force`, `git reset --hard`, or `rm -rf` on tracked work":      true,
		"Do not use `npm audit fix --force` without a review":                            true,
		"Never `helm upgrade` while a release runs":                                      true,
		"`npm ci` is forbidden on main":                                                  true,
		"`npm ci` must not be run in tests":                                              true,
		"Nie `git push --force` auf main":                                                true,
		"No ejecutes `git push --force` en producción":                                   true,
	} {
		c := Code(s)
		if got := len(c.Limited) > 0; got != isLimited || len(c.Forbidden) == 0 || got && len(c.Always()) > 0 {
			t.Errorf("%s: forbidden %q, limited %q", s, c.Forbidden, c.Limited)
		}
	}
}

func FuzzCode(f *testing.F) {
	f.Add("Only `make migrate`, never `alembic upgrade head`.")
	f.Fuzz(func(t *testing.T, s string) {
		c := Code(s)
		_, code := cutCode(s)
		c.Wanted = slices.DeleteFunc(c.Wanted, func(piece string) bool { return strings.HasSuffix(piece, " <x>") })
		if all := slices.Concat(c.Forbidden, c.Wanted, c.Run, c.Other); len(all) > len(code) {
			t.Errorf("%q: got %q of %q", s, all, code)
		}
	})
}
