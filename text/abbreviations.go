package text

import (
	"strings"
	"sync"
)

// spelledOut lists, after the word that the index holds, other ways to write it:
// abbreviations that developers use, and forms of irregular verbs and plurals that a
// stemmer cannot know. It lists only what has one meaning in a developer's note, so no
// "op", "pos" or "rep". The index holds prod, because a stemmer makes "product" of the long
// form.
const spelledOut = `
accessibility a11y
administrator admin admins
application app apps
argument arg args
asynchronous async
authentication auth authn
authorization authz
configuration config configs cfg
context ctx
database db dbs
dependency dep deps
development dev
directory dir dirs
documentation doc docs
environment env envs
error err errs
function func fn
implementation impl
initialize init
internationalization i18n
javascript js
kubernetes k8s
library lib libs
localization l10n
message msg msgs
observability o11y
package pkg pkgs
parameter param params
performance perf
postgresql postgres pg
prod production
pull-request pr prs
repository repo repos
request req reqs
response resp
specification spec specs
synchronize sync
temporary tmp temp
typescript ts

begin began begun
break broke broken
build built
choose chose chosen
drop dropped
find found
get got gotten
give gave given
hide hid hidden
hold held
index indices indexes
keep kept
leave left
lose lost
make made
mean meant
rebuild rebuilt
run ran
send sent
stick stuck
take took taken
throw threw thrown
write wrote written`

// spelling maps each form to the word that the index holds.
var spelling = sync.OnceValue(func() map[string]string {
	words := map[string]string{}
	for line := range strings.Lines(spelledOut) {
		forms := strings.Fields(line)
		for i, form := range forms {
			if i > 0 {
				words[form] = strings.ReplaceAll(forms[0], "-", " ")
			}
		}
	}
	return words
})

// spellOut returns the word or words that the index holds for a lower-case word:
// mostly the word itself.
func spellOut(word string) string {
	if full, ok := spelling()[word]; ok {
		return full
	}
	return word
}
