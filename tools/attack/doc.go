// Package attack runs memctl on hostile projects (docs/trust.md). Its cases are tests
// behind the build tag attack, which "make attack" runs. A case fails if a hook exits with a
// status that blocks the client, takes longer than its deadline or more memory than its
// limit, or lets through what it should stop. They need Linux; those that mount a file
// system need root.
package attack
